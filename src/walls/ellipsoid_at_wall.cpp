#include "walls/ellipsoid_at_wall.hpp"
#include <cmath>
#include <variant>

namespace granary {
namespace {

// Directions of the meridians that are looked at first: cos and sin of multiples of 22.5 degrees.
constexpr int n_meridians = 16;
constexpr double c1 = 0.92387953251128674, c2 = 0.70710678118654752, c3 = 0.38268343236508977;
constexpr std::array<std::array<double, 2>, n_meridians> meridians{{{1, 0},
                                                                    {c1, c3},
                                                                    {c2, c2},
                                                                    {c3, c1},
                                                                    {0, 1},
                                                                    {-c3, c1},
                                                                    {-c2, c2},
                                                                    {-c1, c3},
                                                                    {-1, 0},
                                                                    {-c1, -c3},
                                                                    {-c2, -c2},
                                                                    {-c3, -c1},
                                                                    {0, -1},
                                                                    {c3, -c1},
                                                                    {c2, -c2},
                                                                    {c1, -c3}}};
constexpr int most_refinements = 60;
constexpr double all_round = 1e-12;  // slope, of its size, below which its sign is rounding noise
constexpr double straight = 1e-15;   // step of a direction below which it stands

// A circle of directions about the axis u.
struct Circle {
    Vec3d u, x, y;
    explicit Circle(const Vec3d& axis) : u(axis), x(perpendicular(axis)), y(cross(axis, x)) {}
    Vec3d meridian(int k) const {
        const auto& m = meridians[static_cast<std::size_t>(k % n_meridians)];
        return m[0] * x + m[1] * y;
    }
    Vec3d ahead(const Vec3d& e) const { return cross(u, e); }
};

Vec3d to_unit(const Vec3d& v) { return (1 / norm(v)) * v; }

// slope(e): {derivative by the angle of what is to be greatest, second derivative or 0 where not known}, both divided
// by one positive number; size: what they could be. Calls take(e) with each place where it is greatest. Where all
// directions are alike (a body of revolution on the axis) two that are opposite stand for them, so that their forces
// add up along the axis.
struct Slope {
    double first, second;
};
template <class SlopeOf, class Take>
void each_maximum(const Circle& circle, double size, SlopeOf&& slope, Take&& take) {
    std::array<double, n_meridians + 1> at;
    for (int k = 0; k < n_meridians; ++k) at[static_cast<std::size_t>(k)] = slope(circle.meridian(k)).first;
    at[n_meridians] = at[0];
    bool any = false, alike = true;
    for (const double f : at) alike = alike && std::abs(f) <= all_round * size;
    for (int k = 0; k < n_meridians && !alike; ++k) {
        double f_low = at[static_cast<std::size_t>(k)], f_high = at[static_cast<std::size_t>(k) + 1];
        if (!(f_low >= 0 && f_high < 0)) continue;
        Vec3d low = circle.meridian(k), high = circle.meridian(k + 1);
        // The chord's place, then Newton's steps; a step that leaves the bounds is replaced by their middle.
        Vec3d e = to_unit(f_low * high - f_high * low);
        for (int it = 0; it < most_refinements; ++it) {
            const Slope s = slope(e);
            if (s.first == 0) break;
            if (s.first > 0) low = e, f_low = s.first;
            else high = e, f_high = s.first;
            Vec3d next;
            if (s.second < 0) {
                next = to_unit(e - (s.first / s.second) * circle.ahead(e));
            } else {
                // No second derivative: chord, in turn with the middle.
                next = it % 3 == 2 ? to_unit(low + high) : to_unit(f_low * high - f_high * low);
            }
            if (dot(cross(low, next), circle.u) < 0 || dot(cross(next, high), circle.u) < 0) next = to_unit(low + high);
            const Vec3d step = next - e;
            e = next;
            if (dot(step, step) < straight * straight) break;
        }
        take(e);
        any = true;
    }
    if (!any) take(circle.meridian(0)), take(circle.meridian(n_meridians / 2));
}

struct Finder {
    const PlacedEllipsoid& body;
    const Vec3d& centre;
    double far;
    EllipsoidWallTouches found;

    // Deepest first among those from `first` on; at most two of them.
    void add(const FlatTouch& t, bool rim, std::size_t first) {
        if (-t.touch.overlap >= far) return;
        std::size_t place = found.count;
        while (place > first && found.at[place - 1].touch.overlap < t.touch.overlap) --place;
        if (place >= first + 2 || place >= EllipsoidWallTouches::most) return;
        const std::size_t last = std::min(std::min(found.count, first + 1), EllipsoidWallTouches::most - 1);
        for (std::size_t k = last; k > place; --k) found.at[k] = found.at[k - 1];
        found.at[place] = {t.touch, centre + t.wall_point, rim};
        found.count = std::max(found.count, std::min(last + 1, first + 2));
    }

    // inwards(e): the direction into the surface at the rim's meridian e; the rim counts where the body's distance does
    // not fall that way.
    template <class Inwards> void rim(const Vec3d& middle, const Vec3d& u, double radius, Inwards&& inwards) {
        if (!(radius > 0)) return;
        const Vec3d to_middle = middle - centre;
        const double z = dot(to_middle, u), rho = norm(to_middle - z * u) - radius;
        if (std::sqrt(rho * rho + z * z) - body.largest >= far) return;  // of the centre from the circle
        const Circle circle(u);
        const std::size_t first = found.count;
        each_maximum(
            circle, 1,
            [&](const Vec3d& e) {
                return Slope{-dot(nearest_on_ellipsoid(body, to_middle + radius * e).normal, circle.ahead(e)), 0};
            },
            [&](const Vec3d& e) {
                const FlatTouch t = touch_at_point(body, to_middle + radius * e);
                if (dot(t.touch.normal, inwards(e)) <= 0) add(t, true, first);
            });
    }

