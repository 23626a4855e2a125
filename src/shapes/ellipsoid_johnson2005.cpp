#include "shapes/ellipsoid_johnson2005.hpp"
#include "shapes/common_normal.hpp"
#include "shapes/equivalent_spheres.hpp"

namespace granary {
namespace {

constexpr double near_enough = 0.2;  // skew at which Newton's steps take over
constexpr int most_spheres = 6, most_plain = 8, most_safe = 100, most_halvings = 40;
constexpr double miss = 1e-12;      // of the sum of the largest semi-axes: the normal line misses by less, converged
constexpr double longest_step = 1;  // of a plain step, tangent of the angle

enum class Outcome { converged, far, failed };

struct Problem {
    EllipsoidPair<double> pair;
    double far = 0, miss_squared = 0;
};

// Plain steps from c, which is at the last direction afterwards.
Outcome plain_newton(const Problem& p, CommonNormal<double>& c, std::uint64_t& steps) {
    for (int it = 0;; ++it) {
        if (c.g >= p.far) return Outcome::far;
        if (it == most_plain) return Outcome::failed;
        const bool small = dot(c.r, c.r) <= p.miss_squared;
        if (small && c.g >= 0) return Outcome::converged;
        const NewtonStep<double> step = newton_step(p.pair, c);
        if (!(step.least_minor > 0)) return Outcome::failed;
        if (small) return Outcome::converged;
        if (!(dot(step.s, step.s) < longest_step * longest_step)) return Outcome::failed;
        c = look_along(p.pair, unit_vector(c.n + step.s));
        ++steps;
    }
}

struct Tangents {
    Vec3d s, t;
};
Tangents tangents_of(const Vec3d& n) {
    const double x = n.x < 0 ? -n.x : n.x, y = n.y < 0 ? -n.y : n.y, z = n.z < 0 ? -n.z : n.z;
    const Vec3d axis = x <= y && x <= z ? Vec3d{1, 0, 0} : y <= z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    const Vec3d s = unit_vector(cross(n, axis));
    return {s, cross(n, s)};
}

// Climbs: the matrix is shifted until it is positive, the step halved until g grows enough.
Outcome safe_newton(const Problem& p, CommonNormal<double>& c, std::uint64_t& steps) {
    for (int it = 0; it < most_safe; ++it) {
        if (c.g >= p.far) return Outcome::far;
        const Tangents f = tangents_of(c.n);
        const Vec3d &v1 = c.v1, &v2 = c.v2;
        const double p1 = 1 / c.h1, p2 = 1 / c.h2;
        const Vec3d s1 = p.pair.a1 * f.s, s2 = p.pair.a2 * f.s, t1 = p.pair.a1 * f.t, t2 = p.pair.a2 * f.t;
        const double vs1 = dot(v1, f.s), vs2 = dot(v2, f.s), vt1 = dot(v1, f.t), vt2 = dot(v2, f.t);
        double ss = p1 * (dot(f.s, s1) - vs1 * vs1) + p2 * (dot(f.s, s2) - vs2 * vs2) + c.g;
        double tt = p1 * (dot(f.t, t1) - vt1 * vt1) + p2 * (dot(f.t, t2) - vt2 * vt2) + c.g;
        const double st = p1 * (dot(f.s, t1) - vs1 * vt1) + p2 * (dot(f.s, t2) - vs2 * vt2);
        const double half = 0.5 * (ss - tt), spread = root(half * half + st * st), mean = 0.5 * (ss + tt);
        const double least = mean - spread, most = mean + spread;
        const bool small = dot(c.r, c.r) <= p.miss_squared;
        if (small && (least > 0 || c.g >= 0)) return Outcome::converged;
        Vec3d step;
        const double size = c.h1 + c.h2;
        if (small) {  // a saddle: leave it along its rising direction
            const Vec3d up = half < 0 ? st * f.t + (half - spread) * f.s : st * f.s - (half + spread) * f.t;
            const double l = root(dot(up, up));
            step = l > 0 ? (0.1 / l) * up : 0.1 * f.s;
        } else {
            const double floor = 1e-3 * (most > size * 1e-3 ? most : size * 1e-3);
            if (least < floor && c.g < 0) {
                const double shift = least < 0 ? floor - 2 * least : floor - least;
                ss += shift, tt += shift;
            }
            const double rs = dot(c.r, f.s), rt = dot(c.r, f.t), det = ss * tt - st * st;
            step = ((tt * rs - st * rt) / det) * f.s + ((ss * rt - st * rs) / det) * f.t;
            const double l2 = dot(step, step);
            if (l2 > longest_step * longest_step) step *= longest_step / root(l2);
        }
        const double rising = dot(c.r, step);
        CommonNormal<double> next;
        double share = 1;
        for (int halving = 0;; ++halving) {
            next = look_along(p.pair, unit_vector(c.n + share * step));
            // Rounding hides what a small step gains.
            if (next.g >= c.g + 1e-4 * share * rising - 1e-15 * size || halving == most_halvings) break;
            share *= 0.5;
        }
        ++steps;
        c = next;
    }
    return Outcome::failed;
}

// What is left of the starts when none converged, too: the greatest g.
struct Best {
    CommonNormal<double> c;
    Outcome outcome = Outcome::failed;
    bool any = false;

