#include "shapes/clump.hpp"

#include <numbers>
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <vector>
#include "core/errors.hpp"
#include "shapes/principal_axes.hpp"

namespace granary {

namespace {

// Volume, first and second moments about the origin.
struct Moments {
    double volume = 0;
    Vec3d first;
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;

    void add(double sign, const Moments& m) {
        volume += sign * m.volume, first += sign * m.first;
        xx += sign * m.xx, yy += sign * m.yy, zz += sign * m.zz, xy += sign * m.xy, xz += sign * m.xz,
            yz += sign * m.yz;
    }
};

// A body of revolution about the unit axis u through c: along it volume v, first moment a, second moment b, and across
// it the second moment t.
Moments of_revolution(const Vec3d& c, const Vec3d& u, double v, double a, double b, double t) {
    Moments m;
    m.volume = v;
    m.first = v * c + a * u;
    const auto second = [&](double ci, double cj, double ui, double uj, double same) {
        return v * ci * cj + a * (ci * uj + ui * cj) + b * ui * uj + t * (same - ui * uj);
    };
    m.xx = second(c.x, c.x, u.x, u.x, 1), m.yy = second(c.y, c.y, u.y, u.y, 1), m.zz = second(c.z, c.z, u.z, u.z, 1);
    m.xy = second(c.x, c.y, u.x, u.y, 0), m.xz = second(c.x, c.z, u.x, u.z, 0), m.yz = second(c.y, c.z, u.y, u.z, 0);
    return m;
}

// The part of a ball about c beyond the plane u . (x - c) = from.
Moments cap(const Vec3d& c, double r, const Vec3d& u, double from) {
    const auto integral = [&](auto&& f) { return f(r) - f(from); };
    const double r2 = r * r;
    const double v = std::numbers::pi * integral([&](double s) { return s * (r2 - s * s / 3); });
    const double a = std::numbers::pi * integral([&](double s) { return s * s * (r2 / 2 - s * s / 4); });
    const double b = std::numbers::pi * integral([&](double s) { return s * s * s * (r2 / 3 - s * s / 5); });
    const double t =
        std::numbers::pi / 4 * integral([&](double s) { return s * (r2 * r2 - s * s * (2 * r2 / 3 - s * s / 5)); });
    return of_revolution(c, u, v, a, b, t);
}

Moments ball(const ClumpBall& b) {
    const double v = 4 * std::numbers::pi / 3 * b.radius * b.radius * b.radius, second = v * b.radius * b.radius / 5;
    return of_revolution(b.centre, {0, 0, 1}, v, 0, second, second);
}

bool overlap(const ClumpBall& a, const ClumpBall& b) { return norm(a.centre - b.centre) < a.radius + b.radius; }
bool holds(const ClumpBall& outer, const ClumpBall& inner) {
    return norm(outer.centre - inner.centre) + inner.radius <= outer.radius;
}

Moments lens(const ClumpBall& a, const ClumpBall& b) {
    const Vec3d apart = b.centre - a.centre;
    const double d = norm(apart);
    const Vec3d u = (1 / d) * apart;
    const double plane = (d * d + a.radius * a.radius - b.radius * b.radius) / (2 * d);  // from a along u
    Moments m = cap(a.centre, a.radius, u, plane);
    m.add(1, cap(b.centre, b.radius, -u, d - plane));
    return m;
}

UnionOfBalls about_centre(const Moments& m, bool exact) {
    UnionOfBalls all;
    all.volume = m.volume, all.exact = exact;
    all.centre = (1 / m.volume) * m.first;
    const Vec3d& c = all.centre;
    const double xx = m.xx - m.volume * c.x * c.x, yy = m.yy - m.volume * c.y * c.y, zz = m.zz - m.volume * c.z * c.z;
    const double xy = m.xy - m.volume * c.x * c.y, xz = m.xz - m.volume * c.x * c.z, yz = m.yz - m.volume * c.y * c.z;
    all.inertia = {Vec3d{yy + zz, -xy, -xz}, {-xy, xx + zz, -yz}, {-xz, -yz, xx + yy}};
    return all;
}

// Without those that lie inside others; of two that are alike the first stays.
std::vector<ClumpBall> outer_balls(std::span<const ClumpBall> balls) {
    std::vector<ClumpBall> kept;
    for (std::size_t k = 0; k < balls.size(); ++k) {
        bool inside = false;
        for (std::size_t l = 0; l < balls.size() && !inside; ++l)
            inside = l != k && holds(balls[l], balls[k]) && (l < k || !holds(balls[k], balls[l]));
        if (!inside) kept.push_back(balls[k]);
    }
    return kept;
}

bool three_overlap(std::span<const ClumpBall> b) {
    for (std::size_t i = 0; i < b.size(); ++i)
        for (std::size_t j = i + 1; j < b.size(); ++j)
            for (std::size_t k = j + 1; k < b.size() && overlap(b[i], b[j]); ++k)
                if (overlap(b[i], b[k]) && overlap(b[j], b[k])) return true;
    return false;
}

}  // namespace

UnionOfBalls union_by_rays(std::span<const ClumpBall> balls) {
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // tests/fuzz/README.md
    constexpr int across = 200;                  // the smallest ball of a shape that is not too slender is met
#else
    constexpr int across = rays_across;
#endif
    Vec3d lower = balls[0].centre, upper = lower;
    for (const ClumpBall& b : balls)
        for (int axis = 0; axis < 3; ++axis) {
            at(lower, axis) = std::min(at(lower, axis), at(b.centre, axis) - b.radius);
            at(upper, axis) = std::max(at(upper, axis), at(b.centre, axis) + b.radius);
        }
    const double h = std::max(upper.x - lower.x, upper.y - lower.y) / across, area = h * h;
    const auto lines = [&](double from, double to) { return static_cast<int>(std::ceil((to - from) / h)); };
    const Vec3d middle = 0.5 * (lower + upper);
    const int nx = lines(lower.x, upper.x), ny = lines(lower.y, upper.y);
    struct Interval {
        double from, to;
    };
    std::vector<Interval> cuts;
    Moments m;  // about the middle of the box
    for (int iy = 0; iy < ny; ++iy)
        for (int ix = 0; ix < nx; ++ix) {
            const double x = (ix + 0.5 - 0.5 * nx) * h, y = (iy + 0.5 - 0.5 * ny) * h;
            cuts.clear();
            for (const ClumpBall& b : balls) {
                const double dx = x - (b.centre.x - middle.x), dy = y - (b.centre.y - middle.y);
                const double left = b.radius * b.radius - dx * dx - dy * dy;
                if (!(left > 0)) continue;
                const double half = std::sqrt(left), z = b.centre.z - middle.z;
                cuts.push_back({z - half, z + half});
            }
            std::sort(cuts.begin(), cuts.end(), [](const Interval& a, const Interval& b) { return a.from < b.from; });
            for (std::size_t k = 0; k < cuts.size();) {
                const double from = cuts[k].from;
                double to = cuts[k].to;
                for (++k; k < cuts.size() && cuts[k].from <= to; ++k) to = std::max(to, cuts[k].to);
                const double v = area * (to - from), z1 = 0.5 * (to + from) * v,
                             z2 = v * (to * to + to * from + from * from) / 3;
                m.volume += v;
                m.first += Vec3d{x * v, y * v, z1};
                m.xx += x * x * v, m.yy += y * y * v, m.zz += z2, m.xy += x * y * v, m.xz += x * z1, m.yz += y * z1;
            }
        }
    UnionOfBalls all = about_centre(m, false);
    all.centre += middle;
    return all;
}

UnionOfBalls union_of_balls(std::span<const ClumpBall> balls) {
    const std::vector<ClumpBall> kept = outer_balls(balls);
    if (three_overlap(kept)) return union_by_rays(kept);
    // About the first centre, so that a clump far from the origin loses no digits.
    const Vec3d origin = kept[0].centre;
    std::vector<ClumpBall> near = kept;
    for (ClumpBall& b : near) b.centre -= origin;
    Moments m;
    for (std::size_t i = 0; i < near.size(); ++i) {
        m.add(1, ball(near[i]));
        for (std::size_t j = i + 1; j < near.size(); ++j)
            if (overlap(near[i], near[j])) m.add(-1, lens(near[i], near[j]));
    }
    UnionOfBalls all = about_centre(m, true);
    all.centre += origin;
    return all;
}

ShapeTemplate make_clump(const std::string& name, std::span<const ClumpBall> balls, Vec3d* centre,
                         std::array<Vec3d, 3>* axes) {
    const auto bad = [&](const std::string& why) { return InputError(fmt::format("shape \"{}\": {}", name, why)); };
    if (balls.empty()) throw bad("a clump has no balls");
    if (balls.size() > most_clump_balls)
        throw bad(fmt::format("a clump has {} balls; at most {} are possible", balls.size(), most_clump_balls));
    for (std::size_t k = 0; k < balls.size(); ++k) {
        const Vec3d& c = balls[k].centre;
        if (!(balls[k].radius > 0) || !std::isfinite(balls[k].radius) || !std::isfinite(dot(c, c)))
            throw bad(fmt::format("ball {} of the clump has a radius that is not above 0, or no place", k + 1));
        for (std::size_t l = 0; l < k; ++l)
            if (c == balls[l].centre && balls[k].radius == balls[l].radius)
                throw bad(fmt::format("balls {} and {} of the clump are the same", l + 1, k + 1));
    }
    const UnionOfBalls all = union_of_balls(balls);
    const PrincipalAxes own = principal_axes(all.inertia);
    ShapeTemplate shape;
    shape.name = name, shape.kind = ShapeKind::clump;
    shape.volume = all.volume;
    shape.inertia_per_mass = (1 / all.volume) * own.moments;
    for (const ClumpBall& b : balls) {
        const Vec3d c = b.centre - all.centre;
        shape.balls.push_back({{dot(own.axes[0], c), dot(own.axes[1], c), dot(own.axes[2], c)}, b.radius});
        shape.outer_radius = std::max(shape.outer_radius, norm(shape.balls.back().centre) + b.radius);
    }
    if (centre != nullptr) *centre = all.centre;
    if (axes != nullptr) *axes = own.axes;
    return shape;
}

}  // namespace granary
