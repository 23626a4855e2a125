#include "walls/rigid_frame.hpp"
#include <gtest/gtest.h>
#include <numbers>
#include "support/dice.hpp"
#include "support/triangles.hpp"

namespace granary::test {

namespace {

Vec3d unit(const Vec3d& a) { return (1.0 / norm(a)) * a; }

std::vector<WallShape> some_shapes(Dice& dice) {
    const Vec3d a = dice.vector(1), n = unit(dice.vector(1)), u = perpendicular(n);
    return {Plane{a, n},
            Rectangle{a, 0.7 * n, 0.4 * u},
            Disc{a, n, 0.5},
            Annulus{a, n, 0.2, 0.5},
            Cylinder{a, a + 0.8 * n, 0.3},
            ConeFrustum{a, a + 0.8 * n, 0.1, 0.4},
            mesh_wall({{a, a + 0.7 * n, a + 0.4 * u}, {a, a + 0.7 * n, a - cross(n, u)}})};
}

}  // namespace

TEST(RigidFrame, TurnsByTheRightHand) {
    const Pose quarter = turned_about({1, 2, 3}, {0, 0, 1}, std::numbers::pi / 2);
    const Vec3d x = quarter.point({2, 2, 5});
    EXPECT_NEAR(norm(x - Vec3d{1, 3, 5}), 0, 2e-15);
    const Pose none = turned_about({1, 2, 3}, {0, 0, 1}, 0);
    EXPECT_FALSE(none.turned);
    EXPECT_EQ(none.point({0.1, 0.2, 0.3}), (Vec3d{0.1, 0.2, 0.3}));  // no rounding
}

TEST(RigidFrame, KeepsLengthsAndGoesBack) {
    Dice dice(4);
    for (int n = 0; n < 100; ++n) {
        const Pose p = turned_about(dice.vector(1), unit(dice.vector(1)), dice.uniform(-20, 20));
        const Vec3d a = dice.vector(2), b = dice.vector(2);
        EXPECT_NEAR(norm(p.point(a) - p.point(b)), norm(a - b), 1e-14);
        EXPECT_NEAR(norm(p.home_point(p.point(a)) - a), 0, 1e-14);
        EXPECT_NEAR(norm(p.home_direction(p.direction(a)) - a), 0, 1e-14);
    }
}

// A ball at a moved wall is the ball at the wall at home, seen from elsewhere.
TEST(RigidFrame, AMovedShapeIsTouchedWhereItsHomeIs) {
    Dice dice(5);
    for (int n = 0; n < 200; ++n) {
        Pose p = turned_about(dice.vector(1), unit(dice.vector(1)), dice.uniform(-4, 4));
        p.shift += dice.vector(1);
        for (const WallShape& home : some_shapes(dice)) {
            const Vec3d x = dice.vector(2);
            const SurfacePoint at_home = closest(home, x), now = closest(moved(home, p), p.point(x));
            EXPECT_NEAR(now.distance, at_home.distance, 1e-13);
            EXPECT_NEAR(norm(now.point - p.point(at_home.point)), 0, 1e-13);
            EXPECT_NEAR(norm(now.normal - p.direction(at_home.normal)), 0, 1e-12);
            EXPECT_EQ(now.on_rim, at_home.on_rim);
        }
    }
}

// One pose after the other, as for copies of a wall around an axis that then turn.
TEST(RigidFrame, PosesFollowEachOther) {
    Dice dice(8);
    for (int n = 0; n < 50; ++n) {
        Pose p = turned_about(dice.vector(1), unit(dice.vector(1)), n % 3 == 0 ? 0 : dice.uniform(-4, 4));
        Pose q = turned_about(dice.vector(1), unit(dice.vector(1)), n % 4 == 0 ? 0 : dice.uniform(-4, 4));
        p.shift += dice.vector(1), q.shift += dice.vector(1);
        const Vec3d x = dice.vector(2);
        EXPECT_NEAR(norm(q.after(p).point(x) - q.point(p.point(x))), 0, 1e-14);
        EXPECT_NEAR(norm(q.after(p).home_point(x) - p.home_point(q.home_point(x))), 0, 1e-14);
        EXPECT_EQ(q.after(p).turned, p.turned || q.turned);
        for (const WallShape& home : some_shapes(dice))
            EXPECT_NEAR(closest(moved(moved(home, p), q), x).distance, closest(moved(home, q.after(p)), x).distance,
                        1e-13);
    }
}

// No point of the surface that balls can meet goes farther than the angle times the lever.
TEST(RigidFrame, TheLeverBoundsTheWayOfTheSurface) {
    Dice dice(6);
    const BoundingBox box{{-2, -2, -2}, {2, 2, 2}};
    for (int n = 0; n < 200; ++n) {
        const Vec3d point = dice.vector(1), axis = unit(dice.vector(1));
        const double angle = dice.uniform(0.001, 0.3);
        for (const WallShape& home : some_shapes(dice)) {
            const double lever = lever_of(home, point, axis, box);
            const Vec3d x = dice.vector(1.9);
            const double before = closest(home, x).distance,
                         after = closest(moved(home, turned_about(point, axis, angle)), x).distance;
            EXPECT_LE(std::abs(after - before), lever * angle * (1 + 1e-12));
        }
    }
    EXPECT_EQ(lever_of(Cylinder{{1, 0, 0}, {1, 0, 2}, 0.3}, {1, 0, 7}, {0, 0, 1}, box), 0);
    EXPECT_EQ(lever_of(Disc{{1, 0, 0}, {0, 0, -1}, 0.3}, {1, 0, 7}, {0, 0, 1}, box), 0);
    EXPECT_EQ(lever_of(Plane{{1, 0, 0}, {0, 0, 1}}, {1, 5, 7}, {0, 0, 1}, box), 0);
    EXPECT_GT(lever_of(Cylinder{{1, 0.01, 0}, {1, 0.01, 2}, 0.3}, {1, 0, 7}, {0, 0, 1}, box), 0.3);
    EXPECT_GT(lever_of(Plane{{1, 0, 0}, {0, 0.1, 1}}, {1, 5, 7}, {0, 0, 1}, box), 3);
}

TEST(RigidFrame, TheTwistIsTheVelocityOfItsPoints) {
    const Vec3d c{0.3, -0.2, 0.1}, axis = unit({1, 2, -1});
    const double omega = 3, t = 0.7, h = 1e-5;
    const Twist twist{{}, omega * axis, c, true};
    Dice dice(7);
    for (int n = 0; n < 20; ++n) {
        const Vec3d home = dice.vector(1);
        const auto x = [&](double time) { return turned_about(c, axis, omega * time).point(home); };
        const Vec3d v = (0.5 / h) * (x(t + h) - x(t - h));
        EXPECT_NEAR(norm(v - twist.at(x(t))), 0, 1e-8);
    }
}

// A spring goes round with the wall about the normal, and keeps its length; a turn about another direction is left to
// the law.
TEST(RigidFrame, SpringsTurnAboutTheNormalOnly) {
    const Twist about_normal{{}, {0, 0, 2}, {}, true}, across{{}, {2, 0, 0}, {}, true};
    Vec3d xi{1e-6, 0, 0};
    for (int n = 0; n < 1000; ++n) xi = turned_with(about_normal, xi, {0, 0, 1}, 1e-3);
    EXPECT_NEAR(xi.x, 1e-6 * std::cos(2.0), 1e-18);
    EXPECT_NEAR(xi.y, 1e-6 * std::sin(2.0), 1e-18);
    EXPECT_EQ(turned_with(across, {1e-6, 2e-6, 0}, {0, 0, 1}, 1e-3), (Vec3d{1e-6, 2e-6, 0}));
}

}  // namespace granary::test
