// A few hundred grains of all kinds that fly about in a box: balls, ellipsoids, clumps, polyhedra, with friction.
#pragma once
#include <cmath>
#include <vector>
#include "core/random.hpp"
#include "engine/setup.hpp"
#include "filling/packing.hpp"
#include "shapes/clump.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "support/busy_box.hpp"
#include "support/given_bodies.hpp"

namespace granary::test {

inline ShapeTemplate ellipsoid_of(const Vec3d& a) {
    ShapeTemplate s;
    s.name = "ellipsoid", s.kind = ShapeKind::ellipsoid;
    s.semi_axes = a;
    s.outer_radius = std::max({a.x, a.y, a.z});
    s.volume = 4.0 / 3.0 * 3.14159265358979323846 * a.x * a.y * a.z;
    s.inertia_per_mass = {0.2 * (a.y * a.y + a.z * a.z), 0.2 * (a.x * a.x + a.z * a.z), 0.2 * (a.x * a.x + a.y * a.y)};
    return s;
}

inline ShapeTemplate dumbbell(double radius, double distance) {
    return make_clump("dumbbell",
                      std::vector<ClumpBall>{{{-0.5 * distance, 0, 0}, radius}, {{0.5 * distance, 0, 0}, radius}});
}

// A copy of number `shape` of the list (counted from 1) that a sphere of this radius holds.
inline NewBody grain_of(const std::vector<ShapeTemplate>& shapes, std::uint16_t shape, Id id, const Vec3d& x,
                        double radius, double density, const Quaterniond& q = {1, 0, 0, 0}, const Vec3d& velocity = {},
                        const Vec3d& spin = {}) {
    NewBody b;
    const ShapeTemplate& s = shapes[shape - 1u];
    const double size = radius / s.outer_radius;
    b.id = id, b.position = x, b.radius = radius, b.velocity = velocity, b.spin = spin;
    b.mass = density * s.volume * size * size * size, b.inertia = 1;
    b.rigid_shape = shape;
    b.orientation[0] = q.w, b.orientation[1] = q.x, b.orientation[2] = q.y, b.orientation[3] = q.z;
    return b;
}

inline double dice_of(Id id, std::uint32_t draw) {
    return 2 * uniform(RandomKey{9, Purpose::loose_packing, 0, id, 0}, draw) - 1;
}

inline Quaterniond any_orientation(Id id) {
    return normalised(Quaterniond{dice_of(id, 10), dice_of(id, 11), dice_of(id, 12), dice_of(id, 13)});
}

// Every sixth grain stays a ball.
inline Setup shaken_shapes(const Domain& domain, std::uint64_t count) {
    Setup s;
    s.domain = domain;
    s.dt = 1e-5;
    s.materials = {busy_grain()};
    s.shapes = {ellipsoid_of({2.0e-3, 2.8e-3, 3.6e-3}), dumbbell(2e-3, 3e-3),
                make_clump("four", std::vector<ClumpBall>{{{0, 0, 0}, 2e-3},
                                                          {{2e-3, 0, 0}, 1.6e-3},
                                                          {{0, 2e-3, 0}, 1.5e-3},
                                                          {{0, 0, 2e-3}, 1.4e-3}}),
                ellipsoid_of({3.5e-3, 3.5e-3, 1.5e-3}),
                make_polyhedron("wedge", std::vector<Vec3d>{{-2e-3, -1.5e-3, -2e-3},
                                                            {2e-3, -1.5e-3, -2e-3},
                                                            {2e-3, 1.5e-3, -2e-3},
                                                            {-2e-3, 1.5e-3, -2e-3},
                                                            {-1e-3, 0, 2.5e-3},
                                                            {1.5e-3, 0.5e-3, 2e-3}})};
    s.largest_radius = 3.6e-3, s.skin = 4e-4;
    RandomLoose packing;
    packing.lower = domain.lower, packing.upper = domain.upper, packing.count = count;
    packing.periodic = domain.periodic;
    packing.balls = {3.3e-3, 3.6e-3, 2500, 0, {}};
    s.start = given([&](const auto& sink) {
        for_each(packing, 5, [&](const NewBody& b) {
            const Vec3d v{2 * dice_of(b.id, 0), 2 * dice_of(b.id, 1), 2 * dice_of(b.id, 2)};
            const Vec3d w{100 * dice_of(b.id, 3), 100 * dice_of(b.id, 4), 100 * dice_of(b.id, 5)};
            NewBody moving = b;
            if (b.id % 6 == 0) moving.velocity = v, moving.spin = w;
            else
                moving = grain_of(s.shapes, static_cast<std::uint16_t>(b.id % 6), b.id, b.position, b.radius, 2500,
                                  any_orientation(b.id), v, w);
            sink(moving);
        });
    });
    return s;
}

// Periodic in x and y, between floor and ceiling, with a post and a mesh-free roof; gravity presses them together.
inline Setup shapes_between_walls() {
    Setup s = shaken_shapes({{0, 0, 0}, {0.042, 0.04, 0.06}, {true, true, false}}, 200);
    s.gravity = {0.5, -0.3, -9.81};
    s.walls = {make_wall("floor", Plane{s.domain.lower, {0, 0, 1}}, 0),
               make_wall("roof", Plane{s.domain.upper, {0, 0, -1}}, 0),
               make_wall("table", Rectangle{{0.012, 0.012, 0.02}, {0.02, 0, 0}, {0, 0.02, 0}}, 0),
               make_wall("pipe", Cylinder{{0.021, 0.02, 0.03}, {0.021, 0.02, 0.05}, 0.015}, 0)};
    return s;
}

}  // namespace granary::test
