// Runs in a plane, dimension = 2.
#pragma once
#include "io/case/case.hpp"
#include "io/case/case_problem.hpp"

namespace granary {

// The thickness, if the case leaves it open: the diameter of the smallest grain, of a polygon that of the disc of equal
// area. Along the normal the boxes of all sources become one layer about the plane, and the domain has room for it.
// Follows complete_shapes.
void complete_plane(Case& c, CaseReport& report);

}  // namespace granary
