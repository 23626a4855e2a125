// Balls on walls of balls: the force of a contact against its formula, a ball at rest in a hollow, loads that carry the
// weight, a gate that opens, and the same bits on any number of ranks.
#include <gtest/gtest.h>
#include <cmath>
#include "support/busy_net.hpp"
#include "support/few_balls.hpp"
#include "support/given_bodies.hpp"
#include "support/story.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

Simulation alone(Setup s) {
    return Simulation(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_attach), std::move(s));
}

// One wall ball below a moving one: a linear spring of both gives k overlap along the line of centres, whatever the
// wall's mass.
TEST(WallBalls, ForceIsThatOfTheLaw) {
    const double k = 1000, r = 0.01, rw = 0.02, overlap = 1e-4;
    const Vec3d n = unit({1, 2, 3});
    granary::Setup s = few_balls(box(0.2), 1e-6, {ball(0, (r + rw - overlap) * n, r, 1000)});
    s.materials = {linear_material("grain", 2 * k, 1000, 1, 0)};
    s.law.type = LawSettings::Type::linear;
    s.walls = {make_wall("net", Disc{{0, 0, -0.1}, {0, 0, 1}, 0.05}, 0)};
    s.walls_of_balls = {1};
    s.wall_balls = {{{0, 0, 0}, rw, 0, 0, 0}};
    Simulation sim = alone(s);
    const BallState b = state_of(sim, 0);
    EXPECT_NEAR(norm(b.force), k * overlap, 1e-9 * k * overlap);
    EXPECT_NEAR(dot(b.force, n), k * overlap, 1e-9 * k * overlap);
    const std::vector<WallLoad> loads = loads_after_a_step(sim);
    ASSERT_EQ(loads.size(), 1u);
    EXPECT_NEAR(dot(loads[0].force, n), -k * overlap, 1e-3 * k * overlap);
    // An elastic hit: it leaves as fast as it came. The period of the spring says that the mass is the ball's alone.
    granary::Setup hit = s;
    hit.start = shares_of({ball(0, (r + rw + 1e-9) * n, r, 1000, -0.1 * n)});
    hit.dt = 1e-6;
    Simulation bounce = alone(hit);
    const double m = state_of(bounce, 0).mass, half_period = M_PI * std::sqrt(m / k);
    double deepest = 0;
    for (int step = 0; step * hit.dt < 1.2 * half_period; ++step) {
        bounce.step();
        deepest = std::max(deepest, r + rw - norm(state_of(bounce, 0).x));
    }
    EXPECT_NEAR(deepest, 0.1 * std::sqrt(m / k), 1e-3 * deepest);
    EXPECT_NEAR(dot(state_of(bounce, 0).v, n), 0.1, 1e-4);
}

// A ball with friction set down off the top of a wall ball rolls: at the contact, arm and velocity go together. Angular
// momentum about the wall ball's centre comes from gravity alone, so energy is kept while it rolls without sliding.
TEST(WallBalls, ABallRollsOffAWallBall) {
    const double r = 0.01, rw = 0.05, tilt = 0.2;
    granary::Setup s =
        few_balls(box(0.2), 2e-6, {ball(0, (r + rw - 2e-6) * Vec3d{std::sin(tilt), 0, std::cos(tilt)}, r, 1000)});
    s.gravity = {0, 0, -9.81};
    s.materials = {linear_material("grain", 4e4, 1000, 0.5, 1.0)};
    s.law.type = LawSettings::Type::linear;
    s.walls = {make_wall("net", Disc{{0, 0, -0.1}, {0, 0, 1}, 0.05}, 0)};
    s.walls_of_balls = {1};
    s.wall_balls = {{{0, 0, 0}, rw, 0, 0, 0}};
    Simulation sim = alone(s);
    const double height = state_of(sim, 0).x.z;
    run(sim, 50'000);  // 0.1 s
    const BallState b = state_of(sim, 0);
    const double fallen = height - b.x.z, kinetic = 0.5 * dot(b.v, b.v) + 0.5 * 0.4 * r * r * dot(b.spin, b.spin);
    EXPECT_GT(fallen, 1e-3);
    EXPECT_NEAR(kinetic / (9.81 * fallen), 1, 0.02);
    EXPECT_NEAR(norm(b.spin) * r / norm(b.v), 1, 0.02);  // rolls: v = omega r
}

// Friction and rolling at the net, sizes by a sieve curve, two materials, a flow by mass; with cuts as they come and
// with wild ones.
TEST(WallBalls, SameBitsOnAnyNumberOfRanks) {
    const boost::mpi::communicator world;
    for (const LawSettings::Type law : {LawSettings::Type::hertz_mindlin, LawSettings::Type::kelvin_voigt}) {
        for (const bool wild : {false, true}) {
            const auto story = [&](const boost::mpi::communicator& comm) {
                granary::Setup s = busy_net();
                s.law.type = law;
                s.materials[0].rolling_friction = s.materials[1].rolling_friction = 0.1;
                if (law != LawSettings::Type::kelvin_voigt) s.law.rolling = LawSettings::Rolling::spring;
                s.energy = true;
                if (wild) s.choose_cuts = shaken_cuts;
                Simulation sim(comm, s);
                std::vector<WallLoad> loads;
                for (int step = 0; step < 900; ++step) {
                    if (step == 600) loads = loads_after_a_step(sim), sim.open_wall(1);
                    else sim.step();
                }
                EXPECT_NE(loads[1].force.z, 0);
                EXPECT_NEAR(sim.inserter().mass()[0], 8e-3, 1e-12);  // the flow has ended
                return std::pair(digest_of(sim),
                                 std::array{loads[1].force.x, loads[1].force.z, loads[1].torque.y,
                                            energy_balance_of(sim).damped, energy_balance_of(sim).elastic});
            };
            const auto together = story(world);
            const auto by_itself = story(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_attach));
            EXPECT_EQ(together.first.hex(), by_itself.first.hex());
            EXPECT_EQ(together.second, by_itself.second);
        }
    }
}

