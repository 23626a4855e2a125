// How stages end, each with a handful of balls; and that gates open when they should.
#include "run/stages.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <numbers>
#include "support/few_balls.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double dt = 1e-4, r = 0.01;

// A floor at z = 0 with an outlet below it, and balls above it.
Setup over_a_floor(const std::vector<NewBody>& balls) {
    Setup s = few_balls(box(0.2), dt, balls);
    s.gravity = {0, 0, -9.81};
    s.materials = {hertz_material("grain", 1e6, 0.3, 1000, 0.2, 0.5)};
    s.walls.push_back(make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0));
    s.outlets.push_back({"hole", {0, 0, -0.05}, {0, 0, 1}});
    s.largest_radius = r;
    return s;
}

Stage stage(Stage::Type type, std::uint64_t longest) {
    Stage s;
    s.type = type, s.name = "stage", s.dt = dt, s.longest = longest, s.look_every = 50;
    return s;
}

StageEnd end_of(Simulation& sim, const Stage& s, const std::vector<TimedGate>& gates = {}) {
    return run_stage(
        sim, s, gates, [](const Simulation&) {}, [](const Simulation&) {});
}

InsertionSpec drops(std::uint64_t total) {
    InsertionSpec s;
    s.name = "drops", s.lower = {-0.05, -0.05, 0.1}, s.upper = {0.05, 0.05, 0.15};
    s.total = total, s.per_event = 4, s.trials_per_event = 80, s.interval = 30;
    s.balls = {r, r, 1000, 0, {0, 0, -2}};
    return s;
}

}  // namespace

TEST(Stages, RunEndsOnTime) {
    Simulation sim({}, over_a_floor({ball(0, {0, 0, 0.1}, r, 1000)}));
    const StageEnd end = end_of(sim, stage(Stage::Type::run, 130));
    EXPECT_EQ(end.why, StageEnd::Why::time);
    EXPECT_EQ(end.steps, 130u);
    EXPECT_EQ(end.text, "time is up after 0.013 s");
    EXPECT_EQ(sim.clock().step(), 130u);
}

TEST(Stages, EachHasItsOwnStep) {
    Simulation sim({}, over_a_floor({ball(0, {0, 0, 0.1}, r, 1000)}));
    Stage half = stage(Stage::Type::run, 100);
    half.dt = dt / 2;
    end_of(sim, stage(Stage::Type::run, 100));
    end_of(sim, half);
    EXPECT_NEAR(sim.clock().time(), 0.015, 1e-15);
    // A free fall does not see the change: g t^2/2, exact for the leapfrog at constant acceleration.
    EXPECT_NEAR(state_of(sim, 0).x.z, 0.1 - 0.5 * 9.81 * 0.015 * 0.015, 1e-12);
    EXPECT_NEAR(state_of(sim, 0).v.z, -9.81 * 0.015, 1e-12);
}

TEST(Stages, SettlingEndsAtRestAndNotBefore) {
    Stage settle = stage(Stage::Type::settle, 100000);
    settle.rest_energy = 1e-7;
    Simulation resting({}, over_a_floor({ball(0, {0, 0, r}, r, 1000)}));
    EXPECT_LE(end_of(resting, settle).steps, 150u);  // it sinks in a little
    Simulation falling({}, over_a_floor({ball(0, {0, 0, 0.05}, r, 1000)}));
    const StageEnd end = end_of(falling, settle);
    EXPECT_EQ(end.why, StageEnd::Why::settled);
    EXPECT_GT(end.steps, 900u);  // the fall of 4 cm alone takes 0.09 s
    EXPECT_EQ(end.steps % 50, 0u);
    EXPECT_LT(measures_of(falling).kinetic_energy, 1e-7);
    EXPECT_NE(end.text.find("settled: "), std::string::npos);
    Simulation in_haste({}, over_a_floor({ball(0, {0, 0, 0.05}, r, 1000)}));
    settle.longest = 200;
    EXPECT_EQ(end_of(in_haste, settle).why, StageEnd::Why::time);
}

