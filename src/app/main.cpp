// The program: starts MPI and Kokkos, reads the command line, and turns an error of one rank into the end of all.
#include <fmt/format.h>
#include <malloc.h>
#include <mpi.h>
#include <Kokkos_Core.hpp>
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/serialization/string.hpp>
#include <cstdlib>
#include "bench/bench_bed.hpp"
#include "bench/bench_bonds.hpp"
#include "bench/bench_checkpoint.hpp"
#include "bench/bench_clusters.hpp"
#include "bench/bench_detect.hpp"
#include "app/command_line.hpp"
#include "run/failure.hpp"
#include "run/run.hpp"
#include "core/errors.hpp"
#include "core/parallel.hpp"
#include "io/case/case_schema.hpp"
#include "io/report/report.hpp"
#include "io/log/standard_output.hpp"
#include "io/state/state_file.hpp"
#include "decomposition/together.hpp"

namespace granary {
namespace {

template <class F> int guarded(F&& f) {
    try {
        return f();
    } catch (const std::exception& e) {
        return end_after_failure(e);
    }
}

// Arrays that are freed go back to the system. Left alone, the C library raises the size from which they do to that of
// the largest array freed so far, and the scratch of start-up stays in the process: 22 bytes a ball of a million.
void give_memory_back() {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, 128 << 10);
#endif
}

// Open MPI asks hwloc for the cores, and hwloc would load whatever finds graphics cards and reads XML in every form:
// libX11, OpenCL, libxml2 with all of Unicode, 1.5 to 2.5 MB of every rank that no run needs.
void load_no_more_than_needed() {
    setenv("HWLOC_PLUGINS_BLACKLIST", "hwloc_gl.so,hwloc_opencl.so,hwloc_xml_libxml.so", 0);
}

// Without the command line, which is ours. One thread unless asked for: OpenMP alone would take all cores, on every
// rank.
void start_kokkos(int threads) {
    setenv("OMP_PROC_BIND", "false", 0);  // mpirun says which cores a rank may use; Kokkos asks for a choice
#if KOKKOS_VERSION >= 30700
    Kokkos::initialize(Kokkos::InitializationSettings().set_num_threads(threads));
#else
    Kokkos::InitArguments arguments;
    arguments.num_threads = threads;
    Kokkos::initialize(arguments);
#endif
}

void check_threads(std::size_t asked) {
    if (asked == threads_here()) return;
    throw InputError(
        fmt::format("--threads {}: the Kokkos that this program was built with has {}. Use ranks instead "
                    "(mpirun -n {}), or build with threads: jobs/setup --threads",
                    asked, threads_here() == 1 ? "no threads" : fmt::format("{} here", threads_here()), asked));
}

int obey(const boost::mpi::communicator& world, int argc, const char* const* argv) {
    const CommandLine line = read_command_line(argc, argv);
    check_threads(line.threads);
    std::string answer;
    switch (line.command) {
        case CommandLine::Command::none: answer = line.text; break;
        case CommandLine::Command::run: survive_broken_pipes(); return run_case(world, line.run);
        case CommandLine::Command::resume: survive_broken_pipes(); return resume_case(world, line.run);
        case CommandLine::Command::check: check_case(world, line.run); break;
        case CommandLine::Command::keys: answer = case_reference(); break;
        case CommandLine::Command::digest:
            together(world, [&] {
                if (world.rank() == 0) answer = digest_of_file(line.state).hex() + "\n";
            });
            break;
        case CommandLine::Command::report:
            together(world, [&] {
                if (world.rank() != 0) return;
                answer = line.folders.size() == 1 ? write_report(line.folders.front(), line.out)
                                                  : write_comparison(line.folders, line.out);
                answer += "\n";
            });
            break;
        case CommandLine::Command::sweep: answer = sweep(world, line.sweep); break;
        case CommandLine::Command::bench_bed: answer = bench_bed(world, line.bed) + "\n"; break;
        case CommandLine::Command::bench_bonds: answer = bench_bonds(world, line.bonds) + "\n"; break;
        case CommandLine::Command::bench_checkpoint: answer = bench_checkpoint(world, line.checkpoint) + "\n"; break;
        case CommandLine::Command::bench_halo: answer = bench_halo(world, line.halo); break;
        case CommandLine::Command::bench_picture: answer = bench_picture(world, line.picture); break;
        case CommandLine::Command::bench_shapes: answer = bench_shapes(world, line.shapes); break;
        case CommandLine::Command::bench_clusters: answer = bench_clusters(world, line.clusters); break;
        case CommandLine::Command::bench_detect: answer = bench_detect(world, line.detect); break;
    }
    std::string problem = world.rank() == 0 ? print_out(answer) : "";
    boost::mpi::broadcast(world, problem, 0);
    if (!problem.empty()) throw RunError("cannot write to standard output: " + problem);
    return 0;
}

}  // namespace
}  // namespace granary

int main(int argc, char** argv) {
    granary::open_missing_streams();
    granary::give_memory_back();
    granary::load_no_more_than_needed();
    boost::mpi::environment environment(argc, argv, boost::mpi::threading::funneled);
    const boost::mpi::communicator world;
    MPI_Comm errors;  // its own: an error must not meet the messages of a run
    MPI_Comm_dup(world, &errors);
    granary::watch_for_failures(errors);
    granary::start_kokkos(granary::threads_asked(argc, argv));
    const int code = granary::guarded([&] { return granary::obey(world, argc, argv); });
    Kokkos::finalize();
    return code;
}
