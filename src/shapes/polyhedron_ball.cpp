#include "shapes/polyhedron_ball.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include "shapes/ellipsoid_point.hpp"

namespace granary {

bool touch_polyhedron_ball(const ConvexPolyhedron& body, const Placed& at, const Vec3d& to_ball, double radius,
                           double far, ConvexTouch& touch) {
    // In the frame and size of the template.
    const double per_size = 1 / at.size;
    const Vec3d x = per_size * rotate_back(at.orientation, to_ball);
    const double reach = per_size * (radius + far);
    double highest = 0;
    const ConvexPolyhedron::Face* face = nullptr;
    for (const ConvexPolyhedron::Face& f : body.faces()) {
        const double h = dot(f.normal, x) - f.offset;
        if (h >= reach) return false;
        if (face == nullptr || h > highest) highest = h, face = &f;
    }
    Vec3d nearest, n;  // from the body to the ball
    double distance = 0;
    if (highest <= 0) {
        n = face->normal, distance = highest, nearest = x - highest * n;
    } else {
        // Over a face the highest one is the nearest if its foot lies in it; else edges, which have corners as ends.
        double least = -1;
        const auto consider = [&](const Vec3d& p) {
            const double d2 = dot(x - p, x - p);
            if (least < 0 || d2 < least) least = d2, nearest = p;
        };
        const auto corners = body.corners();
        for (std::size_t k = 0; k < body.faces().size(); ++k) {
            const ConvexPolyhedron::Face& f = body.faces()[k];
            const double h = dot(f.normal, x) - f.offset;
            if (h < 0) continue;
            const Vec3d foot = x - h * f.normal;
            const auto round = body.corners_of(k);
            bool in = true;
            for (std::size_t c = 0; c < round.size() && in; ++c) {
                const Vec3d &a = corners[round[c]], &b = corners[round[(c + 1) % round.size()]];
                in = dot(cross(b - a, foot - a), f.normal) >= 0;
            }
            if (in) consider(foot);
        }
        for (const ConvexPolyhedron::Edge& e : body.edges()) {
            const Vec3d &a = corners[e.from], d = corners[e.to] - a;
            const double t = std::clamp(dot(x - a, d) / dot(d, d), 0.0, 1.0);
            consider(a + t * d);
        }
        distance = std::sqrt(least);
        if (distance >= reach) return false;
        n = (1 / distance) * (x - nearest);
    }
    touch.normal = -rotate(at.orientation, n);
    touch.overlap = radius - at.size * distance;
    touch.point = at.size * rotate(at.orientation, nearest) + (0.5 * touch.overlap) * touch.normal;
    touch.effective_radius = radius;
    touch.area = 0;
    return true;
}

bool touch_polyhedron_ellipsoid(const ConvexPolyhedron& body, const Placed& at, const PlacedEllipsoid& ellipsoid,
                                const Vec3d& to_ellipsoid, double far, ConvexTouch& touch) {
    std::array<Vec3d, ConvexPolyhedron::most_corners_of_a_face> polygon;
    bool any = false;
    double deepest = 0;
    for (std::size_t k = 0; k < body.faces().size(); ++k) {
        const ConvexPolyhedron::Face& f = body.faces()[k];
        const Vec3d normal = rotate(at.orientation, f.normal);
        if (dot(normal, to_ellipsoid) - at.size * f.offset < -ellipsoid.largest) continue;
        const auto round = body.corners_of(k);
        for (std::size_t c = 0; c < round.size(); ++c)
            polygon[c] = at.size * rotate(at.orientation, body.corners()[round[c]]) - to_ellipsoid;
        FlatTouch flat;
        if (!touch_ellipsoid_polygon(ellipsoid, {polygon.data(), round.size()}, normal, flat, far)) continue;
        if (dot(flat.touch.normal, normal) < -1e-9) continue;  // seen from behind
        if (any && !(flat.touch.overlap > deepest)) continue;
        any = true, deepest = flat.touch.overlap;
        touch.normal = -flat.touch.normal, touch.overlap = deepest;
        touch.point = to_ellipsoid + flat.touch.point;
        touch.effective_radius = flat.touch.effective_radius, touch.area = 0;
    }
    return any;
}

}  // namespace granary
