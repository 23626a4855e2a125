// A few hundred balls to which everything happens within 3000 steps: they are inserted, migrate, touch across slab and
// periodic faces with friction, cross periodic faces and leave.
#pragma once
#include "engine/setup.hpp"
#include "filling/packing.hpp"
#include "support/given_bodies.hpp"

namespace granary::test {

inline Material busy_grain() {
    Material m;
    m.name = "grain", m.density = 2500, m.young = 5e6, m.poisson = 0.3, m.restitution = 0.6, m.friction = 0.5;
    m.stiffness = 2000, m.damping = 0.05, m.cohesion = 0.01;
    return m;
}

// A box, periodic in x and y, with a floor over three quarters of its base and an outlet below it. The floor ends
// inside in x and sticks out in y: walls do not repeat with the period, and a ball must not meet the edge of one all at
// once when it is wrapped.
inline Setup busy_box() {
    Setup s;
    s.domain = {{0, 0, 0}, {0.06, 0.05, 0.15}, {true, true, false}};
    s.gravity = {1.5, -1.0, -9.81};
    s.dt = 2e-5;
    s.materials = {busy_grain()};
    s.walls = {make_wall("floor", Rectangle{{0.0075, -0.01, 0.03}, {0.045, 0, 0}, {0, 0.07, 0}}, 0)};
    s.outlets = {{"hole", {0, 0, 0.015}, {0, 0, 1}}};
    s.largest_radius = 2.6e-3;
    s.skin = 4e-4;
    RandomLoose packing;
    packing.lower = {0, 0, 0.035}, packing.upper = {0.06, 0.05, 0.11};
    packing.count = 350;
    packing.periodic = {true, true, false};
    packing.balls = {2.4e-3, 2.6e-3, 2500, 0, {0.6, -0.4, -1.5}};
    packing.stream = 0;
    InsertionSpec rain;
    rain.name = "rain", rain.lower = {0, 0, 0.115}, rain.upper = {0.06, 0.05, 0.145};
    rain.spans_period = {true, true, false};
    rain.total = 150, rain.per_event = 40, rain.trials_per_event = 80, rain.balls = packing.balls;
    rain.first_step = 200, rain.interval = 600, rain.stream = 1;
    s.insertions = {rain};
    s.start = given([&](const auto& sink) { for_each(packing, 7, sink); });
    return s;
}

}  // namespace granary::test
