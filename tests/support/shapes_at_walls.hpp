// Grains of all kinds at meshes that move and at walls of balls.
#pragma once
#include "support/busy_net.hpp"
#include "support/funnel.hpp"
#include "support/shaken_shapes.hpp"

namespace granary::test {

// The balls of a setup become shapes of its list by turns, in the same spheres; every sixth stays a ball.
inline void make_shapes_of_balls(Setup& s) {
    s.shapes = shaken_shapes({{0, 0, 0}, {0.03, 0.03, 0.03}, {}}, 1).shapes;
    s.start = changed(s, [&](NewBody& b) {
        if (b.id % 6 == 0) return;
        b = grain_of(s.shapes, static_cast<std::uint16_t>(b.id % 6), b.id, b.position, b.radius, 2500,
                     any_orientation(b.id), b.velocity, {40 * dice_of(b.id, 0), 40 * dice_of(b.id, 1), 0});
    });
}

// A funnel of triangles that shakes, over hills that turn.
inline Setup shapes_in_a_moving_funnel() {
    Setup s = moving_funnel();
    make_shapes_of_balls(s);
    return s;
}

// A sloping wall made of balls, across slabs; more balls come in.
inline Setup shapes_on_a_net() {
    Setup s = busy_net();
    s.dt = 5e-6;  // small parts of shapes are quick
    make_shapes_of_balls(s);
    return s;
}

}  // namespace granary::test
