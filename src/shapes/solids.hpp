// Ready-made shapes: corners of solids and balls of clumps, in any place and frame. Lengths in m.
#pragma once
#include <cstdint>
#include <vector>
#include "core/vec.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

enum class RegularSolid { tetrahedron, cube, octahedron, dodecahedron, icosahedron };

std::vector<Vec3d> corners_of(RegularSolid solid, double edge);

std::vector<Vec3d> box_corners(const Vec3d& edges);

// A regular polygon of so many sides in the circle of that radius, drawn along z.
std::vector<Vec3d> prism_corners(int sides, double radius, double height);

// Balls along x, evenly spaced, of one radius; length: over all. Wants length >= 2 radius.
std::vector<ClumpBall> rod_balls(double length, double radius, int n);

// A kernel of maize: flat, wide at the crown, narrow at the tip, of six balls. Its length along z is 11 (tip to crown),
// its width along x 8, its thickness along y 4.2, in units of `unit`.
std::vector<ClumpBall> maize_balls(double unit);

}  // namespace granary
