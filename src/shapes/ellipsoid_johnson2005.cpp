#include "shapes/ellipsoid_johnson2005.hpp"
#include <cstddef>
#include <cstring>
#include "shapes/common_normal.hpp"
#include "shapes/equivalent_spheres.hpp"

namespace granary {
namespace {

constexpr double near_enough = 0.3;   // skew at which Newton's steps take over
constexpr double round_enough = 0.4;  // least over largest semi-axis, of both bodies
constexpr int most_spheres = 6, most_plain = 8, most_safe = 100, most_halvings = 40;
constexpr double miss = 1e-12;      // of the sum of the largest semi-axes: the normal line misses by less, converged
constexpr double level = 1e-10;     // share of the size below which a radius of curvature less the overlap is 0
constexpr double longest_step = 1;  // of a plain step, tangent of the angle

enum class Outcome { converged, far, failed };

struct Problem {
    EllipsoidPair<double> pair;
    double far = 0, miss_squared = 0;
    double certain = 0;  // a stationary point with a lesser overlap is the greatest maximum (common_normal.hpp)
};

// Plain steps from c, which is at the last direction afterwards.
Outcome plain_newton(const Problem& p, CommonNormal<double>& c, std::uint64_t& steps) {
    for (int it = 0;; ++it) {
        if (c.g >= p.far) return Outcome::far;
        if (it == most_plain) return Outcome::failed;
        const bool small = dot(c.r, c.r) <= p.miss_squared;
        if (small && c.g > -p.certain) return Outcome::converged;
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
        const double size = c.h1 + c.h2;
        const bool small = dot(c.r, c.r) <= p.miss_squared;
        // A ridge of equal maxima (bodies of revolution with one axis or one centre) is good enough.
        if (small && (least > -level * size || c.g >= 0)) return Outcome::converged;
        Vec3d step;
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

// (A_1/h_1 + A_2/h_2)^-1 d, with h along c.n.
Vec3d stretched_line(const EllipsoidPair<double>& p, const CommonNormal<double>& c) {
    const double p1 = 1 / c.h1, p2 = 1 / c.h2;
    const double xx = p1 * p.a1.xx + p2 * p.a2.xx, xy = p1 * p.a1.xy + p2 * p.a2.xy, xz = p1 * p.a1.xz + p2 * p.a2.xz,
                 yy = p1 * p.a1.yy + p2 * p.a2.yy, yz = p1 * p.a1.yz + p2 * p.a2.yz, zz = p1 * p.a1.zz + p2 * p.a2.zz;
    const Symmetric3<double> minors{yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy,
                                    xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy};
    const Vec3d n = minors * p.d;
    return dot(n, n) > 0 ? unit_vector(n) : c.n;
}

bool is_round(const PlacedEllipsoid& e) { return e.sharpest >= round_enough * round_enough * e.largest; }

CommonNormal<double> cold(const Problem& p, const PlacedEllipsoid& i, const PlacedEllipsoid& j, EllipsoidStart method,
                          Outcome& outcome, EllipsoidCounts& counts) {
    const Vec3d line = unit_line(p.pair.d);
    CommonNormal<double> c = look_along(p.pair, line);
    outcome = Outcome::far;
    if (c.g >= p.far) return c;
    // Most pairs that do not touch end here: no memory is kept for them.
    CommonNormal<double> start = look_along(p.pair, stretched_line(p.pair, c));
    if (start.g >= p.far) return start;
    Best best;
    bool near = true;
    if (method == EllipsoidStart::spheres || (method == EllipsoidStart::by_ratio && is_round(i) && is_round(j))) {
        const SpheresResult spheres = equivalent_spheres(i, j, p.pair.d, line, near_enough, most_spheres);
        ++counts.by_spheres;
        counts.spheres += static_cast<std::uint64_t>(spheres.iterations);
        if (start.g > c.g) c = start;
        start = look_along(p.pair, spheres.n);
        near = spheres.skew < near_enough;
    }
    outcome = Outcome::failed;
    if (near) {
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
    if (best.outcome == Outcome::failed || -best.c.g > p.certain) {
        ++counts.starts;
        from_many(p, i, j, line, best, counts.safe_steps);
    }
    outcome = best.outcome;
    return best.c;
}

ConvexTouch touch_at(const CommonNormal<double>& c, const Vec3d& d, double abc_i, double abc_j) {
    const double r_i = gaussian_radius(abc_i, c.h1), r_j = gaussian_radius(abc_j, c.h2);
    return {-c.n, -c.g, 0.5 * (c.v1 + (d - c.v2)), r_i * r_j / (r_i + r_j), 0};
}

Real4 four(const double* p) {
    Real4 a;
    std::memcpy(&a, p, sizeof a);
    return a;
}

// The first numbers of four bodies: the matrix, abc, the largest semi-axis; and the least radius of curvature.
struct Bodies4 {
    Symmetric3<Real4> a;
    Real4 abc, largest, sharpest;
    explicit Bodies4(const PlacedEllipsoid* const (&e)[4]) {
        static_assert(offsetof(PlacedEllipsoid, abc) == 6 * sizeof(double) &&
                      offsetof(PlacedEllipsoid, largest) == 7 * sizeof(double));
        Real4 l[4], h[4];
        for (int k = 0; k < 4; ++k) {
            const double* p = reinterpret_cast<const double*>(e[k]);
            l[k] = four(p), h[k] = four(p + 4);
        }
        transpose(l[0], l[1], l[2], l[3]);
        transpose(h[0], h[1], h[2], h[3]);
        a = {l[0], l[1], l[2], l[3], h[0], h[1]}, abc = h[2], largest = h[3];
        sharpest = Real4{e[0]->sharpest, e[1]->sharpest, e[2]->sharpest, e[3]->sharpest};
    }
};

Vec3<Real4> columns(const Vec3d (&v)[4]) {
    return {Real4{v[0].x, v[1].x, v[2].x, v[3].x}, Real4{v[0].y, v[1].y, v[2].y, v[3].y},
            Real4{v[0].z, v[1].z, v[2].z, v[3].z}};
}
Vec3d lane(const Vec3<Real4>& v, int k) { return {v.x[k], v.y[k], v.z[k]}; }

}  // namespace

bool touch_ellipsoids(const PlacedEllipsoid& i, const PlacedEllipsoid& j, const Vec3d& from_i_to_j,
                      Vec3d& normal_memory, ConvexTouch& out, double far, EllipsoidCounts* counts,
                      EllipsoidStart start) {
    EllipsoidCounts here;
    const double allowed = miss * (i.largest + j.largest);
    const Problem p{{i.a, j.a, from_i_to_j}, far, allowed * allowed, i.sharpest + j.sharpest};
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
        // g(-n) > g(n) where n points away from the other centre: memory was of another contact.
        if (outcome == Outcome::converged && dot(c.n, from_i_to_j) < 0) outcome = Outcome::failed;
    }
    if (outcome == Outcome::failed) c = cold(p, i, j, start, outcome, here);
    normal_memory = -c.n;
    out = touch_at(c, from_i_to_j, i.abc, j.abc);
    if (counts != nullptr) {
        here.pairs = 1, here.cold = warm ? 0 : 1, here.far = outcome == Outcome::far ? 1 : 0;
        here.unconverged = outcome == Outcome::failed ? 1 : 0;
        *counts += here;
    }
    return outcome != Outcome::far;
}

// plain_newton in lanes. A lane that has ended keeps its direction, and looking along it again changes nothing.
unsigned touch_ellipsoids4(const EllipsoidPairs4& pairs, Vec3d (&normal_memory)[4], ConvexTouch (&out)[4],
                           const double (&far)[4], EllipsoidCounts* counts) {
    const Bodies4 one(pairs.i), two(pairs.j);
    const EllipsoidPair<Real4> p{one.a, two.a, columns(pairs.from_i_to_j)};
    const Real4 zero{}, limit{far[0], far[1], far[2], far[3]}, allowed = broadcast4(miss) * (one.largest + two.largest);
    const Real4 longest = broadcast4(longest_step * longest_step), certain = one.sharpest + two.sharpest;
    const Vec3<Real4> memory = columns(normal_memory);
    const Mask4 is_warm = (memory.x != zero) | (memory.y != zero) | (memory.z != zero);
    // A lane that must go alone looks along x meanwhile.
    const Vec3<Real4> first{where(is_warm, -memory.x, broadcast4(1.0)), -memory.y, -memory.z};
    CommonNormal<Real4> c = look_along(p, first);
    Mask4 open = is_warm, converged{}, is_far{};
    std::uint64_t steps = 0;
    for (int it = 0;; ++it) {
        const Mask4 gone = open & (c.g >= limit);
        is_far |= gone, open &= ~gone;
        if (it == most_plain || !any(open)) break;
        const Mask4 small = dot(c.r, c.r) <= allowed * allowed;
        const Mask4 sure = open & small & (c.g > -certain);
        converged |= sure, open &= ~sure;
        if (!any(open)) break;
        const NewtonStep<Real4> step = newton_step(p, c);
        open &= step.least_minor > zero;
        converged |= open & small, open &= ~small;
        open &= dot(step.s, step.s) < longest;
        if (!any(open)) break;
        const Vec3<Real4> n = unit_vector(c.n + step.s);
        c = look_along(p, Vec3<Real4>{where(open, n.x, c.n.x), where(open, n.y, c.n.y), where(open, n.z, c.n.z)});
        if (counts != nullptr) steps += static_cast<std::uint64_t>(__builtin_popcount(lane_bits(open)));
    }
    converged &= dot(c.n, p.d) >= zero;
    const Mask4 solved = converged | is_far;
    const Real4 r_i = gaussian_radius(one.abc, c.h1), r_j = gaussian_radius(two.abc, c.h2);
    const Real4 radius = r_i * r_j / (r_i + r_j);
    const Vec3<Real4> point = broadcast4(0.5) * (c.v1 + (p.d - c.v2));
    const int done = lane_bits(solved), far_bits = lane_bits(is_far);
    unsigned near = 0;
    for (int k = 0; k < 4; ++k) {
        bool touching = (far_bits >> k & 1) == 0;
        if ((done >> k & 1) != 0) {
            normal_memory[k] = -lane(c.n, k);
            out[k] = {normal_memory[k], -c.g[k], lane(point, k), radius[k], 0};
        } else {
            touching = touch_ellipsoids(*pairs.i[k], *pairs.j[k], pairs.from_i_to_j[k], normal_memory[k], out[k],
                                        far[k], counts);
        }
        near |= static_cast<unsigned>(touching) << k;
    }
    if (counts != nullptr) {
        counts->pairs += static_cast<std::uint64_t>(__builtin_popcount(done));
        counts->far += static_cast<std::uint64_t>(__builtin_popcount(far_bits));
        counts->steps += steps;
    }
    return near;
}

}  // namespace granary
