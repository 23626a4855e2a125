// Pairs of clusters across slabs, found by the owners of faces, against all pairs that each rank must list.
#include "decomposition/cluster_pairs.hpp"
#include <gtest/gtest.h>
#include <boost/mpi/collectives.hpp>
#include <functional>
#include <optional>
#include "../search/cluster_scenes.hpp"
#include "support/mpi_calls.hpp"
#include "support/quick.hpp"
#include "cuts.hpp"

namespace granary::test {

namespace {

struct Seen {
    std::uint64_t pairs = 0, sent = 0, taken = 0;
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
    seen.pairs += work.counts.pairs, seen.sent += work.counts.pairs_sent, seen.taken += work.counts.pairs_taken;
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
    const std::uint64_t pairs = all(seen.pairs), sent = all(seen.sent), taken = all(seen.taken);
    EXPECT_LE(taken, sent);  // a rank without clusters searches flat, and has them already
    if (world.size() > 1) {
        EXPECT_GT(pairs, 1000u);
        EXPECT_GT(taken, 1000u);
    } else EXPECT_EQ(pairs + sent, 0u);
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

// Clusters of which a rank holds too much are single balls there, perhaps not on the next rank.
TEST(ClusterPairs, LargeClustersAreSingleBalls) {
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

// A search sends one message over each face, upwards, and calls nobody else.
TEST(ClusterPairs, OneMessageAFaceAndNoCollectiveCall) {
    const boost::mpi::communicator world;
    const bool many = world.size() > 1;
    for (const bool periodic : {false, true}) {
        const Cubes cubes = cubes_of({4, 4, 7}, {false, false, periodic});
        const Slabs slabs(cuts_of(7, world.size())[0], periodic);
        const Arranged a = arrange_clusters(cluster_scene("anywhere", cubes, 47), cubes, slabs.first(world.rank()),
                                            slabs.end(world.rank()));
        const std::optional<int> above = slabs.above(world.rank());
        const std::uint64_t faces = above && *above != world.rank() ? 1 : 0;
        OwnerWorkspace work;
        PairList list;
        for (int times = 0; times < 3; ++times) {
            const long before = mpi_calls().collective();
            two_level_search_by_owners(world, slabs, {a.bodies, cubes, margin, true}, list, {}, work);
            EXPECT_EQ(mpi_calls().collective(), before);
            EXPECT_EQ(work.counts.messages, faces);
            EXPECT_EQ(work.counts.bytes, 8 * (faces + work.counts.pairs_sent));
        }
        const auto all = boost::mpi::all_reduce(world, work.counts.pairs_sent, std::plus<std::uint64_t>());
        EXPECT_EQ(all > 0, many);
        EXPECT_GT(mpi_calls().collective(), 0);  // that one was counted
    }
}

// Where clusters are too small for two levels every rank searches by itself, and says so once in eight searches. Cuts
// that move change who owns what, not the list.
TEST(ClusterPairs, FlatRanksAreQuietForAWhile) {
    const boost::mpi::communicator world;
    const Cubes cubes = cubes_of({4, 4, 7}, {true, true, true});
    const auto cuts = cuts_of(7, world.size());
    const TwoLevelSettings settings = two_level_of_runs(2);
    OwnerWorkspace work;
    Seen seen;
    std::uint64_t messages = 0, owned = 0;
    const auto search = [&](const std::string& scene, std::size_t k) {
        expect_pairs(cluster_scene(scene, cubes, 53), cubes, cuts[k % cuts.size()], settings, work, seen);
        messages += work.counts.messages, owned += work.above.owned ? 1 : 0;
    };
    const Slabs slabs(cuts[0], true);
    const std::uint64_t faces = slabs.above(world.rank()) && *slabs.above(world.rank()) != world.rank() ? 1 : 0;
    search("dimers", 0);  // in two levels: nobody knows better yet
    const std::uint64_t sent = seen.sent;
    for (int k = 1; k < 17; ++k) search("dimers", 0);
    EXPECT_EQ(messages, 3 * faces);  // searches 0, 8 and 16
    EXPECT_EQ(faces * owned, 0u);
    EXPECT_EQ(seen.sent, sent);
    messages = 0;
    for (int k = 0; k < 9; ++k) search("anywhere", 0);
    EXPECT_EQ(messages, (work.above.owned ? 2 : 1) * faces);
    for (std::size_t k = 0; k < 12; ++k) search(k % 4 == 3 ? "dimers" : "anywhere", k / 2);
}

}  // namespace granary::test
