// What a row of the series says of the walls: of the present step, or means over the steps since the row before
// (Setup::mean_loads).
#pragma once
#include <vector>
#include "engine/simulation.hpp"

namespace granary {

struct WallRow {
    std::vector<Vec3d> forces;    // N, on each wall, in the user's axes
    std::vector<double> motions;  // of each motion the power that it puts into the balls, W; of a servo also how far it
                                  // has gone, m, and the force
                                  // against it, N
};

WallRow wall_row(const Simulation& sim);  // collective

}  // namespace granary
