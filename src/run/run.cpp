#include "run/run.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <filesystem>
#include <functional>
#include <limits>
#include <span>
#include "run/core_speed.hpp"
#include "plan/plan.hpp"
#include "observe/results.hpp"
#include "run/run_folder.hpp"
#include "run/run_stages.hpp"
#include "engine/simulation.hpp"
#include "plan/start_check.hpp"
#include "core/errors.hpp"
#include "core/instruction_set.hpp"
#include "core/parallel.hpp"
#include "core/version.hpp"
#include "io/formats/amounts.hpp"
#include "io/case/case.hpp"
#include "plan/memory_limit.hpp"
#include "decomposition/together.hpp"

namespace granary {

namespace {

namespace fs = std::filesystem;

// Read by one rank, handed to all.
std::string case_text(const boost::mpi::communicator& comm, const std::string& file) {
    std::string text;
    together(comm, [&] {
        if (comm.rank() == 0) text = read_case_text(file);
    });
    boost::mpi::broadcast(comm, text, 0);
    return text;
}

Plan planned(const boost::mpi::communicator& comm, const std::string& text, const RunOptions& options) {
    Case c = read_case(text, options.case_file, options.sets);
    return make_plan(comm, std::move(c), CasePlaces(text, options.case_file, options.sets));
}

// `check` looks at the balls of the start too, but does not spend minutes on it.
constexpr std::uint64_t most_looked_at = 2'000'000;

void look_at_start(const Simulation& sim, const Plan& plan, const std::string& file,
                   std::vector<std::string>& remarks) {
    std::string remark;
    try {
        remark = check_start(sim, plan.bonds_at_start);
    } catch (const InputError& e) {  // the same on all ranks
        throw InputError(file + ": " + e.what());
    }
    if (!remark.empty()) remarks.push_back(remark);
}

// In place of the usual speed that of this machine, from one rank: the others wait.
void tell_core_speed(Plan& plan) {
    const std::optional<CoreSpeed> speed = measure_core_speed(plan);
    if (!speed) return;
    plan.report.core_speed = speed->ball_steps;
    plan.report.speed_source =
        fmt::format("measured on one core with a bed of {} balls without walls", count_text(speed->balls));
}

// Refused before anything is made: a case that the machines cannot hold would end in the middle of the night.
void check_memory(const boost::mpi::communicator& comm, const Plan& plan, const std::string& file) {
    MPI_Comm machine;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    int rank_here = 0;
    MPI_Comm_rank(machine, &rank_here);
    MPI_Comm_free(&machine);
    const MemoryHere here = memory_here();
    const double there_is = boost::mpi::all_reduce(comm, rank_here == 0 ? here.bytes : 0, std::plus<double>());
    const bool limited = boost::mpi::all_reduce(comm, here.limited, std::logical_or<bool>());
    const double needed = plan.report.memory().peak;
    if (there_is > 0 && needed > there_is)
        throw InputError(
            fmt::format("{}: {} balls need {} of memory, {} {} (expected fewer balls, or more {})", file,
                        plan.report.balls.count, bytes_text(needed),
                        limited ? "the limits of this job (cgroup or Slurm) allow" : "the machines of this run have",
                        bytes_text(there_is), limited ? "memory for the job" : "machines"));
}

// What reruns the case: every key with its value, below a comment that says by what it was made.
std::string as_run(const RunOptions& options, const Plan& plan) {
    ResolvedNotes notes = plan.chosen;
    std::string command = "granary run " + options.case_file;
    for (const std::string& set : options.sets) command += fmt::format(" --set '{}'", set);
    if (options.steps) command += fmt::format(" --steps {}", *options.steps);
    notes.head = {command, fmt::format("granary {} ({}), {}, {}; running {}", version, git_commit, compiler,
                                       build_flags, instruction_set())};
    return resolved_case(plan.c, notes);
}

// The step beside the time it must resolve.
std::string step_text(const Plan& plan) {
    double time = std::numeric_limits<double>::infinity();
    const bool elastic = !plan.report.materials.empty();
    for (const MaterialScale& m : plan.report.materials) time = std::min(time, m.rayleigh_time);
    if (!elastic)
        for (const PairScale& p : plan.report.pairs) time = std::min(time, p.contact_time);
    return fmt::format("dt {:.3g} s is {:.3g} % of the {}, {:.3g} s\n", plan.report.dt, 100 * plan.report.dt / time,
                       elastic ? "Rayleigh time" : "shortest contact time", time);
}

// What the command line says in place of the case file.
std::string overrides(const RunOptions& options) {
    std::string text;
    for (const std::string& set : options.sets) text += fmt::format("set {}\n", printable(set));
    if (options.steps) text += fmt::format("steps {}\n", *options.steps);
    return text;
}

}  // namespace

std::string head(const Plan& plan, const Simulation& sim, const std::string& title) {
    const std::array<int, 3> n = sim.setup().axes.out(sim.neighbourhood().cubes.count);
    const std::string threads = threads_here() > 1 ? fmt::format(" of {} threads", threads_here()) : "";
    return fmt::format("{}: {} balls, {} rank{}{}, {} x {} x {} cells of {:.4g} m, skin {:.3g} m, dt {:.3g} s\n", title,
                       plan.report.balls.count, sim.comm().size(), sim.comm().size() == 1 ? "" : "s", threads, n[0],
                       n[1], n[2], sim.neighbourhood().cubes.edge.x, sim.setup().skin, sim.setup().dt);
}

void check_case(const boost::mpi::communicator& comm, const RunOptions& options) {
    const std::string text = case_text(comm, options.case_file);
    Plan plan = planned(comm, text, options);
    if (plan.balls_at_start <= most_looked_at) {
        const Simulation sim(comm, plan.setup);
        look_at_start(sim, plan, options.case_file, plan.report.warnings);
    } else {
        plan.report.warnings.emplace_back("with so many balls the start is checked only when the case is run");
    }
    if (options.ranks) plan.report.ranks = *options.ranks;
    if (comm.rank() == 0) {
        if (options.measure) tell_core_speed(plan);
        fmt::print("{}", check_text(plan.report));
    }
}

int run_case(const boost::mpi::communicator& comm, const RunOptions& options) {
    // With its whole path: what it names is found again when the run is resumed from elsewhere.
    const std::string whole_path = fs::absolute(options.case_file).lexically_normal().string();
    const Asked asked{case_text(comm, options.case_file), whole_path, options.sets, options.steps, git_commit};
    Plan plan = planned(comm, asked.text, options);
    check_memory(comm, plan, options.case_file);
    const fs::path name = fs::path(options.case_file).stem();
    const fs::path folder = options.out.empty() ? name : fs::path(options.out);
    check_folder(comm, folder, options.overwrite);  // an early answer: to make many balls takes a while
    const std::string file = as_run(options, plan);
    Setup setup = plan.setup;
    plan.setup.forget_bodies();  // the only one left to hold them lets go of them before their neighbours are searched
    Simulation sim(comm, std::move(setup));
    look_at_start(sim, plan, options.case_file, plan.remarks);
    std::string remarks;
    for (const std::string& r : plan.remarks) remarks += "warning: " + r + "\n";
    if (cores_allowed() < threads_here())
        remarks += fmt::format(
            "warning: {} threads share {} core{}: mpirun gives each rank one core unless told otherwise "
            "(--bind-to none, or --map-by slot:PE={})\n",
            threads_here(), cores_allowed(), cores_allowed() == 1 ? "" : "s", threads_here());

    const std::unique_ptr<FolderLock> lock = take_folder(comm, folder, "run " + options.case_file, options.quiet);
    check_folder(comm, folder, options.overwrite, lock.get());  // the last word, now that nobody else is there
    const std::string cleared = options.overwrite ? clear_folder(comm, folder) : "";
    Results results(comm, folder, plan.c.output.state, file, options.quiet);
    results.say(head(plan, sim, plan.c.title.empty() ? name.string() : plan.c.title) + overrides(options) +
                step_text(plan) + plan.detector_line + cleared + remarks);
    return run_stages(sim, plan, results, asked, options, {});
}

}  // namespace granary
