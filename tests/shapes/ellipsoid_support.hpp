// Random ellipsoids for tests, pairs whose contact is known because it was chosen first, and a maximiser of g that
// shares no formula with the code under test but the definition.
#pragma once
#include <algorithm>
#include <cmath>
#include "shapes/placed_ellipsoid.hpp"
#include "support/dice.hpp"

namespace granary::test {

inline Quaterniond any_rotation(Dice& dice) {
    for (;;) {
        const Quaterniond q{dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1)};
        if (const double l = dot(q, q); l < 1 && l > 0.01) return normalised(q);
    }
}
inline Vec3d any_direction(Dice& dice) {
    for (;;) {
        const Vec3d v = dice.vector(1);
        if (const double l = dot(v, v); l < 1 && l > 0.01) return (1 / std::sqrt(l)) * v;
    }
}

enum class Roundness { prolate, oblate, triaxial };

inline PlacedEllipsoid any_ellipsoid(Dice& dice, Roundness kind, double longest = 10) {
    const double r = dice.uniform(1, longest), size = dice.uniform(0.5, 2), middle = dice.uniform(1, r);
    Vec3d axes = kind == Roundness::prolate  ? Vec3d{1, 1, r}
                 : kind == Roundness::oblate ? Vec3d{r, r, 1}
                                             : Vec3d{1, middle, r};
    for (int turns = dice.below(3); turns > 0; --turns) axes = {axes.y, axes.z, axes.x};
    return place_ellipsoid(size * axes, any_rotation(dice));
}
inline double least_axis(const PlacedEllipsoid& e) { return std::min({e.semi_axes.x, e.semi_axes.y, e.semi_axes.z}); }

// h(n) and the point of the surface with the outward normal n, through the frame of the body.
inline Vec3d extreme_point(const PlacedEllipsoid& e, const Vec3d& n) {
    const Vec3d b = rotate_back(e.orientation, n), &s = e.semi_axes;
    const Vec3d scaled{s.x * s.x * b.x, s.y * s.y * b.y, s.z * s.z * b.z};
    return rotate(e.orientation, (1 / std::sqrt(dot(b, scaled))) * scaled);
}
inline double width(const PlacedEllipsoid& e, const Vec3d& n) { return dot(n, extreme_point(e, n)); }

struct KnownPair {
    PlacedEllipsoid i, j;
    Vec3d d, n;    // from i to j; contact normal from i to j
    double g = 0;  // gap
    double size() const { return i.largest + j.largest; }
};

// A fifth touches exactly, two fifths overlap by up to `deepest` of the least semi-axis, the rest is as far apart. A
// stationary normal with an overlap below the sum of the least radii of curvature is the contact.
inline KnownPair known_pair(Dice& dice, Roundness kind, double longest = 10, double deepest = 0.05) {
    KnownPair p{any_ellipsoid(dice, kind, longest), any_ellipsoid(dice, kind, longest), {}, any_direction(dice), 0};
    const double least = std::min(least_axis(p.i), least_axis(p.j));
    const int how = dice.below(5);
    p.g = how == 0 ? 0 : (how < 3 ? -1 : 1) * deepest * least * dice.uniform(0, 1);
    p.d = extreme_point(p.i, p.n) + extreme_point(p.j, p.n) + p.g * p.n;
    return p;
}

// max of g(n) = n.d - h_i - h_j: a net of directions, then from the best ones Newton's method with differences of g
// for derivatives, and at last a search about the place found for anything greater.
inline double greatest_gap(const PlacedEllipsoid& i, const PlacedEllipsoid& j, const Vec3d& d) {
    const auto g = [&](const Vec3d& v) {
        const Vec3d n = (1 / norm(v)) * v;
        return dot(n, d) - width(i, n) - width(j, n);
    };
    constexpr int net = 300;
    std::array<std::pair<double, Vec3d>, 3> best;
    best.fill({-1e300, {0, 0, 1}});
    for (int k = 0; k < net; ++k) {  // a spiral of equal areas
        const double z = 1 - (2 * k + 1.0) / net, rho = std::sqrt(1 - z * z), turn = 2.39996322972865332 * k;
        const Vec3d n{rho * std::cos(turn), rho * std::sin(turn), z};
        if (const double value = g(n); value > best[2].first) {
            best[2] = {value, n};
            std::sort(best.begin(), best.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
        }
    }
    double greatest = -1e300;
    for (auto& [value, n] : best) {
        double reach = 0.2;
        for (int it = 0; it < 60 && reach > 1e-9; ++it) {
            const Vec3d axis = std::abs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
            const Vec3d across = cross(n, axis), s = (1 / norm(across)) * across, t = cross(n, s);
            const double e = std::max(1e-5, 1e-2 * reach);
            const double ps = g(n + e * s), ms = g(n - e * s), pt = g(n + e * t), mt = g(n - e * t),
                         pst = g(n + e * s + e * t), mst = g(n - e * s - e * t);
            const double gs = (ps - ms) / (2 * e), gt = (pt - mt) / (2 * e), ss = (ps + ms - 2 * value) / (e * e),
                         tt = (pt + mt - 2 * value) / (e * e),
                         st = (pst + mst - ps - ms - pt - mt + 2 * value) / (2 * e * e);
            const double det = ss * tt - st * st;
            double u = 0, v = 0;
            if (det > 0 && ss < 0) u = (st * gt - tt * gs) / det, v = (st * gs - ss * gt) / det;
            else u = gs, v = gt;
            if (const double l = std::hypot(u, v); l > reach || !(det > 0 && ss < 0)) u *= reach / l, v *= reach / l;
            const Vec3d moved = n + u * s + v * t;
            if (const double there = g(moved); there > value) {
                if (std::hypot(u, v) < 1e-9) reach = 0;
                value = there, n = (1 / norm(moved)) * moved;
            } else {
                reach = std::min(reach, std::hypot(u, v)) * 0.3;
            }
        }
        greatest = std::max(greatest, value);
    }
    return greatest;
}

}  // namespace granary::test
