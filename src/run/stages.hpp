// The stages of a run: fill, settle, discharge, or just run. Each begins with a rebuild, may have its own step, brings
// its insertions and opens its gates, and ends on a criterion that is looked at every so many steps, so that the end
// does not depend on what is written or on the number of ranks.
#pragma once
#include <functional>
#include <vector>
#include "engine/simulation.hpp"
#include "plan/stage.hpp"

namespace granary {

// Called before and after every step; they may look and ask for measurements, and change nothing.
using StepHook = std::function<void(const Simulation&)>;

// Collective.
StageEnd run_stage(Simulation& sim, const Stage& stage, const std::vector<TimedGate>& gates, const StepHook& before,
                   const StepHook& after);
StageEnd run_stage(Simulation& sim, const Stage& stage, const std::vector<TimedGate>& gates, const StepHook& before,
                   const StepHook& after, StageProgress& progress);

}  // namespace granary
