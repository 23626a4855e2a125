// What a case leaves out and the rest of it decides. Where the rest is unsound nothing is filled in, and the rules that
// would miss it are left out too.
#pragma once
#include "io/case/case.hpp"
#include "io/case/case_problem.hpp"

namespace granary {

// Names and time steps of stages; normals of outlets get their length.
void complete_stages(Case& c, const CaseReport& report);

// Walls and gate of the silo, and from it the regions of fillings, the outlet, the domain; which gate opens when, said
// both by the gate and by its stage; longest times; what each material is used for. Wants a silo that passed
// check_silo. Gates that name no stage, and stages that name no wall, are problems found here.
void complete_case(Case& c, CaseReport& report);

// Names of probes.
void complete_probes(Case& c, const CaseReport& report);

}  // namespace granary
