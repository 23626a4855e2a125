// The fast common plane between convex polygons, after
//   E. G. Nezami, Y. Hashash, J. Ghaboussi, D. Zhao (2003), A fast contact detection algorithm for discrete element
//   method.
// Signs, symbols and states as in fast_common_plane_nezami2003.hpp; a plane is a line here.
//   Step 1  start from the line of centroids (or the old plane)
//   Step 2  A, B: the corners nearest to the plane
//   Step 3  five candidates: the bisector of AB; planes along the two edges at A and the two at B
//   Step 4  the one with the greatest gap; until it is the plane that the step began with
// The bisector is the answer at once if A and B stay the nearest. Else the gap of a candidate is taken over all
// corners. Mended here: where a plane lies along an edge two corners are equally near. As printed, one of them is
// taken, and the loop ends on a wrong plane in a few per cent of the cases (common_plane_as_printed_nezami2003.hpp);
// here the corners of both ends give candidates, and it does not. Polygons that touch are moved apart along the old
// normal to a gap of 1e-4 of their size first. For speed edges are candidates only if their other end is nearer to the
// bisector, a candidate that lets other corners come nearer is not taken, and the search ends once the nearest points
// are known.
#pragma once
#include <cstdint>
#include <vector>

namespace granary {

struct Vec2d {
    double x = 0, y = 0;
};

struct FlatPolygon {
    std::vector<Vec2d> corner;  // m, counter-clockwise, convex
    Vec2d centroid;
    double size = 0;  // m, greatest distance of a corner from the centroid

    explicit FlatPolygon(std::vector<Vec2d> corners);
    // Corner with the greatest direction.x, uphill along the ring.
    std::uint32_t support(const Vec2d& direction, std::uint32_t start) const;
};

struct CommonLine {
    Vec2d normal;  // unit, from j to i
    double gap = 0;
    int rounds = 0, candidates = 0;
};

CommonLine fast_common_line(const FlatPolygon& i, const FlatPolygon& j, const Vec2d& start);

}  // namespace granary
