// Balls at rest: a column carries its weight on its base and stays where it is.
#include <gtest/gtest.h>
#include <cmath>
#include <vector>
#include "support/few_balls.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double g = 9.81, density = 2500;
constexpr int n_balls = 8;

struct Tower {
    std::vector<NewBody> balls;
    double weight = 0;  // N
};

// Slightly unequal balls just above each other, each a little off the axis, this and that side in turn. All in one
// plane: in a smooth pipe nothing would stop a turn of the whole column about the axis.
Tower tower(double off_axis) {
    Tower c;
    double z = 0;
    for (int k = 0; k < n_balls; ++k) {
        const double r = 2.5e-3 * (1 - 0.01 * ((3 * k) % 7));
        c.balls.push_back(ball(static_cast<Id>(k), {k % 2 == 0 ? off_axis : -off_axis, 0, z + r}, r, density));
        z += 2 * r;
        c.weight += c.balls.back().mass * g;
    }
    return c;
}

Setup standing(const Tower& c, LawSettings::Type type, double wall_friction) {
    Material m = hertz_material("grain", 5e6, 0.3, density, 0.1, 0.5);
    m.stiffness = 2000;
    Setup s = few_balls({{-0.01, -0.01, -0.005}, {0.01, 0.01, 0.06}, {}}, 2e-5, c.balls);
    s.gravity = {0, 0, -g};
    s.law.type = type;
    s.materials = {m, rigid_wall(0.1, wall_friction)};
    s.pairs.emplace_back();
    s.pairs[0].first = "grain", s.pairs[0].second = "rigid", s.pairs[0].friction = wall_friction;
    s.walls = {make_wall("base", Disc{{0, 0, 0}, {0, 0, 1}, 5e-3}, 1)};
    return s;
}

Wall guide() { return make_wall("pipe", Cylinder{{0, 0, 0}, {0, 0, 0.06}, 2.7e-3}, 1); }

struct Snapshot {
    std::vector<Vec3d> x;
    double fastest = 0;
};
Snapshot snapshot(const Simulation& sim) {
    Snapshot s;
    for (Id id = 0; id < n_balls; ++id) {
        s.x.push_back(state_of(sim, id).x);
        s.fastest = std::max(s.fastest, norm(state_of(sim, id).v));
    }
    return s;
}
double farthest(const Snapshot& a, const Snapshot& b) {
    double d = 0;
    for (std::size_t k = 0; k < a.x.size(); ++k) d = std::max(d, norm(a.x[k] - b.x[k]));
    return d;
}

constexpr LawSettings::Type both_laws[] = {LawSettings::Type::hertz_mindlin, LawSettings::Type::linear};

}  // namespace

// Balanced on top of each other: nothing pushes sideways, and nothing may.
TEST(Stack, FreeColumnOnItsBase) {
    for (const auto type : both_laws) {
        const Tower c = tower(0);
        Simulation sim(boost::mpi::communicator(), standing(c, type, 0.5));
        run(sim, 50000);  // a second: the slowest swing of the column dies like exp(-20 t/s) or faster

        const Snapshot before = snapshot(sim);
        run(sim, 50000);
        EXPECT_LT(farthest(before, snapshot(sim)), 1e-12);
        const auto load = loads_after_a_step(sim);
        EXPECT_NEAR(load[0].force.z / -c.weight, 1, 1e-6);
        // Every contact carries what stands above it.
        double above = 0;
        for (int k = n_balls - 1; k >= 0; --k) {
            const BallState b = state_of(sim, static_cast<Id>(k));
            EXPECT_NEAR(b.force.z / (b.mass * g), 1, 1e-6) << k;
            EXPECT_EQ(b.x.x, 0);
            EXPECT_EQ(b.x.y, 0);
            above += b.mass * g;
            if (k == 0 || type == LawSettings::Type::linear) continue;
            const BallState under = state_of(sim, static_cast<Id>(k - 1));
            const Material& m = sim.setup().materials[0];
            const double stiffness = hertz_stiffness(m, m, b.radius * under.radius / (b.radius + under.radius));
            const double overlap = b.radius + under.radius - norm(b.x - under.x);
            EXPECT_NEAR(stiffness * std::pow(overlap, 1.5) / above, 1, 1e-6) << k;
        }
    }
}

// In a smooth pipe the balls lean on it, and it carries no weight.
TEST(Stack, ColumnInASmoothPipe) {
    for (const auto type : both_laws) {
        const Tower c = tower(5e-5);
        auto s = standing(c, type, 0.0);
        s.walls.push_back(guide());
        Simulation sim(boost::mpi::communicator(), s);
        run(sim, 50000);
        const Snapshot before = snapshot(sim);
        EXPECT_LT(before.fastest, 1e-9);
        run(sim, 50000);
        EXPECT_LT(farthest(before, snapshot(sim)), 1e-10);
        const auto load = loads_after_a_step(sim);
        EXPECT_NEAR(load[0].force.z / -c.weight, 1, 1e-6);
        EXPECT_NEAR(load[1].force.z, 0, 1e-6 * c.weight);
        EXPECT_NEAR(norm(Vec3d{load[1].force.x, load[1].force.y, 0}), 0,
                    1e-6 * c.weight);  // pushes on all sides cancel
        double leaning = 0;            // but they are there
        for (Id id = 0; id < n_balls; ++id)
            leaning = std::max(leaning, std::hypot(state_of(sim, id).x.x, state_of(sim, id).x.y));
        EXPECT_GT(leaning, 1e-4);
    }
}

// In a rough pipe friction takes its share; base and pipe together carry the weight.
TEST(Stack, ColumnInARoughPipe) {
    for (const auto type : both_laws) {
        const Tower c = tower(5e-5);
        auto s = standing(c, type, 0.4);
        s.walls.push_back(guide());
        Simulation sim(boost::mpi::communicator(), s);
        run(sim, 50000);
        const Snapshot before = snapshot(sim);
        EXPECT_LT(before.fastest, 1e-9);
        run(sim, 50000);
        EXPECT_LT(farthest(before, snapshot(sim)), 1e-10);
        const auto load = loads_after_a_step(sim);
        EXPECT_NEAR((load[0].force.z + load[1].force.z) / -c.weight, 1, 1e-6);
        EXPECT_GT(std::abs(load[1].force.z), 1e-3 * c.weight);  // up or down, as the first swing left it
        const Vec3d sideways = load[0].force + load[1].force;
        EXPECT_NEAR(std::hypot(sideways.x, sideways.y), 0, 1e-6 * c.weight);
        // The torque on the walls is that of the balls' weights about the origin.
        Vec3d torque{};
        for (Id id = 0; id < n_balls; ++id) torque += cross(state_of(sim, id).x, {0, 0, -g * state_of(sim, id).mass});
        EXPECT_LT(norm(load[0].torque + load[1].torque - torque), 1e-6 * c.weight * 2.7e-3);
    }
}
