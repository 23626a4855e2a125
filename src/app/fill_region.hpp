// A box in which balls appear, and the cylinders around it. Whoever fills a round bin by a box as wide as the bin means
// the inside of it: the corners of the box are beyond the shell, and balls there would fall past it and be lost.
#pragma once
#include <string>
#include <vector>
#include "core/insertion.hpp"
#include "io/case.hpp"

namespace granary {

// The widest cylinder along x, y or z that has the middle of the box inside and the box between its sides, so that at most corners are
// beyond it; in the axes of the user. Without one: a tube without limit. Cylinders that move, other than by turning, do not count.
Tube tube_around(const Case& c, const Vec3d& lower, const Vec3d& upper);

// A text for each box of a filling or an [[insert]] that a cylinder cuts, so that balls appear on both sides of it.
std::vector<std::string> fill_remarks(const Case& c);

}  // namespace granary
