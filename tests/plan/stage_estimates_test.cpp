// How far balls fall, how long stages take, and how often is written if the case does not say.
#include "plan/stage_estimates.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "plan/output_plan.hpp"
#include "support/silo_case.hpp"

using namespace granary;
using namespace granary::test;

namespace {

double speed_of_fall(double height, double v = 0) { return std::sqrt(v * v + 2 * 9.81 * height); }

std::string without(std::string text, const std::string& line) {
    text.erase(text.find(line), line.size() + 1);
    return text;
}

}  // namespace

// From the rim of the bin to the gate; not from the ceiling of the domain to the plane where balls are counted out.
TEST(FallHeight, OfARainIsThatOfTheSilo) {
    EXPECT_NEAR(plan_of(silo_text).report.speed, speed_of_fall(0.16), 1e-9);
    EXPECT_NEAR(plan_of(silo_text, {"run.slab_axis=x"}).report.speed, speed_of_fall(0.16), 1e-9);
    EXPECT_NEAR(plan_of(silo_text, {"stages.fill.velocity=[0,0,-2]"}).report.speed, speed_of_fall(0.16, 2), 1e-9);
    EXPECT_NEAR(
        plan_of(silo_text, {"stages.fill.lower=[-0.03,-0.03,0.06]", "stages.fill.upper=[0.03,0.03,0.1]"}).report.speed,
        speed_of_fall(0.1), 1e-9);
}

// A packing falls through the hopper below it, and by what it lacks to a bed; a dense one hardly at all.
TEST(FallHeight, OfAPackingIsWhatItLacks) {
    const std::string pack = without(silo_text, "rate = 500.0");
    const double each = plan_of(pack, {"stages.fill.method=pack", "stages.fill.radius_min=0.005"}).report.speed;
    EXPECT_NEAR(each, speed_of_fall(0.04 + 0.12 * (1 - M_PI / 6 / 0.58)), 1e-3);
    EXPECT_NEAR(plan_of(pack, {"stages.fill.method=dense"}).report.speed, speed_of_fall(0.16 * (1 - 0.58 / 0.64)),
                1e-3);
}

TEST(FallHeight, ADrumCarriesBallsToItsTop) {
    const std::string text = R"([run]
dt = 1e-5
steps = 1
[domain]
lower = [-0.05, -0.4, -0.5]
upper = [0.05, 0.4, 0.5]
[[materials]]
name = "grain"
density = 1300.0
young = 1e7
poisson = 0.3
restitution = 0.3
friction = 0.3
[[walls]]
name = "shell"
type = "cylinder"
bottom = [-0.05, 0.0, 0.0]
top = [0.05, 0.0, 0.0]
radius = 0.3
material = "grain"
motion = "turn"
[[motions]]
name = "turn"
type = "rotate"
axis = [1.0, 0.0, 0.0]
point = [0.0, 0.0, 0.0]
rpm = 60.0
[[bodies]]
source = "lattice"
material = "grain"
lower = [-0.02, -0.02, -0.02]
upper = [0.02, 0.02, 0.02]
spacing = 0.012
radius = 0.005
)";
    const Plan plan = plan_of(text);
    EXPECT_NEAR(plan.report.speed, speed_of_fall(0.6), 1e-6);
    // Its surface has 2 pi 0.3 m/s; the corners of the box around it would have sqrt(2) times that.
    ASSERT_EQ(plan.report.motions.size(), 1u);
    EXPECT_NE(plan.report.motions[0].find("surfaces at most 1.885 m/s"), std::string::npos) << plan.report.motions[0];
}

