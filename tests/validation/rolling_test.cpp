// Friction and rotation: a ball that slides until it rolls, and balls on inclines.
#include <gtest/gtest.h>
#include <fmt/format.h>
#include <cmath>
#include "support/few_balls.hpp"
#include "support/validation_data.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double g = 9.81, radius = 5e-3, density = 2500;

// On the plane z = 0 at rest under its weight; gravity leans so that the plane is an incline falling towards +x.
Setup on_plane(double slope, double mu, const Vec3d& velocity, LawSettings::Type type) {
    Material m = hertz_material("grain", 1e9, 0.3, density, 0.5, mu);
    m.stiffness = 1e5;
    NewBody b = ball(0, {0, 0, radius}, radius, density, velocity);
    const double weight = b.mass * g * std::cos(slope);
    const Material rigid = rigid_wall(0.5, mu);
    b.position.z -= type == LawSettings::Type::linear ? weight / *m.stiffness
                                                      : std::pow(weight / hertz_stiffness(m, rigid, radius), 2.0 / 3.0);
    Setup s = few_balls({{-0.1, -0.1, -0.01}, {1.9, 0.1, 0.09}, {}}, 5e-6, {b});
    s.gravity = {g * std::sin(slope), 0, -g * std::cos(slope)};
    s.law.type = type;
    s.materials = {m, rigid};
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 1)};
    return s;
}

constexpr LawSettings::Type both_laws[] = {LawSettings::Type::hertz_mindlin, LawSettings::Type::linear};

// The static overlap is 1e-4 of the radius or less; the lever arm is shorter by that much, and all numbers below with
// it.
constexpr double short_arm = 3e-4;

}  // namespace

// Rolling begins after 2 v0/(7 mu g) and 12 v0^2/(49 mu g), with 5/7 v0.
TEST(Rolling, SlidingTurnsIntoRolling) {
    Compared data("slide-to-roll");
    for (const auto type : both_laws)
        for (const double mu : {0.1, 0.4}) {
            SCOPED_TRACE(testing::Message() << "mu = " << mu << (type == both_laws[0] ? ", Hertz" : ", linear"));
            const double v0 = 0.5, time = 2 * v0 / (7 * mu * g), way = 12 * v0 * v0 / (49 * mu * g);
            auto s = on_plane(0, mu, {v0, 0, 0}, type);
            Simulation sim(boost::mpi::communicator(), s);
            const auto slip = [&] { return state_of(sim, 0).v.x - radius * state_of(sim, 0).spin.y; };
            while (slip() > 0 && sim.clock().time() < 2 * time) {
                sim.step();
                if (sim.clock().time() < 0.95 * time &&
                    sim.clock().time() > 0.05 * time) {  // but for what is left of its trembling
                    ASSERT_NEAR(state_of(sim, 0).force.x / (-mu * state_of(sim, 0).force.z), 1, 1e-6);
                }
            }
            // The spring loads in far less than a step at first; at the end it relaxes while the slip is already small.
            EXPECT_NEAR(sim.clock().time(), time, short_arm * time + 10 * s.dt);
            EXPECT_NEAR(state_of(sim, 0).x.x, way, short_arm * way + 10 * s.dt * v0);
            EXPECT_NEAR(state_of(sim, 0).v.x, 5.0 / 7.0 * v0, short_arm * v0 + 10 * s.dt * mu * g);
            const std::string of = fmt::format("{}; mu = {}", type == both_laws[0] ? "Hertz" : "linear", mu);
            data.row("sliding turns into rolling: time 2 v/(7 mu g) (s)", of, sim.clock().time(), time);
            data.row("sliding turns into rolling: distance 12 v^2/(49 mu g) (m)", of, state_of(sim, 0).x.x, way);
            run(sim, 4000);  // the spring has swung out: pure rolling, no friction
            const BallState b = state_of(sim, 0);
            EXPECT_NEAR(b.v.x, 5.0 / 7.0 * v0, short_arm * v0);
            data.row("sliding turns into rolling: speed 5/7 v (m/s)", of, b.v.x, 5.0 / 7.0 * v0);
            EXPECT_NEAR(radius * b.spin.y, b.v.x, short_arm * v0);
            EXPECT_LT(std::abs(b.force.x), 1e-6 * b.mass * g);
            EXPECT_EQ(b.v.y, 0);
            // Angular momentum about the line of contact is what friction cannot change: m v h + I omega, exactly.
            const double inertia = 0.4 * b.mass * radius * radius;
            const double arm = 0.5 * (radius + b.x.z);  // to the middle of the overlap
            EXPECT_NEAR((b.mass * b.v.x * arm + inertia * b.spin.y) / (b.mass * v0 * arm), 1, 1e-6);
        }
}

