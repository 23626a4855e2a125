// Ranges of bodies that are worked on side by side, one a thread: they change no bit. With Kokkos' serial back-end the
// ranges are taken one after the other, by the same code.
#include <gtest/gtest.h>
#include <algorithm>
#include <atomic>
#include <functional>
#include <set>
#include "core/errors.hpp"
#include "core/parallel.hpp"
#include "engine/simulation.hpp"
#include "support/bonded_box.hpp"
#include "support/busy_box.hpp"
#include "support/busy_net.hpp"
#include "support/dice.hpp"
#include "support/mesh_floor.hpp"
#include "support/shaken_shapes.hpp"
#include "support/story.hpp"

using namespace granary;
using namespace granary::test;

namespace {

using MakeSetup = std::function<Setup()>;  // a test has a Setup of its own, to warn of

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

// Bodies beside each other, so that every sum by layer has many terms, and walls that move.
TEST(Ranges, ChangeNoBitOfEnergies) {
    expect_same_in_any_ranges(
        [] {
            auto s = dense_block();
            s.energy = true;
            return s;
        },
        300);
}

TEST(Ranges, ChangeNoBitOfEnergiesOfBonds) {
    expect_same_in_any_ranges(
        [] {
            auto s = bonded_box(0.5);
            s.energy = true;
            return s;
        },
        400);
}

TEST(Ranges, ChangeNoBitAtMeshes) {
    expect_same_in_any_ranges(
        [] {
            auto s = dense_block();
            s.walls = {mesh_floor(0.05, 20)};
            s.energy = true;
            return s;
        },
        200);
}

TEST(Ranges, ChangeNoBitAtWallsOfBalls) { expect_same_in_any_ranges(busy_net, 600); }

TEST(Ranges, ChangeNoBitOfShapes) {
    expect_same_in_any_ranges(
        [] {
            auto s = shapes_between_walls();
            s.energy = true;
            return s;
        },
        300);
}

// Those who look at single contacts see them in the order of one range.
TEST(Ranges, ChangeNoSample) {
    const auto samples = [](granary::Setup s, std::size_t ranges) {
        s = in_ranges(std::move(s), ranges);
        Simulation sim(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_attach), std::move(s));
        for (int step = 0; step < 200; ++step) sim.step();
        sim.requests().note_contacts(true);
        sim.step();
        std::vector<double> numbers;
        for (const WallSample& w : sim.forces().wall_samples)
            numbers.insert(numbers.end(),
                           {double(w.body), double(w.wall), w.point.x, w.normal.z, w.force.z, w.overlap});
        EXPECT_GT(sim.forces().wall_samples.size(), 3u);
        for (const PairSample& p : sim.forces().pair_samples)
            numbers.insert(numbers.end(), {double(p.i), double(p.j), p.force.x, p.force.y, p.force.z});
        return numbers;
    };
    const std::vector<MakeSetup> runs{dense_block, shapes_between_walls, busy_net};
    for (std::size_t k = 0; k < runs.size(); ++k) EXPECT_EQ(samples(runs[k](), 4), samples(runs[k](), 1)) << k;
}

// An error in a kernel reaches whoever called, on any number of threads: that of the lowest range.
TEST(Ranges, ErrorOfTheLowestRangeIsThrown) {
    const std::string name = "test::throws";
    std::atomic<int> done{0};
    try {
        in_parallel(name, 8, [&](std::size_t k) {
            if (k == 2 || k == 6) throw InputError("range " + std::to_string(k));
            ++done;
        });
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "range 2");
    }
    EXPECT_EQ(done, 6);
}

TEST(Ranges, PiecesMakeUpAll) {
    const std::string name = "test::pieces";
    const std::vector<Range> ranges{{3, 5}, {5, 9000}, {9001, 9002}, {12000, 20000}};
    std::vector<int> seen(20001, 0), wanted(20001, 0);
    for (const Range& r : ranges) std::fill(wanted.begin() + r.begin, wanted.begin() + r.end, 1);
    in_pieces_of(name, ranges, [&](const auto& for_each_range) {
        for_each_range([&](Range r) {
            for (Index i = r.begin; i < r.end; ++i) ++seen[i];
        });
    });
    EXPECT_EQ(seen, wanted);
}

// Profiles read like the tree of sources: every kernel of a run has the name of its room.
TEST(Ranges, KernelsHaveNames) {
    static std::set<std::string> names;
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(
        [](const char* name, std::uint32_t, std::uint64_t*) { names.insert(name); });
    for (const auto& make : std::vector<MakeSetup>{dense_block, shapes_between_walls, [] { return bonded_box(); }}) {
        Simulation sim(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_attach), in_ranges(make(), 2));
        for (int step = 0; step < 50; ++step) sim.step();
    }
    Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr);
    for (const char* wanted : {"motion::kick_and_drift", "contact::pairs_within_ranges", "contact::bonds_across_ranges",
                               "walls::forces", "shapes::narrow_phase", "search::mr_search", "contact::carry_springs"})
        EXPECT_TRUE(names.contains(wanted)) << wanted;
    const std::set<std::string> rooms{"core",   "contact", "decomposition", "engine",
                                      "motion", "search",  "shapes",        "walls"};
    for (const std::string& name : names) {
        const std::string room = name.substr(0, name.find("::"));
        EXPECT_TRUE(rooms.contains(room) || room == "Kokkos") << name;
    }
}

TEST(Ranges, AllThreadsComputeAlike) { EXPECT_TRUE(threads_compute_alike()); }