    void operator()(const Plane& s) {
        FlatTouch t;
        if (touch_ellipsoid_plane(body, s.point - centre, s.normal, t, far)) add(t, false, 0);
    }
    void operator()(const Rectangle& s) {
        const Vec3d a = s.corner - centre;
        const std::array<Vec3d, 4> corners{a, a + s.edge_a, a + s.edge_a + s.edge_b, a + s.edge_b};
        FlatTouch t;
        if (touch_ellipsoid_polygon(body, corners, to_unit(cross(s.edge_a, s.edge_b)), t, far))
            add(t, t.part != FlatPart::face, 0);
    }
    void operator()(const Disc& s) { (*this)(Annulus{s.centre, s.normal, 0, s.radius}); }
    void operator()(const Annulus& s) {
        const Vec3d from = s.centre - centre;
        FlatTouch t;
        if (!touch_ellipsoid_plane(body, from, dot(from, s.normal) > 0 ? -s.normal : s.normal, t, far)) return;
        const Vec3d spot = t.wall_point - from;
        const double rho2 = dot(spot, spot);
        if (rho2 >= s.inner * s.inner && rho2 <= s.outer * s.outer) return add(t, false, 0);
        if (rho2 > s.outer * s.outer) rim(s.centre, s.normal, s.outer, [](const Vec3d& e) { return -e; });
        else rim(s.centre, s.normal, s.inner, [](const Vec3d& e) { return e; });
    }
    void operator()(const Cylinder& s) { (*this)(ConeFrustum{s.bottom, s.top, s.radius, s.radius}); }
    void operator()(const ConeFrustum& s) {
        const Vec3d axis = s.top - s.bottom;
        const double height = norm(axis), widening = s.top_radius - s.bottom_radius;
        const Vec3d u = (1 / height) * axis;
        const double slant = std::sqrt(height * height + widening * widening);
        const double n_rho = height / slant, n_z = -widening / slant;
        const Circle circle(u);
        const Vec3d c = centre - s.bottom;
        const double z = dot(c, u), rho = norm(c - z * u);
        const double outside = (rho - s.bottom_radius) * n_rho + z * n_z;  // of the centre, > 0 outside
        if (std::abs(outside) - body.largest < far) {
            const double side = outside > 0 ? 1 : -1;
            const auto normal_at = [&](const Vec3d& e) { return side * (n_rho * e + n_z * u); };
            each_maximum(
                circle, body.largest,
                [&](const Vec3d& e) {
                    const Vec3d m = normal_at(e), am = body.a * m, t = circle.ahead(e), at = body.a * t;
                    const double h = std::sqrt(dot(m, am)), per_h = 1 / h;
                    const Vec3d v = per_h * am, x = c - v;
                    const double vt = dot(v, t), radius = per_h * (dot(t, at) - vt * vt);
                    return Slope{dot(x, t), -dot(x, e) - side * n_rho * radius};
                },
                [&](const Vec3d& e) {
                    FlatTouch t;
                    const Vec3d q = (s.bottom - centre) + s.bottom_radius * e;
                    if (!touch_ellipsoid_plane(body, q, normal_at(e), t, far)) return;
                    const double place = dot(t.wall_point - (s.bottom - centre), u);
                    // Beyond the tip of a cone the meridian is on the other side.
                    if (place < 0 || place > height) return;
                    add(t, false, 0);
                    if (side > 0 && found.count > 1) found.count = 1;
                });
        }
        const Vec3d up = (1 / slant) * (height * u);  // along the meridian, without its part across the axis
        const double across = widening / slant;
        rim(s.bottom, u, s.bottom_radius, [&](const Vec3d& e) { return up + across * e; });
        rim(s.top, u, s.top_radius, [&](const Vec3d& e) { return -up - across * e; });
        tip(s);
    }
    // The tip of a cone is a point.
    void tip(const ConeFrustum& s) {
        if (s.bottom_radius > 0 && s.top_radius > 0) return;
        const Vec3d& at = s.bottom_radius > 0 ? s.top : s.bottom;
        if (norm(at - centre) - body.largest >= far) return;
        const FlatTouch t = touch_at_point(body, at - centre);
        // From outside, ahead of the tip: no meridian leads nearer to the body.
        const Vec3d axis = s.top - s.bottom, in = to_unit(s.bottom_radius > 0 ? -axis : axis);
        const double radius = s.bottom_radius + s.top_radius, length = norm(axis);
        const double along = dot(t.touch.normal, in), cross_part = norm(t.touch.normal - along * in);
        if (along * length + cross_part * radius <= 0) add(t, true, found.count);
    }
    void operator()(const Mesh&) {}
};

}  // namespace

EllipsoidWallTouches touch_wall(const PlacedEllipsoid& e, const Vec3d& centre, const WallShape& shape, double far) {
    Finder finder{e, centre, far, {}};
    std::visit(finder, shape);
    return finder.found;
}

bool ellipsoid_on_triangle(const PlacedEllipsoid& e, const Vec3d& centre, const TriangleFrame& triangle,
                           EllipsoidOnTriangle& out, double far) {
    const Vec3d a = triangle.a - centre;
    const std::array<Vec3d, 3> corners{a, a + triangle.ab, a + triangle.ac};
    FlatTouch t;
    if (!touch_ellipsoid_polygon(e, corners, triangle.normal, t, far)) return false;
    out.at = {t.touch, centre + t.wall_point, t.part != FlatPart::face};
    const int first = t.part == FlatPart::face ? 0 : t.part == FlatPart::edge ? 1 : 4;
    out.region = static_cast<Region>(first + t.number);
    return true;
}

}  // namespace granary
