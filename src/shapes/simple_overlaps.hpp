// Short cuts to the overlap of two polyhedra (overlap_volume.hpp) for the two contacts that nearly all of them are: a
// corner in a face, whose overlap is a pyramid, and two crossed edges, whose overlap is a tetrahedron. Both are
// checked: whatever else the bodies share makes them refuse. The same numbers as the general way, to rounding.
//   pyramid       apex P, base = where the edges at P pass the face: V = area depth/3, centroid 3/4 of the way to that
//   of the base tetrahedron   p on the edge of i, q on that of j: V = |(p1 - p0).((q0 - p0) x (q1 - p0))|/6, N = (p1 -
//   p0) x (q1 - q0)/2 both          int h dV = V depth/4
#pragma once
#include "core/vec.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/overlap_volume.hpp"

namespace granary {

// Heights along n as overlap_of has them. sums: along x, y, z of space, from the centre of i; moments of the area
// are in the patch. False: not one of the two.
bool simple_overlap(const ConvexPolyhedron& a, const Placed& i, const double* heights_i, double lowest_i,
                    const ConvexPolyhedron& b, const Placed& j, const double* heights_j, double highest_j,
                    const Vec3d& n, OverlapSums& sums, ContactPatch& patch);

}  // namespace granary
