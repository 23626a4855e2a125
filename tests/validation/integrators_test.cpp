// The order of the integrators: two balls that swing in a linear contact against the closed form, over halved steps.
#include <gtest/gtest.h>
#include <cmath>
#include "support/few_balls.hpp"
#include "support/validation_data.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double r = 5e-3, k = 1e4, squeezed = 1e-4,
                 last = 1.2;  // m, N/m, m; last: omega times the end, before they part at pi/2

struct Errors {
    double overlap, velocity;  // relative to their largest values
};

// Pressed together and let go: the overlap is that of a free swing, damped or not. At rest, or while they part with
// `parting`, in units of omega times the overlap.
Errors swing(Integrator integrator, double zeta, int steps, double parting = 0) {
    const double e = zeta > 0 ? std::exp(-M_PI * zeta / std::sqrt(1 - zeta * zeta)) : 1.0;
    Material m = linear_material("grain", 2 * k, 2500, e, 0);
    NewBody a = ball(0, {0, 0, 0}, r, 2500), b = ball(1, {0, 0, 2 * r - squeezed}, r, 2500);
    const double omega = std::sqrt(k / (0.5 * a.mass));
    b.velocity.z = parting * omega * squeezed;
    auto s = few_balls(box(0.03), last / omega / steps, {a, b});
    s.materials = {m};
    s.law.type = LawSettings::Type::linear;
    s.integrator = integrator;
    Simulation sim(boost::mpi::communicator(), s);
    run(sim, static_cast<std::uint64_t>(steps));
    const BallState low = state_of(sim, 0), high = state_of(sim, 1);
    const double t = last, w = std::sqrt(1 - zeta * zeta), fade = std::exp(-zeta * t);
    const double overlap = squeezed * fade * (std::cos(w * t) + (zeta - parting) / w * std::sin(w * t));
    const double speed =
        squeezed * omega * fade * (parting * std::cos(w * t) + (1 - zeta * parting) / w * std::sin(w * t));
    return {std::abs(2 * r - (high.x.z - low.x.z) - overlap) / squeezed,
            std::abs(high.v.z - low.v.z - speed) / (squeezed * omega)};
}

