#include "plan/servo_gain.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include "contact/restitution.hpp"

namespace granary::test::servo_gain_test {

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

// An eighth of what n balls allow that carry 5 N together. Hertz: k = dF/d(delta) = 2 E* sqrt(R delta), c = alpha
// sqrt(m k), with alpha as in the law.
double eighth_of_limit(double young, double n, double r, double dt) {
    const double m = 4.0 / 3.0 * pi * r * r * r * 2500;
    const double e_star = 0.5 * young / (1 - 0.09), f = 5 / n;
    const double delta = std::pow(f / (4.0 / 3.0 * e_star * std::sqrt(r)), 2.0 / 3.0);
    const double k = 2 * e_star * std::sqrt(r * delta);
    const double c = 2 * std::sqrt(5.0 / 6.0) * damping_ratio(0.5) * std::sqrt(m * k);
    return 0.125 / (n * (c + 0.5 * k * 10 * dt));
}

// As many as find room on the plate.
double room_for(double r) { return std::ceil(0.01 / (2 * std::numbers::sqrt3 * r * r)); }

// Three digits, rounded down: at most 1 % less (1.009 becomes 1.00), and never more; slopes are taken by differences,
// good to 1e-6.
void expect_gain(double gain, double exact, const std::string& what) {
    EXPECT_LE(gain, exact * (1 + 1e-6)) << what;
    EXPECT_GE(gain, exact * (0.99 - 1e-6)) << what;
}

}  // namespace

// Discs in a plane stand in a row, however wide the plate is across the plane; their mass is that of discs.
TEST(ServoGain, OfDiscsInAPlaneCountsARow) {
    const double r = 0.005, dt = 4e-6, thickness = 0.01;
    for (const double across : {0.1, 0.3}) {
        auto s = pressed(5e6, 5);
        s.walls[0].shape = Rectangle{{0, -0.05, 0.05}, {0.1, 0, 0}, {0, across, 0}};
        s.plane = {1, 0, thickness};
        const double n = 10, m = pi * r * r * thickness * 2500;
        const double e_star = 0.5 * 5e6 / (1 - 0.09), f = 5 / n;
        const double delta = std::pow(f / (4.0 / 3.0 * e_star * std::sqrt(r)), 2.0 / 3.0);
        const double k = 2 * e_star * std::sqrt(r * delta);
        const double c = 2 * std::sqrt(5.0 / 6.0) * damping_ratio(0.5) * std::sqrt(m * k);
        expect_gain(servo_gain(s, 0, dt, {1e9, {r}}), 0.125 / (n * (c + 0.5 * k * 10 * dt)),
                    fmt::format("{} m across", across));
    }
}

TEST(ServoGain, IsAnEighthOfWhatTheContactsAllow) {
    const double r = 0.005, dt = 4e-6;
    for (const double young : {5e6, 5e8})
        for (const double count : {1.0, 16.0, 1e9}) {
            const double n = std::min(count, room_for(r));
            expect_gain(servo_gain(pressed(young, 5), 0, dt, {count, {r}}), eighth_of_limit(young, n, r, dt),
                        fmt::format("{} Pa, {} balls", young, count));
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
    const double small = servo_gain(s, 0, 1e-5, {1e9, {0.001, none}});
    expect_gain(small, eighth_of_limit(5e6, room_for(0.001), 0.001, 1e-5), "more of them find room");
    EXPECT_LT(small, soft);
    s.walls[0].material = 1;  // a hard plate on soft balls
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

}  // namespace granary::test::servo_gain_test
