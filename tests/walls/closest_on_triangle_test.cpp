#include "walls/closest_on_triangle.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include <cmath>
#include "support/dice.hpp"

namespace granary::test {
namespace {

TriangleFrame frame_of(const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d n = cross(b - a, c - a);
    return {a, b - a, c - a, (1.0 / norm(n)) * n};
}

// On a fine net of barycentric coordinates, then again around the best of it: a few parts in a million of the
// triangle's size.
Vec3d by_trial(const TriangleFrame& t, const Vec3d& x) {
    constexpr int n = 60;
    double u0 = 0, v0 = 0, width = 1;
    Vec3d best = t.a;
    for (int round = 0; round < 5; ++round, width *= 4.0 / n) {
        double bu = u0, bv = v0;
        for (int i = 0; i <= n; ++i)
            for (int j = 0; j <= n; ++j) {
                const double u = std::clamp(u0 + width * (round == 0 ? 1.0 * i / n : 2.0 * i / n - 1), 0.0, 1.0);
                const double v = std::clamp(v0 + width * (round == 0 ? 1.0 * j / n : 2.0 * j / n - 1), 0.0, 1.0 - u);
                const Vec3d p = t.a + u * t.ab + v * t.ac;
                if (norm(x - p) < norm(x - best)) best = p, bu = u, bv = v;
            }
        u0 = bu, v0 = bv;
    }
    return best;
}

}  // namespace

TEST(ClosestOnTriangle, NoPointIsNearerInAnyOfTheSevenRegions) {
    Dice dice(11);
    std::array<int, 7> seen{};
    for (int trial = 0; trial < 400; ++trial) {
        const TriangleFrame t = frame_of(dice.vector(1), dice.vector(1), dice.vector(1));
        const Vec3d x = dice.vector(1.5);
        const NearestOnTriangle q = closest(t, x);
        const Vec3d tried = by_trial(t, x);
        EXPECT_LE(q.distance, norm(x - tried) + 1e-12);
        EXPECT_NEAR(q.distance, norm(x - tried), 1e-3);
        EXPECT_NEAR(norm(x - q.point), q.distance, 1e-12);
        ++seen[static_cast<std::size_t>(q.region)];
        // The region is where the point lies.
        const Vec3d d = q.point - t.a;
        const double uu = dot(t.ab, t.ab), uv = dot(t.ab, t.ac), vv = dot(t.ac, t.ac), du = dot(d, t.ab),
                     dv = dot(d, t.ac);
        const double det = uu * vv - uv * uv, v = (vv * du - uv * dv) / det, w = (uu * dv - uv * du) / det,
                     u = 1 - v - w;
        const std::array bary{u, v, w};
        const double slack = 1e-9;
        for (const double b : bary) EXPECT_GT(b, -slack);
        for (std::size_t k = 0; k < 3; ++k) {
            const auto which = static_cast<std::size_t>(number_of(q.region));
            EXPECT_TRUE(q.region != Region::face || bary[k] > 0);
            EXPECT_TRUE(!is_edge(q.region) || std::abs(bary[(which + 2) % 3]) < slack);
            EXPECT_TRUE(!is_corner(q.region) || std::abs(bary[which] - 1) < slack);
        }
    }
    for (const int n : seen) EXPECT_GT(n, 10);
}

// Needles and triangles far from the origin keep their nearest point.
TEST(ClosestOnTriangle, NeedlesAndFarPlaces) {
    const Vec3d far{100, -200, 300};
    const TriangleFrame needle = frame_of(far, far + Vec3d{1, 0, 0}, far + Vec3d{0.5, 1e-4, 0});
    for (const double x : {-0.3, 0.2, 0.5, 0.9, 1.4}) {
        const NearestOnTriangle q = closest(needle, far + Vec3d{x, 0.3, 0.4});
        const Vec3d tried = by_trial(needle, far + Vec3d{x, 0.3, 0.4});
        EXPECT_NEAR(q.distance, norm(far + Vec3d{x, 0.3, 0.4} - tried), 1e-5) << x;
    }
    EXPECT_EQ(closest(needle, far + Vec3d{0.5, 5e-5, 0.25}).region, Region::face);
    EXPECT_NEAR(closest(needle, far + Vec3d{0.5, 5e-5, 0.25}).distance, 0.25, 1e-12);
}

}  // namespace granary::test
