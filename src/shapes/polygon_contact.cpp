#include "shapes/polygon_contact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include "shapes/convex_polyhedron.hpp"

namespace granary {
namespace {

double along(const Vec2d& a, const Vec2d& b) { return a.x * b.x + a.y * b.y; }
Vec2d minus(const Vec2d& a, const Vec2d& b) { return {a.x - b.x, a.y - b.y}; }

// The rotation of a copy about the normal.
struct Turn {
    double cos = 1, sin = 0;
    Turn(const Quaterniond& q, int normal) {
        const double s = normal == 0 ? q.x : normal == 1 ? q.y : q.z;
        cos = q.w * q.w - s * s, sin = 2 * q.w * s;
    }
    Vec2d out(const Vec2d& x) const { return {cos * x.x - sin * x.y, sin * x.x + cos * x.y}; }
    Vec2d back(const Vec2d& x) const { return {cos * x.x + sin * x.y, cos * x.y - sin * x.x}; }
};

// Corners of a copy in place.
struct Corners {
    std::array<Vec2d, ConvexPolygon::most_corners> at;
    std::size_t n = 0;
    Corners(const ConvexPolygon& p, const Placed& place, const Vec2d& centre) {
        const Turn turn(place.orientation, p.normal());
        for (const Vec2d& c : p.corners()) {
            const Vec2d x = turn.out({place.size * c.x, place.size * c.y});
            at[n++] = {centre.x + x.x, centre.y + x.y};
        }
    }
    double lowest(const Vec2d& direction) const {
        double least = along(at[0], direction);
        for (std::size_t k = 1; k < n; ++k) least = std::min(least, along(at[k], direction));
        return least;
    }
};

// The part of one polygon that is inside another; which of its edges belong to the other.
struct Shared {
    struct Corner {
        Vec2d x;
        bool of_j;  // the edge from here on
    };
    std::array<Corner, 2 * ConvexPolygon::most_corners + 2> at, next;
    std::size_t n = 0;

    // Clipped by one edge of j after the other (Sutherland & Hodgman).
    Shared(const Corners& i, const Corners& j) {
        for (; n < i.n; ++n) at[n] = {i.at[n], false};
        for (std::size_t k = 0; k < j.n && n > 0; ++k) clip(j.at[k], j.at[k + 1 == j.n ? 0 : k + 1]);
    }

