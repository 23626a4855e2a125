#include "app/servo_gain.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <numbers>
#include "contact/restitution.hpp"

namespace granary::test {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double none = std::numeric_limits<double>::infinity();

// A plate of one square decimetre above balls of 5 mm.
Setup pressed(double young, double force) {
    Setup s;
    s.domain.lower = {0, 0, 0}, s.domain.upper = {0.1, 0.1, 0.1};
    Material grain;
    grain.name = "grain", grain.density = 2500, grain.young = young, grain.poisson = 0.3, grain.restitution = 0.5,
    grain.friction = 0.3;
    s.materials = {grain};
    s.motions.resize(1);
    s.motions[0].type = WallMotion::Type::servo, s.motions[0].along = {0, 0, -1}, s.motions[0].force = force,
    s.motions[0].speed = 0.1;
    s.walls = {make_wall("plate", Rectangle{{0, 0, 0.05}, {0.1, 0, 0}, {0, 0.1, 0}}, 0)};
    s.walls[0].motion = 0;
    return s;
}

}  // namespace

// Hertz: k = dF/d(delta) = 2 E* sqrt(R delta), c = alpha sqrt(m k), with alpha as in the law.
TEST(ServoGain, IsAnEighthOfWhatTheContactsAllow) {
    const double r = 0.005, dt = 4e-6, m = 4.0 / 3.0 * pi * r * r * r * 2500;
    for (const double young : {5e6, 5e8})
        for (const double count : {1.0, 16.0, 1e9}) {
            const auto s = pressed(young, 5);
            const double n = std::min(count, std::ceil(0.01 / (2 * std::numbers::sqrt3 * r * r)));
            const double e_star = 0.5 * young / (1 - 0.09), f = 5 / n;
            const double delta = std::pow(f / (4.0 / 3.0 * e_star * std::sqrt(r)), 2.0 / 3.0);
            const double k = 2 * e_star * std::sqrt(r * delta);
            const double c = 2 * std::sqrt(5.0 / 6.0) * damping_ratio(0.5) * std::sqrt(m * k);
            const double limit = 1 / (n * (c + 0.5 * k * 10 * dt));
            const double gain = servo_gain(s, 0, dt, {count, {r}});
            EXPECT_LE(gain, 0.125 * limit * (1 + 1e-6)) << young << " " << count;
            EXPECT_GE(gain, 0.125 * limit * 0.985) << young << " " << count;  // three digits, rounded down
        }
}

// The plate's own pair of materials counts, the smallest ball, and the stiffest material.
TEST(ServoGain, LooksAtEveryMaterial) {
    auto s = pressed(5e6, 5);
    Material hard = s.materials[0];
    hard.name = "hard", hard.young = 5e9;
    s.materials.push_back(hard);
    const double soft = servo_gain(s, 0, 1e-5, {100, {0.005, none}});
    EXPECT_LT(servo_gain(s, 0, 1e-5, {100, {0.005, 0.005}}), soft);
    EXPECT_LT(servo_gain(s, 0, 1e-5, {1e9, {0.001, none}}), 0.7 * soft);  // more of them find room
    s.walls[0].material = 1;                                              // a hard plate on soft balls
    EXPECT_LT(servo_gain(s, 0, 1e-5, {100, {0.005, none}}), soft);
}

TEST(ServoGain, CountsTheWallsThatItMoves) {
    auto s = pressed(5e8, 5);
    const double one = servo_gain(s, 0, 1e-5, {1e9, {0.005}});
    s.walls.push_back(s.walls[0]);
    EXPECT_LT(servo_gain(s, 0, 1e-5, {1e9, {0.005}}), one);
    s.walls[1].motion = Wall::at_rest;
    EXPECT_EQ(servo_gain(s, 0, 1e-5, {1e9, {0.005}}), one);
}

}  // namespace granary::test
