#include "motion/integrate.hpp"
#include <gtest/gtest.h>
#include <bit>
#include <cmath>
#include "support/arranged.hpp"
#include "support/dice.hpp"

namespace granary::test {

namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

Bodies bodies_of(const std::vector<NewBody>& balls) {
    Bodies b;
    b.reserve(static_cast<Index>(balls.size()));
    b.size = static_cast<Index>(balls.size());
    b.owned = {0, b.size};
    b.real = {{0, b.size}};
    for (Index i = 0; i < b.size; ++i) {
        b.put(i, balls[i]);
        for (int c = 0; c < 4; ++c) b.force(i, c) = b.torque(i, c) = 0;
    }
    return b;
}

const Domain box{{-8, -8, -8}, {8, 8, 8}, {}};

}  // namespace

// Constant acceleration: leapfrog is exact, only rounding and the lattice of positions remain.
TEST(Integrate, ProjectileIsExact) {
    const Vec3d x0{-2, 1, 3}, v0{3, -1, 5}, g{0.5, 0, -9.81};
    const Motion motion{1e-3, g, PositionLattice(box)};
    NewBody b = test::ball(1, x0, 0.1);
    b.velocity = v0, b.spin = {1, 2, 3};
    Bodies bodies = bodies_of({b});
    kick(bodies, bodies.real, g, -0.5 * motion.dt);
    for (int step = 1; step <= 1000; ++step) {
        kick_and_drift(bodies, bodies.real, motion);
        const double t = step * motion.dt;
        for (int axis = 0; axis < 3; ++axis) {
            ASSERT_NEAR(bodies.position(0, axis), at(x0, axis) + at(v0, axis) * t + 0.5 * at(g, axis) * t * t,
                        step * motion.lattice.step());  // at most half of it is rounded away in each step
            ASSERT_NEAR(at(synchronised_velocity(bodies, 0, motion), axis), at(v0, axis) + at(g, axis) * t, 1e-12);
        }
    }
    EXPECT_EQ(bodies.omega(0), (Vec3d{1, 2, 3}));
}

// Half the step, a quarter of the error: position and synchronised velocity of an oscillator, turning as well as
// swinging.
TEST(Integrate, IsOfSecondOrder) {
    const double k = 50, mass = 2, inertia = 0.5, x0 = 0.7, w = std::sqrt(k / mass), turn = std::sqrt(k / inertia),
                 end = 1.2;
    struct Error {
        double position, velocity, spin;
    };
    const auto run = [&](int n) {
        const Motion motion{end / n, {}, PositionLattice(box)};
        NewBody b = test::ball(1, {0, x0, 0}, 0.1);
        b.mass = mass, b.inertia = inertia, b.spin = {0, 0, 1};
        Bodies bodies = bodies_of({b});
        double angle = 0;  // held by a spring of its own
        const auto forces = [&] {
            bodies.force(0, 1) = -k * bodies.position(0, 1);
            bodies.torque(0, 2) = -k * angle;
        };
        forces();
        kick(bodies, bodies.real, {}, -0.5 * motion.dt);
        for (int step = 0; step < n; ++step) {
            kick_and_drift(bodies, bodies.real, motion);
            angle += bodies.spin(0, 2) * motion.dt;
            forces();
        }
        return Error{std::abs(bodies.position(0, 1) - x0 * std::cos(w * end)),
                     std::abs(synchronised_velocity(bodies, 0, motion).y + x0 * w * std::sin(w * end)),
                     std::abs(synchronised_spin(bodies, 0, motion).z - std::cos(turn * end))};
    };
    const Error coarse = run(400), fine = run(800);
    EXPECT_NEAR(coarse.position / fine.position, 4, 0.1);
    EXPECT_NEAR(coarse.velocity / fine.velocity, 4, 0.1);
    EXPECT_NEAR(coarse.spin / fine.spin, 4, 0.1);
    EXPECT_LT(fine.position, 1e-4 * x0);
}

// Leapfrog neither heats nor cools: after a thousand swings the amplitude is the first one.
TEST(Integrate, KeepsTheEnergyOfAnOscillator) {
    const double k = 100;
    const Motion motion{0.02, {}, PositionLattice(box)};  // 31 steps a swing
    Bodies bodies = bodies_of({test::ball(1, {1, 0, 0}, 0.1)});
    bodies.force(0, 0) = -k * bodies.position(0, 0);
    kick(bodies, bodies.real, {}, -0.5 * motion.dt);
    double least = 1e9, most = 0;
    for (int step = 0; step < 31400; ++step) {
        kick_and_drift(bodies, bodies.real, motion);
        bodies.force(0, 0) = -k * bodies.position(0, 0);
        const double v = synchronised_velocity(bodies, 0, motion).x, x = bodies.position(0, 0);
        const double energy = 0.5 * (v * v + k * x * x);
        least = std::min(least, energy), most = std::max(most, energy);
    }
    // It swings about the true one by (w dt)^2/4 = 1 %, without drift.
    EXPECT_NEAR(most, 50, 1e-6);
    EXPECT_NEAR(least, 50 * (1 - 0.01), 0.05);
}