// They are no bodies: a wall of balls that nobody reaches leaves arrays, order, rebuilds and motion what they are
// without it. And they are sorted once: the list stays where and as it was made.
TEST(WallBalls, TakeNoPartInTheSort) {
    granary::Setup plain = busy_box(), with_net = busy_box();
    with_net.walls.push_back(make_wall("net", Rectangle{{0.06, 0.05, 0.149}, {0.05, 0, 0}, {0, 0.05, 0}}, 0));
    with_net.walls_of_balls = {0, 1};
    add_wall_balls(with_net.walls[1], 1, {0.002, 2e-3, 2.6e-3, {0.03, 0.025, 0.1}, 5}, with_net.wall_balls);
    ASSERT_GT(with_net.wall_balls.size(), 500u);
    const boost::mpi::communicator world;
    Simulation a(world, plain), b(world, with_net);
    const WallBall* const place = b.forces().wall_balls.balls().data();
    std::vector<std::uint32_t> order;
    for (const WallBall& w : b.forces().wall_balls.balls()) order.push_back(w.number);
    for (int step = 0; step < 600; ++step) {
        a.step(), b.step();
        ASSERT_EQ(a.bodies().size, b.bodies().size);
    }
    EXPECT_GT(events_of(b).rebuilds, 10u);
    EXPECT_EQ(events_of(a).rebuilds, events_of(b).rebuilds);
    EXPECT_EQ(digest_of(a).hex(), digest_of(b).hex());
    EXPECT_EQ(b.forces().wall_balls.balls().data(), place);
    for (std::size_t k = 0; k < order.size(); ++k) ASSERT_EQ(b.forces().wall_balls.balls()[k].number, order[k]);
}

// Grain comes to rest in a bin of wall balls, and the loads on its parts add up to the weight; when the floor opens it
// falls.
TEST(WallBalls, LoadsCarryTheWeight) {
    granary::Setup s;
    s.domain = {{-0.05, -0.05, -0.03}, {0.05, 0.05, 0.12}, {}};
    s.gravity = {0, 0, -9.81};
    s.dt = 5e-5;
    Material grain = linear_material("grain", 2e4, 2000, 0.3, 0.4);
    s.materials = {grain};
    s.law.type = LawSettings::Type::linear;
    s.walls = {make_wall("shell", Cylinder{{0, 0, 0}, {0, 0, 0.1}, 0.03}, 0),
               make_wall("floor", Disc{{0, 0, 0}, {0, 0, 1}, 0.03}, 0)};
    s.walls_of_balls = {1, 1};
    const WallBallNet net{0.008, 4e-3, 4.5e-3, {0, 0, 0.05}, 1};
    for (std::uint32_t w = 0; w < 2; ++w) add_wall_balls(s.walls[w], w, net, s.wall_balls);
    Lattice l;
    l.lower = {-0.0201, -0.0201, 0.005}, l.upper = {0.0201, 0.0201, 0.06}, l.spacing = 0.01;
    l.balls = {4e-3, 4.8e-3, 2000, 0, {}};
    l.jitter = 1;
    s.largest_radius = 4.8e-3, s.skin = 1e-3;
    s.start = given([&](const auto& sink) { for_each(l, 1, sink); });
    s.energy = true;
    Simulation sim(boost::mpi::communicator{}, s);
    const double mass = measures_of(sim).mass;
    run(sim, 8000);
    const EnergyBalance e = energy_balance_of(sim);  // closes only if the contacts with wall balls are in it
    EXPECT_GT(e.damped, 0);
    EXPECT_LT(std::abs(e.residual()), 0.02 * e.in);
    // What the walls feel over a while is the weight, and what the grain still loses of its momentum.
    const int steps = 1000;
    Vec3d shell, floor;
    const double before = measures_of(sim).momentum.z;
    for (int step = 0; step < steps; ++step) {
        const std::vector<WallLoad> loads = loads_after_a_step(sim);
        shell += loads[0].force, floor += loads[1].force;
    }
    EXPECT_LT(shell.z, 0);  // the shell carries a part
    EXPECT_LT(floor.z, 0);
    const double weight = 9.81 * mass, slowed = (measures_of(sim).momentum.z - before) / (steps * s.dt);
    EXPECT_NEAR((shell.z + floor.z) / steps, -weight - slowed, 1e-3 * weight);
    EXPECT_NEAR((shell.z + floor.z) / steps, -weight, 0.05 * weight);
    sim.open_wall(1);
    run(sim, 200);
    EXPECT_LT(measures_of(sim).momentum.z, -0.2 * 9.81 * mass * 200 * s.dt);
}

}  // namespace
