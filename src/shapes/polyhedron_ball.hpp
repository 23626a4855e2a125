// Contact of a convex polyhedron with a ball or an ellipsoid: the nearest place of its surface.
//   Ball: nearest point of faces, edges and corners to the centre; inside, the face that is least deep. R* = r of the
//   ball. Ellipsoid: each face as a thin polygon (ellipsoid_point.hpp); the one into which the ellipsoid reaches
//   deepest, or to
// which it is nearest. R* that of the ellipsoid there.
#pragma once
#include "shapes/convex_polyhedron.hpp"
#include "shapes/placed_ellipsoid.hpp"

namespace granary {

// i the polyhedron, its centre the origin. False: the gap is at least `far`.
bool touch_polyhedron_ball(const ConvexPolyhedron& body, const Placed& at, const Vec3d& to_ball, double radius,
                           double far, ConvexTouch& touch);
bool touch_polyhedron_ellipsoid(const ConvexPolyhedron& body, const Placed& at, const PlacedEllipsoid& ellipsoid,
                                const Vec3d& to_ellipsoid, double far, ConvexTouch& touch);

}  // namespace granary
