// What contacts cannot change: momentum, angular momentum, and without damping and friction energy.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <vector>
#include "support/few_balls.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

struct Totals {
    Vec3d momentum, angular;  // about the origin
    double kinetic = 0;
};

Totals totals(const Simulation& sim) {
    Totals t;
    for (const Range& range : sim.bodies().real)
        for (Index i = range.begin; i < range.end; ++i) {
            const BallState b = state_at(sim, i);
            const double inertia = 1.0 / sim.bodies().spin(i, 3);
            t.momentum += b.mass * b.v;
            t.angular += b.mass * cross(b.x, b.v) + inertia * b.spin;
            t.kinetic += 0.5 * b.mass * dot(b.v, b.v) + 0.5 * inertia * dot(b.spin, b.spin);
        }
    return t;
}

// Of all pairs of equal balls, images across periodic faces included: 2/5 k delta^(5/2).
double elastic_energy(const Simulation& sim, double k) {
    double energy = 0;
    const Bodies& b = sim.bodies();
    const Domain& d = sim.setup().domain;
    std::vector<Index> all;
    for (const Range& range : b.real)
        for (Index i = range.begin; i < range.end; ++i) all.push_back(i);
    for (std::size_t p = 0; p < all.size(); ++p)
        for (std::size_t q = 0; q < p; ++q) {
            Vec3d x = b.x(all[p]) - b.x(all[q]);
            for (int axis = 0; axis < 3; ++axis) {
                const double length = at(d.upper, axis) - at(d.lower, axis);
                if (d.periodic[axis]) at(x, axis) -= length * std::round(at(x, axis) / length);
            }
            const double overlap = b.radius(all[p]) + b.radius(all[q]) - norm(x);
            if (overlap > 0) energy += 0.4 * k * std::pow(overlap, 2.5);
        }
    return energy;
}

}  // namespace

// Forces on the partners are equal and opposite and their arms meet in one point, so the sums change by rounding alone:
// some 1e-16 of the largest term at each of 4000 steps, as a random walk 1e-14, at worst 1e-12. Positions are rounded
// to their lattice: at each step a ball's angular momentum may change by m |v| q sqrt(3)/2, always to the same side
// while the velocity is constant.
TEST(Conservation, MomentumAndAngularMomentumOfAnObliqueHitWithFriction) {
    for (const auto type : {LawSettings::Type::hertz_mindlin, LawSettings::Type::linear}) {
        Material m = hertz_material("grain", 5e6, 0.3, 2500, 0.6, 0.4);
        m.stiffness = 2000;
        const Vec3d place{0.01, -0.02, 0.015};
        const std::vector<NewBody> balls{
            ball(0, place, 4e-3, 2500, {1.0, 0.3, -0.4}, {50, -100, 150}),
            ball(1, place + 7.001e-3 * unit({1, 0.6, -0.2}), 3e-3, 2500, {-0.5, -0.6, 0.2}, {-300, 80, 20})};
        auto s = few_balls(box(0.1), 1e-6, balls);
        s.materials = {m};
        s.law.type = type;
        Simulation sim(boost::mpi::communicator(), s);
        const Totals before = totals(sim);
        const Vec3d spin = state_of(sim, 0).spin;
        double rounding_a_step = 0;
        for (const NewBody& b : balls) rounding_a_step += sim.motion().lattice.step() * b.mass * norm(b.velocity);
        EXPECT_LT(4000 * rounding_a_step, 1e-10 * norm(before.angular));
        bool touched = false;
        for (int k = 0; k < 4000; ++k) {
            sim.step();
            touched |= norm(state_of(sim, 0).torque) > 0;
            if (k % 100 != 0) continue;
            const Totals now = totals(sim);  // also in the midst of the contact
            EXPECT_LT(norm(now.momentum - before.momentum), 1e-12 * norm(before.momentum)) << k;
            EXPECT_LT(norm(now.angular - before.angular), 1e-12 * norm(before.angular) + k * rounding_a_step) << k;
        }
        EXPECT_TRUE(touched);
        EXPECT_EQ(state_of(sim, 0).force, (Vec3d{}));  // it is over
        EXPECT_GT(norm(state_of(sim, 0).spin - spin), 1);
        const Totals after = totals(sim);
        EXPECT_LT(after.kinetic, 0.95 * before.kinetic);
        EXPECT_LT(norm(measures_of(sim).momentum - before.momentum), 1e-12 * norm(before.momentum));
        EXPECT_NEAR(measures_of(sim).kinetic_energy, after.kinetic, 1e-12 * after.kinetic);
    }
}

