// Long bodies side by side that spin and push each other: ellipsoids, boxes and rods of balls of 10:1, a few balls.
#pragma once
#include "support/shaken_shapes.hpp"

namespace granary::test {

inline Setup shaken_needles(double near_margin) {
    Setup s;
    s.domain = {{0, 0, 0}, {0.045, 0.045, 0.05}, {true, true, true}};
    s.dt = 1e-5;
    s.materials = {busy_grain()};
    std::vector<ClumpBall> row;
    for (int k = 0; k < 10; ++k) row.push_back({{1.2e-3 * (k - 4.5), 0, 0}, 0.8e-3});
    std::vector<Vec3d> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back({k & 1 ? 6e-3 : -6e-3, k & 2 ? 0.7e-3 : -0.7e-3, k & 4 ? 0.6e-3 : -0.6e-3});
    s.shapes = {ellipsoid_of({7e-3, 0.8e-3, 0.7e-3}), make_clump("rod", row), make_polyhedron("splinter", corners)};
    s.largest_radius = 7e-3, s.skin = 1.2e-3, s.near_margin = near_margin;
    s.gravity = {0.3, -0.2, 0.4};
    std::vector<NewBody> bodies;
    const double tilt = 0.06;
    for (int k = 0; k < 14; ++k)
        for (int j = 0; j < 18; ++j)
            for (int i = 0; i < 3; ++i) {
                const Id id = bodies.size();
                const Vec3d x{0.015 * i + 0.0075 * ((j + k) % 2) + 1e-4, 0.0025 * (j + 0.5), 0.0035 * (k + 0.5)};
                const Vec3d v{dice_of(id, 0), 0.5 * dice_of(id, 1), 0.5 * dice_of(id, 2)};
                const Vec3d w{60 * dice_of(id, 3), 60 * dice_of(id, 4), 60 * dice_of(id, 5)};
                const Quaterniond q = normalised(
                    Quaterniond{1, tilt * dice_of(id, 6), 0.3 * tilt * dice_of(id, 7), 0.3 * tilt * dice_of(id, 8)});
                if (id % 9 == 0) bodies.push_back(ball(id, x, 0.9e-3, 2500, v, w));
                else {
                    const auto shape = static_cast<std::uint16_t>(1 + id % 3);
                    bodies.push_back(
                        grain_of(s.shapes, shape, id, x, s.shapes[shape - 1u].outer_radius, 2500, q, v, w));
                }
            }
    s.start = shares_of(bodies);
    return s;
}

}  // namespace granary::test
