#include "shapes/ellipsoid_point.hpp"
#include <gtest/gtest.h>
#include <array>
#include "ellipsoid_support.hpp"
#include "shapes/ellipsoid_johnson2005.hpp"

namespace granary::test {
namespace ellipsoid_point {

// The point belongs to the surface, its normal leads to y, and no other point that was tried is nearer.
TEST(EllipsoidPoint, NearestPoint) {
    Dice dice(21);
    for (int k = 0; k < 3000; ++k) {
        const PlacedEllipsoid e = any_ellipsoid(dice, static_cast<Roundness>(k % 3));
        const Vec3d y = (dice.uniform(0, 2) * e.largest) * any_direction(dice);
        const NearestOnEllipsoid at = nearest_on_ellipsoid(e, y);
        const Vec3d b = rotate_back(e.orientation, at.point), &s = e.semi_axes;
        const double level = b.x * b.x / (s.x * s.x) + b.y * b.y / (s.y * s.y) + b.z * b.z / (s.z * s.z);
        ASSERT_NEAR(level, 1, 1e-13);
        ASSERT_LT(norm(at.point - extreme_point(e, at.normal)), 1e-12 * e.largest);
        // Newton's steps stop at S - 1 = 2e-15; the point moves by up to that times the largest radius of curvature.
        ASSERT_LT(norm(y - at.point - at.distance * at.normal), 1e-11 * e.largest) << k;
        for (int other = 0; other < 20; ++other) {
            const Vec3d n = any_direction(dice);
            ASSERT_LE(std::abs(at.distance), norm(y - extreme_point(e, n)) + 1e-12);
        }
    }
}

// On planes and axes of symmetry, where terms of the equation vanish; at the centre; along the flat inside.
TEST(EllipsoidPoint, PlacesOfSymmetry) {
    const PlacedEllipsoid e = place_ellipsoid({3, 1, 2}, {1, 0, 0, 0});
    EXPECT_NEAR(nearest_on_ellipsoid(e, {}).distance, -1, 1e-15);
    EXPECT_NEAR(nearest_on_ellipsoid(e, {0, 0.25, 0}).distance, -0.75, 1e-15);
    EXPECT_NEAR(nearest_on_ellipsoid(e, {5, 0, 0}).distance, 2, 1e-15);
    EXPECT_NEAR(nearest_on_ellipsoid(e, {0, 0, -2.5}).distance, 0.5, 1e-15);
    // Beyond the centre of curvature of the tip, 1/3 from it, the tip is nearest; inside of that it is not.
    EXPECT_NEAR(nearest_on_ellipsoid(e, {2.8, 0, 0}).distance, -0.2, 1e-14);
    // (2, 0, 0): x = 9*2/(9 - 1) = 2.25 in the limit t -> -1, y = sqrt(1 - 2.25^2/9).
    const NearestOnEllipsoid at = nearest_on_ellipsoid(e, {2, 0, 0});
    EXPECT_NEAR(at.point.x, 2.25, 1e-12);
    EXPECT_NEAR(at.point.y, std::sqrt(1 - 2.25 * 2.25 / 9), 1e-12);
    EXPECT_NEAR(at.distance, -std::sqrt(0.25 * 0.25 + 1 - 2.25 * 2.25 / 9), 1e-12);
}

// The general pair with a ball for partner finds the same.
TEST(EllipsoidPoint, BallIsAnEllipsoidToo) {
    Dice dice(22);
    for (int k = 0; k < 2000; ++k) {
        KnownPair p = known_pair(dice, static_cast<Roundness>(k % 3));
        const double r = least_axis(p.j);
        p.j = place_ellipsoid({r, r, r}, {1, 0, 0, 0});
        p.d = extreme_point(p.i, p.n) + (r + p.g) * p.n;
        ConvexTouch t, u;
        Vec3d memory;
        ASSERT_TRUE(touch_ellipsoid_ball(p.i, p.d, r, t, 1e9));
        touch_ellipsoids(p.i, p.j, p.d, memory, u, 1e9);
        EXPECT_NEAR(t.overlap, -p.g, 1e-13 * p.size());
        EXPECT_NEAR(t.overlap, u.overlap, 1e-13 * p.size());
        EXPECT_LT(norm(t.normal + p.n), 1e-10);
        EXPECT_LT(norm(t.point - u.point), 1e-11 * p.size());
        EXPECT_NEAR(t.effective_radius, u.effective_radius, 1e-9 * u.effective_radius);
        const ConvexTouch back = exchanged(t, p.d);
        EXPECT_EQ(back.normal, -t.normal);
        EXPECT_LT(norm(back.point + (r - 0.5 * t.overlap) * back.normal), 1e-13 * p.size());  // arm of a ball
    }
    ConvexTouch t;
    EXPECT_FALSE(touch_ellipsoid_ball(place_ellipsoid({1, 2, 3}, {1, 0, 0, 0}), {0, 0, 4.2}, 1, t, 0.1));
    EXPECT_TRUE(touch_ellipsoid_ball(place_ellipsoid({1, 2, 3}, {1, 0, 0, 0}), {0, 0, 4.05}, 1, t, 0.1));
    EXPECT_NEAR(t.overlap, -0.05, 1e-15);
}

TEST(EllipsoidPoint, OfEqualAxesIsABall) {
    Dice dice(23);
    for (int k = 0; k < 1000; ++k) {
        const double r = dice.uniform(0.1, 2), other = dice.uniform(0.1, 2);
        const PlacedEllipsoid e = place_ellipsoid({r, r, r}, any_rotation(dice));
        const Vec3d d = (dice.uniform(0.7, 1.1) * (r + other)) * any_direction(dice);
        ConvexTouch t;
        ASSERT_TRUE(touch_ellipsoid_ball(e, d, other, t, 1e9));
        const double distance = norm(d), overlap = r + other - distance;
        EXPECT_LT(norm(t.normal + (1 / distance) * d), 2e-15);
        EXPECT_NEAR(t.overlap, overlap, 4e-15 * (r + other));
        EXPECT_LT(norm(t.point - ((r - 0.5 * overlap) / distance) * d), 5e-15 * (r + other));
        EXPECT_NEAR(t.effective_radius, r * other / (r + other), 1e-14 * r);
        FlatTouch flat;  // a wall at distance |d| across d
        ASSERT_TRUE(touch_ellipsoid_plane(e, d, (-1 / distance) * d, flat, 1e9));
        EXPECT_NEAR(flat.touch.overlap, r - distance, 4e-15 * (r + other));
        EXPECT_NEAR(flat.touch.effective_radius, r, 1e-14 * r);
    }
}

// Against places along the segment, each by its own nearest point.
TEST(EllipsoidPoint, Segment) {
    Dice dice(24);
    std::array<int, 2> seen{};
    for (int k = 0; k < 1000; ++k) {
        const PlacedEllipsoid e = any_ellipsoid(dice, static_cast<Roundness>(k % 3), 4);
        const Vec3d start = (1.2 * e.largest) * any_direction(dice), end = start + dice.vector(3 * e.largest);
        const FlatTouch t = nearest_on_segment(e, start, end);
        double best = 1e300, low = 0, high = 1;
        const auto away = [&](double w) { return nearest_on_ellipsoid(e, start + w * (end - start)).distance; };
        for (int it = 0; it < 60; ++it) {  // distance is convex along a line
            const double a = low + (high - low) / 3, b = high - (high - low) / 3;
            (away(a) < away(b) ? high : low) = away(a) < away(b) ? b : a;
        }
        best = std::min({away(low), away(0.0), away(1.0)});
        if (best < -0.8 * e.sharpest) continue;
        ++seen[t.part == FlatPart::edge ? 0 : 1];
        EXPECT_NEAR(-t.touch.overlap, best, 1e-9 * e.largest) << k;
        EXPECT_NEAR(nearest_on_ellipsoid(e, t.wall_point).distance, best, 1e-9 * e.largest);
    }
    EXPECT_GT(seen[0], 100);
    EXPECT_GT(seen[1], 100);
}

// A floor of two triangles and of one square, and its rim.
TEST(EllipsoidPoint, Polygon) {
    const PlacedEllipsoid e = place_ellipsoid({0.5, 0.3, 0.2}, normalised(Quaterniond{1, 0.3, 0.2, 0.1}));
    Dice dice(25);
    for (int k = 0; k < 500; ++k) {
        const Vec3d centre{dice.uniform(-1.4, 1.4), dice.uniform(-1.4, 1.4), dice.uniform(-0.5, 0.5)};
        const Vec3d a = Vec3d{-1, -1, 0} - centre, b = Vec3d{1, -1, 0} - centre, c = Vec3d{1, 1, 0} - centre,
                    d = Vec3d{-1, 1, 0} - centre;
        const std::array<Vec3d, 4> square{a, b, c, d};
        const std::array<Vec3d, 3> one{a, b, c}, two{c, d, a};
        FlatTouch t, u, v;
        const bool touching = touch_ellipsoid_polygon(e, square, {0, 0, 1}, t, 0.1);
        const bool first = touch_ellipsoid_polygon(e, one, {0, 0, 1}, u, 0.1),
                   second = touch_ellipsoid_polygon(e, two, {0, 0, -1}, v, 0.1);
        ASSERT_EQ(touching, first || second);
        if (!touching) continue;
        const FlatTouch& deeper = !second || (first && u.touch.overlap >= v.touch.overlap) ? u : v;
        if (t.touch.overlap < e.sharpest) {
            EXPECT_NEAR(t.touch.overlap, deeper.touch.overlap, 1e-14);
            EXPECT_LT(norm(t.touch.normal - deeper.touch.normal), 1e-9);
        }
        if (t.part == FlatPart::face) {
            EXPECT_EQ(t.touch.normal.z, centre.z < 0 ? -1 : 1);
            EXPECT_NEAR(t.touch.overlap, width(e, {0, 0, 1}) - std::abs(centre.z), 1e-15);
        }
    }
}

}  // namespace ellipsoid_point
}  // namespace granary::test
