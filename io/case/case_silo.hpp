// A silo from a handful of lengths: the walls it is made of, and what they enclose.
//
//        |         |  h_c    bin: cylinder (diameter d_c) or rectangle (width along x, depth along y)
//        |         |
//         \       /   h_h    hopper: cone, or wedge (narrow along x), or none: a flat floor
//          \_____/           gate: closes the outlet at z = bottom; a circle (d_h) or a slot
//
// A flat floor may stick out of the bin, where no ball is; so may the ends of a wedge.
#pragma once
#include <utility>
#include <vector>
#include "io/case/case_specs.hpp"

namespace granary {

// Names: "cylinder", or "bin-left", "bin-right" (along x), "bin-front", "bin-back" (along y);
//        "cone", or "floor", or "floor-left", ..., or "wedge-left", ...; last "gate".
// Rectangles of a floor that a slot leaves without width are left out.
std::vector<WallSpec> silo_walls(const SiloSpec& s);

// Lower and upper corner of the smallest box around bin and hopper, m.
std::pair<Vec3d, Vec3d> silo_box(const SiloSpec& s);

double bin_floor(const SiloSpec& s);    // z where the bin begins, m
double silo_volume(const SiloSpec& s);  // of bin and hopper, m^3

}  // namespace granary
