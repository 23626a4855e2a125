// The program: starts MPI and Kokkos, reads the command line, and turns an error of one rank into the end of all.
#include <fmt/format.h>
#include <mpi.h>
#include <Kokkos_Core.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <chrono>
#include <cstdio>
#include <new>
#include <string_view>
#include <thread>
#include "app/bench_bed.hpp"
#include "app/bench_checkpoint.hpp"
#include "app/bench_detect.hpp"
#include "app/command_line.hpp"
#include "app/run.hpp"
#include "core/errors.hpp"
#include "io/case_schema.hpp"
#include "io/report.hpp"
#include "io/state_file.hpp"
#include "io/together.hpp"

namespace granary {
namespace {

// An error that all ranks met alike is told once, by rank 0. One that only some ranks met would leave the others
// waiting, so after a moment of looking round the rank tells it and ends them all.
int end_all(MPI_Comm all, int code, const std::string& text) {
    MPI_Request everybody;
    MPI_Ibarrier(all, &everybody);
    int alike = 0;
    for (int k = 0; k < 200 && alike == 0; ++k) {
        MPI_Test(&everybody, &alike, MPI_STATUS_IGNORE);
        if (alike == 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    int rank = 0;
    MPI_Comm_rank(all, &rank);
    std::fflush(stdout);
    if (alike == 0 || rank == 0) fmt::print(stderr, "granary: {}\n", text);
    std::fflush(stderr);
    if (alike == 0) MPI_Abort(all, code);
    return code;
}

constexpr const char* out_of_memory = "out of memory: use fewer balls, or more ranks on more machines";

template <class F> int guarded(MPI_Comm all, F&& f) {
    try {
        return f();
    } catch (const InputError& e) {
        return end_all(all, exit_bad_input, e.what());
    } catch (const RunError& e) {
        return end_all(all, exit_run_failed, e.what());
    } catch (const std::bad_alloc&) {
        return end_all(all, exit_run_failed, out_of_memory);
    } catch (const std::exception& e) {
        if (std::string_view(e.what()).find("failed to allocate") != std::string_view::npos)  // as Kokkos says it
            return end_all(all, exit_run_failed, out_of_memory);
        return end_all(all, exit_run_failed, fmt::format("internal error: {}", e.what()));
    }
}

int obey(const boost::mpi::communicator& world, int argc, const char* const* argv) {
    const CommandLine line = read_command_line(argc, argv);
    std::string answer;
    switch (line.command) {
        case CommandLine::Command::none: answer = line.text; break;
        case CommandLine::Command::run: return run_case(world, line.run);
        case CommandLine::Command::resume: return resume_case(world, line.run);
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
        case CommandLine::Command::bench_checkpoint: answer = bench_checkpoint(world, line.checkpoint) + "\n"; break;
        case CommandLine::Command::bench_picture: answer = bench_picture(world, line.picture); break;
        case CommandLine::Command::bench_detect: answer = bench_detect(world, line.detect); break;
    }
    if (world.rank() == 0) fmt::print("{}", answer);
    return 0;
}

}  // namespace
}  // namespace granary

int main(int argc, char** argv) {
    boost::mpi::environment environment(argc, argv, boost::mpi::threading::funneled);
    const boost::mpi::communicator world;
    MPI_Comm errors;  // its own: an error must not meet the messages of a run
    MPI_Comm_dup(world, &errors);
    Kokkos::initialize();  // without the command line, which is ours
    const int code = granary::guarded(errors, [&] { return granary::obey(world, argc, argv); });
    Kokkos::finalize();
    return code;
}
