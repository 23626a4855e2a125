#include "plan/plan.hpp"
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <tuple>
#include "core/errors.hpp"
#include "support/message_of.hpp"
#include "support/scratch_folder.hpp"
#include "support/silo_case.hpp"

using namespace granary;
using namespace granary::test;

namespace {

double rayleigh(const Plan& p) { return p.report.materials.at(0).rayleigh_time; }

bool begins(const std::string& text, const std::string& with) { return text.compare(0, with.size(), with) == 0; }

}  // namespace

TEST(Plan, AutomaticStepIsAShareOfTheRayleighTime) {
    const Plan plan = plan_of(silo_text, {"run.dt=auto", "run.dt_share=0.1"});
    EXPECT_LE(plan.c.run.dt, 0.1 * rayleigh(plan));
    EXPECT_GT(plan.c.run.dt, 0.09 * rayleigh(plan));  // rounded down to two digits
    EXPECT_EQ(plan.chosen.values.at("run.dt"), plan.c.run.dt);
    for (const Stage& s : plan.stages) EXPECT_EQ(s.dt, plan.c.run.dt);
    EXPECT_TRUE(plan.remarks.empty());
    const Plan of_stage = plan_of(silo_text, {"stages.settle.dt=auto"});
    EXPECT_EQ(of_stage.stages[0].dt, 1e-4);
    EXPECT_EQ(of_stage.stages[1].dt, of_stage.chosen.values.at("stages[1].dt"));
    EXPECT_NE(of_stage.stages[1].dt, 1e-4);
}

TEST(Plan, LargeStepsAreRefusedWhereTheyAreWritten) {
    const auto says = [](const std::vector<std::string>& sets, const std::string& text = silo_text) {
        return message_of<InputError>([&] { plan_of(text, sets); });
    };
    EXPECT_TRUE(begins(says({"run.dt=1e-3"}), "--set run.dt=1e-3: run.dt = 0.001 s is too large"));
    std::string text = silo_text;
    text.replace(text.find("dt = 1e-4"), 9, "dt = 1e-3");
    EXPECT_TRUE(begins(says({}, text), "case.toml:8:6: run.dt = 0.001 s is too large"));
    EXPECT_TRUE(begins(says({"stages.settle.dt=1e-3"}), "--set stages.settle.dt=1e-3: stages[1].dt = 0.001 s is"));
    EXPECT_NO_THROW(plan_of(text, {"run.allow_large_dt=true"}));
}

// Stiff tangential springs swing faster than the normal ones: the step that is fine for the usual ratio is refused with
// 10, of the run and of a stage, and an automatic one is shorter.
TEST(Plan, TangentialSpringsLimitTheStep) {
    const auto with_ratio = [](double ratio) {
        std::string text = silo_text + "[law]\ntype = \"linear\"\n";
        const std::string poisson = "poisson = 0.3\n";
        const std::string more = fmt::format("stiffness = 2000.0\nstiffness_ratio = {}\n", ratio);
        for (std::size_t at = text.find(poisson); at != std::string::npos;
             at = text.find(poisson, at + more.size() + poisson.size()))
            text.insert(at, more);
        return text;
    };
    const auto says = [&](double ratio, const std::vector<std::string>& sets) {
        return message_of<InputError>([&] { plan_of(with_ratio(ratio), sets); });
    };
    EXPECT_NO_THROW(plan_of(with_ratio(2.0 / 7)));
    const std::string refused = says(10, {});
    EXPECT_TRUE(begins(refused, "case.toml:8:6: run.dt = 0.0001 s is too large")) << refused;
    EXPECT_NE(refused.find("above which tangential and rolling springs become unstable (at most 2/3)"),
              std::string::npos)
        << refused;
    EXPECT_EQ(refused.find("shortest contact time"), std::string::npos) << refused;
    EXPECT_NO_THROW(plan_of(with_ratio(10), {"run.allow_large_dt=true"}));
    EXPECT_NO_THROW(plan_of(with_ratio(10), {"run.dt=1e-5"}));
    EXPECT_TRUE(
        begins(says(10, {"run.dt=1e-5", "stages.settle.dt=1e-4"}), "--set stages.settle.dt=1e-4: stages[1].dt = "));
    const auto chosen = [&](double ratio) { return plan_of(with_ratio(ratio), {"run.dt=auto"}).c.run.dt; };
    EXPECT_LT(chosen(10), 0.4 * chosen(2.0 / 7));
    EXPECT_NO_THROW(plan_of(with_ratio(10), {fmt::format("run.dt={}", chosen(10))}));
}

