// The time step beside the shortest time that the contacts know.
#pragma once
#include "app/simulation.hpp"

namespace granary {

struct TimeScale {
    const char* name;    // "Rayleigh time"
    double seconds;      // of the smallest balls; infinity if there are no balls
    double usual_share;  // a time step above this share of it is asking for trouble
};

// Hertz-Mindlin: the Rayleigh time of the smallest ball. The others: the shortest contact of the smallest balls, with each
// other or a wall. Balls yet to be inserted count. Collective; the same on all ranks.
TimeScale shortest_time(const Simulation& sim);

}  // namespace granary
