// How fast one core of this machine is at a case, measured in about a second: a dense bed of its balls, law, step and
// skin in a periodic box, searched anew every so many steps as in a flowing silo. Walls, outlets, files and messages
// are not in it.
#pragma once
#include <cstdint>
#include <optional>
#include "plan/plan.hpp"

namespace granary {

struct CoreSpeed {
    double ball_steps = 0;  // a second of the core's own time: other programs that run meanwhile hardly matter
    std::uint64_t balls = 0;
    double seconds = 0;
};

// On one rank alone. Empty: such a bed cannot be made.
std::optional<CoreSpeed> measure_core_speed(const Plan& plan);

}  // namespace granary