TEST(Plan, StepsAboveAFifthAreWarnedOf) {
    const double time = rayleigh(plan_of(silo_text));
    const auto with_share = [&](double share) {
        return plan_of(silo_text, {"run.dt=" + std::to_string(share * time), "run.allow_large_dt=true"});
    };
    EXPECT_TRUE(with_share(0.15).remarks.empty());
    ASSERT_EQ(with_share(0.3).remarks.size(), 1u);
    EXPECT_NE(with_share(0.3).remarks[0].find("0.30 of the Rayleigh time"), std::string::npos);
}

TEST(Plan, CountsBallsAndSteps) {
    const Plan plan = plan_of(silo_text);
    EXPECT_EQ(plan.balls_at_start, 0u);
    EXPECT_EQ(plan.report.balls.count, 100u);
    EXPECT_EQ(plan.report.n_walls, 3);
    EXPECT_EQ(plan.report.n_outlets, 1);
    ASSERT_EQ(plan.report.stages.size(), 3u);
    EXPECT_EQ(plan.report.stages[0].balls_end, 100u);
    EXPECT_EQ(plan.report.stages[0].expected, 0.2);  // 100 balls at 500 each second
    EXPECT_EQ(plan.report.stages[1].steps(), 2000u);
    EXPECT_EQ(plan.report.stages[2].balls_end, 0u);
    EXPECT_EQ(plan.setup.largest_radius, 0.005);
    EXPECT_GT(plan.setup.skin, 0);
    EXPECT_EQ(plan.chosen.values.at("run.skin"), plan.setup.skin);
}

// A discharge without a time is not a discharge of no time: the flow is estimated from the gate.
TEST(Plan, ADischargeWithoutATimeIsEstimated) {
    std::string text = silo_text;
    text.erase(text.find("time = 2.0"), 11);
    const Plan plan = plan_of(text, {"stages.fill.count=1000"});
    const StagePlan& s = plan.report.stages[2];
    EXPECT_EQ(s.time, 0);
    // Beverloo with D = 50 mm, balls of the mean volume of radii 4 to 5 mm, 0.58 of 1300 kg/m^3.
    const double cube = (4e-3 + 5e-3) * (16e-6 + 25e-6) / 4, d = 2 * std::cbrt(cube);
    const double mass = 1000 * 1300 * 4.0 / 3.0 * std::numbers::pi * cube;
    const double flow = 0.58 * 0.58 * 1300 * std::sqrt(9.81) * std::pow(0.05 - 1.4 * d, 2.5);
    EXPECT_NEAR(s.expected, mass / flow, 1e-3 * s.expected);
    EXPECT_GT(s.ball_steps(), 0);
    EXPECT_NE(plan.report.estimates.at(0).find("through 50 mm; Beverloo (1961)"), std::string::npos)
        << plan.report.estimates.at(0);
    EXPECT_EQ(plan_of(silo_text).report.stages[2].time, 2.0);  // as given, whatever is expected
    EXPECT_LE(plan_of(silo_text, {"stages.discharge.time=0.01"}).report.stages[2].expected, 0.01);
}

// [[insert]] counts in seconds: its steps are those of the first stage.
TEST(Plan, InsertionsFollowTheStepOfTheFirstStage) {
    const std::string text = silo_text + R"([[insert]]
material = "grain"
lower = [-0.03, -0.03, 0.1]
upper = [0.03, 0.03, 0.15]
total = 10
per_event = 5
start = 0.01
interval = 0.02
radius = 0.004
)";
    const Plan plan = plan_of(text, {"stages.fill.dt=5e-5"});
    ASSERT_EQ(plan.setup.insertions.size(), 1u);
    EXPECT_EQ(plan.setup.dt, 5e-5);
    EXPECT_EQ(plan.setup.insertions[0].first_step, 200u);
    EXPECT_EQ(plan.setup.insertions[0].interval, 400u);
    EXPECT_EQ(plan.report.balls.count, 110u);
    EXPECT_EQ(plan.report.stages[0].balls_end, 110u);
}

