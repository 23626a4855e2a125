// Rolling friction of one ball on a plane, against closed forms (validation references, section 5).
#include <gtest/gtest.h>
#include <cmath>
#include "support/few_balls.hpp"
#include "support/validation_data.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double g = 9.81, radius = 5e-3, density = 2500;
using Rolling = LawSettings::Rolling;

// On the plane z = 0 at rest under its weight, or rolling along it without slip; gravity leans so that the plane falls
// towards +x.
Setup rolling_on_plane(double slope, double mu_r, double speed, LawSettings::Type type, Rolling rolling,
                       double young = 1e9) {
    Material m = hertz_material("grain", young, 0.3, density, 0.5, 0.8);
    m.stiffness = 1e5, m.rolling_friction = mu_r;
    Material rigid = rigid_wall(0.5, 0.8);
    rigid.rolling_friction = mu_r;
    NewBody b = ball(0, {0, 0, radius}, radius, density, {speed, 0, 0}, {0, speed / radius, 0});
    const double weight = b.mass * g * std::cos(slope);
    b.position.z -= type == LawSettings::Type::linear ? weight / *m.stiffness
                                                      : std::pow(weight / hertz_stiffness(m, rigid, radius), 2.0 / 3.0);
    auto s = few_balls({{-0.5, -0.1, -0.01}, {1.5, 0.1, 0.09}, {}}, 5e-6, {b});
    s.gravity = {g * std::sin(slope), 0, -g * std::cos(slope)};
    s.law.type = type, s.law.rolling = rolling;
    s.materials = {m, rigid};
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 1)};
    return s;
}

constexpr LawSettings::Type both_laws[] = {LawSettings::Type::hertz_mindlin, LawSettings::Type::linear};

}  // namespace

// Deceleration 5/7 mu_r g, stops after 7 v0^2/(10 mu_r g). Under the spring the ball begins to roll at full speed with
// the spring unwound: until it is wound, for a step or so, the damper brakes as hard as it can, which costs some 0.5 %
// of the way.
TEST(RollingFriction, StopsAfterTheWayOfTheFormula) {
    const double mu_r = 0.1, v0 = 0.2, a = 5.0 / 7.0 * mu_r * g, way = v0 * v0 / (2 * a);
    Compared data("rolling-friction");
    for (const auto type : both_laws)
        for (const auto rolling : {Rolling::constant, Rolling::spring}) {
            SCOPED_TRACE(testing::Message() << (type == both_laws[0] ? "Hertz" : "linear")
                                            << (rolling == Rolling::spring ? ", spring" : ", constant"));
            Simulation sim(boost::mpi::communicator(), rolling_on_plane(0, mu_r, v0, type, rolling));
            run(sim, 10000);
            const BallState from = state_of(sim, 0);
            run(sim, 20000);
            const BallState to = state_of(sim, 0);
            EXPECT_NEAR((from.v.x - to.v.x) / 0.1 / a, 1, 2e-3);
            EXPECT_NEAR(radius * to.spin.y, to.v.x, 1e-3 * v0);
            run(sim, 60000);  // stopped at 0.285 s
            const BallState end = state_of(sim, 0);
            EXPECT_NEAR(end.x.x / way, 1, rolling == Rolling::spring ? 1e-2 : 1e-3);
            EXPECT_NEAR(end.v.x, 0, rolling == Rolling::spring ? 1e-3 * v0 : 1e-6 * v0);
            const std::string of = std::string(type == both_laws[0] ? "Hertz; " : "linear; ") +
                                   (rolling == Rolling::spring ? "spring" : "constant torque");
            data.row("rolling friction: deceleration 5/7 mu_r g (m/s^2)", of, (from.v.x - to.v.x) / 0.1, a);
            data.row("rolling friction: distance 7 v^2/(10 mu_r g) (m)", of, end.x.x, way);
        }
}

// tan(slope) < mu_r: it stays. With the constant torque it creeps at 10 g sin(slope) dt, as the law's file says; with
// the spring not at all: a little swing, then rest.
TEST(RollingFriction, StaysOnASlopeBelowMuR) {
    const double mu_r = 0.2, slope = std::atan(0.8 * mu_r);
    for (const auto type : both_laws) {
        auto constant = rolling_on_plane(slope, mu_r, 0, type, Rolling::constant);
        const double creep = 10 * g * std::sin(slope) * constant.dt;
        Simulation creeping(boost::mpi::communicator(), constant);
        run(creeping, 20000);
        const double x = state_of(creeping, 0).x.x;
        run(creeping, 20000);
        EXPECT_NEAR((state_of(creeping, 0).x.x - x) / (0.1 * creep), 1, 0.02);

        Simulation still(boost::mpi::communicator(), rolling_on_plane(slope, mu_r, 0, type, Rolling::spring));
        run(still, 100000);
        const double settled = state_of(still, 0).x.x;
        EXPECT_LT(std::abs(settled), 1e-2 * radius);
        run(still, 50000);
        EXPECT_NEAR(state_of(still, 0).x.x, settled, 1e-7 * radius);
        EXPECT_LT(std::abs(state_of(still, 0).v.x), 1e-7);
    }
}