// One ball of 32 times the mass lies still among many light ones that bounce: what is judged is all of their energy
// beside all of their weight, not their mean beside the weight of the largest.
TEST(Stages, SettlingOfSizesThatDifferWaitsForTheSmall) {
    const double large = r * std::cbrt(32.0), g = 9.81;
    std::vector<NewBody> balls{ball(0, {0, 0, large}, large, 1000)};
    for (Id id = 1; id <= 40; ++id)
        balls.push_back(ball(
            id,
            {-0.15 + 0.03 * static_cast<double>((id - 1) % 10), -0.15 + 0.03 * static_cast<double>((id - 1) / 10), r},
            r, 1000, {0, 0, 0.25}));
    granary::Setup s = over_a_floor(balls);
    s.largest_radius = large;
    s.materials[0].restitution = 0.9;  // small ones jump again and again
    Simulation sim({}, s);
    Stage settle = stage(Stage::Type::settle, 100000);
    settle.rest_share = 1e-4;
    settle.rest = 500;
    const StageEnd end = end_of(sim, settle);
    EXPECT_EQ(end.why, StageEnd::Why::settled);
    // Closed form: the balls are one large and forty small ones.
    const double mass = 4.0 / 3.0 * std::numbers::pi * r * r * r * 1000;
    const Measures m = measures_of(sim);
    EXPECT_NEAR(m.mass_times_diameter, mass * 2 * (40 * r + 32 * large), 1e-12);
    EXPECT_LT(m.kinetic_energy, 1e-4 * g * m.mass_times_diameter);
    // At rest: no ball could climb two thousandths of its own diameter.
    double fastest = 0;
    for (Id id = 1; id <= 40; ++id) fastest = std::max(fastest, norm(state_of(sim, id).v));
    EXPECT_LT(fastest, std::sqrt(2 * g * 0.002 * 2 * r));
    // The limit of the largest ball, for the mean, is 29 times as high: they would still jump.
    Simulation hasty({}, s);
    settle.rest_energy = 1e-4 * 32 * mass * g * 2 * large;
    const StageEnd too_early = end_of(hasty, settle);
    EXPECT_EQ(too_early.why, StageEnd::Why::settled);
    EXPECT_LT(1.2 * static_cast<double>(too_early.steps), static_cast<double>(end.steps));
}

TEST(Stages, SettlingDoesNotEndAtATurningPoint) {
    Stage settle = stage(Stage::Type::settle, 100000);
    const double mass = 4.0 / 3.0 * std::numbers::pi * r * r * r * 1000;
    settle.rest_energy = 0.5 * mass * 0.06 * 0.06;  // that of the first 6 ms of a fall
    Simulation one_look({}, over_a_floor({ball(0, {0, 0, 0.05}, r, 1000)}));
    EXPECT_EQ(end_of(one_look, settle).steps, 50u);  // in the air, hardly moving
    settle.rest = 400;                               // 40 ms: longer than any turn in the air
    Simulation longer({}, over_a_floor({ball(0, {0, 0, 0.05}, r, 1000)}));
    const StageEnd end = end_of(longer, settle);
    EXPECT_EQ(end.why, StageEnd::Why::settled);
    EXPECT_GT(end.steps, 1300u);  // the fall alone takes 0.09 s
    EXPECT_NEAR(state_of(longer, 0).x.z, r, 0.02 * r);
}

TEST(Stages, DischargeEndsWhenEmpty) {
    Stage discharge = stage(Stage::Type::discharge, 100000);
    discharge.opens = {0}, discharge.until_empty = true, discharge.stall = 5000;
    Simulation sim({}, over_a_floor({ball(0, {0, 0, r}, r, 1000), ball(1, {0, 0, 4 * r}, r, 1000)}));
    const StageEnd end = end_of(sim, discharge);
    EXPECT_EQ(end.why, StageEnd::Why::empty);
    EXPECT_EQ(ledger_of(sim).left.at(0), 2u);
    // The upper one falls 9 cm: 0.135 s.
    EXPECT_NEAR(static_cast<double>(end.steps) * dt, 0.135, 0.01);
    discharge.until_empty = false, discharge.longest = 0, discharge.stall = 300;
    Simulation on({}, over_a_floor({ball(0, {0, 0, r}, r, 1000)}));
    EXPECT_EQ(end_of(on, discharge).why, StageEnd::Why::stalled);  // goes on until nothing leaves any more
}

TEST(Stages, DischargeEndsWhenStalled) {
    Stage discharge = stage(Stage::Type::discharge, 100000);
    discharge.until_empty = true, discharge.stall = 220;  // the floor stays
    Simulation sim({}, over_a_floor({ball(0, {0, 0, r}, r, 1000)}));
    const StageEnd end = end_of(sim, discharge);
    EXPECT_EQ(end.why, StageEnd::Why::stalled);
    EXPECT_EQ(end.steps, 250u);  // the first look after 220 steps
    EXPECT_EQ(end.text,
              "stalled: no ball has left for 0.025 s, 1 are inside (an arch, or grain at rest beside the outlet)");
}