// Leapfrog does not drift: the energy error of a hit is of second order in the step, at 200 steps a contact below 1e-4
// in the midst, and much less at the end, for what is lost going in is found coming out.
TEST(Conservation, EnergyOfOneElasticHit) {
    const double r = 3e-3;
    const Material m = hertz_material("grain", 5e6, 0.3, 2500, 1, 0);
    const double k = hertz_stiffness(m, m, r / 2);
    const std::vector<NewBody> balls{ball(0, {0, 0, 0}, r, 2500, {0.9, 0.3, 0}, {5, 6, 7}),
                                     ball(1, 2.001 * r * unit({1, 0.6, -0.2}), r, 2500, {-0.5, -0.6, 0.2})};
    auto s = few_balls(box(0.1), 2e-6, balls);
    s.materials = {m};
    Simulation sim(boost::mpi::communicator(), s);
    const double before = totals(sim).kinetic;
    double least = before;
    for (int step = 0; step < 1000; ++step) {
        sim.step();
        const double now = totals(sim).kinetic;
        least = std::min(least, now);
        ASSERT_NEAR((now + elastic_energy(sim, k)) / before, 1, 1e-4) << step;
    }
    EXPECT_LT(least, 0.5 * before);  // it was a real hit
    EXPECT_EQ(elastic_energy(sim, k), 0);
    EXPECT_NEAR(totals(sim).kinetic / before, 1, 1e-6);
    // Nothing turns a ball without friction but the rounding of n x (f n).
    EXPECT_LT(norm(state_of(sim, 0).spin - Vec3d{5, 6, 7}), 1e-12);
}

// A gas in a box that is periodic all around: hundreds of hits, many of them across faces.
TEST(Conservation, EnergyAndMomentumOfAnElasticGas) {
    const double r = 3e-3;
    const Material m = hertz_material("grain", 5e6, 0.3, 2500, 1, 0);
    const double k = hertz_stiffness(m, m, r / 2);
    RandomLoose packing;
    packing.lower = {0, 0, 0}, packing.upper = {0.03, 0.03, 0.03}, packing.count = 60;
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
    auto s = few_balls({packing.lower, packing.upper, packing.periodic}, 4e-6, balls);
    s.materials = {m};
    Simulation sim(boost::mpi::communicator(), s);
    const Totals before = totals(sim);
    double scale = 0;  // of momentum
    for (const NewBody& b : balls) scale += b.mass * norm(b.velocity);
    double worst = 0, most_elastic = 0;
    for (int step = 1; step <= 20000; ++step) {
        sim.step();
        if (step % 50 != 0) continue;
        const double elastic = elastic_energy(sim, k);
        most_elastic = std::max(most_elastic, elastic);
        worst = std::max(worst, std::abs(totals(sim).kinetic + elastic - before.kinetic));
    }
    EXPECT_LT(worst, 1e-3 * before.kinetic);  // 100 steps a contact: (pi/100)^2 of the elastic share
    EXPECT_GT(most_elastic, 0.05 * before.kinetic);
    EXPECT_GT(events_of(sim).wraps, 100u);
    EXPECT_LT(norm(totals(sim).momentum - before.momentum), 1e-12 * scale);
}
