#include "plan/stage_plan.hpp"
#include <gtest/gtest.h>
#include "support/silo_case.hpp"

using namespace granary;
using namespace granary::test;

TEST(StagePlan, RainComesInAtItsRate) {
    for (const char* rate : {"50.0", "500.0", "5000.0"}) {
        const Plan plan = plan_of(silo_text, {std::string("stages.fill.rate=") + rate});
        const Stage& fill = plan.stages.at(0);
        ASSERT_EQ(fill.insertions.size(), 1u);
        const InsertionSpec& s = fill.insertions[0];
        EXPECT_EQ(fill.type, Stage::Type::fill);
        EXPECT_EQ(s.total, 100u);
        EXPECT_NEAR(s.per_event / (static_cast<double>(s.interval) * fill.dt), std::stod(rate), 0.02 * std::stod(rate));
        EXPECT_GE(s.trials_per_event, s.per_event);
        // Twice what the rate needs, and 1 s.
        EXPECT_NEAR(static_cast<double>(fill.longest) * fill.dt, 2 * 100 / std::stod(rate) + 1, 1e-3);
    }
    const Plan by_mass = plan_of(silo_text, {"stages.fill.mass=0.01", "stages.fill.mass_rate=0.25"});
    const InsertionSpec& s = by_mass.stages[0].insertions[0];
    EXPECT_EQ(s.mass, 0.01);
    EXPECT_GE(static_cast<double>(s.total) * 4.0 / 3.0 * 3.14159 * 1300 * 0.004 * 0.004 * 0.004, 0.01);
    const double mean = by_mass.c.stages[0].radii.mean_volume() * 1300;
    EXPECT_NEAR(mean * s.per_event / (static_cast<double>(s.interval) * 1e-4), 0.25, 0.005);
}

// Balls are kept inside of a round bin; a rectangular one is its own region.
TEST(StagePlan, RegionIsThatOfTheBin) {
    const InsertionSpec round = plan_of(silo_text).stages[0].insertions[0];
    EXPECT_EQ(round.inside.radius, 0.05);
    EXPECT_EQ(round.upper.z, 0.16);
    std::string text = silo_text;
    text.replace(0, text.find("material"), R"([silo]
bin = "rectangle"
hopper = "flat"
width = 0.12
depth = 0.08
h_c = 0.12
d_h = 0.05
)");
    const InsertionSpec square = plan_of(text).stages[0].insertions[0];
    EXPECT_EQ(square.inside.radius, 0);
    EXPECT_EQ(square.lower.x, -0.06);
    EXPECT_EQ(square.upper.y, 0.04);
    // Turned with the slab axis: the height is now the second axis inside.
    const InsertionSpec turned = plan_of(silo_text, {"run.slab_axis=x"}).stages[0].insertions[0];
    EXPECT_EQ(turned.upper.y, 0.16);
    EXPECT_EQ(turned.inside.axis, (Vec3d{0, 1, 0}));
}

TEST(StagePlan, PackingIsOneEvent) {
    std::string text = silo_text;
    text.replace(text.find("rate = 500.0"), 12, "method = \"pack\"");
    const Stage fill = plan_of(text).stages[0];
    EXPECT_EQ(fill.insertions[0].method, InsertionMethod::pack);
    EXPECT_EQ(fill.insertions[0].per_event, 100u);
    EXPECT_EQ(fill.insertions[0].lower.z, 0.04);
}

TEST(StagePlan, SettlingHasAnEnergy) {
    const Plan chosen = plan_of(silo_text), given = plan_of(silo_text, {"stages.settle.energy=3e-7"});
    EXPECT_EQ(chosen.stages[1].type, Stage::Type::settle);
    EXPECT_EQ(chosen.stages[1].longest, 2000u);
    EXPECT_EQ(chosen.stages[1].look_every, 100u);  // 0.01 s
    // Enough for each ball to climb a ten-thousandth of its diameter.
    EXPECT_EQ(chosen.stages[1].rest_share, 1e-4);
    EXPECT_EQ(chosen.stages[1].rest_energy, 0);
    EXPECT_EQ(given.stages[1].rest_energy, 3e-7);
    EXPECT_EQ(plan_of(silo_text, {"stages.settle.energy_share=0.003"}).stages[1].rest_share, 0.003);
    EXPECT_NEAR(static_cast<double>(chosen.stages[1].rest) * chosen.stages[1].dt, 0.05, chosen.stages[1].dt);
}

TEST(StagePlan, DischargeOpensTheGate) {
    const Plan plan = plan_of(silo_text);
    const Stage& discharge = plan.stages[2];
    ASSERT_EQ(discharge.opens.size(), 1u);
    EXPECT_EQ(plan.setup.walls[discharge.opens[0]].name, "gate");
    EXPECT_TRUE(plan.stages[0].opens.empty() && plan.stages[1].opens.empty());
    EXPECT_EQ(discharge.stall, 3000u);
    EXPECT_TRUE(discharge.until_empty);
    EXPECT_TRUE(plan.gates.empty());
    EXPECT_FALSE(plan_of(silo_text, {"stages.discharge.empty=false"}).stages[2].until_empty);
    EXPECT_EQ(plan_of(silo_text, {"stages.discharge.stall_time=0"}).stages[2].stall, 0u);
}

// Times of gates count from the start of the run, also when the clock goes on from another one.
TEST(StagePlan, TimedGates) {
    const Plan plan = plan_of(silo_text, {"silo.opens_at=0.5"});
    ASSERT_EQ(plan.gates.size(), 1u);
    EXPECT_EQ(plan.setup.walls[plan.gates[0].wall].name, "gate");
    EXPECT_EQ(plan.gates[0].time, 0.5);
    EXPECT_TRUE(plan.stages[2].opens.empty());
    auto later = plan.setup;
    later.start_time = 2;
    EXPECT_EQ(timed_gates(plan.c, later).at(0).time, 2.5);
}

TEST(StagePlan, WithoutStagesOneRun) {
    std::string text = silo_text.substr(0, silo_text.find("[[stages]]")) + R"([[bodies]]
source = "lattice"
material = "grain"
lower = [-0.02, -0.02, 0.06]
upper = [0.02, 0.02, 0.1]
spacing = 0.012
radius = 0.005
)";
    const Plan plan = plan_of(text, {"run.time=0.25"});
    ASSERT_EQ(plan.stages.size(), 1u);
    EXPECT_EQ(plan.stages[0].type, Stage::Type::run);
    EXPECT_EQ(plan.stages[0].longest, 2500u);
    EXPECT_EQ(plan.balls_at_start, 27u);
}
