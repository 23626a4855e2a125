// Pairs of clusters across slabs, resolved by owner ranks, against all pairs that each rank must list.
#include "decomposition/cluster_pairs.hpp"
#include <gtest/gtest.h>
#include <boost/mpi/collectives.hpp>
#include <functional>
#include "../search/cluster_scenes.hpp"
#include "core/errors.hpp"
#include "decomposition/border_clusters.hpp"
#include "support/quick.hpp"
#include "cuts.hpp"

namespace granary::test {

namespace {

struct Seen {
    std::uint64_t pairs = 0, sent = 0, rows = 0;
};

void expect_pairs(const std::vector<NewBody>& balls, const Cubes& cubes, const std::vector<int>& cuts,
                  const TwoLevelSettings& settings, OwnerWorkspace& work, Seen& seen) {
    const boost::mpi::communicator world;
    const Slabs slabs(cuts, cubes.domain().periodic[2]);
    const Arranged a = arrange_clusters(balls, cubes, slabs.first(world.rank()), slabs.end(world.rank()));
    const Pairs truth = brute_force(a, margin);
    PairList list;
    two_level_search_by_owners(world, slabs, {a.bodies, cubes, margin, true}, list, settings, work);
    EXPECT_EQ(list.n_bodies, a.bodies.size);
    EXPECT_EQ(listed(list), truth);
    two_level_search({a.bodies, cubes, margin, true}, list, settings, work.local);
    EXPECT_EQ(listed(list), truth);
    seen.pairs += work.counts.pairs, seen.sent += work.counts.elements_sent, seen.rows += work.elsewhere.rows.size();
}

}  // namespace

TEST(ClusterPairs, OwnersGiveTheListOfEveryRank) {
    const boost::mpi::communicator world;
    OwnerWorkspace work;  // lives on, as in a run
    Seen seen;
    for (const std::array periodic : {std::array{false, false, false}, std::array{false, false, true},
                                      std::array{true, false, false}, std::array{true, true, true}})
        for (const std::array<int, 3> n : {std::array{4, 4, 7}, std::array{3, 3, 3}}) {
            if (quick() && (n[2] == 7) == (periodic[0] == periodic[2])) continue;
            const Cubes cubes = cubes_of(n, periodic);
            for (const std::string name : cluster_scene_names) {
                auto balls = cluster_scene(name, cubes, 29);
                for (const bool broken : {false, true}) {
                    if (broken) break_up(balls, 31);
                    std::string text = name + (broken ? ", broken" : "") + ", cuts";
                    for (const auto& cuts : cuts_of(n[2], world.size())) {
                        SCOPED_TRACE(text + std::to_string(cuts[1]) + (periodic[2] ? ", periodic z" : ""));
                        expect_pairs(balls, cubes, cuts, {}, work, seen);
                    }
                }
                // All ranks go home, or none does.
                if (boost::mpi::all_reduce(world, testing::Test::HasFailure(), std::logical_or<bool>())) return;
            }
        }
    const auto all = [&](std::uint64_t mine) {
        return boost::mpi::all_reduce(world, mine, std::plus<std::uint64_t>());
    };
    const std::uint64_t pairs = all(seen.pairs), sent = all(seen.sent), rows = all(seen.rows);
    if (world.size() > 1) {
        EXPECT_GT(pairs, 1000u);
        EXPECT_GT(sent, 1000u);
        EXPECT_GT(rows, 1000u);
    } else EXPECT_EQ(pairs + sent + rows, 0u);
}

TEST(ClusterPairs, OwnersUseSecondaryGrids) {
    const boost::mpi::communicator world;
    OwnerWorkspace work;
    Seen seen;
    const Cubes cubes = cubes_of({4, 4, 7}, {true, true, true});
    for (const bool local : {false, true}) {
        TwoLevelSettings settings;
        settings.grid_above = 0, settings.local_frame = local;
        for (const std::string name : {"anywhere", "nested", "coincident", "mixed sizes"})
            expect_pairs(cluster_scene(name, cubes, 37), cubes, cuts_of(7, world.size())[0], settings, work, seen);
    }
}

// Clusters that are too large for an owner are left to each rank, on all ranks alike.
TEST(ClusterPairs, LargeClustersAreLeftToEachRank) {
    const boost::mpi::communicator world;
    OwnerWorkspace work;
    Seen seen;
    TwoLevelSettings settings;
    settings.most_elements = 25;
    for (const std::array periodic : {std::array{false, false, false}, std::array{true, true, true}}) {
        const Cubes cubes = cubes_of({4, 4, 7}, periodic);
        for (const std::string name : cluster_scene_names)
            expect_pairs(cluster_scene(name, cubes, 41), cubes, cuts_of(7, world.size())[0], settings, work, seen);
    }
}

// A rank that does not hold what an owner tells it of throws, and all others with it.
TEST(ClusterPairs, AnErrorOfOneRankIsOneOfAll) {
    const boost::mpi::communicator world;
    if (world.size() < 2) GTEST_SKIP() << "needs more than one rank";
    const Cubes cubes = cubes_of({4, 4, 7}, {false, false, false});
    const Slabs slabs(cuts_of(7, world.size())[0], false);
    const int wrong = world.size() - 1;
    Arranged a = arrange_clusters(cluster_scene("anywhere", cubes, 47), cubes, slabs.first(world.rank()),
                                  slabs.end(world.rank()));
    OwnerWorkspace work;
    PairList list;
    const auto search = [&] {
        two_level_search_by_owners(world, slabs, {a.bodies, cubes, margin, true}, list, {}, work);
    };
    search();
    if (world.rank() == wrong)
        for (Index i = 0; i < a.bodies.size; ++i)
            if (!a.copies[i].real) a.bodies.id(i) += Id{1} << 50;  // ghosts that nobody knows
    EXPECT_THROW(search(), InternalError);
}

// The sphere of a cluster does not depend on how it is cut.
TEST(ClusterPairs, SpheresDoNotKnowTheCuts) {
    const boost::mpi::communicator world;
    if (world.size() < 2) GTEST_SKIP() << "needs more than one rank";
    const Cubes cubes = cubes_of({4, 4, 7}, {true, true, true});
    auto balls = cluster_scene("large", cubes, 43);
    std::vector<std::pair<Id, std::array<double, 4>>> before;
    for (const auto& cuts : cuts_of(7, world.size())) {
        const Slabs slabs(cuts, true);
        const Arranged a = arrange_clusters(balls, cubes, slabs.first(world.rank()), slabs.end(world.rank()));
        OwnerCounts counts;
        const BorderClusters border(world, slabs, {a.bodies, cubes, margin, false}, 4096, counts);
        for (const BorderCluster& c : border.clusters) {
            const std::array<double, 4> sphere{c.centre.x, c.centre.y, c.centre.z, c.radius};
            for (const auto& [label, known] : before) {
                if (label == c.label) {
                    EXPECT_EQ(known, sphere);
                }
            }
            before.emplace_back(c.label, sphere);
        }
    }
    EXPECT_GT(before.size(), 10u);
}

}  // namespace granary::test