  private:
    void clip(const Vec2d& from, const Vec2d& to) {
        const Vec2d e = minus(to, from);
        const auto inside = [&](const Vec2d& x) { return e.x * (x.y - from.y) - e.y * (x.x - from.x); };
        std::size_t m = 0;
        double here = inside(at[0].x);
        const double first = here;
        for (std::size_t k = 0; k < n; ++k) {
            const Corner& p = at[k];
            const Corner& q = at[k + 1 == n ? 0 : k + 1];
            const double there = k + 1 == n ? first : inside(q.x);
            const auto cut = [&] {
                const double s = here / (here - there);
                return Vec2d{p.x.x + s * (q.x.x - p.x.x), p.x.y + s * (q.x.y - p.x.y)};
            };
            if (here >= 0) {
                next[m++] = p;
                if (there < 0) next[m++] = {cut(), true};
            } else if (there > 0) {
                next[m++] = {cut(), p.of_j};
            }
            here = there;
        }
        n = m;
        std::copy_n(next.begin(), n, at.begin());
    }
};

// int h^2/2 across a convex polygon, h its depth along the normal; both chains from the leftmost corner on.
double depth_sum(const Shared& s, const Vec2d& normal) {
    const Vec2d across{normal.y, -normal.x};  // with the normal up, to the right
    std::array<Vec2d, 2 * ConvexPolygon::most_corners + 2> p;
    std::size_t left = 0, right = 0;
    for (std::size_t k = 0; k < s.n; ++k) {
        p[k] = {along(s.at[k].x, across), along(s.at[k].x, normal)};
        if (p[k].x < p[left].x) left = k;
        if (p[k].x > p[right].x) right = k;
    }
    const auto after = [&](std::size_t k) { return k + 1 == s.n ? 0 : k + 1; };
    const auto before = [&](std::size_t k) { return k == 0 ? s.n - 1 : k - 1; };
    const auto height = [](const Vec2d& a, const Vec2d& b, double x) {
        return b.x > a.x ? a.y + (b.y - a.y) * ((x - a.x) / (b.x - a.x)) : b.y;
    };
    std::size_t low = left, high = left;
    double sum = 0, x = p[left].x, h = 0;
    while (low != right || high != right) {
        const std::size_t low_to = low == right ? right : after(low), high_to = high == right ? right : before(high);
        // The chain whose next corner is nearer goes on.
        const bool go_low = low != right && (high == right || p[low_to].x <= p[high_to].x);
        const double to = go_low ? p[low_to].x : p[high_to].x;
        const double depth =
            std::max(0.0, height(p[high], p[high_to], std::max(to, x)) - height(p[low], p[low_to], std::max(to, x)));
        if (to > x) sum += (to - x) * (h * h + h * depth + depth * depth) / 6, x = to;
        h = depth;
        if (go_low) low = low_to;
        else high = high_to;
    }
    return sum;
}

thread_local FlatPolygon flat_i{{{0, 0}, {1, 0}, {0, 1}}}, flat_j{{{0, 0}, {1, 0}, {0, 1}}};  // room for their corners

void make_flat(FlatPolygon& to, const Corners& corners, const Vec2d& centre, double size) {
    to.corner.assign(corners.at.begin(), corners.at.begin() + static_cast<std::ptrdiff_t>(corners.n));
    to.centroid = centre, to.size = size;
}

}  // namespace

PlaneState touch_polygons(const ConvexPolygon& a, const Placed& i, const ConvexPolygon& b, const Placed& j,
                          double thickness, double tol, Vec3d& plane, ConvexTouch& touch) {
    const int axis = a.normal();
    const Vec2d to_j = in_plane(j.centre - i.centre, axis);
    Vec2d n = in_plane(plane, axis);
    if (n.x == 0 && n.y == 0) {
        const double distance = std::sqrt(along(to_j, to_j));
        n = distance > 0 ? Vec2d{-to_j.x / distance, -to_j.y / distance} : Vec2d{0, 1};
    }
    const Corners at_i(a, i, {}), at_j(b, j, to_j);
    const auto apart = [&](double gap) {
        touch.normal = in_space(n, axis), touch.overlap = -gap;
        plane = gap > tol ? Vec3d{} : touch.normal;
        return gap > tol ? PlaneState::none : PlaneState::potential;
    };
    const double gap = at_i.lowest(n) + at_j.lowest({-n.x, -n.y});
    if (gap >= 0) return apart(gap);

    const Shared shared(at_i, at_j);
    double twice = 0;
    Vec2d moment, push;
    for (std::size_t k = 0; k < shared.n; ++k) {
        const Vec2d &p = shared.at[k].x, &q = shared.at[k + 1 == shared.n ? 0 : k + 1].x, &o = shared.at[0].x;
        const Vec2d u = minus(p, o), v = minus(q, o);
        const double part = u.x * v.y - u.y * v.x;
        twice += part, moment.x += part * (u.x + v.x), moment.y += part * (u.y + v.y);
        if (shared.at[k].of_j) push.x += q.y - p.y, push.y -= q.x - p.x;
    }
    const double length = a.equivalent_radius() * i.size + b.equivalent_radius() * j.size, area = 0.5 * twice;
    const double chord = std::sqrt(along(push, push));
    if (shared.n > 2 && area > 0 && area > 1e-14 * length * chord) {
        // Deep inside each other there may be no way out that is better than others: then the old normal.
        const double least = 1e-3 * area / length;
        if (chord > least) n = {push.x / chord, push.y / chord};
        const double width = std::max(chord, least);
        touch.normal = plane = in_space(n, axis);
        touch.area = width * thickness;
        constexpr double root_12 = 3.4641016151377544;
        touch.patch.middle = {};
        touch.patch.face = thickness * std::min(a.longest_edge() * i.size, b.longest_edge() * j.size);
        touch.patch.spread[0] = (width / root_12) * in_space({n.y, -n.x}, axis);
        touch.patch.spread[1] = {};
        at(touch.patch.spread[1], axis) = thickness / root_12;
        touch.overlap = area / width;
        const double radius = 0.75 * touch.area / length;
        touch.effective_radius = radius * radius / touch.overlap;
        touch.stored_depth = depth_sum(shared, n) / area;
        const Vec2d& o = shared.at[0].x;
        touch.point = in_space({o.x + moment.x / (3 * twice), o.y + moment.y / (3 * twice)}, axis);
        return PlaneState::real;
    }
    make_flat(flat_i, at_i, {}, a.outer_radius() * i.size), make_flat(flat_j, at_j, to_j, b.outer_radius() * j.size);
    const CommonLine found = fast_common_line(flat_i, flat_j, n);
    n = found.normal;
    return apart(found.gap > 0 ? found.gap : 0);
}

bool touch_polygon_disc(const ConvexPolygon& body, const Placed& at, const Vec3d& to_disc, double radius, double far,
                        ConvexTouch& touch) {
    const int axis = body.normal();
    const Turn turn(at.orientation, axis);
    const double per_size = 1 / at.size, reach = per_size * (radius + far);
    const Vec2d to = in_plane(to_disc, axis), x = turn.back({per_size * to.x, per_size * to.y});
    double highest = 0;
    const ConvexPolygon::Edge* edge = nullptr;
    for (const ConvexPolygon::Edge& e : body.edges()) {
        const double h = along(e.normal, x) - e.offset;
        if (h >= reach) return false;
        if (edge == nullptr || h > highest) highest = h, edge = &e;
    }
    Vec2d nearest, n = edge->normal;  // from the polygon to the disc
    double distance = highest;
    if (highest <= 0) {
        nearest = {x.x - highest * n.x, x.y - highest * n.y};
    } else {
        double least = -1;
        const auto corners = body.corners();
        for (std::size_t k = 0; k < corners.size(); ++k) {
            const Vec2d &a = corners[k], d = minus(corners[k + 1 == corners.size() ? 0 : k + 1], a);
            const double s = std::clamp(along(minus(x, a), d) / along(d, d), 0.0, 1.0);
            const Vec2d p{a.x + s * d.x, a.y + s * d.y}, away = minus(x, p);
            if (least < 0 || along(away, away) < least) least = along(away, away), nearest = p;
        }
        distance = std::sqrt(least);
        if (distance >= reach) return false;
        n = {(x.x - nearest.x) / distance, (x.y - nearest.y) / distance};
    }
    const Vec2d out = turn.out(n), point = turn.out(nearest);
    touch.normal = in_space({-out.x, -out.y}, axis);
    touch.overlap = radius - at.size * distance;
    touch.point = in_space({at.size * point.x, at.size * point.y}, axis) + (0.5 * touch.overlap) * touch.normal;
    touch.effective_radius = radius;
    touch.area = touch.stored_depth = 0;
    return true;
}

bool flatten_touch(const ShapeTemplate& t, double size, ConvexTouch& touch) {
    const int axis = t.polygon->normal();
    if (!(touch.area > 0)) {  // a corner at a curved wall: the other end of the prism has the same
        if (at(touch.point, axis) < 0) return false;
        touch.effective_radius = t.polygon->equivalent_radius() * size;
    } else {
        const double share = t.thickness / (t.polygon->prism_height() * size);
        const double factor = share * (t.polyhedron->equivalent_radius() / t.polygon->equivalent_radius());
        touch.area *= share, touch.effective_radius *= factor * factor;
        touch.patch.face = t.thickness * t.polygon->longest_edge() * size;
    }
    at(touch.point, axis) = at(touch.normal, axis) = 0;
    touch.patch.middle = {};
    for (Vec3d& s : touch.patch.spread) at(s, axis) = 0;  // nothing turns out of the plane
    const double length = norm(touch.normal);
    if (!(length > 0.5)) return false;
    touch.normal = (1 / length) * touch.normal;
    return true;
}

}  // namespace granary
