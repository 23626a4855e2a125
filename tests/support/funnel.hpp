// Balls in a funnel of triangles, on a hilly floor, beside an analytic wall.
#pragma once
#include <array>
#include <cmath>
#include "support/busy_box.hpp"
#include "support/given_bodies.hpp"
#include "support/triangles.hpp"

namespace granary::test {

inline Setup funnel_of_triangles(std::array<bool, 3> periodic = {}) {
    Setup s;
    s.domain = {{-0.03, -0.03, -0.02}, {0.03, 0.03, 0.06}, periodic};
    s.gravity = {0, 0, -9.81};
    s.dt = 1e-5;
    s.materials = {busy_grain()};
    s.largest_radius = 2.2e-3, s.skin = 4e-4;
    const Triangles walls =
        funnel({0, 0, 0}, 0.015, 0.006, 0.02, 20, 3) + funnel({0, 0, 0.015}, 0.04, 0.02, 0.02, 20, 2);
    const Triangles hills = sheet(12, 12, [](double u, double v) {
        return Vec3d{0.04 * u - 0.02, 0.04 * v - 0.02, -0.008 + 0.002 * std::sin(20 * u) * std::cos(17 * v)};
    });
    s.walls = {make_wall("funnel", mesh_wall(walls), 0), make_wall("floor", Plane{{0, 0, -0.02}, {0, 0, 1}}, 0),
               make_wall("hills", mesh_wall(hills), 0)};
    RandomLoose packing;
    packing.lower = {-0.013, -0.013, 0.016}, packing.upper = {0.013, 0.013, 0.05}, packing.count = 170;
    packing.balls = {1.8e-3, 2.2e-3, 2500, 0, {0, 0, -1.2}};
    s.start = given([&](const auto& sink) { for_each(packing, 5, sink); });
    return s;
}

// Both meshes move: the funnel shakes, the hills turn.
inline Setup moving_funnel() {
    auto s = funnel_of_triangles();
    WallMotion shake, turn;
    shake.name = "shake", shake.type = WallMotion::Type::vibrate, shake.along = {4e-4, 2e-4, 0}, shake.frequency = 60;
    turn.name = "turn", turn.type = WallMotion::Type::rotate, turn.axis = {0, 0, 1}, turn.angular = 8;
    s.motions = {shake, turn};
    s.walls[0].motion = 0, s.walls[2].motion = 1;
    return s;
}

}  // namespace granary::test
