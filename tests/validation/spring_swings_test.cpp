// Springs of friction and of rolling friction under both integrators: a ball that swings on its tangential or its
// rolling spring against the closed form, over halved steps and over many periods; two balls pressed together; plates
// that shake the ball.
//
// The swing is let go with the spring stretched, at rest, or with a damper at that speed at which the force has no
// rate: then the rate of the acceleration that the predictor-corrector takes for its start, none, is the true one.
#include <gtest/gtest.h>
#include <array>
#include <cmath>
#include <numbers>
#include "support/few_balls.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double r = 5e-3, k_n = 1e4, ratio = 0.8, density = 2500, g = 9.81;

double order(double coarse, double fine) { return std::log2(coarse / fine); }

struct Swing {  // stretch of a damped spring: its value, and its rate over omega, at omega t
    double zeta, start, rate;
    double at(double t) const {
        const double w = std::sqrt(1 - zeta * zeta), fade = std::exp(-zeta * t);
        return fade * (start * std::cos(w * t) + (rate + zeta * start) / w * std::sin(w * t));
    }
};

// At rest under its weight on a plane, with springs there. Friction so high that nothing slides.
Setup on_plane(Integrator integrator, double restitution, double friction, const Vec3d& v, const Vec3d& xi,
               const Vec3d& theta) {
    NewBody b = ball(0, {0, 0, r}, r, density, v);
    b.position.z -= b.mass * g / k_n;
    Material grain = linear_material("grain", k_n, density, restitution, friction),
             rigid = rigid_wall(restitution, friction);
    grain.stiffness_ratio = rigid.stiffness_ratio = ratio;
    Setup s = few_balls(box(0.03), 1, {b});
    std::vector<ContactRecord> springs{{b.id, wall_partner(0), {xi.x, xi.y, xi.z}}};
    if (norm(theta) > 0) springs.push_back({b.id, rolling_spring(wall_partner(0)), {theta.x, theta.y, theta.z}});
    s.start = shares_of({b}, springs);
    s.gravity = {0, 0, -g};
    s.law.type = LawSettings::Type::linear;
    s.integrator = integrator;
    s.materials = {grain, rigid};
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 1)};
    return s;
}

// A tangential swing: the ball slides to and fro and rocks. Its force on the ball, in units of the first.
struct Tangential {
    Setup setup;
    double omega, zeta, force;  // rad/s; share of critical damping; N for the stretch that it begins with
    Swing stretch;
};
Tangential tangential(Integrator integrator, double zeta_t) {
    const double m = ball(0, {}, r, density).mass, k_t = ratio * k_n, arm = r - 0.5 * m * g / k_n;
    const double moved = 1 / (1 / m + arm * arm / (0.4 * m * r * r)), omega = std::sqrt(k_t / moved);
    const double c = 2 * zeta_t * std::sqrt(k_t * m), zeta = c / (2 * moved * omega), xi = 1e-7;
    const double e = zeta_t > 0 ? std::exp(-M_PI * zeta_t / std::sqrt(1 - zeta_t * zeta_t)) : 1.0;
    const double rate = 2 * zeta / (1 - 4 * zeta * zeta);  // over omega and xi: no jerk
    return {on_plane(integrator, e, 50, {rate * omega * xi, 0, 0}, {xi, 0, 0}, {}),
            omega,
            zeta,
            k_t * xi,
            {zeta, 1, rate}};
}

double tangential_error(Integrator integrator, double zeta_t, int steps) {
    const double last = 5;
    Tangential t = tangential(integrator, zeta_t);
    t.setup.dt = last / t.omega / steps;
    Simulation sim(boost::mpi::communicator(), t.setup);
    run(sim, static_cast<std::uint64_t>(steps));
    const auto force = [&](double at) {  // spring and damper
        constexpr double h = 1e-4;
        return t.stretch.at(at) + 2 * t.zeta * (t.stretch.at(at + h) - t.stretch.at(at - h)) / (2 * h);
    };
    return std::abs(-state_of(sim, 0).force.x / t.force - force(last));
}

// Greatest force or torque along a component in a period.
template <class Of> double amplitude(Simulation& sim, int steps, Of&& of) {
    double most = 0;
    for (int k = 0; k < steps; ++k) {
        sim.step();
        most = std::max(most, std::abs(of(state_of(sim, 0))));
    }
    return most;
}

constexpr int a_period = 68;  // steps
// What is left of the amplitude after 36 periods.
template <class Of> double kept(Setup s, double omega, Of&& of) {
    s.dt = 2 * std::numbers::pi / omega / a_period;
    Simulation sim(boost::mpi::communicator(), s);
    const double first = amplitude(sim, a_period, of);
    run(sim, 35 * a_period);
    return amplitude(sim, a_period, of) / first;
}

