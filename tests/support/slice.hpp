// The busy box as a slice of 2.5 diameters along y, or along z, which is then the slab axis: a period of two cubes.
#pragma once
#include "support/busy_box.hpp"
#include "support/given_bodies.hpp"

namespace granary::test {

inline Setup slice(int axis) {
    Setup s = busy_box();
    const double thin = 2.5 * 2 * s.largest_radius;
    RandomLoose packing;
    packing.lower = {0, 0, 0.035}, packing.upper = {0.06, thin, 0.11};
    packing.count = 90;
    packing.periodic = {true, true, false};
    packing.balls = {2.4e-3, 2.6e-3, 2500, 0, {0.6, -0.4, -1.5}};
    s.domain.upper.y = thin;
    InsertionSpec& rain = s.insertions.front();
    rain.upper.y = thin;
    rain.total = 40, rain.per_event = 10, rain.trials_per_event = 30;
    if (axis == 2) {  // down is then along y, and the floor a plane across it
        s.domain = {{0, 0, 0}, {0.06, 0.15, thin}, {true, false, true}};
        s.gravity = {1.5, -9.81, -1.0};
        s.walls = {make_wall("floor", Plane{{0, 0.03, 0}, {0, 1, 0}}, 0)};
        s.outlets.clear(), s.insertions.clear();
        packing.lower = {0, 0.035, 0}, packing.upper = {0.06, 0.11, thin};
        packing.periodic = {true, false, true};
        packing.balls.velocity = {0.6, -1.5, -0.4};
    }
    s.start = given([&](const auto& sink) { for_each(packing, 7, sink); });
    return s;
}

}  // namespace granary::test
