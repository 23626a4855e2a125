// An ellipsoid and what is simpler than another ellipsoid: a point, a ball, a segment, a flat convex polygon.
//
// The point of the surface nearest to y, in the frame of the body: x_k = a_k^2 y_k/(t + a_k^2), where t > -a_min^2 is
// the one root of S(t) = sum (a_k y_k/(t + a_k^2))^2 = 1; y - x = t grad, so t < 0 inside. Newton's method on
// 1/sqrt(S) = 1, which is nearly straight, goes there from the left without passing it, from wherever y is: no
// start to remember, no fallback. The unknown is t + a_min^2, so that nothing cancels near the axes of symmetry. The
// nearest point is the common normal that maximises g (common_normal.hpp) with a point or ball as partner.
//   Deep inside, on the plane across the least axis, two points are equally near: the one on the positive side counts.
//   A segment that touches with its inside touches as its whole line does: all is projected along it, which leaves the
// point and an ellipse. Distance to a convex body is convex along a line, so a foot beyond an end means that end.
#pragma once
#include <span>
#include "shapes/placed_ellipsoid.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

struct NearestOnEllipsoid {
    Vec3d point;          // of the surface, from the centre, m
    Vec3d normal;         // unit, outwards
    double distance = 0;  // m, of y from the surface; negative inside
    double support = 0;   // h = point.normal, m
};

// y: from the centre of the ellipsoid, m.
NearestOnEllipsoid nearest_on_ellipsoid(const PlacedEllipsoid& e, const Vec3d& y);

// i the ellipsoid, j the ball. False: the gap is at least `far`, and `out` is not set.
bool touch_ellipsoid_ball(const PlacedEllipsoid& i, const Vec3d& from_i_to_j, double radius, ConvexTouch& out,
                          double far);

// The same contact seen from the other partner: its point is relative to the centre of the new i.
inline ConvexTouch exchanged(const ConvexTouch& t, const Vec3d& from_i_to_j) {
    ConvexTouch other = t;
    other.normal = -t.normal, other.point = t.point - from_i_to_j;
    return other;
}

enum class FlatPart : unsigned char { face, edge, corner };

struct FlatTouch {
    ConvexTouch touch;  // normal from the wall to the body; effective radius: that of the body
    Vec3d wall_point;   // of the wall, relative to the centre of the body
    FlatPart part = FlatPart::face;
    int number = 0;  // of the edge (from corner k to k + 1) or corner
};

// A half-space: normal to the side of the body. from_centre: from the centre of the body to a point of the plane.
bool touch_ellipsoid_plane(const PlacedEllipsoid& e, const Vec3d& from_centre, const Vec3d& normal, FlatTouch& out,
                           double far);

// The segment from a to b, relative to the centre of the body.
FlatTouch nearest_on_segment(const PlacedEllipsoid& e, const Vec3d& a, const Vec3d& b);

// A thin two-sided convex polygon: corners in order relative to the centre of the body, unit normal to either side. The
// face counts where the point of the body that is deepest across it lies over it; else the nearest edge or corner.
bool touch_ellipsoid_polygon(const PlacedEllipsoid& e, std::span<const Vec3d> corners, const Vec3d& normal,
                             FlatTouch& out, double far);

// A point of a wall: corner, rim.
FlatTouch touch_at_point(const PlacedEllipsoid& e, const Vec3d& y);

}  // namespace granary
