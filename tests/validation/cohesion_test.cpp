// Kelvin-Voigt with cohesion, Lazarevic et al. (2002), eqs (20)-(22): the pull k gap acts on partners that move apart,
// up to N_max.
#include <gtest/gtest.h>
#include <cmath>
#include "support/few_balls.hpp"
#include "engine/measures.hpp"
#include "support/given_bodies.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double g = 9.81, radius = 3e-3, density = 2500;

struct Pull {
    double stiffness, damping, cohesion;  // N/m, N s/m, N
};

Material plain(const std::string& name) {
    Material m;
    m.name = name, m.density = density, m.stiffness = 1000, m.damping = 0;
    return m;
}

PairOverride pair(const std::string& a, const std::string& b, const Pull& bond) {
    PairOverride o;
    o.first = a, o.second = b;
    o.stiffness = bond.stiffness, o.damping = bond.damping, o.cohesion = bond.cohesion;
    return o;
}

// Two balls that just touch and fly apart, each with half the speed; along no axis.
const Vec3d direction = unit({2, -1, 3});
Setup parting(const Pull& bond, double speed, double dt) {
    Setup s = few_balls(box(0.1), dt,
                        {ball(0, radius * direction, radius, density, 0.5 * speed * direction),
                         ball(1, -radius * direction, radius, density, -0.5 * speed * direction)});
    s.law.type = LawSettings::Type::kelvin_voigt;
    s.materials = {plain("grain")};
    s.pairs = {pair("grain", "grain", bond)};
    return s;
}
double gap(const Simulation& sim) { return norm(state_of(sim, 0).x - state_of(sim, 1).x) - 2 * radius; }

const double half_mass = 0.5 * make_ball(0, {}, radius, density, 0, {}).mass;  // effective

}  // namespace

// The bond takes up N_max^2/(2 k). Faster pairs tear and fly on with what is left.
TEST(Cohesion, PartingBallsHoldOrTear) {
    const Pull bond{200, 0.01, 0.02};
    const double limit = bond.cohesion / std::sqrt(bond.stiffness * half_mass), reach = bond.cohesion / bond.stiffness;
    const double dt = 1e-3 * std::sqrt(half_mass / bond.stiffness);
    for (const double share : {0.3, 0.9, 0.99}) {
        SCOPED_TRACE(share);
        const double speed = share * limit;
        Simulation sim(boost::mpi::communicator(), parting(bond, speed, dt));
        double widest = 0;
        for (int k = 0; k < 20000; ++k) {
            sim.step();
            widest = std::max(widest, gap(sim));
        }
        EXPECT_NEAR(widest, share * reach, 3e-3 * reach);  // the pull is felt half a step late
        EXPECT_LE(gap(sim), widest);
        EXPECT_LT(norm(state_of(sim, 0).v - state_of(sim, 1).v), 0.01 * limit);
    }
    for (const double share : {1.01, 1.2, 3.0}) {
        SCOPED_TRACE(share);
        const double speed = share * limit;
        Simulation sim(boost::mpi::communicator(), parting(bond, speed, dt));
        run(sim, 20000);
        EXPECT_GT(gap(sim), 1.5 * reach);
        const double left = std::sqrt(speed * speed - limit * limit);
        EXPECT_NEAR(dot(state_of(sim, 0).v - state_of(sim, 1).v, direction) / left, 1, 0.02);
        EXPECT_EQ(state_of(sim, 0).force, (Vec3d{}));
    }
}

// A reach of half a radius and a skin of a hundredth: the list of candidates must look that far, through many rebuilds.
TEST(Cohesion, PullsAcrossAWideGap) {
    const Pull bond{200, 0.01, 0.5 * radius * 200};
    const double limit = bond.cohesion / std::sqrt(bond.stiffness * half_mass), reach = bond.cohesion / bond.stiffness;
    auto s = parting(bond, 2 * limit, 1e-3 * std::sqrt(half_mass / bond.stiffness));
    s.skin = 0.01 * radius;
    Simulation sim(boost::mpi::communicator(), s);
    int pulled = 0, free = 0;
    while (gap(sim) < 1.5 * reach) {
        sim.step();
        const double now = gap(sim);
        if (std::abs(now - reach) < 1e-9 * reach) continue;
        const double pull = -dot(state_of(sim, 0).force, direction),
                     expected = now < reach ? bond.stiffness * now : 0.0;
        ASSERT_NEAR(pull, expected, 1e-9 * bond.cohesion) << now / reach;
        ++(now < reach ? pulled : free);
        ASSERT_LT(sim.clock().step(), 100000u);
    }
    EXPECT_GT(pulled, 300);
    EXPECT_GT(free, 100);
    EXPECT_GT(events_of(sim).rebuilds, 50u);
    EXPECT_GE(sim.neighbourhood().cubes.edge.x, 2 * radius + reach + s.skin);
}

