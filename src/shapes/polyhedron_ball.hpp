// Contact of a convex polyhedron with a ball or an ellipsoid.
//   Ball: nearest point of faces, edges and corners to the centre; inside, the face that is least deep. R* = r of the
//   ball.
//   Ellipsoid: the common normal n that maximises g(n) = n.d - h_polyhedron(n) - h_ellipsoid(n), h the supports, d from
//   centre to centre. It is that of a face, or that of the ellipsoid nearest to an edge or corner; the overlap is -g.
//   Faces taken one by one as thin polygons would see the end of a long ellipsoid behind the plane of a face, though it
//   lies beside the polyhedron, beyond an edge. R* that of the ellipsoid there.
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
