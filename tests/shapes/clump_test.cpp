// Mass properties of clumps beside closed forms and sampling.
#include <gtest/gtest.h>
#include <cmath>
#include <vector>
#include "core/errors.hpp"
#include "shapes/clump.hpp"

namespace granary::clump_test {

constexpr double pi = 3.14159265358979323846;

// Dense lattice of points, an independent count; h^2-ish error.
UnionOfBalls by_points(std::span<const ClumpBall> balls, double half, int n) {
    const double h = 2 * half / n;
    double v = 0, xx = 0, yy = 0, zz = 0, xy = 0;
    Vec3d first;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
                const Vec3d p{-half + (i + 0.5) * h, -half + (j + 0.5) * h, -half + (k + 0.5) * h};
                bool in = false;
                for (const ClumpBall& b : balls) in |= dot(p - b.centre, p - b.centre) < b.radius * b.radius;
                if (!in) continue;
                v += 1, first += p, xx += p.x * p.x, yy += p.y * p.y, zz += p.z * p.z, xy += p.x * p.y;
            }
    UnionOfBalls all;
    const double w = h * h * h;
    all.volume = v * w, all.centre = (1 / v) * first;
    const Vec3d& c = all.centre;
    xx = xx * w - all.volume * c.x * c.x, yy = yy * w - all.volume * c.y * c.y, zz = zz * w - all.volume * c.z * c.z;
    xy = xy * w - all.volume * c.x * c.y;
    all.inertia = {Vec3d{yy + zz, -xy, 0}, {-xy, xx + zz, 0}, {0, 0, xx + yy}};
    return all;
}

TEST(Clump, OneBall) {
    const std::vector<ClumpBall> balls{{{3, -2, 1}, 0.5}};
    const ShapeTemplate s = make_clump("ball", balls);
    EXPECT_NEAR(s.volume, 4 * pi / 3 * 0.125, 1e-15);
    EXPECT_NEAR(s.inertia_per_mass.x, 0.4 * 0.25, 1e-15);
    EXPECT_NEAR(s.inertia_per_mass.z, 0.4 * 0.25, 1e-15);
    EXPECT_LT(norm(s.balls[0].centre), 1e-15);
    EXPECT_DOUBLE_EQ(s.outer_radius, 0.5);
}

// Two apart: Steiner's rule.
TEST(Clump, TwoBallsApart) {
    const std::vector<ClumpBall> balls{{{-1, 0, 0}, 0.5}, {{1, 0, 0}, 0.5}};
    const ShapeTemplate s = make_clump("dumbbell", balls);
    EXPECT_NEAR(s.volume, pi / 3, 1e-14);
    EXPECT_NEAR(s.inertia_per_mass.x, 0.1, 1e-14);
    EXPECT_NEAR(s.inertia_per_mass.y, 1.1, 1e-14);
    EXPECT_DOUBLE_EQ(s.outer_radius, 1.5);
}

// The volume of a lens of two balls of radius r at distance d: pi (4 r + d)(2 r - d)^2/12.
TEST(Clump, TwoThatOverlapCountTheirLensOnce) {
    const double r = 0.7, d = 0.9;
    const std::vector<ClumpBall> balls{{{0, 0, 0}, r}, {{d * 0.6, 0, d * 0.8}, r}};
    const UnionOfBalls all = union_of_balls(balls);
    EXPECT_TRUE(all.exact);
    EXPECT_NEAR(all.volume, 8 * pi / 3 * r * r * r - pi / 12 * (4 * r + d) * (2 * r - d) * (2 * r - d), 1e-14);
    EXPECT_LT(norm(all.centre - Vec3d{d * 0.3, 0, d * 0.4}), 1e-15);
    const UnionOfBalls rays = union_by_rays(balls);
    EXPECT_NEAR(rays.volume / all.volume, 1, 2e-5);
    for (std::size_t k = 0; k < 3; ++k)
        for (int axis = 0; axis < 3; ++axis)
            EXPECT_NEAR(at(rays.inertia[k], axis), at(all.inertia[k], axis), 3e-5 * all.inertia[0].x);
}

TEST(Clump, UnequalChainAndABallInside) {
    const std::vector<ClumpBall> balls{{{0, 0, 0}, 0.5},
                                       {{0.6, 0.1, 0}, 0.4},
                                       {{1.1, 0.3, 0.2}, 0.3},
                                       {{0.1, 0, 0}, 0.2}};
    const UnionOfBalls exact = union_of_balls(balls), rays = union_by_rays(balls);
    EXPECT_TRUE(exact.exact);
    EXPECT_NEAR(rays.volume / exact.volume, 1, 2e-5);
    EXPECT_LT(norm(rays.centre - exact.centre), 2e-5);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_LT(norm(rays.inertia[k] - exact.inertia[k]), 5e-5 * exact.inertia[0].x);
}

TEST(Clump, ManyThatOverlapByRays) {
    std::vector<ClumpBall> balls{{{0.05, 0.02, 0}, 0.6}};
    for (int k = 0; k < 8; ++k)
        balls.push_back({{(k & 1) ? 0.4 : -0.4, (k & 2) ? 0.4 : -0.4, (k & 4) ? 0.4 : -0.4}, 0.45});
    const UnionOfBalls rays = union_of_balls(balls), points = by_points(balls, 0.9, 240);
    EXPECT_FALSE(rays.exact);
    EXPECT_NEAR(rays.volume / points.volume, 1, 1e-4);
    EXPECT_LT(norm(rays.centre - points.centre), 1e-4);
    EXPECT_NEAR(rays.inertia[0].x / points.inertia[0].x, 1, 2e-4);
    EXPECT_NEAR(rays.inertia[2].z / points.inertia[2].z, 1, 2e-4);
    // Another direction of the rays is another error: the two differ by it.
    std::vector<ClumpBall> turned = balls;
    for (ClumpBall& b : turned) b.centre = {b.centre.y, b.centre.z, b.centre.x};
    EXPECT_NEAR(union_by_rays(turned).volume / rays.volume, 1, 2e-5);
}

TEST(Clump, OwnFrameHasPrincipalAxes) {
    const std::vector<ClumpBall> balls{{{0, 0, 0}, 0.5}, {{0.5, 0.1, 0}, 0.4}, {{0.9, 0.3, 0.2}, 0.3}};
    const ShapeTemplate s = make_clump("bent", balls);
    const UnionOfBalls own = union_of_balls(s.balls);
    EXPECT_LT(norm(own.centre), 1e-14);
    EXPECT_NEAR(own.inertia[0].y, 0, 1e-13);
    EXPECT_NEAR(own.inertia[0].z, 0, 1e-13);
    EXPECT_NEAR(own.inertia[1].z, 0, 1e-13);
    EXPECT_NEAR(own.inertia[1].y / own.volume, s.inertia_per_mass.y, 1e-13);
}

TEST(Clump, RefusesWhatIsNone) {
    EXPECT_THROW(make_clump("none", {}), InputError);
    EXPECT_THROW(make_clump("bad", std::vector<ClumpBall>{{{0, 0, 0}, 0}}), InputError);
    EXPECT_THROW(make_clump("bad", std::vector<ClumpBall>{{{0, 0, 0}, 1}, {{0, 0, 0}, 1}}), InputError);
    EXPECT_THROW(make_clump("bad", std::vector<ClumpBall>(256)), InputError);
}

}  // namespace granary::clump_test
