#include "app/run.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <filesystem>
#include <functional>
#include <limits>
#include <span>
#include "app/observer.hpp"
#include "app/plan.hpp"
#include "app/results.hpp"
#include "app/simulation.hpp"
#include "app/start_check.hpp"
#include "core/errors.hpp"
#include "core/version.hpp"
#include "io/amounts.hpp"
#include "io/case.hpp"
#include "io/report.hpp"
#include "io/together.hpp"

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

void look_at_start(const Simulation& sim, const std::string& file, std::vector<std::string>& remarks) {
    std::string remark;
    try {
        remark = check_start(sim);
    } catch (const InputError& e) {  // the same on all ranks
        throw InputError(file + ": " + e.what());
    }
    if (!remark.empty()) remarks.push_back(remark);
}

// Refused before anything is made: a case that the machines cannot hold would end in the middle of the night.
void check_memory(const boost::mpi::communicator& comm, const Plan& plan, const std::string& file) {
    MPI_Comm machine;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
    int rank_here = 0;
    MPI_Comm_rank(machine, &rank_here);
    MPI_Comm_free(&machine);
    const double here = rank_here == 0 ? memory_of_machine() : 0;
    const double there_is = boost::mpi::all_reduce(comm, here, std::plus<double>());
    const double needed = memory_of(plan.report.balls.count).peak;
    if (there_is > 0 && needed > there_is)
        throw InputError(
            fmt::format("{}: {} balls need {} of memory, the machines of this run have {} (expected fewer "
                        "balls, or more machines)",
                        file, plan.report.balls.count, bytes_text(needed), bytes_text(there_is)));
}

// What reruns the case: every key with its value, below a comment that says by what it was made.
std::string as_run(const RunOptions& options, const Plan& plan) {
    ResolvedNotes notes = plan.chosen;
    std::string command = "granary run " + options.case_file;
    for (const std::string& set : options.sets) command += fmt::format(" --set '{}'", set);
    if (options.steps) command += fmt::format(" --steps {}", *options.steps);
    notes.head = {command, fmt::format("granary {} ({}), {}, {}", version, git_commit, compiler, build_flags)};
    return resolved_case(plan.c, notes);
}

// A stage, cut to a number of steps in all if that is asked for; a case without stages runs exactly so many.
Stage shortened(Stage stage, const std::optional<std::uint64_t>& steps, std::uint64_t done, bool only_one) {
    if (!steps) return stage;
    const std::uint64_t left = *steps > done ? *steps - done : 0;
    stage.longest = only_one || stage.longest == 0 ? left : std::min(stage.longest, left);
    return stage;
}

// The step beside the time it must resolve.
std::string step_text(const Plan& plan) {
    double time = std::numeric_limits<double>::infinity();
    const bool elastic = !plan.report.materials.empty();
    for (const MaterialScale& m : plan.report.materials) time = std::min(time, m.rayleigh_time);
    if (!elastic)
        for (const PairScale& p : plan.report.pairs) time = std::min(time, p.contact_time);
    return fmt::format("dt {:.3g} s is {:.3g} % of the {}, {:.3g} s\n", plan.report.dt, 100 * plan.report.dt / time,
                       elastic ? "Rayleigh time" : "shortest contact", time);
}

// What the command line says in place of the case file.
std::string overrides(const RunOptions& options) {
    std::string text;
    for (const std::string& set : options.sets) text += fmt::format("set {}\n", printable(set));
    if (options.steps) text += fmt::format("steps {}\n", *options.steps);
    return text;
}

std::string head(const Plan& plan, const Simulation& sim, const std::string& title) {
    const std::array<int, 3> n = sim.setup().axes.out(sim.cubes().count);
    return fmt::format("{}: {} balls, {} rank{}, {} x {} x {} cubes of {:.4g} m, skin {:.3g} m, dt {:.3g} s\n", title,
                       plan.report.balls.count, sim.comm().size(), sim.comm().size() == 1 ? "" : "s", n[0], n[1], n[2],
                       sim.cubes().edge.x, sim.setup().skin, sim.setup().dt);
}

// The page for the eye. Whatever is wrong with it, the run is done and must not suffer: one warning.
void report_of(const boost::mpi::communicator& comm, Results& results) {
    if (comm.rank() != 0) return;
    try {
        write_report(results.file(""));
    } catch (const std::exception& e) {
        results.say(fmt::format("warning: no report was made: {}\n", e.what()));
    }
}

}  // namespace

void check_case(const boost::mpi::communicator& comm, const RunOptions& options) {
    const std::string text = case_text(comm, options.case_file);
    Plan plan = planned(comm, text, options);
    if (plan.balls_at_start <= most_looked_at) {
        const Simulation sim(comm, plan.setup);
        look_at_start(sim, options.case_file, plan.report.warnings);
    } else {
        plan.report.warnings.push_back("so many balls at the start are looked at only when the case is run");
    }
    if (comm.rank() == 0) fmt::print("{}", check_text(plan.report));
}

void run_case(const boost::mpi::communicator& comm, const RunOptions& options) {
    const std::string text = case_text(comm, options.case_file);
    Plan plan = planned(comm, text, options);
    check_memory(comm, plan, options.case_file);
    const fs::path name = fs::path(options.case_file).stem();
    const std::string file = as_run(options, plan);
    Simulation sim(comm, std::move(plan.setup));
    look_at_start(sim, options.case_file, plan.remarks);
    std::string remarks;
    for (const std::string& r : plan.remarks) remarks += "warning: " + r + "\n";

    Results results(comm, options.out.empty() ? name : fs::path(options.out), plan.c.output.state, file, options.quiet);
    results.say(head(plan, sim, plan.c.title.empty() ? name.string() : plan.c.title) + overrides(options) +
                step_text(plan) + plan.detector_line + remarks);
    try {
        Observer observer(sim, plan, results, text, options.quiet);
        for (std::size_t k = 0; k < plan.stages.size(); ++k) {
            if (options.steps && sim.steps_done() >= *options.steps) break;
            if (plan.c.stages.empty() && !options.steps && plan.stages[k].longest == 0) break;  // no step at all
            const Stage stage = shortened(plan.stages[k], options.steps, sim.steps_done(), plan.c.stages.empty());
            observer.begin_stage(sim, stage, k + 1, plan.stages.size());
            const StageEnd end = run_stage(
                sim, stage, plan.gates, [&](Simulation& s) { observer.before_step(s); },
                [&](Simulation& s) { observer.after_step(s); });
            observer.end_stage(sim, end);
        }
        observer.finish(sim);
    } catch (const std::exception& e) {
        results.note(fmt::format("the run has failed:\n{}\n", e.what()));
        report_of(comm, results);
        throw;
    }
    const Digest digest =
        sim.in_axes(sim.setup().axes, [&](const Bodies& bodies, std::span<const ContactRecord> contacts) {
            return digest_of(comm, bodies, contacts);
        });
    results.say(fmt::format("results {}\n", results.file("")));
    results.note(fmt::format("digest {}\n", digest.hex()));
    report_of(comm, results);
    if (comm.rank() == 0) fmt::print("digest {}\n", digest.hex());
}

}  // namespace granary
