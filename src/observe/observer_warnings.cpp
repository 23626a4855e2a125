// What the observer finds worth a warning, and what it says of loads and insertions at the end.
#include <fmt/format.h>
#include "observe/observer.hpp"
#include "filling/insertion.hpp"
#include "engine/measures.hpp"

namespace granary {

void Observer::warn_of_overlaps(const Simulation& sim, const Measures& m, double limit) {
    const auto warn = [&](const std::string& wall, double share) {
        if (!warn_of_overlap(warnings_, share, sim.clock().time(), wall, limit) || !speaks() || !terminal_ || quiet_)
            return;
        progress_->warn(fmt::format(
            "balls overlap {}by {:.1f} % of a radius at t = {:.4g} s: the material is too soft, or the step too large",
            wall.empty() ? "" : fmt::format("with the wall \"{}\" ", wall), 100 * share, sim.clock().time()));
    };
    warn("", m.pair_overlap);
    if (m.wall_overlap.empty()) return;
    const std::size_t w = m.deepest_wall();
    warn(sim.setup().walls[w].name, m.wall_overlap[w]);
}

// Balls that have left while every gate is still shut did not come through the outlet: they appeared outside of the
// silo, or fell over its rim.
void Observer::warn_of_early_outflow(const Simulation& sim, const Ledger& ledger) {
    bool gates = false;
    for (const WallSpec& spec : plan_.c.walls) {
        if (!spec.opens_sometime()) continue;
        for (std::size_t w = 0; w < sim.setup().walls.size(); ++w) {
            const Wall& wall = sim.setup().walls[w];
            if (wall.name != spec.name) continue;
            if ((sim.forces().wall_open[w] != 0) || (wall.moves() && sim.walls().poses()[wall.motion] != Pose{}))
                return;
            gates = true;
        }
    }
    for (std::size_t o = 0; o < ledger.left.size() && gates; ++o) {
        if (ledger.left[o] == 0) continue;
        const std::string text = fmt::format(
            "balls have left by the outlet \"{}\" before any gate opened: they appeared outside the silo, or fell "
            "over its rim; check "
            "the box in which they appear",
            sim.setup().outlets[o].name);
        if (warnings_.add(text, sim.clock().time(), static_cast<double>(ledger.left[o]), "balls") && speaks() &&
            terminal_ && !quiet_)
            progress_->warn(text);
    }
}

void Observer::warn_of_slow_inlets(const Simulation& sim) {
    for (std::size_t k = 0; k < sim.setup().insertions.size(); ++k)
        if (const InsertionSpec& s = sim.setup().insertions[k];
            is_behind(s, sim.inserter().bodies()[k], sim.inserter().mass()[k], sim.clock().step())) {
            const std::string text = fmt::format(
                "insert {} is behind its rate: there is no room for the balls that are due; enlarge it, increase its "
                "velocity or lower its rate",
                s.name.empty() ? std::to_string(k) : s.name);
            if (warnings_.add(text, sim.clock().time()) && speaks() && terminal_ && !quiet_) progress_->warn(text);
        }
}

// Balls that were due but found no room.
std::string Observer::insertion_warnings(const Simulation& sim) const {
    std::string text;
    for (std::size_t k = 0; k < sim.setup().insertions.size(); ++k) {
        const InsertionSpec& spec = sim.setup().insertions[k];
        const CameIn came = came_in(spec, sim.inserter().bodies()[k], sim.inserter().mass()[k], sim.clock().step());
        if (!came.all)
            text += fmt::format(
                "warning: insert {}: {} inserted, no room for the rest. Is its box blocked by balls or "
                "walls, or too small?\n",
                spec.name.empty() ? std::to_string(k) : spec.name, came.text);
    }
    return text;
}

std::string Observer::break_off() {
    progress_.reset();
    return deleted_text_ + warnings_.text();
}

void Observer::note_deleted(const Simulation& sim, const Ledger& ledger) {
    if (ledger.deleted == 0) return;
    const DeletedBall& first = *sim.counts().first_deleted();
    const std::string text = fmt::format(
        "{} ball{} ({:.6g} kg) left the domain other than by an outlet and {} deleted; the first: ball {} of radius "
        "{:.4g} m at "
        "({:.6g}, {:.6g}, {:.6g}) m, speed {:.4g} m/s, step {} (t = {:.6g} s)",
        ledger.deleted, ledger.deleted == 1 ? "" : "s", ledger.mass_deleted, ledger.deleted == 1 ? "was" : "were",
        first.id, first.radius, first.position.x, first.position.y, first.position.z, first.speed, first.step,
        first.time);
    if (deleted_text_.empty() && speaks() && terminal_ && !quiet_) progress_->warn(text);
    deleted_text_ = fmt::format("warning: {}\n", text);
}

std::string Observer::loads_text(const Simulation& sim) const {
    std::string text;
    const std::vector<WallLoad> loads = wall_loads_of(sim);
    for (std::size_t w = 0; w < loads.size(); ++w) {
        const Vec3d f = sim.setup().axes.out(loads[w].force), t = sim.setup().axes.out(loads[w].torque);
        text += fmt::format(
            "wall {}: force ({:.5g}, {:.5g}, {:.5g}) N, torque about the origin ({:.5g}, {:.5g}, {:.5g}) N m\n",
            sim.setup().walls[w].name, f.x, f.y, f.z, t.x, t.y, t.z);
    }
    return text;
}

}  // namespace granary
