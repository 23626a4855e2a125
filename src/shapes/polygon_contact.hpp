// Contact of convex polygons with each other and with discs, in a plane. Polygons are as thick as the run says, and so
// forces and masses have their units; discs are balls with another mass.
//
// Law: that of polyhedra (polyhedron_contact.hpp), with the area shared in place of the volume. Overlap of depth h
// along the normal presses with p = (E*/L) h on the thickness t, L the sum of the radii of the discs of the same areas
// (a wall has none). With S the area shared and w the length of its chord across the normal
//   F = (E*/L) S t along the normal, at the centroid of S
//   overlap = S/w, area = w t, R* = (3 w t/(4 L))^2/overlap, stored_depth = int h^2/2 dw/S.
// The normal is that of -dS/dx, the vector length of the boundary of the one inside the other.
//   The fast common plane (fast_common_plane_2d.hpp) keeps pairs apart that do not touch, and is remembered as that of
// polyhedra is.
//   Disc: the nearest point of the polygon; inside, the edge that is least deep. R* = r of the disc, so Hertz as of a
// ball on a flat face.
#pragma once
#include "shapes/convex_polygon.hpp"
#include "shapes/fast_common_plane_nezami2003.hpp"

namespace granary {

// As touch_polyhedra. All vectors are in space, along the plane.
PlaneState touch_polygons(const ConvexPolygon& a, const Placed& i, const ConvexPolygon& b, const Placed& j,
                          double thickness, double tol, Vec3d& plane, ConvexTouch& touch);

// i the polygon, its centre the origin. False: the gap is at least `far`.
bool touch_polygon_disc(const ConvexPolygon& body, const Placed& at, const Vec3d& to_disc, double radius, double far,
                        ConvexTouch& touch);

// What a wall does to the prism of a polygon, as seen in the plane: of the thickness of the run, with the L of a
// polygon. False: it is that of the half of the prism that is left out.
bool flatten_touch(const ShapeTemplate& polygon, double size, ConvexTouch& touch);

}  // namespace granary
