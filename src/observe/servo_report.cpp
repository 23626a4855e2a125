#include "observe/servo_report.hpp"
#include <fmt/format.h>
#include "engine/measures.hpp"

namespace granary {

std::vector<std::string> ServoReport::look(const Simulation& sim, Warnings& warnings) {
    const MovingWalls& walls = sim.walls();
    noted_.resize(walls.motions().size());
    std::vector<std::string> news;
    for (std::size_t k = 0; k < noted_.size(); ++k) {
        const ServoWatch& watch = walls.state(k).watch;
        if (watch.failed == noted_[k]) continue;
        noted_[k] = watch.failed;
        const std::string text = fmt::format(
            "the servo {} does not hold its force: over {:.0f} steps it was off by more than {:.0f} % (root mean "
            "square); "
            "unless the bed yields, use a gain below {:.3g} m/s/N",
            walls.motions()[k].name, ServoWatch::window * static_cast<double>(servo_interval), 100 * ServoWatch::limit,
            walls.motions()[k].gain);
        if (warnings.add(text, sim.clock().time(), 100 * watch.worst, "%"))
            news.push_back(fmt::format("warning at t = {:.4g} s: {} (off by {:.3g} %)\n", sim.clock().time(), text,
                                       100 * watch.worst));
    }
    return news;
}

std::string ServoReport::text(const Simulation& sim, Warnings& warnings) const {
    const MovingWalls& walls = sim.walls();
    const std::vector<WallLoad> loads = wall_loads_of(sim);
    std::string text;
    for (std::size_t k = 0; k < walls.motions().size(); ++k) {
        const WallMotion& m = walls.motions()[k];
        const MotionState& s = walls.state(k);
        if (m.type != WallMotion::Type::servo || !(s.start < sim.clock().time())) continue;
        text +=
            fmt::format("servo {}: at {:.6g} m, {:.5g} N of {:.5g} N", m.name, walls.position_of(k, sim.clock().time()),
                        0.0 - dot(load_on(walls, k, loads).force, m.along), m.force);
        if (s.watch.windows > 0)
            text += fmt::format("; off by {:.3g} % over the last whole {:.0f} steps", 100 * s.watch.last,
                                ServoWatch::window * static_cast<double>(servo_interval));
        text += "\n";
        if (s.watch.reached == 0)
            warnings.add(fmt::format("the servo {} has not reached its force by the end", m.name), sim.clock().time());
    }
    return text;
}

}  // namespace granary
