// Under gravity alone leapfrog is exact, however a ball has come in: x = x0 + v0 t + g t^2/2, v = v0 + g t.
#include <gtest/gtest.h>
#include <cmath>
#include "support/few_balls.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double dt = 1e-4, radius = 2e-3;
const Vec3d gravity{0.5, -1, -9.81}, v0{0.1, 0.2, 0.3};

// From the state at some step `from` on: rounding to the lattice, and one of 1e-16 a step.
void expect_free_flight(const BallState& start, const BallState& now, double t) {
    EXPECT_LT(norm(now.v - (start.v + t * gravity)), 1e-12);
    EXPECT_LT(norm(now.x - (start.x + t * start.v + 0.5 * t * t * gravity)), 1e-12);
}

}  // namespace

TEST(FreeFall, BallsOfTheStart) {
    auto s = few_balls(box(0.5), dt, {ball(0, {0.01, 0.02, 0.1}, radius, 2500, v0)});
    s.gravity = gravity;
    s.materials = {hertz_material("grain", 5e6, 0.3, 2500, 0.5, 0.5)};
    Simulation sim(boost::mpi::communicator(), s);
    const BallState start = state_of(sim, 0);
    EXPECT_LT(norm(start.v - v0), 1e-15);
    run(sim, 1000);
    expect_free_flight(start, state_of(sim, 0), sim.clock().time());
}

TEST(FreeFall, BallsInsertedAtStepZeroAndLater) {
    for (const std::uint64_t first : {0u, 1u, 17u}) {
        SCOPED_TRACE(testing::Message() << "inserted at step " << first);
        auto s = few_balls(box(0.5), dt, {});
        s.gravity = gravity;
        s.largest_radius = radius;
        s.materials = {hertz_material("grain", 5e6, 0.3, 2500, 0.5, 0.5)};
        InsertionSpec rain;
        rain.name = "rain", rain.lower = {-0.01, -0.01, 0}, rain.upper = {0.01, 0.01, 0.02};
        rain.total = rain.per_event = rain.trials_per_event = 1;
        rain.balls = {radius, radius, 2500, 0, v0};
        rain.first_step = first;
        s.insertions = {rain};
        Simulation sim(boost::mpi::communicator(), s);
        run(sim, first);
        ASSERT_EQ(ledger_of(sim).inside, 1u);
        const BallState start = state_of(sim, 0);
        EXPECT_LT(norm(start.v - v0), 1e-15);  // at the time of its coming in
        run(sim, 1000);
        expect_free_flight(start, state_of(sim, 0), 1000 * dt);
    }
}