TEST(Cohesion, DoesNotDrawApproachingBallsTogether) {
    const Pull bond{200, 0.0, 0.5 * radius * 200};
    auto s = parting(bond, -0.1, 1e-5);
    s.start = changed(s, [](NewBody& b) { b.position += 0.2 * radius * unit(b.position); });
    Simulation sim(boost::mpi::communicator(), s);
    while (gap(sim) > 0) {
        ASSERT_EQ(state_of(sim, 0).force, (Vec3d{})) << gap(sim);
        sim.step();
        ASSERT_LT(sim.clock().step(), 100000u);
    }
    run(sim, 3);
    EXPECT_GT(dot(state_of(sim, 0).force, direction), 0);
}

// A weight hung on at once falls to twice the static stretch: it is held if that is within reach, W <= N_max/2. Then it
// hangs there: as often as it begins to move up the pull is off, and the mean of on and off carries the weight.
TEST(Cohesion, HangingBallIsHeldUpToHalfTheCohesion) {
    const NewBody hanging = ball(0, {0, 0, -radius}, radius, density);
    const double weight = hanging.mass * g, k = 50;
    for (const double load : {0.2, 0.45, 0.55, 0.9}) {
        SCOPED_TRACE(testing::Message() << "weight " << load << " of the cohesion, under a ceiling");
        auto s = few_balls({{-0.02, -0.02, -0.5}, {0.02, 0.02, 0.02}, {}}, 1e-5, {hanging});
        s.gravity = {0, 0, -g};
        s.law.type = LawSettings::Type::kelvin_voigt;
        s.materials = {plain("grain"), rigid_wall(1, 0)};
        s.pairs = {pair("grain", "rigid", {k, 0.01, weight / load})};
        s.walls = {make_wall("ceiling", Plane{{0, 0, 0}, {0, 0, -1}}, 1)};
        Simulation sim(boost::mpi::communicator(), s);
        run(sim, 20000);
        const double gap_now = -state_of(sim, 0).x.z - radius;
        if (load < 0.5) {
            EXPECT_NEAR(gap_now / (2 * weight / k), 1, 0.02);
        } else {
            EXPECT_GT(gap_now, 0.1);  // fell for 0.2 s
        }
    }
}

// The same between two balls: a large one rests on the edges of two plates, the small one hangs below it.
TEST(Cohesion, BallHangingFromABallIsHeldUpToHalfTheCohesion) {
    const double large = 9e-3, half_slot = 5e-3, k = 50, stiff = 1e5;
    for (const double load : {0.45, 0.55}) {
        SCOPED_TRACE(testing::Message() << "weight " << load << " of the cohesion");
        NewBody upper = ball(0, {}, large, density, {}, {}, 0), lower = ball(1, {}, radius, density, {}, {}, 1);
        const double weight = lower.mass * g, both = weight + upper.mass * g;
        const double lean = std::sqrt(1 - std::pow(half_slot / large, 2));
        const double to_edge = large - both / (2 * stiff * lean);  // two edges carry both balls
        upper.position.z = std::sqrt(to_edge * to_edge - half_slot * half_slot);
        lower.position.z = upper.position.z - large - radius;
        auto s = few_balls({{-0.03, -0.03, -0.5}, {0.03, 0.03, 0.05}, {}}, 1e-5, {upper, lower});
        s.gravity = {0, 0, -g};
        s.law.type = LawSettings::Type::kelvin_voigt;
        s.materials = {plain("large"), plain("small"), rigid_wall(1, 0)};
        s.pairs = {pair("large", "small", {k, 0.01, weight / load}), pair("large", "rigid", {stiff, 5, 0})};
        s.walls = {make_wall("right", Rectangle{{half_slot, -0.02, 0}, {0.01, 0, 0}, {0, 0.04, 0}}, 2),
                   make_wall("left", Rectangle{{-half_slot - 0.01, -0.02, 0}, {0.01, 0, 0}, {0, 0.04, 0}}, 2)};
        Simulation sim(boost::mpi::communicator(), s);
        run(sim, 20000);
        const BallState a = state_of(sim, 0), b = state_of(sim, 1);
        const double gap_now = norm(a.x - b.x) - large - radius;
        EXPECT_NEAR(a.x.z, upper.position.z, 1e-6);
        EXPECT_NEAR(b.x.x, 0, 1e-9);
        if (load < 0.5) {
            EXPECT_NEAR(gap_now / (2 * weight / k), 1, 0.02);
        } else {
            EXPECT_GT(gap_now, 0.1);
        }
    }
}
