// Slabs along x, y or z, from a case file on: along each of them the same run on any number of ranks, told in the
// user's axes.
#include <gtest/gtest.h>
#include <boost/serialization/map.hpp>
#include <boost/serialization/vector.hpp>
#include <map>
#include <string>
#include "plan/case_setup.hpp"
#include "plan/start_bodies.hpp"
#include "support/story.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

// Nothing is the same along two axes.
const char* const case_text = R"(
gravity = [0.5, -1.0, -9.81]

[run]
dt = 2e-5
steps = 350
seed = 4
skin = 4e-4

[domain]
lower = [-0.03, -0.02, -0.01]
upper = [0.04, 0.03, 0.05]
periodic = ["y"]

[law]
type = "hertz-mindlin"

[[materials]]
name = "grain"
density = 2500.0
young = 5e6
poisson = 0.3
restitution = 0.6
friction = 0.5

[[bodies]]
source = "random"
name = "crowd"
material = "grain"
lower = [-0.02, -0.02, 0.003]
upper = [0.03, 0.03, 0.035]
count = 200
radius_min = 0.0022
radius_max = 0.0026
velocity = [1.6, 1.0, -1.8]
spin = [100.0, 20.0, -50.0]

[[insert]]
name = "rain"
material = "grain"
lower = [-0.02, -0.015, 0.038]
upper = [0.03, 0.02, 0.047]
total = 40
per_event = 20
interval = 0.004
start = 0.001
radius = 0.0024
velocity = [0.0, 0.5, -1.0]

[[walls]]
name = "floor"
type = "plane"
material = "grain"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]

[[walls]]
name = "left"
type = "rectangle"
material = "grain"
corner = [-0.025, -0.03, 0.0]
edge_a = [0.0, 0.07, 0.0]
edge_b = [0.0, 0.0, 0.04]

[[outlets]]
name = "right"
point = [0.035, 0.0, 0.0]
normal = [-1.0, 0.0, 0.0]
)";

struct Told {
    std::string digest;
    std::map<std::uint64_t, std::vector<double>> bodies;  // of some ids: place, velocity, spin
    std::uint64_t migrations = 0, left = 0, inserted = 0;
    double load = 0;  // on all walls, summed over every tenth step
    template <class Archive> void serialize(Archive& a, unsigned) {
        a& digest& bodies& migrations& left& inserted& load;
    }
};

// Also how some balls begin, in the user's axes.
Told run_case(const boost::mpi::communicator& comm, int axis, std::uint64_t steps) {
    const Case c = read_case(case_text, "test.toml", {std::string("run.slab_axis=") + "xyz"[axis]});
    EXPECT_EQ(c.run.slab_axis, axis);
    const Axes axes(axis);
    Setup setup = make_setup(c);
    add_start_bodies(comm, c, CasePlaces(case_text, "test.toml"), setup);
    Simulation sim(comm, setup);
    Told told;
    for (std::uint64_t k = 0; k < steps; ++k) {
        sim.step();
        if (k % 10 == 9)
            for (const WallLoad& l : wall_loads_of(sim)) told.load += axes.out(l.force).z + axes.out(l.torque).y;
    }
    std::map<std::uint64_t, std::vector<double>> mine;
    told.digest = digest_of(sim).hex();
    const Bodies b = bodies_inside(sim);
    for (const Range& range : b.real)
        for (Index i = range.begin; i < range.end; ++i)
            if (b.id(i) < 20)
                for (const Vec3d& inside : {b.x(i), b.v(i), b.omega(i)}) {
                    const Vec3d v = axes.out(inside);
                    mine[b.id(i)].insert(mine[b.id(i)].end(), {v.x, v.y, v.z});
                }
    std::vector<std::map<std::uint64_t, std::vector<double>>> all;
    boost::mpi::all_gather(comm, mine, all);
    for (auto& part : all) told.bodies.merge(part);
    told.migrations = events_of(sim).migrations;
    told.left = ledger_of(sim).left[0], told.inserted = ledger_of(sim).inserted;
    return told;
}

}  // namespace

TEST(SlabAxis, SameBitsOnAnyNumberOfRanksAlongEachAxis) {
    for (int axis = 0; axis < 3; ++axis) {
        Told alone;
        for (const int n : rank_counts()) {
            SCOPED_TRACE(testing::Message() << "slabs along "
                                            << "xyz"[axis] << ", " << n << " ranks");
            const Told told = on_ranks(n, [&](const auto& comm) { return run_case(comm, axis, 350); });
            if (n == 1) alone = told;
            EXPECT_EQ(told.digest, alone.digest);
            EXPECT_EQ(told.left, alone.left);
            EXPECT_EQ(told.load, alone.load);
            EXPECT_EQ(told.bodies, alone.bodies);
            EXPECT_GT(told.left, 3u);
            EXPECT_EQ(told.inserted, 240u);
            EXPECT_NE(told.load, 0);
            if (n > 1) {
                EXPECT_GT(told.migrations, 20u);
            }
        }
    }
}

// Turning the axes is no physics: the same balls at the start, to the bit (positions and half a kick of gravity), and
// after a short flight and first hits nearly the same: sums in another order, no more.
TEST(SlabAxis, AllAxesTellTheSameStory) {
    std::vector<Told> starts, later;
    const int all = boost::mpi::communicator().size();
    for (int axis = 0; axis < 3; ++axis) {
        starts.push_back(on_ranks(all, [&](const auto& comm) { return run_case(comm, axis, 0); }));
        later.push_back(on_ranks(all, [&](const auto& comm) { return run_case(comm, axis, 150); }));
    }
    for (int axis = 0; axis < 2; ++axis) {
        EXPECT_EQ(starts[axis].digest, starts[2].digest);
        EXPECT_EQ(starts[axis].bodies, starts[2].bodies);
        ASSERT_EQ(later[axis].bodies.size(), later[2].bodies.size());
        for (const auto& [id, numbers] : later[2].bodies)
            for (std::size_t k = 0; k < 6; ++k)
                EXPECT_NEAR(later[axis].bodies.at(id)[k], numbers[k], k < 3 ? 1e-9 : 1e-6)
                    << "ball " << id << ", " << k;
        EXPECT_NEAR(later[axis].load, later[2].load, 1e-6 * std::abs(later[2].load));
    }
    EXPECT_NE(later[2].load, 0);
}
