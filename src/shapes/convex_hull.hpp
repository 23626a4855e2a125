// The convex hull of a set of points as polygons: triangles of one plane are one face, points inside faces, edges or
// the body are left out. Gift wrapping (Chand & Kapur 1970, J. ACM 17, 78-86): from a face over each of its edges to
// the next one, with all points of a plane at a time; n points and f faces take n f steps, which for templates of
// grains is nothing. The result does not depend on the order of the points.
//   Corners ascend by x, then y, then z. Faces start at their lowest corner, go round counter-clockwise seen from
//   outside, and ascend as lists. Only + - * / and square roots. Points nearer to a plane or line than a tolerance lie
//   in it: 1e-10 of the size (more for files of few digits), ten times more at each try until the faces close (every
//   edge once each way, corners - edges + faces = 2).
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/vec.hpp"

namespace granary {

struct ConvexHull {
    std::vector<Vec3d> corners;
    std::vector<std::vector<std::uint32_t>> faces;
    double tolerance = 0;  // m, that was needed
};

// Throws InputError: fewer than four points, a number that is not finite, all in one plane or line, no closed surface.
// `what` begins the message.
ConvexHull convex_hull(std::span<const Vec3d> points, const std::string& what, double relative_tolerance = 1e-10);

}  // namespace granary