TEST(StageEstimates, OpeningsThatBallsDoNotPass) {
    const Plan narrow =
        plan_of(silo_text, {"silo.d_h=0.0101"});  // one ball and a hair: nothing flows, and the stage stalls
    EXPECT_NEAR(narrow.report.stages[2].expected, 0.3, 1e-9);
    EXPECT_NE(narrow.report.estimates.at(0).find("nothing flows through an opening of 10.1 mm"), std::string::npos);
    EXPECT_TRUE(narrow.remarks.empty());
    const std::string gate =
        "[[walls]]\nname = \"hatch\"\ntype = \"disc\"\ncentre = [0, 0, 0.05]\nnormal = [0, 0, 1]\nradius = "
        "0.002\nmaterial = "
        "\"steel\"\nopens = \"discharge\"\n[[stages]]\ntype = \"fill\"";
    std::string text = silo_text;
    text.erase(0, text.find("[run]"));  // no silo: a box with a hatch that is narrower than a ball
    text =
        "[domain]\nlower = [-0.1, -0.1, 0.0]\nupper = [0.1, 0.1, 0.2]\n[[outlets]]\nname = \"out\"\npoint = [0, 0, "
        "0.01]\nnormal = [0, 0, 1]\n" +
        text;
    text.replace(text.find("[[stages]]\ntype = \"fill\""), 24, gate);
    const Plan plan = plan_of(text, {"stages.fill.lower=[-0.05,-0.05,0.1]", "stages.fill.upper=[0.05,0.05,0.2]"});
    EXPECT_EQ(plan.remarks,
              std::vector<std::string>{"the largest ball, 10 mm across, does not pass the opening of 4 mm of the stage "
                                       "\"discharge\": are all lengths in m? (sieve_sizes are diameters)"});
}

TEST(OutputPlan, SomethingToShowUnlessSaidOtherwise) {
    const Plan plan = plan_of(silo_text);  // 0.2 s of rain, 0.2 s to settle, and the discharge
    double time = 0;
    for (const StagePlan& s : plan.report.stages) time += s.length();
    const OutputSpec& o = plan.c.output;
    EXPECT_GT(time, 0.4);
    EXPECT_NEAR(time / *o.frames_every, 50, 13);
    EXPECT_NEAR(time / o.series_every, 500, 130);
    EXPECT_NEAR(time / o.log_every, 100, 26);
    EXPECT_EQ(plan.chosen.values.at("output.frames_every"), *o.frames_every);
    EXPECT_EQ(*plan_of(silo_text, {"output.frames_every=0"}).c.output.frames_every, 0);
    EXPECT_EQ(*plan_of(silo_text, {"output.frames_every=0.3"}).c.output.frames_every, 0.3);
    // Kept by checkpoints.
    SavedState saved;
    save_plan(plan, saved);
    const Plan again = make_plan({}, read_case(silo_text, "case.toml", {"stages.fill.rate=100"}),
                                 CasePlaces(silo_text, "case.toml", {}), &saved);
    EXPECT_EQ(again.c.output.frames_every, o.frames_every);
    EXPECT_EQ(again.c.output.series_every, o.series_every);
    EXPECT_EQ(again.c.output.log_every, o.log_every);
}

TEST(OutputPlan, FramesDoNotFillTheDisk) {
    OutputSpec o;
    ResolvedNotes notes;
    const std::vector<StagePlan> stages{{"run", 100, 1e-5, 1, 1, false}};
    choose_output(o, stages, 1e6, notes);
    EXPECT_EQ(*o.frames_every, 2);
    o.frames_every.reset();
    choose_output(o, stages, 2e8, notes);  // ten of them are 2 GB
    EXPECT_EQ(*o.frames_every, 10);
    o.frames_every.reset();
    choose_output(o, stages, 5e9, notes);
    EXPECT_EQ(*o.frames_every, 50);
}

TEST(OutputPlan, BytesOfAFrame) {
    OutputSpec o;
    o.fields = {"id", "radius", "velocity"};
    const double all = frame_bytes(o, 1e6, 1e-6);
    EXPECT_GE(all, 1e6 * (12 + 8 + 4 + 12));
    EXPECT_LE(all, 1e6 * (12 + 8 + 4 + 12 + 8));  // and the numbers of the points
    o.every_nth = 10;
    EXPECT_NEAR(frame_bytes(o, 1e6, 1e-6), all / 10, all / 10 * 0.2);
    o.every_nth = 1;
    o.region_lower = Vec3d{0, 0, 0}, o.region_upper = Vec3d{0.1, 0.1, 0.1};  // 1e-3 m^3: at most 741 balls of 1e-6 m^3
    EXPECT_NEAR(frame_bytes(o, 1e6, 1e-6), all * 741e-6, all * 741e-6 * 0.2);
    o.precision = FramePrecision::float64;
    EXPECT_GT(frame_bytes(o, 1e6, 1e-6), all * 741e-6 * 1.4);
}