// The formula written down plainly gives the same bits; positions stand on the lattice; forces are spent.
TEST(Integrate, OneStepToTheBit) {
    test::Dice dice(1);
    std::vector<NewBody> balls;
    for (Id n = 0; n < 50; ++n) {
        balls.push_back(test::ball(n, dice.vector(1), dice.uniform(0.01, 0.02)));
        balls.back().mass = dice.uniform(0.1, 3), balls.back().inertia = dice.uniform(0.1, 3);
        balls.back().velocity = dice.vector(1), balls.back().spin = dice.vector(1);
    }
    const PositionLattice lattice(box);
    for (NewBody& b : balls) b.position = lattice.snap(b.position);  // as all positions in a run
    Bodies bodies = bodies_of(balls), before = bodies_of(balls);
    for (Index i = 0; i < bodies.size; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            bodies.force(i, axis) = before.force(i, axis) = dice.uniform(-1, 1);
            bodies.torque(i, axis) = before.torque(i, axis) = dice.uniform(-1, 1);
        }
    const Motion motion{1.7e-4, {0.3, -0.1, -9.81}, lattice};
    const std::vector<Range> runs{{0, 3}, {3, 3}, {10, 31}, {49, 50}};
    kick_and_drift(bodies, runs, motion);
    const auto moved = [&](Index i) {
        return std::any_of(runs.begin(), runs.end(), [&](const Range& r) { return r.contains(i); });
    };
    for (Index i = 0; i < bodies.size; ++i) {
        if (!moved(i)) {
            EXPECT_TRUE(test::same_bits(bodies.position, i, before.position, i));
            EXPECT_TRUE(test::same_bits(bodies.velocity, i, before.velocity, i));
            EXPECT_TRUE(test::same_bits(bodies.spin, i, before.spin, i));
            EXPECT_TRUE(test::same_bits(bodies.force, i, before.force, i));
            EXPECT_TRUE(test::same_bits(bodies.torque, i, before.torque, i));
            continue;
        }
        for (int axis = 0; axis < 3; ++axis) {
            const double v = before.velocity(i, axis) +
                             (before.force(i, axis) * before.velocity(i, 3) + at(motion.gravity, axis)) * motion.dt;
            const double w = before.spin(i, axis) + before.torque(i, axis) * before.spin(i, 3) * motion.dt;
            const double x = before.position(i, axis) + motion.lattice.snap(v * motion.dt);
            EXPECT_TRUE(same_bits(bodies.velocity(i, axis), v));
            EXPECT_TRUE(same_bits(bodies.spin(i, axis), w));
            EXPECT_TRUE(same_bits(bodies.position(i, axis), x));
            EXPECT_EQ(std::fmod(bodies.position(i, axis), motion.lattice.step()), 0.0);
            EXPECT_EQ(bodies.force(i, axis), 0.0);
            EXPECT_EQ(bodies.torque(i, axis), 0.0);
        }
        EXPECT_TRUE(same_bits(bodies.position(i, 3), before.position(i, 3)));  // radius, 1/m, 1/I
        EXPECT_TRUE(same_bits(bodies.velocity(i, 3), before.velocity(i, 3)));
        EXPECT_TRUE(same_bits(bodies.spin(i, 3), before.spin(i, 3)));
    }
}

TEST(Integrate, HalfKicksSynchronise) {
    NewBody b = test::ball(1, {}, 0.1);
    b.mass = 4, b.inertia = 2, b.velocity = {1, 0, 0}, b.spin = {0, 1, 0};
    Bodies bodies = bodies_of({b, b});
    for (const Index i : {0u, 1u}) bodies.force(i, 0) = 8, bodies.torque(i, 1) = 6;
    const Motion motion{0.5, {0, 0, -10}, PositionLattice(box)};
    const Vec3d v = synchronised_velocity(bodies, 0, motion), w = synchronised_spin(bodies, 0, motion);
    EXPECT_EQ(v, (Vec3d{1.5, 0, -2.5}));
    EXPECT_EQ(w, (Vec3d{0, 1.75, 0}));
    const std::vector<Range> first{{0, 1}};
    kick(bodies, first, motion.gravity, 0.5 * motion.dt);
    EXPECT_EQ(bodies.v(0), v);
    EXPECT_EQ(bodies.omega(0), w);
    EXPECT_EQ(bodies.v(1), b.velocity);
    EXPECT_EQ(bodies.force(0, 0), 8);  // still wanted
    kick(bodies, first, motion.gravity, -0.5 * motion.dt);
    EXPECT_EQ(bodies.v(0), b.velocity);
}

}  // namespace granary::test