double order(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace

TEST(Integrators, VerletIsOfSecondOrder) {
    const Errors a = swing(Integrator::verlet, 0, 20), b = swing(Integrator::verlet, 0, 40),
                 c = swing(Integrator::verlet, 0, 80);
    EXPECT_NEAR(order(a.overlap, b.overlap), 2, 0.05);
    EXPECT_NEAR(order(b.overlap, c.overlap), 2, 0.05);
    EXPECT_NEAR(order(b.velocity, c.velocity), 2, 0.05);
}

// Its damper sees the velocity of half a step before.
TEST(Integrators, VerletIsOfFirstOrderWithDamping) {
    const Errors b = swing(Integrator::verlet, 0.2, 80), c = swing(Integrator::verlet, 0.2, 160);
    EXPECT_NEAR(order(b.velocity, c.velocity), 1, 0.2);
}

TEST(Integrators, GearIsOfThirdOrder) {
    const Errors a = swing(Integrator::gear, 0, 20), b = swing(Integrator::gear, 0, 40),
                 c = swing(Integrator::gear, 0, 80);
    EXPECT_GT(order(a.overlap, b.overlap), 2.9);  // positions are a little better
    EXPECT_GT(order(b.overlap, c.overlap), 2.9);
    EXPECT_NEAR(order(b.velocity, c.velocity), 3, 0.15);
    EXPECT_LT(c.overlap, 0.2 * swing(Integrator::verlet, 0, 80).overlap);
}

// Let go at that speed at which spring and damper together have no rate for a moment: what it takes for its start is
// then true.
TEST(Integrators, GearIsOfThirdOrderWithDamping) {
    const double zeta = 0.2, parting = -2 * zeta / (1 - 4 * zeta * zeta);
    const Errors b = swing(Integrator::gear, zeta, 40, parting), c = swing(Integrator::gear, zeta, 80, parting),
                 d = swing(Integrator::gear, zeta, 160, parting);
    EXPECT_NEAR(order(b.overlap, c.overlap), 3, 0.3);
    EXPECT_NEAR(order(c.overlap, d.overlap), 3, 0.2);
    EXPECT_NEAR(order(c.velocity, d.velocity), 3, 0.2);
}

// Let go with a damper the rate of the acceleration is not zero, and the start does not know it: of second order then.
TEST(Integrators, GearIsOfSecondOrderWithDampingFromAStandingStart) {
    const Errors b = swing(Integrator::gear, 0.2, 40), c = swing(Integrator::gear, 0.2, 80);
    EXPECT_NEAR(order(b.velocity, c.velocity), 2, 0.2);
    EXPECT_LT(c.velocity, 0.1 * swing(Integrator::verlet, 0.2, 80).velocity);
}

// The same over many halvings: the slope of the error over the step, by least squares.
TEST(Integrators, OrdersOverManyHalvings) {
    struct Curve {
        const char* name;
        Integrator integrator;
        double zeta, order;
    };
    ValidationData data("integrators", "integrator,damping,steps,overlap_error,velocity_error");
    for (const Curve& c : {Curve{"Verlet", Integrator::verlet, 0, 2}, Curve{"Verlet", Integrator::verlet, 0.2, 1},
                           Curve{"Gear", Integrator::gear, 0, 3}, Curve{"Gear", Integrator::gear, 0.2, 2}}) {
        double n = 0, x = 0, y = 0, xx = 0, xy = 0;
        for (const int steps : {20, 40, 80, 160, 320}) {
            const Errors e = swing(c.integrator, c.zeta, steps);
            data.row(c.name, c.zeta, steps, e.overlap, e.velocity);
            const double log_step = -std::log(steps), log_error = std::log(e.velocity);
            ++n, x += log_step, y += log_error, xx += log_step * log_step, xy += log_step * log_error;
        }
        EXPECT_NEAR((n * xy - x * y) / (n * xx - x * x), c.order, 0.2) << c.name << ", damping " << c.zeta;
    }
}

// Free fall is exact, over a change of the step as well; a hit gives back its restitution.
TEST(Integrators, GearFallsAndBounces) {
    const double e = 0.6, h = 0.02;
    const Material m = hertz_material("grain", 5e6, 0.3, 2500, e, 0.5);
    auto s = few_balls(box(0.05), 1e-5, {ball(0, {0, 0, r + h}, r, 2500)});
    s.gravity = {0, 0, -9.81};
    s.integrator = Integrator::gear;
    s.materials = {m, rigid_wall(e, 0.5)};
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 1)};
    Simulation sim(boost::mpi::communicator(), s);
    run(sim, 2000);
    EXPECT_NEAR(state_of(sim, 0).x.z, r + h - 0.5 * 9.81 * 4e-4, 1e-12);
    sim.change_dt(2e-5);
    run(sim, 1000);
    EXPECT_NEAR(sim.clock().time(), 0.04, 1e-12);
    EXPECT_NEAR(state_of(sim, 0).x.z, r + h - 0.5 * 9.81 * 1.6e-3, 1e-12);
    EXPECT_NEAR(state_of(sim, 0).v.z, -9.81 * 0.04, 1e-11);
    sim.change_dt(1e-5);
    double highest = 0;
    bool rising = false;
    for (int step = 0; step < 12000; ++step) {
        sim.step();
        const BallState now = state_of(sim, 0);
        rising |= now.v.z > 0;
        if (rising) highest = std::max(highest, now.x.z - r);
        if (rising && now.v.z < 0) break;
    }
    EXPECT_NEAR(highest / (e * e * h), 1, 0.02);  // the contact lasts 0.6 ms of a fall of 64 ms
}
