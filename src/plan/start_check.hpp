// A look at the bodies before the first step: what is wrong here is the case's fault, and easier told now than when
// balls fly apart.
#pragma once
#include <string>
#include "engine/simulation.hpp"

namespace granary {

// Collective. Throws the same InputError on all ranks for a ball outside the domain, behind a plane, or deeper in a
// wall or another ball than half its radius. Returns a remark, the same on all ranks, about overlaps beyond a twentieth
// of the radius, far above those of a settled bed; empty if there are none. bonds: of the start; that none of them
// is longer than the list of pairs reaches is looked at, too.
std::string check_start(const Simulation& sim, std::uint64_t bonds = 0);

}  // namespace granary