    void take(const CommonNormal<double>& other, Outcome how) {
        const bool solved = how != Outcome::failed, had = any && outcome != Outcome::failed;
        if (any && (had != solved ? had : !(other.g > c.g))) return;
        c = other, outcome = how, any = true;
    }
};

Vec3d unit_line(const Vec3d& d) {
    const double length = root(dot(d, d));
    return length > 0 ? (1 / length) * d : Vec3d{1, 0, 0};
}

// From the stated set: line of centres, axes of both bodies.
void from_many(const Problem& p, const PlacedEllipsoid& i, const PlacedEllipsoid& j, const Vec3d& line, Best& best,
               std::uint64_t& steps) {
    const auto climb = [&](const Vec3d& n) {
        CommonNormal<double> c = look_along(p.pair, dot(n, p.pair.d) < 0 ? -n : n);
        const Outcome how = safe_newton(p, c, steps);
        best.take(c, how);
    };
    climb(line);
    for (const PlacedEllipsoid* body : {&i, &j}) {
        const BodyAxes axes = body_axes(body->orientation);
        climb(unit_vector(axes.x)), climb(unit_vector(axes.y)), climb(unit_vector(axes.z));
    }
}

CommonNormal<double> cold(const Problem& p, const PlacedEllipsoid& i, const PlacedEllipsoid& j, Outcome& outcome,
                          EllipsoidCounts& counts) {
    const Vec3d line = unit_line(p.pair.d);
    CommonNormal<double> c = look_along(p.pair, line);
    if (c.g >= p.far) {
        outcome = Outcome::far;
        return c;
    }
    const SpheresResult spheres = equivalent_spheres(i, j, p.pair.d, line, near_enough, most_spheres);
    counts.spheres += static_cast<std::uint64_t>(spheres.iterations);
    Best best;
    const CommonNormal<double> start = look_along(p.pair, spheres.n);
    outcome = Outcome::failed;
    if (spheres.skew < near_enough) {
        CommonNormal<double> plain = start;
        outcome = plain_newton(p, plain, counts.steps);
        if (outcome != Outcome::failed) best.take(plain, outcome);
    }
    if (outcome == Outcome::failed) {
        ++counts.fallback;
        if (start.g > c.g) c = start;
        outcome = safe_newton(p, c, counts.safe_steps);
        best.take(c, outcome);
    }
    if (best.outcome == Outcome::failed || -best.c.g > i.sharpest + j.sharpest) {
        ++counts.starts;
        from_many(p, i, j, line, best, counts.safe_steps);
    }
    outcome = best.outcome;
    return best.c;
}

}  // namespace

bool touch_ellipsoids(const PlacedEllipsoid& i, const PlacedEllipsoid& j, const Vec3d& from_i_to_j,
                      Vec3d& normal_memory, ConvexTouch& out, double far, EllipsoidCounts* counts) {
    EllipsoidCounts here;
    const double allowed = miss * (i.largest + j.largest);
    const Problem p{{i.a, j.a, from_i_to_j}, far, allowed * allowed};
    CommonNormal<double> c;
    Outcome outcome = Outcome::failed;
    const bool warm = !(normal_memory == Vec3d{});
    if (warm) {
        c = look_along(p.pair, -normal_memory);
        outcome = plain_newton(p, c, here.steps);
        if (outcome == Outcome::failed) {
            ++here.fallback;
            c = look_along(p.pair, -normal_memory);
            outcome = safe_newton(p, c, here.safe_steps);
        }
    }
    if (outcome == Outcome::failed) c = cold(p, i, j, outcome, here);
    normal_memory = -c.n;
    const double r_i = gaussian_radius(i.abc, c.h1), r_j = gaussian_radius(j.abc, c.h2);
    out = {-c.n, -c.g, 0.5 * (c.v1 + (from_i_to_j - c.v2)), r_i * r_j / (r_i + r_j), 0};
    if (counts != nullptr) {
        here.pairs = 1, here.cold = warm ? 0 : 1, here.far = outcome == Outcome::far ? 1 : 0;
        here.unconverged = outcome == Outcome::failed ? 1 : 0;
        *counts += here;
    }
    return outcome != Outcome::far;
}

}  // namespace granary