// A rolling swing, without friction and without a damper: the ball turns to and fro where it stands.
struct Rolling {
    Setup setup;
    double omega, torque;  // rad/s, N m
};
Rolling rolling(Integrator integrator) {
    const double m = ball(0, {}, r, density).mass, mu_r = 0.1;
    const double k_r = 2.25 * k_n * (mu_r * r) * (mu_r * r), theta = 0.5 * mu_r * r * m * g / k_r;  // half of the limit
    Setup s = on_plane(integrator, 1, 0, {}, {}, {0, theta, 0});
    for (Material& material : s.materials) material.rolling_friction = mu_r, material.rolling_damping = 0;
    s.law.rolling = LawSettings::Rolling::spring;
    return {s, std::sqrt(k_r / (0.4 * m * r * r)), k_r * theta};
}

double rolling_error(Integrator integrator, int steps) {
    const double last = 5;
    Rolling a = rolling(integrator);
    a.setup.dt = last / a.omega / steps;
    Simulation sim(boost::mpi::communicator(), a.setup);
    run(sim, static_cast<std::uint64_t>(steps));
    return std::abs(-state_of(sim, 0).torque.y / a.torque - std::cos(last));
}

// Where no closed form is at hand: how fast three runs, each with half the step, come together.
template <class Make> double order_by_halving(Make&& make, double time, int steps) {
    const auto at_end = [&](int n) {
        Setup s = make();
        s.dt = time / n;
        Simulation sim(boost::mpi::communicator(), s);
        run(sim, static_cast<std::uint64_t>(n));
        return state_of(sim, 0);
    };
    const BallState a = at_end(steps), b = at_end(2 * steps), c = at_end(4 * steps);
    const auto apart = [](const BallState& p, const BallState& q) {
        return norm(p.v - q.v) + r * norm(p.spin - q.spin);
    };
    return order(apart(a, b), apart(b, c));
}

// Two balls between two plates, pressed together; the spring between them is stretched, those at the plates are not,
// and all of them rub and roll. Ball 0 stands below.
Setup column(Integrator integrator, LawSettings::Type type, double restitution) {
    const double squeezed = 1e-5;
    Material grain = hertz_material("grain", 5e6, 0.3, density, restitution, 50);
    grain.stiffness = k_n, grain.stiffness_ratio = ratio, grain.rolling_friction = 0.1, grain.rolling_damping = 0;
    const NewBody low = ball(0, {0, 0, r - squeezed}, r, density),
                  high = ball(1, {0, 0, 3 * r - 2 * squeezed}, r, density);
    Setup s = few_balls(box(0.03), 1, {low, high});
    s.start = shares_of({low, high}, {{low.id, 1, {1e-6, -2e-6, 0}}, {low.id, rolling_spring(1), {3e-4, 2e-4, 0}}});
    s.integrator = integrator;
    s.law.type = type, s.law.rolling = LawSettings::Rolling::spring;
    s.materials = {grain};
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0),
               make_wall("lid", Plane{{0, 0, 4 * r - 3 * squeezed}, {0, 0, -1}}, 0)};
    return s;
}

// Between two wall balls, above and below it; the springs there begin unstretched, and it turns.
Setup between_wall_balls(Integrator integrator) {
    Setup s = column(integrator, LawSettings::Type::linear, 1);
    const double squeezed = 1e-5;
    NewBody b = ball(0, {0, 0, 0}, r, density);
    s.start = shares_of({b}, {{b.id, wall_ball_partner(0), {1e-6, -2e-6, 0}},
                              {b.id, rolling_spring(wall_ball_partner(0)), {3e-4, 2e-4, 0}}});
    for (Wall& w : s.walls) w.shape = Plane{{0, 0, -0.025}, {0, 0, 1}};
    s.wall_balls = {{{0, 0, 2 * r - squeezed}, r, 0, 0, 0}, {{0, 0, squeezed - 2 * r}, r, 1, 0, 0}};
    s.walls_of_balls = {1, 1};
    return s;
}

// A plate that shakes the ball along x and z, from rest: its ramp lasts longer than the test.
Setup shaken(Integrator integrator, double restitution) {
    Setup s = on_plane(integrator, restitution, 50, {}, {}, {});
    WallMotion m;
    m.name = "shake", m.type = WallMotion::Type::vibrate, m.along = {2e-5, 1e-5, 1e-5}, m.frequency = 150,
    m.ramp = 0.02;
    s.motions = {m};
    s.walls[0].motion = 0;
    return s;
}

