// The energy balance closes: every item has a formula of its own (contact/contact_energy.hpp), and what is left is the
// error of the integration in time.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "run/stages.hpp"
#include "core/random.hpp"
#include "support/busy_box.hpp"
#include "support/few_balls.hpp"
#include "support/triangles.hpp"
#include "support/silo_case.hpp"
#include "support/validation_data.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

using Rolling = LawSettings::Rolling;
using Type = LawSettings::Type;

Material sticky_grain() {
    Material m = busy_grain();
    m.rolling_friction = 0.3, m.cohesion_density = 1e4;
    return m;
}

std::string without_commas(std::string text) {
    std::replace(text.begin(), text.end(), ',', ';');
    return text;
}

struct Variant {
    const char* name;
    LawSettings law;
};
const Variant variants[] = {
    {"Hertz", {}},
    {"Hertz without attraction", {.attraction = false}},
    {"Hertz, cohesion and rolling spring", {.rolling = Rolling::spring, .cohesion = LawSettings::Cohesion::sjkr}},
    {"linear", {.type = Type::linear}},
    {"linear without attraction, constant rolling friction",
     {.type = Type::linear, .rolling = Rolling::constant, .attraction = false}},
    {"linear, rolling spring", {.type = Type::linear, .rolling = Rolling::spring}},
    {"Kelvin-Voigt", {.type = Type::kelvin_voigt}},
};

}  // namespace

// An oblique hit of two spinning balls at some 25 and 50 steps a contact. A formula for the dampers with an error of
// first order would leave 0.5 % at the finer step.
TEST(EnergyBalance, OfOneHit) {
    ValidationData data("energy-hit", "law,dt_s,residual_share");
    for (const Variant& v : variants) {
        SCOPED_TRACE(v.name);
        for (int fine = 0; fine < 2; ++fine) {
            const double dt = fine ? 1e-5 : 2e-5;
            auto s = few_balls(box(0.1), dt,
                               {ball(0, {0, 0, 0}, 4e-3, 2500, {1.0, 0.3, -0.4}, {50, -100, 150}),
                                ball(1, 7.3e-3 * unit({1, 0.4, -0.2}), 3e-3, 2500, {-0.5, -0.2, 0.2}, {-300, 80, 20})});
            s.materials = {sticky_grain()};
            s.materials[0].friction = 0.1;  // it slides
            s.law = v.law, s.energy = true;
            Simulation sim(boost::mpi::communicator(), s);
            run(sim, fine ? 800 : 400);
            const EnergyBalance e = energy_balance_of(sim);
            EXPECT_EQ(e.elastic, 0);
            EXPECT_GT(e.damped, 0.02 * e.in);
            if (v.law.type != Type::kelvin_voigt) {
                EXPECT_GT(e.friction, 0.01 * e.in);
            }
            if (v.law.rolling != Rolling::none) {
                EXPECT_GT(e.rolling, 1e-3 * e.in);
            }
            EXPECT_LT(std::abs(e.residual() / e.in), fine ? 2e-3 : 5e-3);
            data.row(without_commas(v.name), dt, e.residual() / e.in);
        }
    }
}

// Balls come in, fall, hit, slide, roll, cross periodic faces downhill, and leave.
TEST(EnergyBalance, OfABusyBox) {
    ValidationData data("energy-box", "law,in_J,lost_J,out_J,residual_share");
    for (const Variant& v : variants) {
        SCOPED_TRACE(v.name);
        auto s = busy_box();
        s.materials = {sticky_grain()};
        s.law = v.law, s.energy = true;
        s.dt = 1e-5;
        Simulation sim(boost::mpi::communicator(), s);
        run(sim, 4000);
        const EnergyBalance e = energy_balance_of(sim);
        EXPECT_GT(e.damped + e.friction + e.rolling, 0.05 * e.in);
        EXPECT_GT(e.out, 0.03 * e.in);
        EXPECT_LT(std::abs(e.residual()), 0.01 * e.in);
        data.row(without_commas(v.name), e.in, e.damped + e.friction + e.rolling, e.out, e.residual() / e.in);
    }
}

// A silo is filled, settles and is emptied through its gate: 1 % of all energy put in.
TEST(EnergyBalance, OfASiloOverFillAndDischarge) {
    ValidationData data("energy-silo", "rolling,time_s,stage,in_J,kinetic_J,lost_J,out_J,residual_J");
    for (const char* rolling : {"\"none\"", "\"spring\""}) {
        const Plan plan =
            plan_of(silo_text, {"output.energy=true", std::string("law.rolling=") + rolling, "run.dt=5e-5",
                                "materials[0].rolling_friction=0.1", "materials[1].rolling_friction=0.1"});
        Simulation sim(boost::mpi::communicator(), plan.setup);
        double worst = 0;
        for (const Stage& stage : plan.stages)
            run_stage(
                sim, stage, plan.gates, [](const Simulation&) {},
                [&](const Simulation& now) {
                    if (now.clock().step() % 500 != 0) return;
                    const EnergyBalance e = energy_balance_of(now);
                    data.row(rolling, now.clock().time(), stage.name, e.in, e.kinetic,
                             e.damped + e.friction + e.rolling, e.out, e.residual());
                    if (e.in > 0) worst = std::max(worst, std::abs(e.residual()) / e.in);
                });
        const EnergyBalance e = energy_balance_of(sim);
        EXPECT_LT(worst, 0.01);
        EXPECT_LT(std::abs(e.residual()), 0.01 * e.in);
        EXPECT_GT(e.out, 0.02 * e.in);
        EXPECT_GT(e.damped, 0.05 * e.in);
        EXPECT_GT(e.friction, 0.02 * e.in);
    }
}

