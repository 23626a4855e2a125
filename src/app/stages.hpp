// The stages of a run: fill, settle, discharge, or just run. Each begins with a rebuild, may have its own step, brings its insertions and
// opens its gates, and ends on a criterion that is looked at every so many steps, so that the end does not depend on what is written
// or on the number of ranks.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>
#include "app/simulation.hpp"
#include "core/insertion.hpp"

namespace granary {

struct Stage {
    enum class Type { fill, settle, discharge, run };
    Type type = Type::run;
    std::string name;
    double dt = 0;                   // s
    std::uint64_t longest = 0;       // steps; 0: until the criterion is met
    std::uint64_t look_every = 500;  // steps from one look at the criterion to the next

    std::vector<InsertionSpec>
        insertions;  // first_step counts from the stage's beginning; with fill: the stage ends with them
    std::vector<std::size_t> opens;  // walls that open at the beginning
    double rest_energy = 0;          // J, mean kinetic energy of a ball; settle ends below it
    bool until_empty = false;        // discharge ends when no ball is left inside
    std::uint64_t stall = 0;         // steps without a ball leaving after which discharge ends; 0: never
};

// A gate that opens at a time of its own.
struct TimedGate {
    std::size_t wall;
    double time;  // s, of the run
};

// What a stage came to.
struct StageEnd {
    enum class Why { time, filled, not_filled, settled, empty, stalled };
    Why why = Why::time;
    std::string text;         // for people
    std::uint64_t steps = 0;  // of the stage
};

// Called before and after every step; they may look and ask for measurements, and change nothing.
using StepHook = std::function<void(Simulation&)>;

// Collective.
StageEnd run_stage(Simulation& sim, const Stage& stage, const std::vector<TimedGate>& gates, const StepHook& before,
                   const StepHook& after);

}  // namespace granary
