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
    // In the frame and size of the template.
    const double per_size = 1 / at.size, reach = per_size * far;
    const PlacedEllipsoid e =
        place_ellipsoid(per_size * ellipsoid.semi_axes, conjugate(at.orientation) * ellipsoid.orientation);
    const Vec3d centre = per_size * rotate_back(at.orientation, to_ellipsoid);
    double best = 0;  // g
    Vec3d n, lowest;  // there; the point of the ellipsoid, from its centre
    double support = 1;
    std::size_t face = body.faces().size();
    std::array<bool, ConvexPolyhedron::most_faces> in_front{};  // of the face, at least with a part
    for (std::size_t k = 0; k < body.faces().size(); ++k) {
        const ConvexPolyhedron::Face& f = body.faces()[k];
        const Vec3d u = e.a * f.normal;
        const double h = root(dot(f.normal, u)), g = dot(f.normal, centre) - f.offset - h;
        if (g >= reach) return false;
        in_front[k] = g + 2 * h > 0;
        if (face < k && !(g > best)) continue;
        best = g, n = f.normal, lowest = (-1 / h) * u, support = h, face = k;
    }
    const auto corners = body.corners();
    const auto is_over = [&](std::size_t k, const Vec3d& p) {
        const auto round = body.corners_of(k);
        for (std::size_t c = 0; c < round.size(); ++c) {
            const Vec3d &a = corners[round[c]], &b = corners[round[(c + 1) % round.size()]];
            if (!(dot(cross(b - a, p - a), body.faces()[k].normal) >= 0)) return false;
        }
        return true;
    };
    Vec3d point = lowest - (0.5 * best) * n;  // of the contact, from the centre of the ellipsoid
    double radius = gaussian_radius(e.abc, support);
    // Over its face and so shallow, it is the greatest (Blaschke; see README.md).
    if (!(-best <= e.sharpest && is_over(face, centre + lowest))) {
        for (const ConvexPolyhedron::Edge& edge : body.edges()) {
            if (!in_front[edge.left] && !in_front[edge.right]) continue;
            const FlatTouch flat = nearest_on_segment(e, corners[edge.from] - centre, corners[edge.to] - centre);
            if (!(-flat.touch.overlap > best)) continue;
            // Where the edge or corner is not the outermost one along this normal, g is less.
            const Vec3d& along_n = flat.touch.normal;
            double outermost = dot(along_n, corners[edge.from]);
            for (const Vec3d& c : corners) outermost = std::max(outermost, dot(along_n, c));
            const double beyond = outermost - dot(along_n, centre + flat.wall_point);
            const double g = -flat.touch.overlap - std::max(beyond, 0.0);
            if (g >= reach) return false;
            if (!(g > best)) continue;
            best = g, n = along_n, point = flat.touch.point, radius = flat.touch.effective_radius;
        }
    }
    touch.normal = -rotate(at.orientation, n), touch.overlap = -at.size * best;
    touch.point = to_ellipsoid + at.size * rotate(at.orientation, point);
    touch.effective_radius = at.size * radius, touch.area = touch.stored_depth = 0;
    return true;
}

}  // namespace granary