// Above it: a = 5/7 g (sin - mu_r cos).
TEST(RollingFriction, RollsDownASlopeAboveMuR) {
    const double mu_r = 0.1, slope = std::atan(2 * mu_r),
                 a = 5.0 / 7.0 * g * (std::sin(slope) - mu_r * std::cos(slope));
    Compared data("rolling-friction-slope");
    for (const auto rolling : {Rolling::constant, Rolling::spring}) {
        Simulation sim(boost::mpi::communicator(), rolling_on_plane(slope, mu_r, 0, both_laws[0], rolling));
        run(sim, 20000);
        const double v = state_of(sim, 0).v.x;
        run(sim, 20000);
        EXPECT_NEAR((state_of(sim, 0).v.x - v) / 0.1 / a, 1, 2e-3);
        data.row("rolling friction on a slope: 5/7 g (sin - mu_r cos) (m/s^2)",
                 rolling == Rolling::spring ? "spring" : "constant torque", (state_of(sim, 0).v.x - v) / 0.1, a);
    }
}

// The set-up of Ai et al. (2011) for one ball on a plane: r = 5 mm, 2500 kg/m^3, E = 1e7 Pa, 1 m/s at first, watched
// for 1.5 s. Model C brings it to rest, and there is no drift afterwards.
TEST(RollingFriction, SpringDashpotSettlesWithoutDrift) {
    const double mu_r = 0.5, v0 = 1.0;
    auto s = rolling_on_plane(0, mu_r, v0, both_laws[0], Rolling::spring, 1e7);
    s.dt = 2e-5;
    Simulation sim(boost::mpi::communicator(), s);
    const double way = 0.7 * v0 * v0 / (mu_r * g);  // after 0.286 s
    run(sim, 60000);
    const BallState rest = state_of(sim, 0);
    EXPECT_NEAR(rest.x.x / way, 1, 0.03);
    EXPECT_LT(std::abs(rest.v.x), 1e-6);
    run(sim, 15000);
    EXPECT_NEAR(state_of(sim, 0).x.x, rest.x.x, 1e-6 * radius);
}

// Two balls pressed together and spun against each other come to rest; angular momentum stays, the torques being
// opposite.
TEST(RollingFriction, ActsBetweenBalls) {
    for (const auto rolling : {Rolling::constant, Rolling::spring}) {
        Material m = linear_material("grain", 1e5, density, 0.5, 0.0);
        m.rolling_friction = 0.1;
        const double r = radius, spin = 20;
        // A third force would be needed to press them together: walls do it.
        NewBody low = ball(0, {0, 0, 0.999 * r}, r, density, {}, {spin, 0, 0}),
                high = ball(1, {0, 0, 2.997 * r}, r, density, {}, {-spin, 0, 0});
        auto s = few_balls(box(0.05), 5e-6, {low, high});
        s.law.type = LawSettings::Type::linear, s.law.rolling = rolling;
        Material smooth = rigid_wall(0.5, 0.0);
        smooth.rolling_friction = 0.0;
        s.materials = {m, smooth};
        s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 1),
                   make_wall("lid", Plane{{0, 0, 3.996 * r}, {0, 0, -1}}, 1)};
        Simulation sim(boost::mpi::communicator(), s);
        // Constant torque mu_r R*/... on each: I alpha = mu_r (r/2) F.
        const BallState b = state_of(sim, 0);
        const double force = 5e4 * 2e-3 * r, alpha = 0.1 * 0.5 * r * force / (0.4 * b.mass * r * r);
        const int steps = static_cast<int>(0.5 * spin / alpha / s.dt);
        run(sim, static_cast<std::uint64_t>(steps));
        if (rolling == Rolling::constant) {
            EXPECT_NEAR(state_of(sim, 0).spin.x / spin, 0.5, 0.05);
        }
        EXPECT_NEAR(state_of(sim, 0).spin.x, -state_of(sim, 1).spin.x, 1e-9 * spin);
        run(sim, static_cast<std::uint64_t>(10 * steps));
        EXPECT_LT(std::abs(state_of(sim, 0).spin.x), 1e-2 * spin);
    }
}
