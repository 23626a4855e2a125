// Clusters that are there at the start and that rain in, from a case on: elements and bonds are counted, keep together,
// and the run is the same on any number of ranks and with slabs along any axis.
#include <gtest/gtest.h>
#include <set>
#include <string>
#include "plan/plan.hpp"
#include "support/story.hpp"

using namespace granary;
using namespace granary::test;

namespace {

const std::string case_text = R"(
[run]
dt = 4e-6
steps = 3000
seed = 4
rebalance_every = 1

[domain]
lower = [-0.04, -0.03, -0.005]
upper = [0.04, 0.03, 0.08]
periodic = ["y"]

[[materials]]
name = "grain"
density = 2500.0
young = 5e6
poisson = 0.3
restitution = 0.5
friction = 0.5

[[bonds]]
name = "glue"
young = 5e6
poisson = 0.25
damping = 0.05
tensile_strength = 2e5
shear_strength = 2e5
weibull_modulus = 5.0

[[bonds]]
name = "springs"
form = "spring"
normal_stiffness = 1e9
shear_stiffness = 4e8
damping = 0.05
tensile_strength = inf
shear_strength = inf

[[clusters]]
name = "cube"
shape = "block"
element_radius = 0.0015
bond = "glue"

[[clusters]]
name = "egg"
shape = "huang"
fit = "b"
radius = 0.005
bond = "springs"

[[bodies]]
source = "random"
cluster = "cube"
material = "grain"
count = 20
lower = [-0.03, -0.03, 0.001]
upper = [0.03, 0.03, 0.04]
velocity = [0.3, 0.5, -1.0]
spin = [10.0, 0.0, 30.0]

[[insert]]
material = "grain"
cluster = "egg"
cluster_share = 0.5
radius_min = 0.002
radius_max = 0.003
total = 40
per_event = 20
interval = 0.004
start = 0.001
lower = [-0.03, -0.03, 0.045]
upper = [0.03, 0.03, 0.075]
velocity = [0.0, 0.5, -1.5]

[[walls]]
name = "floor"
type = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "grain"

[[walls]]
name = "left"
type = "plane"
point = [-0.035, 0.0, 0.0]
normal = [1.0, 0.0, 0.0]
material = "grain"

[[walls]]
name = "right"
type = "plane"
point = [0.035, 0.0, 0.0]
normal = [-1.0, 0.0, 0.0]
material = "grain"
)";

Setup setup_of(const boost::mpi::communicator& comm, const std::vector<std::string>& sets = {}) {
    return make_plan(comm, read_case(case_text, "case.toml", sets), CasePlaces(case_text, "case.toml", sets)).setup;
}

Story story_on(int ranks, const std::vector<std::string>& sets) {
    return on_ranks(ranks, [&](const auto& comm) { return run_story(comm, setup_of(comm, sets), 3000); });
}

}  // namespace

TEST(ClustersComeIn, SameBitsOnAnyNumberOfRanks) {
    const Story alone = story_on(1, {});
    EXPECT_GT(alone.inserted, 20u * 27 + 40);
    EXPECT_GE(alone.entry_steps, 2u);
    EXPECT_GT(alone.wraps, 20u);
    for (const int n : rank_counts()) {
        if (n == 1) continue;
        const Story story = story_on(n, {});
        expect_same(story, alone);
        EXPECT_GT(story.migrations, 5u);
    }
}

TEST(ClustersComeIn, SlabsAlongX) {
    const Story alone = story_on(1, {"run.slab_axis=x"});
    EXPECT_EQ(alone.inserted, story_on(1, {}).inserted);
    for (const int n : rank_counts())
        if (n > 1) expect_same(story_on(n, {"run.slab_axis=x"}), alone);
}

// Every bond of every cluster is there, and none breaks while they fall freely.
TEST(ClustersComeIn, AllBondsAreThere) {
    const boost::mpi::communicator world;
    granary::Setup setup = setup_of(world);
    std::size_t eggs = 0, bonds_of_egg = setup.clusters[1].bonds.size();
    Simulation sim(world, std::move(setup));
    const auto bonds = [&] { return sim.forces().bonds.counts(world, sim.bodies(), sim.neighbourhood()); };
    EXPECT_EQ(bonds().whole, 20u * 54);
    const std::uint64_t before = ledger_of(sim).inserted;
    while (sim.clock().time() < 0.0011) sim.step();
    const std::uint64_t came = ledger_of(sim).inserted - before;  // twenty grains, some of ten elements
    EXPECT_EQ((came - 20) % 9, 0u);
    eggs = (came - 20) / 9;
    EXPECT_GT(eggs, 3u);
    EXPECT_LT(eggs, 17u);
    EXPECT_EQ(bonds().whole + bonds().all_broken(), 20u * 54 + eggs * bonds_of_egg);
    EXPECT_EQ(sim.inserter().clusters(), eggs);
}
