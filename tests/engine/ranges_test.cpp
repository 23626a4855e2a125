// Ranges of bodies that are worked on side by side, one a thread: they change no bit. With Kokkos' serial back-end the
// ranges are taken one after the other, by the same code.
#include <gtest/gtest.h>
#include <algorithm>
#include "core/parallel.hpp"
#include "engine/simulation.hpp"
#include "support/bonded_box.hpp"
#include "support/busy_box.hpp"
#include "support/dice.hpp"
#include "support/story.hpp"

using namespace granary;
using namespace granary::test;

namespace {

Setup in_ranges(Setup s, std::size_t ranges) {
    s.ranges = ranges;
    return s;
}

// Balls that overlap a little, slide and spin: every layer touches the next all over.
Setup dense_block() {
    Setup s = busy_box();
    s.insertions.clear(), s.outlets.clear();
    s.domain = {{0, 0, 0}, {0.03, 0.03, 0.08}, {true, true, false}};
    s.gravity = {0.5, 0.3, -9.81};
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0)};
    s.start = given([](const auto& sink) {
        Dice dice(3);
        for (Id n = 0; n < 6 * 6 * 14; ++n) {
            const double a = 5e-3;  // a little less than the diameter
            const Vec3d x{a * (0.5 + static_cast<double>(n % 6)), a * (0.5 + static_cast<double>(n / 6 % 6)),
                          a * (0.5 + static_cast<double>(n / 36))};
            NewBody b = make_ball(n, x, 2.51e-3, 2500, 0, dice.vector(0.05));
            b.spin = dice.vector(5);
            sink(b);
        }
    });
    return s;
}

// The run of one range on one rank is the measure of all others.
template <class Make> void expect_same_in_any_ranges(Make&& make, int steps) {
    const Story alone = on_ranks(1, [&](const auto& comm) { return run_story(comm, in_ranges(make(), 1), steps); });
    EXPECT_GT(alone.contacts, 20u);
    for (const int ranks : rank_counts())
        for (const std::size_t ranges : {2, 3, 64}) {
            SCOPED_TRACE(std::to_string(ranks) + " ranks, " + std::to_string(ranges) + " ranges");
            expect_same(
                on_ranks(ranks, [&](const auto& comm) { return run_story(comm, in_ranges(make(), ranges), steps); }),
                alone);
        }
}

// What the ranges of one rank are, and how many candidate pairs join two of them.
struct Cut {
    std::size_t ranges = 0, joined = 0, astray = 0;
    bool whole = false;
};

Cut cut_of(const Simulation& sim) {
    const std::vector<LayeredRange>& ranges = sim.neighbourhood().ranges;
    const PairList& pairs = sim.forces().pairs;
    Cut cut;
    cut.ranges = ranges.size();
    cut.whole = ranges.front().bodies.begin == 0 && ranges.back().bodies.end == sim.bodies().size;
    for (std::size_t k = 0; k + 1 < ranges.size(); ++k) {
        const auto& [bodies, last_layer] = ranges[k];
        cut.whole &= bodies.size() > 0 && bodies.end == ranges[k + 1].bodies.begin && bodies.contains(last_layer);
        for (Index i = bodies.begin; i < bodies.end; ++i)
            for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
                const Index j = pairs.partner_of(slot);
                if (j < bodies.end) continue;
                ++cut.joined;
                cut.astray += i < last_layer || j >= ranges[k + 1].bodies.end ? 1 : 0;
            }
    }
    return cut;
}

}  // namespace

TEST(Ranges, AreWholeLayersAndJoinedByTheLastOnly) {
    const boost::mpi::communicator world;
    Simulation sim(world, in_ranges(dense_block(), 3));
    for (int step = 0; step < 100; ++step) sim.step();
    const Cut cut = cut_of(sim);
    EXPECT_TRUE(cut.whole);
    EXPECT_EQ(cut.astray, 0u);
    if (world.size() > 1) return;  // slabs may be too thin
    EXPECT_EQ(cut.ranges, 3u);
    EXPECT_GT(cut.joined, 50u);
}

TEST(Ranges, ChangeNoBit) { expect_same_in_any_ranges(busy_box, 1500); }

TEST(Ranges, ChangeNoBitOfADenseBlock) { expect_same_in_any_ranges(dense_block, 300); }

TEST(Ranges, ChangeNoBitWithRollingSpringsAndTwoMaterials) {
    expect_same_in_any_ranges(
        [] {
            auto s = busy_box();
            s.law.rolling = LawSettings::Rolling::spring;
            for (Material& m : s.materials) m.rolling_friction = 0.2, m.rolling_damping = 0.3;
            s.materials.push_back(s.materials.front());
            s.materials.back().name = "other", s.materials.back().friction = 0.2;
            for (InsertionSpec& i : s.insertions) i.balls.material = 1;
            return s;
        },
        1000);
}

TEST(Ranges, ChangeNoBitWithoutRotation) {
    expect_same_in_any_ranges(
        [] {
            auto s = busy_box();
            s.law.type = LawSettings::Type::kelvin_voigt;
            return s;
        },
        800);
}

TEST(Ranges, ChangeNoBitWithThePredictorCorrector) {
    expect_same_in_any_ranges(
        [] {
            auto s = busy_box();
            s.integrator = Integrator::gear;
            return s;
        },
        1200);
}

TEST(Ranges, ChangeNoBitWithBondsThatBreak) {
    expect_same_in_any_ranges([] { return bonded_box(); }, 600);
}

TEST(Ranges, AllThreadsComputeAlike) { EXPECT_TRUE(threads_compute_alike()); }
