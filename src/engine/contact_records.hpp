// This rank's records of contact history, each contact once over all ranks, in canonical form: in the order of the
// bodies, those at walls before those with balls. Ranks one after the other then give the same list, however many.
#pragma once
#include "core/contact_stream.hpp"
#include "engine/simulation.hpp"

namespace granary {

// Of the simulation as it is: not to be used after a step.
ContactStream contact_stream_of(const Simulation& sim);
ContactStream contact_stream_inside(
    const Simulation& sim);  // collective; without those of bodies that have crossed an outlet

}  // namespace granary
