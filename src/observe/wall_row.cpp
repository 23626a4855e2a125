#include "observe/wall_row.hpp"
#include "engine/measures.hpp"

namespace granary {

WallRow wall_row(const Simulation& sim) {
    const MovingWalls& walls = sim.walls();
    const Axes& axes = sim.setup().axes;
    const std::size_t n_motions = walls.motions().size();
    WallRow row;
    std::vector<MeanLoad> on_motion(n_motions);
    if (sim.setup().mean_loads) {
        const std::vector<MeanLoad> means = mean_loads_of(sim);
        for (std::size_t w = 0; w < means.size(); ++w) {
            row.forces.push_back(axes.out(means[w].force));
            if (!walls.home()[w].moves()) continue;
            MeanLoad& all = on_motion[walls.home()[w].motion];
            all.force += means[w].force, all.power += means[w].power;
        }
    } else {
        const std::vector<WallLoad> loads = wall_loads_of(sim);
        for (const WallLoad& l : loads) row.forces.push_back(axes.out(l.force));
        for (std::size_t k = 0; k < n_motions; ++k) {
            const WallLoad all = load_on(walls, k, loads);
            on_motion[k] = {all.force, power_into_balls(all, walls.twists()[k])};
        }
    }
    for (std::size_t k = 0; k < n_motions; ++k) {
        const WallMotion& m = walls.motions()[k];
        row.motions.push_back(on_motion[k].power);
        if (m.type != WallMotion::Type::servo) continue;
        row.motions.push_back(walls.position_of(k, sim.clock().time()));
        row.motions.push_back(0.0 - dot(on_motion[k].force, m.along));
    }
    return row;
}

}  // namespace granary
