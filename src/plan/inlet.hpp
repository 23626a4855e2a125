// Where balls come in while a run goes on: an [[insert]] or a stage of type fill, as the simulation wants it. Rates
// become events, times become steps, axes are turned.
#pragma once
#include "engine/setup.hpp"
#include "io/case/case.hpp"

namespace granary {

// setup: its axes, domain, gravity and walls are there. Both throw InputError: what is wrong, and what to do.
// An [[insert]] of a stage counts its steps from the beginning of that stage, at the step dt; any other from that of
// the run.
InsertionSpec inlet_of(const Case& c, const InsertSpec& insert, const Setup& setup, double dt, std::uint16_t stream);
InsertionSpec filling_of(const Case& c, const StageSpec& fill, const Setup& setup, std::uint16_t stream);

std::uint64_t in_steps(double time, double dt);  // the nearest number of steps, at least 1

}  // namespace granary
