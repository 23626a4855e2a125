// Balls that come in at random places, 120 at an event.
#pragma once
#include "filling/insertion.hpp"

namespace granary::test {

inline InsertionSpec rain() {
    return {.name = "rain",
            .lower = {0, 0, 1.6},
            .upper = {1, 1, 1.9},
            .spans_period = {true, true, false},
            .total = 1000,
            .per_event = 120,
            .trials_per_event = 2000,
            .balls = {0.02, 0.04, 1500, 2, {0, 0, -3}},
            .first_step = 100,
            .interval = 50};
}

}  // namespace granary::test
