// Runs of few grains that are no balls, beside formulas. Impacts: shape_impacts_test.cpp,
// tests/validation/shapes_test.cpp.
#include <gtest/gtest.h>
#include <cmath>
#include "core/errors.hpp"
#include "engine/measures.hpp"
#include "motion/rigid_rotation.hpp"
#include "support/alone.hpp"
#include "support/few_balls.hpp"
#include "support/shaken_shapes.hpp"

namespace granary::shape_runs_test {

using namespace granary::test;

namespace {

Index index_of(const Simulation& sim, Id id) {
    for (const Range& range : sim.bodies().real)
        for (Index i = range.begin; i < range.end; ++i)
            if (sim.bodies().id(i) == id) return i;
    throw std::runtime_error("not here");
}

}  // namespace

// A sphere given as an ellipsoid, or as a clump of one ball, does what a ball does: to rounding, which a dense crowd
// doubles at every hit; so a few hits only.
TEST(ShapeRuns, SpheresAsShapesMoveAsBalls) {
    GRANARY_TEST_OF_ONE_RANK();
    const double r = 2e-3;
    const auto make = [&](std::uint16_t shape) {
        auto s = shaken_shapes({{0, 0, 0}, {0.03, 0.03, 0.03}, {}}, 10);
        s.shapes = {ellipsoid_of({r, r, r}), make_clump("one", std::vector<ClumpBall>{{{0, 0, 0}, r}})};
        s.gravity = {0, 0, -9.81};
        s.walls = {make_wall("floor", Plane{{0, 0, 0.004}, {0, 0, 1}}, 0),
                   make_wall("side", Plane{{0.002, 0, 0}, {1, 0, 0}}, 0),
                   make_wall("pipe", Cylinder{{0.015, 0.015, 0}, {0.015, 0.015, 0.03}, 0.0145}, 0)};
        std::vector<NewBody> bodies;
        for (Id id = 0; id < 10; ++id) {
            const double a = static_cast<double>(id);
            NewBody b = ball(id, {0.009 + 4.02e-3 * (id % 3), 0.009 + 4.02e-3 * (id / 3), 0.0065 + 1e-4 * a}, r, 2500,
                             {0.3 * dice_of(id, 0), 0.3 * dice_of(id, 1), -0.3}, {100 * dice_of(id, 2), 0, 0});
            b.rigid_shape = shape;
            bodies.push_back(b);
        }
        s.start = shares_of(bodies);
        return s;
    };
    Simulation balls(alone(), make(0)), ellipsoids(alone(), make(1)), clumps(alone(), make(2));
    std::uint64_t most = 0;
    for (int k = 0; k < 600; ++k) {
        balls.step(), ellipsoids.step(), clumps.step();
        most = std::max(most, measures_of(balls).contacts);
    }
    EXPECT_GT(most, 2u);
    for (Id id = 0; id < 10; ++id) {
        const Index i = index_of(balls, id);
        for (const Simulation* other : {&ellipsoids, &clumps}) {
            const Index j = index_of(*other, id);
            EXPECT_LT(norm(balls.bodies().x(i) - other->bodies().x(j)), 1e-9 * r) << id;
            EXPECT_LT(norm(balls.bodies().v(i) - other->bodies().v(j)), 1e-8) << id;
            EXPECT_LT(norm(balls.bodies().omega(i) - other->bodies().omega(j)), 1e-5) << id;
            EXPECT_LT(norm(state_of(balls, id).spin - state_of(*other, id).spin), 1e-5) << id;
        }
    }
}

// What frames and probes show is the spin at the time of the positions, I^-1 L: the stored one is a mean over the step
// that led there, half a step behind.
TEST(ShapeRuns, SpinIsToldAtTheTimeOfThePositions) {
    GRANARY_TEST_OF_ONE_RANK();
    const std::vector<ShapeTemplate> shapes{ellipsoid_of({3e-3, 4e-3, 6e-3})};
    const Vec3d spin{1, 60, 2};
    const double dt = 1e-4;
    const NewBody grain = grain_of(shapes, 1, 0, {0, 0, 0}, shapes[0].outer_radius, 2500, any_orientation(1), {}, spin);
    auto s = few_balls(box(0.1), dt, {grain});
    s.shapes = shapes;
    s.materials = {busy_grain()};
    Simulation sim(alone(), std::move(s));
    const Vec3d momentum = sim.bodies().momentum_of_spin(0);
    double farthest = 0;
    for (int k = 0; k < 500; ++k) {
        const Vec3d told = state_of(sim, 0).spin,
                    expected = by_inertia(orientation_of(sim.bodies(), 0),
                                          inverse_moments(sim.bodies(), 0, sim.setup().shapes), momentum);
        ASSERT_LT(norm(told - expected), 1e-12 * norm(spin)) << k;
        farthest = std::max(farthest, norm(sim.bodies().omega(0) - expected));
        sim.step();
    }
    EXPECT_GT(farthest, 3e-4 * norm(spin));
}

// Elastic and without friction in a periodic box: energy and momentum stay. With ellipsoids the stiffness follows the
// curvature at the contact, which changes while they turn: their force has no potential, and some per cent come and go
// in twenty hits a body. With the R* of their volume it is a function of the overlap alone, whose gradient is the
// common normal at the contact: an exact potential. They then keep energy as clumps and balls do, but for the error of
// the step.
TEST(ShapeRuns, ElasticGasKeepsEnergyAndMomentum) {
    GRANARY_TEST_OF_ONE_RANK();
    struct Mix {
        int a, b;
        double tolerance;
        LawSettings::Curvature curvature = LawSettings::Curvature::contact;
    };
    constexpr auto volume = LawSettings::Curvature::volume;
    for (const Mix mix : {Mix{0, 0, 1e-3},
                          {2, 3, 1e-3},
                          {0, 2, 1e-3},
                          {1, 1, 2e-2},
                          {4, 4, 2e-2},
                          {1, 0, 2e-2},
                          {4, 0, 2e-2},
                          {1, 2, 2e-2},
                          {4, 2, 2e-2},
                          {1, 1, 1e-3, volume},
                          {4, 4, 1e-3, volume},
                          {1, 4, 1e-3, volume},
                          {4, 0, 1e-3, volume},
                          {4, 2, 1e-3, volume}}) {
        auto s = shaken_shapes({{0, 0, 0}, {0.045, 0.04, 0.05}, {true, true, true}}, 150);
        s.dt = 2e-6;
        s.materials[0].restitution = 1, s.materials[0].friction = 0;
        s.law.curvature = mix.curvature;
        s.energy = true;
        s.start = changed(s, [&](NewBody& b) {
            const int kind = b.id % 2 == 0 ? mix.a : mix.b;
            if (kind == 0) b = ball(b.id, b.position, 3.3e-3, 2500, b.velocity, b.spin);
            else
                b = grain_of(s.shapes, static_cast<std::uint16_t>(kind), b.id, b.position, b.radius, 2500,
                             any_orientation(b.id), b.velocity, b.spin);
        });
        Simulation sim(alone(), std::move(s));
        const EnergyBalance e0 = energy_balance_of(sim);
        const Measures m0 = measures_of(sim);
        std::uint64_t contacts = 0;
        for (int k = 0; k < 3000; ++k) {
            sim.step();
            if (k % 100 == 0) contacts += measures_of(sim).contacts;
        }
        const EnergyBalance e1 = energy_balance_of(sim);
        const Measures m1 = measures_of(sim);
        EXPECT_GT(contacts, 10u);
        EXPECT_NEAR((e1.kinetic + e1.elastic) / e0.kinetic, 1, mix.tolerance)
            << mix.a << " and " << mix.b << (mix.curvature == volume ? " volume" : "");
        EXPECT_LT(norm(m1.momentum - m0.momentum), 1e-12 * std::sqrt(m0.mass * e0.kinetic));
    }
}

// With friction and damping the balance closes. Of each kind alone, and of all.
TEST(ShapeRuns, EnergyBalanceCloses) {
    GRANARY_TEST_OF_ONE_RANK();
    for (const int kind : {0, 1, 2, 3, 4, 5, 6}) {
        auto s = shapes_between_walls();
        s.dt = 2e-6;
        s.energy = true;
        s.walls.resize(2);  // the thin ones stand amid the grains at the start
        if (kind < 6)
            s.start = changed(s, [&](NewBody& b) {
                if (kind == 0) {
                    const double m = b.mass;
                    b = ball(b.id, b.position, 3e-3, 2500, b.velocity, b.spin);
                    b.mass = m, b.inertia = 0.4 * m * 9e-6;
                } else
                    b = grain_of(s.shapes, static_cast<std::uint16_t>(kind), b.id, b.position, b.radius, 2500,
                                 any_orientation(b.id), b.velocity, b.spin);
            });
        Simulation sim(alone(), std::move(s));
        for (int k = 0; k < 4000; ++k) sim.step();
        const EnergyBalance e = energy_balance_of(sim);
        const double lost = e.damped + e.friction;
        EXPECT_GT(lost, 0.1 * e.kinetic);
        const double residual = e.in + e.walls + e.stiffening - (e.kinetic + e.potential + e.elastic + lost + e.out);
        const bool ellipsoids = kind == 1 || kind >= 4;
        EXPECT_LT(std::abs(residual), (ellipsoids ? 0.04 : 0.01) * lost) << kind;
    }
}

TEST(ShapeRuns, WhatIsNotDefinedIsRefused) {
    GRANARY_TEST_OF_ONE_RANK();
    auto gear = shapes_between_walls();
    gear.integrator = Integrator::gear;
    EXPECT_THROW(Simulation(alone(), gear), InputError);
    auto rolling = shapes_between_walls();
    rolling.law.rolling = LawSettings::Rolling::constant;
    rolling.materials[0].rolling_friction = 0.1;
    EXPECT_THROW(Simulation(alone(), rolling), InputError);
}

// A tripod of balls on an inclined plane: it stays below the angle of friction and slides above.
TEST(ShapeRuns, ClumpSticksAndSlides) {
    GRANARY_TEST_OF_ONE_RANK();
    for (const double slope : {0.45, 0.55}) {
        const std::vector<ShapeTemplate> shapes{make_clump(
            "tripod", std::vector<ClumpBall>{{{0, 0, 0}, 2e-3}, {{4e-3, 0, 0}, 2e-3}, {{2e-3, 3.4e-3, 0}, 2e-3}})};
        auto s = few_balls(box(0.05), 5e-6, {grain_of(shapes, 1, 0, {0, 0, 2e-3}, shapes[0].outer_radius, 2500)});
        s.shapes = shapes;
        s.materials = {hertz_material("grain", 1e8, 0.3, 2500, 0.3, 0.5)};
        s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0)};
        const double g = 9.81;
        s.gravity = {g * slope / std::sqrt(1 + slope * slope), 0, -g / std::sqrt(1 + slope * slope)};
        Simulation sim(alone(), std::move(s));
        for (int k = 0; k < 20000; ++k) sim.step();
        const double speed = sim.bodies().velocity(0, 0), time = 0.1;
        if (slope < 0.5) EXPECT_LT(std::abs(speed), 1e-6);
        else EXPECT_NEAR(speed, g * (slope - 0.5) / std::sqrt(1 + slope * slope) * time, 0.02 * speed);
    }
}

}  // namespace granary::shape_runs_test
