// Polyhedra and their poses for tests, and slow ways to find what the program finds fast.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>
#include "shapes/convex_polyhedron.hpp"
#include "support/dice.hpp"

namespace granary::test {

inline std::vector<Vec3d> box_corners(double a, double b, double c) {
    std::vector<Vec3d> p;
    for (int k = 0; k < 8; ++k)
        p.push_back({(k & 1 ? 0.5 : -0.5) * a, (k & 2 ? 0.5 : -0.5) * b, (k & 4 ? 0.5 : -0.5) * c});
    return p;
}

inline Vec3d direction_at_random(Dice& dice) {
    for (;;) {
        const Vec3d v = dice.vector(1);
        if (const double l = norm(v); l > 0.1 && l < 1) return (1 / l) * v;
    }
}
inline Quaterniond turned_at_random(Dice& dice) {
    for (;;) {
        const Vec3d v = dice.vector(1), w = dice.vector(1);
        const Quaterniond q{v.x, v.y, v.z, w.x};
        if (const double l = dot(q, q); l > 0.01 && l < 1) return normalised(q);
    }
}
// Points on an ellipsoid: all of them are corners.
inline std::vector<Vec3d> points_at_random(Dice& dice, int n, const Vec3d& axes) {
    std::vector<Vec3d> p;
    for (int k = 0; k < n; ++k) {
        const Vec3d v = direction_at_random(dice);
        p.push_back({axes.x * v.x, axes.y * v.y, axes.z * v.z});
    }
    return p;
}

inline std::vector<Vec3d> corners_in_space(const ConvexPolyhedron& a, const Placed& at) {
    std::vector<Vec3d> p;
    for (const Vec3d& c : a.corners()) p.push_back(at.centre + rotate(at.orientation, at.size * c));
    return p;
}

inline double gap_along(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b, const Vec3d& n) {
    double low = dot(n, a[0]), high = dot(n, b[0]);
    for (const Vec3d& x : a) low = std::min(low, dot(n, x));
    for (const Vec3d& x : b) high = std::max(high, dot(n, x));
    return low - high;
}

inline double distance_of_segments(const Vec3d& p, const Vec3d& q, const Vec3d& r, const Vec3d& s) {
    const Vec3d u = q - p, v = s - r, w = p - r;
    const double a = dot(u, u), b = dot(u, v), c = dot(v, v), d = dot(u, w), e = dot(v, w), D = a * c - b * b;
    const auto clamp = [](double t) { return std::min(1.0, std::max(0.0, t)); };
    double least = 1e300;
    const auto at_s = [&](double t) {  // the best on the other line for t on the first, and back
        const double other = clamp((b * t + e) / c), back = clamp((b * other - d) / a);
        least = std::min(least, norm(w + back * u - other * v));
    };
    if (D > 1e-14 * a * c) at_s(clamp((b * e - c * d) / D));
    at_s(0), at_s(1);
    for (const double t : {0.0, 1.0}) {
        const double back = clamp((b * t - d) / a);
        least = std::min(least, norm(w + back * u - t * v));
    }
    return least;
}

// The distance of two polyhedra that do not overlap, over all pairs of edges, and corners over faces.
inline double distance_by_all_features(const ConvexPolyhedron& a, const Placed& i, const ConvexPolyhedron& b,
                                       const Placed& j) {
    const auto A = corners_in_space(a, i), B = corners_in_space(b, j);
    double least = 1e300;
    for (const auto& e : a.edges())
        for (const auto& f : b.edges())
            least = std::min(least, distance_of_segments(A[e.from], A[e.to], B[f.from], B[f.to]));
    const auto over_faces = [&](const ConvexPolyhedron& body, const Placed& at, const std::vector<Vec3d>& own,
                                const std::vector<Vec3d>& others) {
        for (std::size_t f = 0; f < body.faces().size(); ++f) {
            const Vec3d n = rotate(at.orientation, body.faces()[f].normal);
            const auto ring = body.corners_of(f);
            for (const Vec3d& x : others) {
                const double height = dot(n, x - own[ring[0]]);
                if (height < 0 || height > least) continue;
                bool inside = true;
                for (std::size_t k = 0; k < ring.size(); ++k) {
                    const Vec3d &p = own[ring[k]], &q = own[ring[(k + 1) % ring.size()]];
                    inside &= dot(cross(q - p, x - p), n) >= 0;
                }
                if (inside) least = height;
            }
        }
    };
    over_faces(a, i, A, B);
    over_faces(b, j, B, A);
    return least;
}

// The greatest (least negative) gap of two that overlap: over all normals of faces and all cross products of edges.
inline double gap_by_all_planes(const ConvexPolyhedron& a, const Placed& i, const ConvexPolyhedron& b,
                                const Placed& j) {
    const auto A = corners_in_space(a, i), B = corners_in_space(b, j);
    double most = -1e300;
    for (const auto& f : a.faces()) most = std::max(most, gap_along(A, B, -rotate(i.orientation, f.normal)));
    for (const auto& f : b.faces()) most = std::max(most, gap_along(A, B, rotate(j.orientation, f.normal)));
    for (const auto& e : a.edges())
        for (const auto& f : b.edges()) {
            const Vec3d n = cross(A[e.to] - A[e.from], B[f.to] - B[f.from]);
            const double l = norm(n);
            if (l < 1e-9) continue;
            most = std::max(most, gap_along(A, B, (1 / l) * n));
            most = std::max(most, gap_along(A, B, (-1 / l) * n));
        }
    return most;
}

}  // namespace granary::test
