// A polyhedron i and an ellipsoid or ball j.
//
// Stretched so that the ellipsoid is a unit ball, the polyhedron is another polyhedron; its point x' nearest to the
// centre of the ball decides: they touch where |x'| <= 1. The normal is that of the ellipsoid there, n ~ A^-1 (x - c),
// A = R diag(a^2, b^2, c^2) R^T; for a ball it is the line to the nearest point. Overlap, with the support h = sqrt(n.A
// n):
//   delta = h - n.(x - c),   R* = sqrt(R1 R2) = abc/h^2 of the ellipsoid (a flat face, an edge and a corner add
//   nothing)
// and the law of balls follows: Hertz for a ball or ellipsoid on a flat, energy 8/15 E* sqrt(R*) delta^(5/2).
// Continuous in the pose as long as the centre of the ellipsoid is outside the polyhedron; inside, the face that is
// nearest (stretched) gives n. No memory. stored_depth is 0: the law's own energy holds.
#pragma once
#include "shapes/convex_polyhedron.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

// semi_axes: those of the copy, m (template's times size). True: they overlap. Else touch.overlap = -(a lower bound of)
// the gap along the normal.
bool touch_polyhedron_ellipsoid(const ConvexPolyhedron& a, const Placed& i, const Vec3d& semi_axes, const Placed& j,
                                ConvexTouch& touch);

// A ball, also one of a wall.
bool touch_polyhedron_ball(const ConvexPolyhedron& a, const Placed& i, const Vec3d& centre, double radius,
                           ConvexTouch& touch);

// The same contact with the partners in the other order: the normal turned round, the point from the centre of the
// other. to_other: from the centre of i to that of j.
ConvexTouch seen_from_partner(const ConvexTouch& touch, const Vec3d& to_other);

}  // namespace granary
