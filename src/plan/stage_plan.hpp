// Stages of a case as the simulation runs them: rates become events, times become steps, names become numbers.
#pragma once
#include <vector>
#include "engine/setup.hpp"
#include "plan/stage.hpp"
#include "io/case/case.hpp"

namespace granary {

// Wants a case whose steps are numbers. A case without stages becomes one stage.
std::vector<Stage> make_stages(const Case& c, const Setup& setup);
std::vector<TimedGate> timed_gates(const Case& c, const Setup& setup);

}  // namespace granary
