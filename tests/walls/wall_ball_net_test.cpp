// Walls made of balls: where the balls are, that the net is closed, and that it is a function of its numbers alone.
#include "walls/wall_ball_net.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/errors.hpp"

namespace granary::test {
namespace {

const WallBallNet net{0.1, 0.05, 0.06, {0, 0, 1}, 3};
constexpr double back = 0.055;  // mean radius

std::vector<WallBall> balls_of(const WallShape& shape, std::uint32_t number = 0) {
    std::vector<WallBall> balls;
    add_wall_balls(make_wall("wall", shape, 4), number, net, balls);
    return balls;
}

TEST(WallBallNet, StandsBehindTheWallByTheMeanRadius) {
    for (const WallBall& b : balls_of(Cylinder{{0, 0, 0}, {0, 0, 2}, 1.0})) {
        EXPECT_NEAR(std::hypot(b.centre.x, b.centre.y), 1 + back, 1e-12);
        EXPECT_TRUE(b.centre.z >= 0 && b.centre.z <= 2);
        EXPECT_TRUE(b.radius >= 0.05 && b.radius < 0.06);
        EXPECT_EQ(b.material, 4);
    }
    // A cone that widens upwards from z = 0: the distance from its surface, measured outwards.
    const ConeFrustum cone{{0, 0, 0}, {0, 0, 1}, 0.3, 1.0};
    for (const WallBall& b : balls_of(cone)) {
        const double slant = std::hypot(1.0, 0.7), r = std::hypot(b.centre.x, b.centre.y);
        EXPECT_NEAR(((r - 0.3) * 1.0 - b.centre.z * 0.7) / slant, back, 1e-12);
    }
    for (const WallBall& b : balls_of(Disc{{0, 0, 0}, {0, 0, 1}, 0.3})) {
        EXPECT_NEAR(b.centre.z, -back, 1e-15);  // away from the point inside, whichever way the normal points
        EXPECT_LE(std::hypot(b.centre.x, b.centre.y), 0.3 + 1e-12);
    }
    for (const WallBall& b : balls_of(Disc{{0, 0, 0}, {0, 0, -1}, 0.3})) EXPECT_NEAR(b.centre.z, -back, 1e-15);
    for (const WallBall& b : balls_of(Rectangle{{0.8, -1, 0}, {0, 2, 0}, {0, 0, 2}}))
        EXPECT_NEAR(b.centre.x, 0.8 + back, 1e-12);
    EXPECT_EQ(balls_of(Rectangle{{0.8, -1, 0}, {0, 2, 0}, {0, 0, 2}}).size(), 21u * 21u);
    EXPECT_THROW(balls_of(Plane{{0, 0, 0}, {0, 0, 1}}), InputError);
}

// From any point of the wall there is a wall ball within half a diagonal of the net (set back, and with rings of unlike
// numbers): no ball that the rules allow slips through.
TEST(WallBallNet, IsClosed) {
    const double most = std::hypot(0.5 * std::numbers::sqrt2 * net.spacing * (1 + back), back);
    const auto farthest = [&](const WallShape& shape, auto&& point) {
        const std::vector<WallBall> balls = balls_of(shape);
        double worst = 0;
        for (int i = 0; i <= 60; ++i)
            for (int j = 0; j <= 60; ++j) {
                double nearest = 1e9;
                for (const WallBall& b : balls) nearest = std::min(nearest, norm(b.centre - point(i / 60.0, j / 60.0)));
                worst = std::max(worst, nearest);
            }
        return worst;
    };
    const auto around = [](double r, double turn, double z) {
        return Vec3d{r * std::cos(2 * std::numbers::pi * turn), r * std::sin(2 * std::numbers::pi * turn), z};
    };
    EXPECT_LE(
        farthest(Cylinder{{0, 0, 0}, {0, 0, 0.95}, 0.5}, [&](double a, double b) { return around(0.5, a, 0.95 * b); }),
        most);
    EXPECT_LE(farthest(ConeFrustum{{0, 0, 0}, {0, 0, 0.5}, 0.2, 0.5},
                       [&](double a, double b) { return around(0.2 + 0.3 * b, a, 0.5 * b); }),
              most);
    EXPECT_LE(farthest(Disc{{0, 0, 0}, {0, 0, 1}, 0.3}, [&](double a, double b) { return around(0.3 * b, a, 0); }),
              most);
    EXPECT_LE(farthest(Annulus{{0, 0, 0}, {0, 0, 1}, 0.2, 0.5},
                       [&](double a, double b) { return around(0.2 + 0.3 * b, a, 0); }),
              most);
}

TEST(WallBallNet, NumbersGoOnAndRadiiAreKeyed) {
    std::vector<WallBall> both;
    add_wall_balls(make_wall("a", Disc{{0, 0, 0}, {0, 0, 1}, 0.3}, 0), 0, net, both);
    const std::size_t n = both.size();
    add_wall_balls(make_wall("b", Disc{{0, 0, 0}, {0, 0, 1}, 0.3}, 0), 1, net, both);
    ASSERT_EQ(both.size(), 2 * n);
    double mean = 0;
    int same = 0;
    for (std::size_t k = 0; k < both.size(); ++k) {
        EXPECT_EQ(both[k].number, k);
        EXPECT_EQ(both[k].wall, k < n ? 0u : 1u);
        mean += both[k].radius / static_cast<double>(2 * n);
        if (k < n) same += both[k].radius == both[n + k].radius ? 1 : 0;
    }
    EXPECT_EQ(same, 0);  // another wall, other radii
    EXPECT_NEAR(mean, 0.055, 5 * 0.01 / std::sqrt(12.0 * static_cast<double>(2 * n)));
    const auto again = balls_of(Disc{{0, 0, 0}, {0, 0, 1}, 0.3});
    for (std::size_t k = 0; k < n; ++k) EXPECT_EQ(again[k].radius, both[k].radius);
}

}  // namespace
}  // namespace granary::test