// Large balls find no room for most of the time; they are waited for, so that what has come in is as it was drawn.
TEST(Stages, ACrowdedInletKeepsItsSizes) {
    InsertionSpec s = drops(100000);
    s.upper = {0, 0, 0.15}, s.balls.radius_min = 0.003, s.balls.radius_max = 0.012, s.balls.velocity.z = -0.5;
    s.stream = 5, s.due = 3;
    granary::Setup setup = over_a_floor({});
    setup.largest_radius = 0.012, setup.seed = 9, setup.insertions = {s};
    Simulation sim({}, setup);
    end_of(sim, stage(Stage::Type::run, 3000));
    std::vector<std::pair<Id, double>> found;
    for (const Range& range : sim.bodies().real)
        for (Index i = range.begin; i < range.end; ++i) found.push_back({sim.bodies().id[i], sim.bodies().radius(i)});
    std::sort(found.begin(), found.end());
    ASSERT_EQ(found.size(), sim.inserter().bodies()[0]);
    EXPECT_GT(found.size(), 40u);
    EXPECT_LT(found.size(), 200u);  // of 303 that were due
    for (std::size_t n = 0; n < found.size(); ++n)
        EXPECT_EQ(found[n].second, draw_radius(s.balls, {9, Purpose::inserted_ball, 5, n, 0})) << n;
}

TEST(Stages, FillingEndsWithTheLastBall) {
    Stage fill = stage(Stage::Type::fill, 1000);
    fill.insertions = {drops(10)};
    Simulation sim({}, over_a_floor({}));
    const StageEnd end = end_of(sim, fill);
    EXPECT_EQ(end.why, StageEnd::Why::filled);
    EXPECT_EQ(end.text.find("filled: 10 of 10 balls, 0.0418"), 0u) << end.text;
    EXPECT_EQ(ledger_of(sim).inserted, 10u);
    EXPECT_EQ(end.steps, 100u);  // events at steps 1, 31 and 61; the look after that
    EXPECT_TRUE(sim.setup().insertions.empty());

    // The next stage counts from its own beginning.
    fill.insertions = {drops(4)};
    EXPECT_EQ(end_of(sim, fill).steps, 50u);
    EXPECT_EQ(ledger_of(sim).inserted, 14u);
}

TEST(Stages, WhatCannotBePlacedIsSaid) {
    Stage fill = stage(Stage::Type::fill, 100);
    fill.insertions = {drops(100)};
    Simulation late({}, over_a_floor({}));
    const StageEnd no_time = end_of(late, fill);
    EXPECT_EQ(no_time.why, StageEnd::Why::not_filled);
    EXPECT_EQ(no_time.text.find("not filled: 16 of 100 balls"), 0u) << no_time.text;
    EXPECT_NE(no_time.text.find("in time: allow more time or a higher rate"), std::string::npos);

    fill.insertions[0].method = InsertionMethod::pack, fill.insertions[0].per_event = 100;
    Simulation full({}, over_a_floor({}));
    const StageEnd no_room = end_of(full, fill);
    EXPECT_EQ(no_room.why, StageEnd::Why::not_filled);
    EXPECT_EQ(no_room.text.find("not filled: 32 of 100 balls"), 0u) << no_room.text;  // 4 x 4 x 2 cells
    EXPECT_NE(no_room.text.find("without overlap: enlarge the region"), std::string::npos);
}

TEST(Stages, GatesOpenAtTheirTime) {
    Simulation sim({}, over_a_floor({ball(0, {0, 0, r}, r, 1000)}));
    std::vector<std::uint64_t> open_at;
    run_stage(
        sim, stage(Stage::Type::run, 100), {{0, 0.003}}, [](const Simulation&) {},
        [&](const Simulation& s) {
            if ((s.forces().wall_open[0] != 0) && open_at.empty()) open_at.push_back(s.clock().step());
        });
    ASSERT_EQ(open_at.size(), 1u);
    EXPECT_EQ(open_at[0], 31u);  // open from 3 ms on, step 30: the step after it is the first without the wall
    EXPECT_LT(state_of(sim, 0).v.z, -0.06);  // 7 ms of free fall
}