// Walls that move do work: a plate that lifts balls, and one that turns below them; a disc and a mesh. What they put in
// is found again.
TEST(EnergyBalance, OfBallsOnMovingWalls) {
    ValidationData data("energy-walls", "motion,in_J,by_walls_J,residual_share");
    const WallShape disc = Disc{{0, 0, 0}, {0, 0, 1}, 0.09};
    const WallShape mesh = mesh_wall(flat({-0.06, -0.06, 0}, {0.12, 0, 0}, {0, 0.12, 0}, 11, 11));
    for (const int which : {0, 1, 2, 3}) {
        const bool turns = which % 2 == 1, triangles = which / 2 == 1;
        SCOPED_TRACE(testing::Message() << (turns ? "turns" : "lifts") << (triangles ? ", triangles" : ""));
        std::vector<NewBody> balls;
        for (Id k = 0; k < 9; ++k)
            balls.push_back(
                ball(k, {0.012 * static_cast<double>(k % 3), 0.012 * static_cast<double>(k / 3), 0.006}, 5e-3, 2500));
        auto s = few_balls({{-0.1, -0.1, -0.02}, {0.1, 0.1, 0.2}, {}}, 5e-6, balls);
        s.gravity = {0, 0, -9.81};
        s.materials = {hertz_material("grain", 5e6, 0.3, 2500, 0.6, 0.4)};
        s.materials[0].rolling_friction = 0.1, s.law.rolling = Rolling::spring, s.energy = true;
        s.walls = {make_wall("plate", triangles ? mesh : disc, 0)};
        s.walls[0].motion = 0;
        WallMotion motion;
        motion.name = "plate";
        if (turns) motion.type = WallMotion::Type::rotate, motion.axis = {0, 0, 1}, motion.angular = 6;
        else motion.along = {0.05, 0, 0.3};
        s.motions = {motion};
        Simulation sim(boost::mpi::communicator(), s);
        run(sim, 40000);
        const EnergyBalance e = energy_balance_of(sim);
        EXPECT_GT(e.walls, 0.05 * e.in);
        EXPECT_LT(std::abs(e.residual()), 0.01 * (e.in + e.walls));
        data.row(std::string(triangles ? "mesh that " : "disc that ") + (turns ? "turns" : "lifts"), e.in, e.walls,
                 e.residual() / (e.in + e.walls));
    }
}

// 1000 elastic balls without friction, 100 steps a contact: the energy, averaged over many moments so that the swing
// within contacts averages out, drifts by less than 1e-6 of itself in 1000 collisions.
TEST(EnergyBalance, AnElasticGasDoesNotDrift) {
    const double r = 3e-3;
    const Material m = hertz_material("grain", 5e8, 0.3, 2500, 1, 0);
    RandomLoose packing;
    packing.lower = {0, 0, 0}, packing.upper = {0.083, 0.083, 0.083}, packing.count = 1000;
    packing.periodic = {true, true, true};
    packing.balls = {r, r, 2500, 0, {}};
    std::vector<NewBody> balls;
    for_each(packing, 3, [&](const NewBody& b) {
        NewBody moving = b;
        for (std::uint32_t axis = 0; axis < 3; ++axis)
            at(moving.velocity, static_cast<int>(axis)) =
                2 * uniform(RandomKey{11, Purpose::loose_packing, 0, b.id, 0}, axis) - 1;
        balls.push_back(moving);
    });
    // Duration of a contact at the mean speed of approach.
    const double contact_time = hertz_time(0.5 * balls[0].mass, 0.5 * r, effective_young(m, m), 1.3);
    auto s = few_balls({packing.lower, packing.upper, packing.periodic}, contact_time / 100, balls);
    s.materials = {m}, s.energy = true;
    Simulation sim(boost::mpi::communicator(), s);
    double touching = 0;
    ValidationData data("elastic-gas", "collisions,energy_change");
    const auto mean_energy = [&] {
        double sum = 0;
        for (int k = 0; k < 200; ++k) {
            run(sim, 5);
            const EnergyBalance e = energy_balance_of(sim);
            sum += (e.kinetic + e.elastic) / 200;
        }
        return sum;
    };
    const double from = mean_energy();
    for (int k = 0; k < 150; ++k) {
        run(sim, 100);
        touching += static_cast<double>(measures_of(sim).contacts) * 100 * s.dt;
        const EnergyBalance e = energy_balance_of(sim);
        if (k % 3 == 0) data.row(touching / contact_time, (e.kinetic + e.elastic) / from - 1);
    }
    const double to = mean_energy(), collisions = touching / contact_time;
    RecordProperty("collisions", std::to_string(collisions));
    RecordProperty("drift_per_1000", std::to_string((to / from - 1) / collisions * 1000));
    std::printf("%.0f collisions, energy changed by %.2e of itself\n", collisions, to / from - 1);
    ValidationData result("elastic-gas-drift", "collisions,drift,drift_per_1000");
    result.row(collisions, to / from - 1, (to / from - 1) / collisions * 1000);
    EXPECT_GT(collisions, 1000);
    EXPECT_LT(std::abs(to / from - 1) / collisions * 1000, 1e-6);
}
