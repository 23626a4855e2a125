#include "contact/friction.hpp"

#include <gtest/gtest.h>

namespace granary {
namespace {

const Vec3d up{0, 0, 1};

TEST(Friction, SpringFollowsTheTurningNormal) {
    Vec3d xi{1e-6, 0, 0};
    const double angle = 1e-3;
    const Vec3d turned{std::sin(angle), 0, std::cos(angle)};
    spring_with_coulomb_limit(turned, Vec3d{}, 1e4, 0.0, 1e3, xi, 1e-5);
    EXPECT_NEAR(dot(xi, turned), 0.0, 1e-22);
    EXPECT_NEAR(norm(xi), 1e-6 * std::cos(angle), 1e-20);
}

// Held at the limit, the spring gives exactly the limit back once the sliding stops: no jump.
TEST(Friction, ForceIsContinuousWhenSlidingStops) {
    Vec3d xi{};
    const double limit = 2.0, dt = 1e-4;
    Vec3d f;
    for (int i = 0; i < 100; ++i) f = spring_with_coulomb_limit(up, {0.5, 0, 0}, 1e5, 20.0, limit, xi, dt);
    EXPECT_NEAR(f.x, -limit, 1e-14);
    f = spring_with_coulomb_limit(up, Vec3d{}, 1e5, 20.0, limit, xi, dt);
    EXPECT_NEAR(f.x, -limit, 1e-14);
}

// However strong the damper, the spring alone decides what slides, and it is never stretched backwards.
TEST(Friction, SpringIsNeverStretchedAgainstTheSliding) {
    Vec3d xi{};
    Vec3d f = spring_with_coulomb_limit(up, {1.0, 0, 0}, 1e3, 50.0, 2.0, xi, 1e-6);  // still sticks
    EXPECT_DOUBLE_EQ(f.x, -(1e-3 + 50.0));
    EXPECT_DOUBLE_EQ(xi.x, 1e-6);
    f = spring_with_coulomb_limit(up, {1.0, 0, 0}, 1e3, 50.0, 2.0, xi, 1.0);  // slides: the spring alone, at its limit
    EXPECT_NEAR(f.x, -2.0, 1e-14);
    EXPECT_NEAR(xi.x, 2.0 / 1e3, 1e-16);
}

// Forces at the begin of a run, without a step: the damper may not exceed the limit.
TEST(Friction, BeforeTheFirstStepTheWholeIsCut) {
    Vec3d xi{};
    EXPECT_NEAR(spring_with_coulomb_limit(up, {1.0, 0, 0}, 1e3, 50.0, 2.0, xi, 0.0).x, -2.0, 1e-14);
    EXPECT_EQ(xi, (Vec3d{}));
    EXPECT_NEAR(spring_with_coulomb_limit(up, {0.01, 0, 0}, 1e3, 50.0, 2.0, xi, 0.0).x, -0.5, 1e-14);
}

TEST(Friction, NoLimitNoForce) {
    Vec3d xi{1e-6, 2e-6, 0};
    EXPECT_EQ(spring_with_coulomb_limit(up, {1, 1, 0}, 1e5, 20.0, 0.0, xi, 1e-4), (Vec3d{}));
    EXPECT_EQ(xi, (Vec3d{}));
    EXPECT_EQ(spring_with_coulomb_limit(up, {1, 1, 0}, 1e5, 20.0, 0.0, xi, 0.0),
              (Vec3d{}));  // nor where it has not moved
}

}  // namespace
}  // namespace granary