// tan(slope) <= 3.5 mu: it rolls, a = 5/7 g sin(slope), and needs less friction than there is.
TEST(Rolling, RollsDownAGentleSlope) {
    Compared data("gentle-slope");
    for (const auto type : both_laws)
        for (const double slope : {0.1, 0.5}) {
            SCOPED_TRACE(testing::Message() << slope << " rad");
            const double mu = 0.3, a = 5.0 / 7.0 * g * std::sin(slope);
            Simulation sim(boost::mpi::communicator(), on_plane(slope, mu, {}, type));
            run(sim, 10000);  // the spring has found its length
            const BallState from = state_of(sim, 0);
            const double t0 = sim.clock().time();
            run(sim, 20000);
            const BallState to = state_of(sim, 0);
            const double t = sim.clock().time() - t0;
            EXPECT_NEAR((to.v.x - from.v.x) / t / a, 1, short_arm);
            data.row("rolls down a slope: 5/7 g sin (m/s^2)",
                     fmt::format("{}; {} rad", type == both_laws[0] ? "Hertz" : "linear", slope),
                     (to.v.x - from.v.x) / t, a);
            EXPECT_NEAR((to.x.x - from.x.x) / (from.v.x * t + 0.5 * a * t * t), 1, short_arm);
            EXPECT_NEAR((to.spin.y - from.spin.y) * radius / t / a, 1, short_arm);
            EXPECT_NEAR(-to.force.x / (to.mass * g * std::sin(slope)), 2.0 / 7.0, short_arm);
        }
}

// Steeper: it slides and spins at once, a = g (sin - mu cos), alpha = 5 mu g cos/(2 r).
TEST(Rolling, SlidesDownASteepSlope) {
    Compared data("steep-slope");
    for (const auto type : both_laws)
        for (const double slope : {0.8, 1.2}) {
            SCOPED_TRACE(testing::Message() << slope << " rad");
            const double mu = 0.2, a = g * (std::sin(slope) - mu * std::cos(slope));
            Simulation sim(boost::mpi::communicator(), on_plane(slope, mu, {}, type));
            run(sim, 2000);
            const BallState from = state_of(sim, 0);
            const double t0 = sim.clock().time();
            run(sim, 20000);
            const BallState to = state_of(sim, 0);
            const double t = sim.clock().time() - t0;
            EXPECT_NEAR((to.v.x - from.v.x) / t / a, 1, 1e-6);  // forces alone: no lever arm in it
            const std::string of = fmt::format("{}; {} rad", type == both_laws[0] ? "Hertz" : "linear", slope);
            data.row("slides down a slope: g (sin - mu cos) (m/s^2)", of, (to.v.x - from.v.x) / t, a);
            data.row("slides down a slope: spin 5 mu g cos/(2 r) (rad/s^2)", of, (to.spin.y - from.spin.y) / t,
                     2.5 * mu * g * std::cos(slope) / radius);
            EXPECT_NEAR((to.spin.y - from.spin.y) / t / (2.5 * mu * g * std::cos(slope) / radius), 1, short_arm);
        }
}
