// The program: reads the command line, starts MPI and Kokkos, and turns an error of one rank into the end of all.
#include <fmt/format.h>
#include <mpi.h>
#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <chrono>
#include <thread>
#include "app/bench_bed.hpp"
#include "app/run.hpp"
#include "core/errors.hpp"
#include "core/version.hpp"
#include "io/state_file.hpp"

namespace {

using namespace granary;

// An error that all ranks met alike is told once, by rank 0. One that only some ranks met would leave the others waiting, so after a
// moment of looking round the rank tells it and ends them all.
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
    if (alike == 0 || rank == 0) fmt::print(stderr, "granary: {}\n", text);
    std::fflush(stderr);
    if (alike == 0) MPI_Abort(all, code);
    return code;
}

template <class F> int guarded(MPI_Comm all, F&& f) {
    try {
        f();
        return 0;
    } catch (const InputError& e) {
        return end_all(all, exit_bad_input, e.what());
    } catch (const RunError& e) {
        return end_all(all, exit_run_failed, e.what());
    } catch (const std::bad_alloc&) {
        return end_all(all, exit_run_failed, "out of memory: use fewer balls, or more ranks on more machines");
    } catch (const std::exception& e) {
        return end_all(all, exit_run_failed, fmt::format("internal error: {}", e.what()));
    }
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app{"Granary: balls in silos, the same bits on any number of ranks. Alone or under mpirun -n K."};
    app.require_subcommand(1);
    app.set_version_flag("--version",
                         fmt::format("granary {} ({}), {}, {}", version, git_commit, compiler, build_flags));

    RunOptions run;
    auto* run_command = app.add_subcommand("run", "Run a case from its TOML file");
    run_command->add_option("case", run.case_file, "the case file")->required();
    run_command->add_option("--out", run.out, "folder for the results (default: the case's name)");
    run_command->add_option("--set", run.sets, "override a key of the case, e.g. --set run.dt=1e-5; may be repeated")
        ->allow_extra_args(false);
    run_command->add_option("--steps", run.steps, "number of steps, instead of what the case says");
    run_command->add_flag("--quiet", run.quiet, "print the digest only");

    std::string state;
    auto* digest_command = app.add_subcommand("digest", "Print the hash of the physical state in a state file");
    digest_command->add_option("state", state, "the state file (.h5)")->required();

    BenchBed bed;
    auto* bench_command = app.add_subcommand("bench", "Measure speed and memory");
    bench_command->require_subcommand(1);
    auto* bed_command = bench_command->add_subcommand("bed", "A dense bed at rest; prints one line of JSON");
    bed_command->add_option("--balls", bed.balls, "about so many, whole columns of 6272")
        ->capture_default_str()
        ->check(CLI::Range(1.0, 4e9));
    bed_command->add_option("--steps", bed.steps, "timed steps")->capture_default_str()->check(CLI::PositiveNumber);
    const std::map<std::string, LawSettings::Type> laws{{"hertz-mindlin", LawSettings::Type::hertz_mindlin},
                                                        {"linear", LawSettings::Type::linear}};
    bed_command->add_option("--law", bed.law, "hertz-mindlin or linear")->transform(CLI::CheckedTransformer(laws));
    bed_command
        ->add_option("--rebuild-every", bed.rebuild_every, "a rebuild every so many steps (0: when the skin says so)")
        ->capture_default_str();
    bed_command->add_option("--skin", bed.skin, "skin of the candidate list, m")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    bed_command->add_option("--cache", bed.cache, "folder where the settled column is kept");

    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return app.exit(e) == 0 ? 0 : exit_bad_input;
    }

    boost::mpi::environment environment(argc, argv, boost::mpi::threading::funneled);
    const boost::mpi::communicator world;
    MPI_Comm errors;
    MPI_Comm_dup(world, &errors);
    Kokkos::initialize(argc, argv);
    const int code = guarded(errors, [&] {
        if (*run_command) run_case(world, run);
        if (*digest_command && world.rank() == 0) fmt::print("{}\n", digest_of_file(state).hex());
        if (*bed_command) {
            const std::string line = bench_bed(world, bed);
            if (world.rank() == 0) fmt::print("{}\n", line);
        }
    });
    Kokkos::finalize();
    return code;
}