// A plate that turns under the ball off its axis, from rest.
Setup turned_about_z(Integrator integrator) {
    Setup s = on_plane(integrator, 0.8, 50, {}, {}, {});
    WallMotion m;
    m.name = "turn", m.type = WallMotion::Type::swing, m.point = {0.01, 0.005, 0}, m.axis = {0, 0, 1},
    m.angular = 0.002;
    m.frequency = 150, m.ramp = 0.02;
    s.motions = {m};
    s.walls[0].motion = 0;
    return s;
}

}  // namespace

TEST(SpringSwings, TangentialOrder) {
    const auto verlet = [](int n) { return tangential_error(Integrator::verlet, 0, n); };
    const auto gear = [](int n) { return tangential_error(Integrator::gear, 0, n); };
    EXPECT_NEAR(order(verlet(80), verlet(160)), 2, 0.1);
    EXPECT_GT(order(gear(80), gear(160)), 2.9);
    EXPECT_LT(gear(80), 0.2 * verlet(80));
}

TEST(SpringSwings, TangentialOrderWithDamping) {
    const auto verlet = [](int n) { return tangential_error(Integrator::verlet, 0.1, n); };
    const auto gear = [](int n) { return tangential_error(Integrator::gear, 0.1, n); };
    EXPECT_NEAR(order(verlet(160), verlet(320)), 1, 0.2);
    EXPECT_NEAR(order(gear(160), gear(320)), 3, 0.3);
}

TEST(SpringSwings, RollingOrder) {
    const auto verlet = [](int n) { return rolling_error(Integrator::verlet, n); };
    const auto gear = [](int n) { return rolling_error(Integrator::gear, n); };
    EXPECT_NEAR(order(verlet(80), verlet(160)), 2, 0.1);
    EXPECT_GT(order(gear(80), gear(160)), 2.9);
    EXPECT_LT(gear(80), 0.2 * verlet(80));
}

// Without a damper nothing is lost. The predictor-corrector loses 65e-6 in 36 periods of 68 steps each; with springs
// that grow by v dt it kept no more than a hundredth.
TEST(SpringSwings, KeepTheirAmplitude) {
    for (const Integrator integrator : {Integrator::verlet, Integrator::gear}) {
        SCOPED_TRACE(integrator == Integrator::gear ? "gear" : "verlet");
        const Tangential t = tangential(integrator, 0);
        EXPECT_NEAR(kept(t.setup, t.omega, [](const BallState& b) { return b.force.x; }), 1, 2e-3);
        const Rolling a = rolling(integrator);
        EXPECT_NEAR(kept(a.setup, a.omega, [](const BallState& b) { return b.torque.y; }), 1, 2e-3);
    }
}

TEST(SpringSwings, TwoBallsPressedTogether) {
    const auto of = [](Integrator integrator, LawSettings::Type type, double restitution) {
        return order_by_halving([=] { return column(integrator, type, restitution); }, 1e-3, 160);
    };
    for (const auto type : {LawSettings::Type::linear, LawSettings::Type::hertz_mindlin}) {
        SCOPED_TRACE(type == LawSettings::Type::linear ? "linear" : "Hertz");
        EXPECT_NEAR(of(Integrator::verlet, type, 1), 2, 0.2);
        EXPECT_GT(of(Integrator::gear, type, 1), 2.8);
    }
}

TEST(SpringSwings, BetweenWallBalls) {
    const auto of = [](Integrator integrator) {
        return order_by_halving([=] { return between_wall_balls(integrator); }, 1e-3, 160);
    };
    EXPECT_NEAR(of(Integrator::verlet), 2, 0.2);
    EXPECT_GT(of(Integrator::gear), 2.8);
}

TEST(SpringSwings, AShakenPlate) {
    const auto of = [](Integrator integrator, double restitution) {
        return order_by_halving([=] { return shaken(integrator, restitution); }, 0.01, 1000);
    };
    EXPECT_NEAR(of(Integrator::verlet, 1), 2, 0.2);
    EXPECT_GT(of(Integrator::gear, 1), 2.8);
    EXPECT_LT(of(Integrator::verlet, 0.7), 1.7);  // on its way from second order to first
    EXPECT_NEAR(of(Integrator::gear, 0.7), 3, 0.3);
}

TEST(SpringSwings, APlateThatTurns) {
    const auto make = [](Integrator integrator) { return [=] { return turned_about_z(integrator); }; };
    EXPECT_GT(order_by_halving(make(Integrator::gear), 0.01, 1000), 1.9);
    EXPECT_GT(order_by_halving(make(Integrator::verlet), 0.01, 1000), 0.8);
}
