// The fast common plane between two convex bodies of flat faces, in three dimensions, after
//   E. G. Nezami, Y. Hashash, J. Ghaboussi, D. Zhao (2003), A fast contact detection algorithm for discrete element
//   method
// which prints the method for polygons (fast_common_plane_2d.hpp). A common plane has the centroids on its two sides,
// is as far from both bodies, and has the greatest gap of all such planes.
//   symbol   code      meaning                                                                      unit
//   n        normal    of the plane, unit, from the partner j to the body i                         -
//   A, B     a, b      corners of i and j nearest to the plane
//   gap      gap       least n.x over i minus greatest n.x over j; negative: they overlap           m
//   TOL      tol       gap beyond which a pair is no contact and its plane is forgotten             m
// Signs: the paper's d = n.(V0 - V) is positive against n, with A on the negative side; here n points from j to i, and
// the gap is d_B - d_A of the paper. Candidates: for given A, B the plane may turn until another corner of i or j
// becomes as near. Of the directions in which A and B stay the nearest, the one next to AB has the greatest gap. It is
//   AB itself (bisector of A and B);            or on a border of what is allowed, where an edge at A or B lies in the
//   plane: AB less its part along the edge;     or in a corner of that, where two edges do: the normal of a face at
//   A or B, or the cross product of an edge at A and one at B.
// Chosen here: of the candidates at A and B only those that leave both the nearest are looked at: the plane is bent
// away from AB by the edge that it violates most until it violates none (edge_fan.hpp); so it needs no new search of
// all corners. Bodies that are apart: where the nearest points on AB's bisector, edges or face lie beyond an end of
// these, the corner there is the next A or B; where they lie in both bodies, the plane is proved to be the best of all.
// Bodies that overlap, and where that search fails: all corners that are equally near (to 1e-9 of the size) give
// candidates, not one of them: taking one, the printed loop ends on a wrong plane in 1.5 to 9 % of the cases in 2D. A
// candidate counts with its gap over all corners. Since the gap is a concave function of n where it is positive, the
// plane that no candidate betters is the best of all. Touching bodies are moved apart along the old normal until their
// gap is 1e-4 of the size (the paper does not say how far; the farther, the more the plane turns to the old one), and
// the plane found there is taken.
#pragma once
#include <cstdint>
#include <vector>
#include "core/vec.hpp"
#include "shapes/convex_polyhedron.hpp"

namespace granary {

enum class PlaneState : std::uint8_t {
    none,       // gap > TOL: forget the plane
    potential,  // 0 <= gap <= TOL: keep it, no force
    real        // they overlap
};

struct CommonPlane {
    Vec3d normal;
    double gap = 0;
    int rounds = 0;       // in which new nearest corners were looked for
    int candidates = 0;   // planes that were compared with the corners: all of them, or the neighbours of a and b
    bool capped = false;  // ended by the number of rounds, not by itself
};

// A polyhedron with its corners where they are, relative to a common origin.
struct CornersInSpace {
    CornersInSpace(const ConvexPolyhedron& polyhedron, const Placed& at, const Vec3d& from);

    const ConvexPolyhedron* body;
    Vec3d centre;
    Quaterniond orientation;
    double size;                // that corners are times as far from the centre
    std::vector<Vec3d> corner;  // m

    bool holds(const Vec3d& point) const;
    // A corner that is likely to be near the one with the greatest direction.x.
    std::uint32_t start(const Vec3d& direction) const;
    // Corner with the greatest direction.x, by hill climbing.
    std::uint32_t support(const Vec3d& direction, std::uint32_t start) const;
};

// From a start that need not be any good: a remembered normal, or zero for the line of centres.
CommonPlane fast_common_plane(const CornersInSpace& i, const CornersInSpace& j, const Vec3d& start);
CommonPlane fast_common_plane(const ConvexPolyhedron& a, const Placed& i, const ConvexPolyhedron& b, const Placed& j,
                              const Vec3d& start);

}  // namespace granary