TEST(Plan, WallsThatAPeriodicFaceCutsAreTold) {
    const auto remarks = [](const std::string& wall) {
        const std::string text = R"([run]
dt = 1e-5
steps = 1
[domain]
lower = [0.0, 0.0, 0.0]
upper = [0.1, 0.1, 0.1]
periodic = ["x"]
[[materials]]
name = "grain"
density = 1300.0
young = 1e6
poisson = 0.3
restitution = 0.3
friction = 0.3
[[bodies]]
source = "lattice"
material = "grain"
lower = [0.03, 0.03, 0.05]
upper = [0.06, 0.06, 0.08]
spacing = 0.012
radius = 0.005
[[walls]]
name = "wall"
material = "grain"
)";
        return plan_of(text + wall).remarks;
    };
    const std::string plate = "type = \"rectangle\"\nedge_b = [0.0, 0.05, 0.0]\n";
    EXPECT_TRUE(remarks(plate + "corner = [0.0, 0.02, 0.02]\nedge_a = [0.1, 0.0, 0.0]\n").empty());
    EXPECT_TRUE(remarks(plate + "corner = [0.02, 0.02, 0.02]\nedge_a = [0.05, 0.0, 0.0]\n").empty());
    ASSERT_EQ(remarks(plate + "corner = [0.05, 0.02, 0.02]\nedge_a = [0.06, 0.0, 0.0]\n").size(), 1u);
    EXPECT_NE(remarks(plate + "corner = [0.05, 0.02, 0.02]\nedge_a = [0.048, 0.0, 0.0]\n")
                  .at(0)
                  .find("the wall \"wall\" meets a periodic face along x"),
              std::string::npos);
    EXPECT_TRUE(remarks("type = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]\n").empty());
    EXPECT_EQ(remarks("type = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.5, 0.0, 1.0]\n").size(), 1u);
    const std::string tube = "type = \"cylinder\"\nbottom = [0.05, 0.05, 0.0]\ntop = [0.05, 0.05, 0.03]\n";
    EXPECT_TRUE(remarks(tube + "radius = 0.04\n").empty());
    EXPECT_EQ(remarks(tube + "radius = 0.047\n").size(), 1u);
}

// A plan made again has the tables of motions that it was saved with, whatever became of the files; also the next time,
// and turned.
TEST(Plan, MadeAgainNeedsNoTables) {
    const ScratchFolder folder;
    std::string text = silo_text;
    for (const auto& [type, file, more] :
         {std::tuple{"shift-table", "way.csv", ""},
          {"angle-table", "turn.csv", "point = [0.0, 0.0, 0.1]\naxis = [1.0, 0.0, 0.0]\n"}})
        text += fmt::format(
            "[[motions]]\nname = \"{0}\"\ntype = \"{0}\"\nfile = \"{1}\"\n{2}[[walls]]\nname = \"of {0}\"\n"
            "type = \"disc\"\ncentre = [0.0, 0.0, 0.1]\nnormal = [0.0, 0.0, 1.0]\nradius = 0.01\nmaterial = "
            "\"steel\"\nmotion = \"{0}\"\n",
            type, folder / file, more);
    std::ofstream(folder / "way.csv") << "0, 0, 0, 0\n0.1, 1e-3, 2e-3, 3e-3\n";
    std::ofstream(folder / "turn.csv") << "0, 0\n0.1, 0.5\n0.3, 0.1\n";
    const std::vector<std::string> sets{"run.slab_axis=x"};
    const Plan first = plan_of(text, sets);
    for (const char* file : {"way.csv", "turn.csv"}) std::filesystem::remove(folder / file);
    const auto again = [&](const Plan& plan) {
        SavedState saved;
        save_plan(plan, saved);
        return make_plan({}, read_case(text, "case.toml", sets), CasePlaces(text, "case.toml", sets), &saved);
    };
    const Plan second = again(first), third = again(second);
    for (const Plan* plan : {&second, &third})
        for (std::size_t k = 0; k < 2; ++k) {
            EXPECT_EQ(plan->setup.motions[k].table.times, first.setup.motions[k].table.times);
            EXPECT_EQ(plan->setup.motions[k].table.values, first.setup.motions[k].table.values);
        }
    EXPECT_EQ(first.setup.motions[0].table.values[1], Axes(0).in(Vec3d{1e-3, 2e-3, 3e-3}));
    EXPECT_EQ(first.setup.motions[1].table.values[1], (Vec3d{0.5, 0, 0}));
}
