#include "app/stages.hpp"

#include <fmt/format.h>
#include <numeric>

namespace granary {

namespace {

// All the insertions are at their end: what came of them.
StageEnd end_of_filling(const Simulation& sim, const Stage& stage, bool in_time) {
    std::uint64_t placed = 0, asked = 0;
    double mass = 0, mass_asked = 0;
    bool whole = in_time;
    for (std::size_t k = 0; k < stage.insertions.size(); ++k) {
        const InsertionSpec& s = stage.insertions[k];
        placed += sim.inserted_by(k), mass += sim.mass_inserted_by(k);
        mass_asked += s.mass;
        if (s.mass > 0) {
            const double smallest = s.balls.density * 4.0 / 3.0 * 3.14159265358979 * s.balls.radius_min *
                                    s.balls.radius_min * s.balls.radius_min;
            whole &= s.mass - sim.mass_inserted_by(k) < smallest;
        } else {
            asked += s.total;
            whole &= sim.inserted_by(k) == s.total;
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

bool all_inserted(const Simulation& sim, const Stage& stage) {
    for (std::size_t k = 0; k < stage.insertions.size(); ++k)
        if (!sim.insertion_done(k)) return false;
    return true;
}

}  // namespace

StageEnd run_stage(Simulation& sim, const Stage& stage, const std::vector<TimedGate>& gates, const BeforeStep& before,
                   const AfterStep& after) {
    const std::uint64_t begin = sim.steps_done();
    sim.change_dt(stage.dt);
    for (const std::size_t wall : stage.opens) sim.open_wall(wall);
    std::vector<InsertionSpec> insertions = stage.insertions;
    for (InsertionSpec& s : insertions) s.first_step += begin + 1;
    sim.set_insertions(std::move(insertions));
    sim.ask_for_rebuild();

    const auto total_left = [](const Ledger& l) {
        return std::accumulate(l.left.begin(), l.left.end(), std::uint64_t{0});
    };
    std::uint64_t last_left = stage.stall > 0 ? total_left(sim.ledger()) : 0, last_leaving = begin;
    const auto end = [&](StageEnd::Why why, std::string text) {
        return StageEnd{why, std::move(text), sim.steps_done() - begin};
    };

    for (;;) {
        const std::uint64_t done = sim.steps_done() - begin;
        if (stage.longest > 0 && done >= stage.longest) {
            if (stage.type != Stage::Type::fill)
                return end(StageEnd::Why::time,
                           fmt::format("time is up after {:.6g} s", static_cast<double>(done) * stage.dt));
            StageEnd e = end_of_filling(sim, stage, all_inserted(sim, stage));
            e.steps = done;
            return e;
        }
        if (done > 0 && done % stage.look_every == 0) {
            switch (stage.type) {
                case Stage::Type::run: break;
                case Stage::Type::fill:
                    if (all_inserted(sim, stage)) {
                        StageEnd e = end_of_filling(sim, stage, true);
                        e.steps = done;
                        return e;
                    }
                    break;
                case Stage::Type::settle: {
                    const double balls = static_cast<double>(sim.ledger().inside);
                    const double energy = balls > 0 ? sim.measures().kinetic_energy / balls : 0;
                    if (energy < stage.rest_energy)
                        return end(StageEnd::Why::settled, fmt::format("settled: {:.3g} J a ball", energy));
                    break;
                }
                case Stage::Type::discharge: {
                    const Ledger ledger = sim.ledger();
                    if (stage.until_empty && ledger.inside == 0) return end(StageEnd::Why::empty, "empty");
                    if (total_left(ledger) != last_left)
                        last_left = total_left(ledger), last_leaving = sim.steps_done();
                    else if (stage.stall > 0 && sim.steps_done() - last_leaving >= stage.stall)
                        return end(StageEnd::Why::stalled,
                                   fmt::format("stalled: no ball has left for {:.3g} s, {} are inside (an arch, or "
                                               "grain at rest beside the outlet)",
                                               static_cast<double>(sim.steps_done() - last_leaving) * stage.dt,
                                               ledger.inside));
                    break;
                }
            }
        }
        for (const TimedGate& g : gates)
            if (!sim.wall_is_open(g.wall) && sim.time() >= g.time) sim.open_wall(g.wall);
        before(sim, sim.steps_done() + 1);
        sim.step();
        after(sim);
    }
}

}  // namespace granary
