#include "run/run_stages.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <span>
#include "run/checkpoints.hpp"
#include "run/failure.hpp"
#include "run/stages.hpp"
#include "observe/observer.hpp"
#include "observe/pictures.hpp"
#include "core/errors.hpp"
#include "core/free_memory.hpp"
#include "io/report/report.hpp"
#include "engine/measures.hpp"

namespace granary {

namespace {

// A stage, cut to a number of steps in all if that is asked for; a case without stages runs exactly so many.
Stage shortened(Stage stage, const std::optional<std::uint64_t>& steps, std::uint64_t done, bool only_one) {
    if (!steps) return stage;
    const std::uint64_t left = *steps > done ? *steps - done : 0;
    stage.longest = only_one || stage.longest == 0 ? left : std::min(stage.longest, left);
    return stage;
}

CheckpointTimes times_of(const OutputSpec& o, const RunOptions& options) {
    return {o.checkpoint_every, o.checkpoint_wall_time, static_cast<std::uint64_t>(o.checkpoints_kept),
            options.wall_time, options.started};
}

// The page for the eye. Whatever is wrong with it, the run is done and must not suffer: one warning.
void report_of(const boost::mpi::communicator& comm, Results& results) {
    if (comm.rank() != 0) return;
    try {
        write_report(results.file(""));
    } catch (const std::exception& e) {
        results.say(fmt::format("warning: no report was written: {}\n", e.what()));
    }
}

}  // namespace

std::size_t stage_number_in(const SavedState& saved) {
    std::size_t number = 0;
    StateLoader io(saved);
    io("stage.number", number);
    return number;
}

int run_stages(Simulation& sim, const Plan& plan, Results& results, Asked asked, const RunOptions& options,
               const TakenUp& taken_up) {
    give_back_free_memory();  // of the start
    const bool speaks = sim.comm().rank() == 0;
    const std::string folder = results.file("");
    RunStatus last{"running", sim.clock().step(), sim.clock().time(), taken_up.checkpoint, sim.comm().size(), ""};
    if (speaks) write_status(folder, last);
    std::optional<Observer> watching;  // outlives a failure: it has seen what led to it
    try {
        std::size_t k = 0;
        StageProgress progress;
        if (taken_up.saved != nullptr) {
            StateLoader io(*taken_up.saved);
            progress.run_state(io);
            k = stage_number_in(*taken_up.saved);
        }
        Observer& observer = watching.emplace(sim, plan, results, asked.text, options.quiet, taken_up.saved);
        Pictures pictures(sim, plan, results, taken_up.saved);
        const auto save = [&] {
            SavedState to = sim.save();
            observer.save(sim, to);
            save_plan(plan, to);
            StateSaver io(to);
            asked.run_state(io), progress.run_state(io), io("stage.number", k), pictures.run_state(io);
            return to;
        };
        Checkpoints checkpoints(sim, results, times_of(plan.c.output, options), asked.text, save);
        checkpoints.set_newest(taken_up.checkpoint);
        const auto draw = [&](const Simulation& s) {
            if (!pictures.due(s)) return;
            if (pictures.loads()) checkpoints.write_now(s);  // should ParaView bring the run down, it goes on from here
            pictures.draw(s);
        };
        for (; k < plan.stages.size(); ++k, progress = {}) {
            if (!progress.begun && asked.steps && sim.clock().step() >= *asked.steps) break;
            if (plan.c.stages.empty() && !asked.steps && plan.stages[k].longest == 0) break;  // no step at all
            const std::uint64_t before = progress.begun ? progress.begin : sim.clock().step();
            const Stage stage = shortened(plan.stages[k], asked.steps, before, plan.c.stages.empty());
            observer.begin_stage(sim, stage, k + 1, plan.stages.size(), progress);
            StageEnd end = run_stage(
                sim, stage, plan.gates,
                [&](const Simulation& s) {
                    draw(s);  // at the very start; later ones are made when their step is done
                    observer.before_step(s);
                    pictures.before_step(s);
                    checkpoints.before_step(s);
                },
                [&](const Simulation& s) {
                    observer.after_step(s);
                    draw(s);
                    progress.stop = checkpoints.after_step(s);
                },
                progress);
            last = checkpoints.status(sim, "running");
            const bool stopped = end.why == StageEnd::Why::stopped;
            if (stopped) end.text = fmt::format("stopped: {}", checkpoints.why_stopped());
            observer.end_stage(sim, end);
            if (!stopped) continue;
            results.say(fmt::format("`granary resume {}` continues from {}\n", folder, checkpoints.newest()));
            report_of(sim.comm(), results);
            if (speaks) write_status(folder, checkpoints.status(sim, "resume-me", end.text));
            return exit_resume_me;
        }
        observer.finish(sim, &pictures);
        last = checkpoints.status(sim, "finished");
    } catch (const std::exception& e) {
        const std::string text = failure_text(e);
        if (watching) results.say(watching->break_off());
        watching.reset();    // whatever it has open is whole before the report is made
        tell_failure(text);  // before the report, which may take a while
        results.note(fmt::format("the run has failed:\n{}\n", text));
        last.status = "failed", last.message = text, last.step = sim.clock().step(), last.time = sim.clock().time();
        if (speaks) write_status(folder, last);
        report_of(sim.comm(), results);
        // The case has been found good and has begun: whatever comes now, such as a full disk, came up in the run.
        if (kind_of(e) == ErrorKind::input) throw RunError(e.what());
        throw;
    }
    watching.reset();
    const Digest digest = digest_of(sim);
    results.say(fmt::format("results {}\n", folder));
    results.note(fmt::format("digest {}\n", digest.hex()));
    report_of(sim.comm(), results);
    if (speaks) write_status(folder, last);
    results.print(fmt::format("digest {}\n", digest.hex()));
    return 0;
}

}  // namespace granary
