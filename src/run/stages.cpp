#include "run/stages.hpp"

#include <fmt/format.h>
#include <optional>
#include "engine/measures.hpp"

namespace granary {

namespace {

// All the insertions are at their end: what came of them.
StageEnd end_of_filling(const Simulation& sim, const Stage& stage, std::size_t first, bool in_time) {
    std::uint64_t placed = 0, asked = 0;
    double mass = 0, mass_asked = 0;
    bool whole = in_time;
    for (std::size_t k = 0; k < stage.insertions.size(); ++k) {
        const InsertionSpec& s = stage.insertions[k];
        placed += sim.inserter().bodies()[first + k], mass += sim.inserter().mass()[first + k];
        mass_asked += s.mass;
        if (s.mass > 0) {
            whole &= mass_is_met(s, sim.inserter().mass()[first + k]);
        } else {
            asked += s.total;
            whole &= sim.inserter().bodies()[first + k] == s.total;
        }
    }
    const std::string aim = mass_asked > 0 ? fmt::format("{:.6g} of {:.6g} kg in {} balls", mass, mass_asked, placed)
                                           : fmt::format("{} of {} balls, {:.6g} kg", placed, asked, mass);
    if (whole) return {StageEnd::Why::filled, fmt::format("filled: {}", aim)};
    return {StageEnd::Why::not_filled,
            fmt::format("not filled: {}; the rest could not be placed{}", aim,
                        in_time ? " without overlap: enlarge the region, lower the rate or allow more trials"
                                : " in time: allow more time or a higher rate")};
}

bool all_inserted(const Simulation& sim, const Stage& stage, std::size_t first) {
    for (std::size_t k = 0; k < stage.insertions.size(); ++k)
        if (!sim.inserter().done(sim.setup(), first + k)) return false;
    return true;
}

// What came in by the inlets of a stage that is not a filling.
std::string inlets_text(const Simulation& sim, std::size_t first) {
    std::string text;
    for (std::size_t k = first; k < sim.setup().insertions.size(); ++k) {
        const InsertionSpec& s = sim.setup().insertions[k];
        const CameIn came = came_in(s, sim.inserter().bodies()[k], sim.inserter().mass()[k], sim.clock().step());
        text += fmt::format("; insert{}{}: {} inserted{}", s.name.empty() ? "" : " ", s.name, came.text,
                            came.all ? "" : ", no room for the rest");
    }
    return text;
}

// Looks at the criterion of a stage, at its fixed steps.
class Criterion {
  public:
    Criterion(const Stage& stage, StageProgress& progress)
        : stage_(stage),
          first_(progress.first_insertion),
          last_left_(progress.last_left),
          last_motion_(progress.last_motion) {}

    std::optional<StageEnd> look(const Simulation& sim) {
        switch (stage_.type) {
            case Stage::Type::run: break;
            case Stage::Type::fill:
                if (all_inserted(sim, stage_, first_)) return end_of_filling(sim, stage_, first_, true);
                break;
            case Stage::Type::settle: return settled(sim);
            case Stage::Type::discharge: return discharged(sim);
        }
        return {};
    }
    StageEnd out_of_time(const Simulation& sim, std::uint64_t steps) const {
        if (stage_.type == Stage::Type::fill)
            return end_of_filling(sim, stage_, first_, all_inserted(sim, stage_, first_));
        return {StageEnd::Why::time, fmt::format("time is up after {:.6g} s", static_cast<double>(steps) * stage_.dt)};
    }

  private:
    std::optional<StageEnd> settled(const Simulation& sim) {
        const double balls = static_cast<double>(ledger_of(sim).inside);
        const Measures m = measures_of(sim);
        const double limit = stage_.rest_energy > 0
                                 ? stage_.rest_energy * balls
                                 : stage_.rest_share * norm(sim.setup().gravity) * m.mass_times_diameter;
        const bool moving = balls > 0 && m.kinetic_energy >= limit;
        if (moving) last_motion_ = sim.clock().step();
        if (moving || sim.clock().step() - last_motion_ < stage_.rest) return {};
        return StageEnd{StageEnd::Why::settled,
                        fmt::format("settled: {:.3g} J per ball", balls > 0 ? m.kinetic_energy / balls : 0)};
    }
    std::optional<StageEnd> discharged(const Simulation& sim) {
        const Ledger ledger = ledger_of(sim);
        if (stage_.until_empty && ledger.inside == 0) return StageEnd{StageEnd::Why::empty, "empty"};
        if (ledger.all_left() != last_left_) {
            last_left_ = ledger.all_left(), last_motion_ = sim.clock().step();
            return {};
        }
        const std::uint64_t waited = sim.clock().step() - last_motion_;
        if (stage_.stall == 0 || waited < stage_.stall) return {};
        return StageEnd{
            StageEnd::Why::stalled,
            fmt::format(
                "stalled: no ball has left for {:.3g} s, {} are inside (an arch, or grain at rest beside the outlet)",
                static_cast<double>(waited) * stage_.dt, ledger.inside)};
    }

    const Stage& stage_;
    std::size_t first_;
    std::uint64_t &last_left_, &last_motion_;  // of the progress
};

void begin_stage(Simulation& sim, const Stage& stage, StageProgress& progress) {
    progress.begun = true;
    progress.begin = sim.clock().step();
    sim.change_dt(stage.dt);
    for (const std::size_t wall : stage.opens) sim.open_wall(wall);
    for (const std::size_t motion : stage.begins) sim.begin_motion(motion);
    std::vector<InsertionSpec> insertions = stage.insertions;
    for (InsertionSpec& s : insertions) s.first_step += progress.begin + 1;
    progress.first_insertion = sim.add_insertions(insertions);
    sim.ask_for_rebuild();
    progress.last_left = stage.stall > 0 ? ledger_of(sim).all_left() : 0;
    progress.last_motion = sim.clock().step();
}

}  // namespace

StageEnd run_stage(Simulation& sim, const Stage& stage, const std::vector<TimedGate>& gates, const StepHook& before,
                   const StepHook& after) {
    StageProgress progress;
    return run_stage(sim, stage, gates, before, after, progress);
}

StageEnd run_stage(Simulation& sim, const Stage& stage, const std::vector<TimedGate>& gates, const StepHook& before,
                   const StepHook& after, StageProgress& progress) {
    if (!progress.begun) begin_stage(sim, stage, progress);
    const std::uint64_t begin = progress.begin;
    Criterion criterion(stage, progress);
    std::optional<StageEnd> end;
    while (!end) {
        const std::uint64_t done = sim.clock().step() - begin;
        if (stage.longest > 0 && done >= stage.longest) end = criterion.out_of_time(sim, done);
        else if (done > 0 && done % stage.look_every == 0) end = criterion.look(sim);
        if (end) break;
        for (const TimedGate& g : gates)
            if (!(sim.forces().wall_open[g.wall] != 0) && sim.clock().time() > g.time - 0.5 * stage.dt)
                sim.open_wall(g.wall);  // nearest step
        before(sim);
        sim.step();
        after(sim);
        if (progress.stop) return {StageEnd::Why::stopped, "stopped", sim.clock().step() - begin};
    }
    if (stage.type != Stage::Type::fill) end->text += inlets_text(sim, progress.first_insertion);
    end->steps = sim.clock().step() - begin;
    sim.drop_insertions(progress.first_insertion);
    return *end;
}

}  // namespace granary
