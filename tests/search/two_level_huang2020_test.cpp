// The search in two levels gives the list of all pairs, whatever the clusters, with images and ghosts, before and after
// breakage; and its levels do what the paper says they do.
#include "search/two_level_huang2020.hpp"
#include <gtest/gtest.h>
#include <memory>
#include "cluster_scenes.hpp"
#include "search/all_pairs.hpp"
#include "support/quick.hpp"

namespace granary::test {

namespace {

struct Variant {
    std::string name;
    TwoLevelSettings settings;
    std::shared_ptr<TwoLevelWorkspace> work = std::make_shared<TwoLevelWorkspace>();  // lives on, as in a run
};

std::vector<Variant> variants() {
    std::vector<Variant> all;
    const auto add = [&](const std::string& name, auto&& change) {
        all.push_back({name, {}});
        change(all.back().settings);
    };
    add("as it is", [](TwoLevelSettings&) {});
    add("always a grid", [](TwoLevelSettings& s) { s.grid_above = 0; });
    add("always a grid, in the local frame", [](TwoLevelSettings& s) { s.grid_above = 0, s.local_frame = true; });
    add("a grid above 20", [](TwoLevelSettings& s) { s.grid_above = 20, s.local_frame = true; });
    add("clusters of more than 25 dissolved", [](TwoLevelSettings& s) { s.most_elements = 25; });
    add("few mates", [](TwoLevelSettings& s) { s.most_mates = 2, s.grid_above = 10; });
    add("all dissolved", [](TwoLevelSettings& s) { s.most_mates = 0; });
    return all;
}

// n: counts them.
void expect_all_pairs(const Arranged& a, const Cubes& cubes, double reach, std::vector<Variant>& all,
                      std::size_t* n = nullptr) {
    PairList list;
    const Pairs truth = brute_force(a, reach);
    if (n != nullptr) *n += truth.size();
    for (Variant& v : all) {
        two_level_search({a.bodies, cubes, reach, true}, list, v.settings, *v.work);
        ASSERT_EQ(list.n_bodies, a.bodies.size) << v.name;
        ASSERT_EQ(list.begin(list.n_bodies), list.size) << v.name;
        ASSERT_EQ(listed(list), truth) << v.name;
    }
}

TwoLevelCounts counts_of(const std::vector<NewBody>& balls, const Cubes& cubes, const TwoLevelSettings& settings,
                         double reach = margin) {
    const Arranged a = arrange_clusters(balls, cubes, 0, cubes.layers());
    TwoLevelWorkspace work;
    PairList list;
    two_level_search({a.bodies, cubes, reach, false}, list, settings, work);
    EXPECT_EQ(listed(list), brute_force(a, reach));
    return work.counts;
}

}  // namespace

TEST(TwoLevel, GivesAllPairsWithAndWithoutPeriodicAxes) {
    auto all = variants();
    std::size_t n_pairs = 0;
    for (const std::array periodic : {std::array{false, false, false}, std::array{false, true, false},
                                      std::array{false, false, true}, std::array{true, true, true}})
        for (const std::array<int, 3> n : {std::array{5, 4, 6}, std::array{2, 2, 2}}) {
            if (quick() && (n[0] == 5) == (periodic[1] == periodic[2])) continue;
            const Cubes cubes = cubes_of(n, periodic);
            for (const std::string name : cluster_scene_names)
                for (const bool broken : {false, true}) {
                    if (HasFatalFailure()) return;
                    SCOPED_TRACE(name + (broken ? ", broken" : "") +
                                 ", periodic axes: " + std::to_string(periodic[0] + periodic[1] + periodic[2]) +
                                 ", cubes " + std::to_string(n[0]));
                    auto balls = cluster_scene(name, cubes, 3);
                    if (broken) break_up(balls, 5);
                    expect_all_pairs(arrange_clusters(balls, cubes, 0, cubes.layers()), cubes, margin, all, &n_pairs);
                }
        }
    EXPECT_GT(n_pairs, quick() ? 80000u : 200000u);
}

// What a rank of several holds: its layers, ghosts below and above, images among them. Clusters reach over several
// slabs.
TEST(TwoLevel, GivesAllPairsOfASlab) {
    auto all = variants();
    for (const std::array periodic :
         {std::array{false, false, false}, std::array{true, false, true}, std::array{true, true, true}}) {
        const Cubes cubes = cubes_of({4, 4, 7}, periodic);
        const int top = cubes.layers();
        for (const std::string name : cluster_scene_names)
            for (const auto& [first, end] : std::vector<std::pair<int, int>>{{0, 1}, {1, 2}, {1, 4}, {top - 1, top}}) {
                if (HasFatalFailure()) return;
                SCOPED_TRACE(name + ", layers " + std::to_string(first) + " to " + std::to_string(end));
                expect_all_pairs(arrange_clusters(cluster_scene(name, cubes, 7), cubes, first, end), cubes, margin,
                                 all);
            }
    }
}

TEST(TwoLevel, GivesAllPairsWithoutAMargin) {
    auto all = variants();
    const Cubes cubes = cubes_of({5, 4, 6}, {true, true, true});
    for (const std::string name : cluster_scene_names) {
        if (HasFatalFailure()) return;
        SCOPED_TRACE(name);
        expect_all_pairs(arrange_clusters(cluster_scene(name, cubes, 11), cubes, 0, cubes.layers()), cubes, 0, all);
    }
}

// Bodies without labels, without a cluster, and none at all.
TEST(TwoLevel, SearchesFlatWhereThereAreNoClusters) {
    const Cubes cubes = cubes_of({5, 4, 6}, {true, false, true});
    for (const std::string name : scene_names)
        for (const bool labels : {false, true}) {
            Arranged a = arrange(scene(name, cubes, 17), cubes);
            if (labels) a.bodies.add(When::clusters);
            for (Index i = 0; i < a.bodies.size && labels; ++i)
                a.bodies.cluster(i) = i % 2 == 0 ? no_cluster : a.bodies.id(i);
            TwoLevelWorkspace work;
            PairList list;
            two_level_search({a.bodies, cubes, margin, true}, list, {}, work);
            EXPECT_EQ(listed(list), brute_force(a, margin)) << name;
            EXPECT_EQ(work.counts.clusters, 0u);
        }
}

// Labels with all their bits.
TEST(TwoLevel, HoldsForTheLargestIds) {
    const Cubes cubes = cubes_of({4, 4, 4}, {true, true, true});
    auto balls = cluster_scene("anywhere", cubes, 23);
    for (NewBody& b : balls) {
        b.id = (b.id << 24) ^ (b.id >> 3);
        b.cluster = (b.cluster << 24) ^ (b.cluster >> 3);
    }
    auto all = variants();
    expect_all_pairs(arrange_clusters(balls, cubes, 0, cubes.layers()), cubes, margin, all);
}

// Two clusters whose spheres overlap and whose elements are far apart are left out before the second level; k counts
// those that are not.
TEST(TwoLevel, LeavesOutClustersWithoutElementsInTheOverlap) {
    const Cubes cubes = cubes_of({6, 6, 6}, {});
    const Vec3d o{1, 5, 4};
    const double r = 0.1;
    // Two rods side by side: their spheres overlap, and each has elements in the other's sphere.
    const auto rod = [&](const Vec3d& at_middle, const Vec3d& way) {
        std::vector<std::pair<Vec3d, double>> elements;
        for (int k = -5; k <= 5; ++k) elements.emplace_back(at_middle + 2 * r * k * way, r);
        return elements;
    };
    const auto counts = [&](const Vec3d& at_middle, const Vec3d& way) {
        ClusterMaker make(cubes, 1);
        make.add(rod(o, {0, 0, 1}));
        make.add(rod(at_middle, way));
        return counts_of(make.balls, cubes, {}, 0.01);
    };
    const TwoLevelCounts beside = counts(o + Vec3d{1, 0, 0}, {0, 0, 1}),
                         across = counts(o + Vec3d{2.1, 0, 0}, {0, 0, 1}),
                         far = counts(o + Vec3d{2.3, 0, 0}, {0, 0, 1});
    EXPECT_EQ(beside.cluster_cluster, 1u);
    EXPECT_EQ(beside.resolved, 1u);
    EXPECT_EQ(across.cluster_cluster, 1u);
    EXPECT_EQ(across.resolved, 0u);  // no element of a rod in the other's sphere
    EXPECT_EQ(far.cluster_cluster, 0u);
    EXPECT_EQ(beside.clusters, 2u);
    EXPECT_EQ(beside.units, 2u);
    EXPECT_EQ(beside.grids, 0u);
}

// The grid tests fewer elements than all side by side where there are many, in both frames.
TEST(TwoLevel, AGridSavesTests) {
    const Cubes cubes = cubes_of({6, 6, 6}, {});
    ClusterMaker make(cubes, 1);
    make.add(make.blob({0.5, 4.5, 3.5}, 1.2, 1000, 0.03, 0.05));
    make.add(make.blob({1.5, 4.5, 3.5}, 1.2, 1000, 0.03, 0.05));
    TwoLevelSettings side_by_side, grid, local;
    side_by_side.grid_above = 1000000, grid.grid_above = local.grid_above = 0, local.local_frame = true;
    const TwoLevelCounts all = counts_of(make.balls, cubes, side_by_side, 0.001),
                         global = counts_of(make.balls, cubes, grid, 0.001),
                         turned = counts_of(make.balls, cubes, local, 0.001);
    EXPECT_EQ(all.grids, 0u);
    EXPECT_EQ(global.grids, 3u);
    EXPECT_EQ(turned.grids, 3u);
    EXPECT_LT(5 * global.element_tests, all.element_tests);
    EXPECT_LT(5 * turned.element_tests, all.element_tests);
}

// Elements that touch to the last bit, or miss by it: single precision cannot tell, so the exact rule must.
TEST(TwoLevel, DecidesExactlyAtTheEdge) {
    const Cubes cubes = cubes_of({6, 6, 6}, {});
    auto all = variants();
    std::size_t n_pairs = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        ClusterMaker make(cubes, seed);
        for (int n = 0; n < 8; ++n) {
            // A row of elements, each as far from the last as it reaches, give or take a few units of the last place.
            Vec3d x = make.anywhere();
            const Vec3d way = make.dice().vector(1);
            std::vector<std::pair<Vec3d, double>> row;
            for (int k = 0; k < 30; ++k) {
                row.emplace_back(x, 0.1);
                x += (0.2 + margin) * (1 + 1e-9 * make.dice().uniform(-1, 1)) / norm(way) * way;
            }
            make.add(row);
        }
        expect_all_pairs(arrange_clusters(make.balls, cubes, 0, cubes.layers()), cubes, margin, all, &n_pairs);
        if (HasFatalFailure()) return;
    }
    EXPECT_GT(n_pairs, 500u);
}

// Where clusters have broken into few bodies each, the search is flat; the list is the same.
TEST(TwoLevel, TurnsFlatWhereUnitsAreSmall) {
    const Cubes cubes = cubes_of({6, 6, 6}, {true, true, false});
    ClusterMaker make(cubes, 1);
    for (int n = 0; n < 40; ++n) make.add(make.blob(make.anywhere(), 0.3, 10, 0.05, 0.05));
    const Arranged a = arrange_clusters(make.balls, cubes, 0, cubes.layers());
    for (const double fewest : {5.0, 100.0}) {
        TwoLevelSettings settings;
        settings.fewest_a_unit = fewest;
        TwoLevelWorkspace work;
        PairList list;
        two_level_search({a.bodies, cubes, margin, false}, list, settings, work);
        EXPECT_EQ(work.is_flat, fewest > 10);
        EXPECT_GT(work.counts.clusters, 30u);
        EXPECT_EQ(listed(list), brute_force(a, margin));
    }
}

// Where spheres of clusters touch too often, this search and some after it are flat; then it looks again.
TEST(TwoLevel, TurnsFlatWhereSpheresTouchOften) {
    const Cubes cubes = cubes_of({6, 6, 6}, {true, true, false});
    ClusterMaker make(cubes, 1);
    const Vec3d middle = 0.5 * (cubes.domain().lower + cubes.domain().upper);
    for (int n = 0; n < 40; ++n) make.add(make.blob(middle, 0.8, 10, 0.05, 0.05));  // 780 pairs of spheres, 400 bodies
    const Arranged a = arrange_clusters(make.balls, cubes, 0, cubes.layers());
    TwoLevelSettings settings;
    settings.flat_for = 2, settings.most_mates = 1e9;
    TwoLevelWorkspace work;
    const auto search = [&](double most) {
        settings.most_pairs_a_body = most;
        PairList list;
        two_level_search({a.bodies, cubes, margin, false}, list, settings, work);
        EXPECT_EQ(listed(list), brute_force(a, margin));
        return work.is_flat;
    };
    EXPECT_FALSE(search(2.1));
    EXPECT_EQ(work.counts.cluster_cluster, 780u);
    EXPECT_TRUE(search(1.9));
    EXPECT_TRUE(search(2.1));  // without a look
    EXPECT_EQ(work.counts.units, 0u);
    EXPECT_TRUE(search(2.1));
    EXPECT_FALSE(search(2.1));
}

TEST(TwoLevel, DissolvesByRule) {
    const Cubes cubes = cubes_of({6, 6, 6}, {});
    ClusterMaker make(cubes, 1);
    make.add(make.blob({1.5, 5, 4}, 2.6, 40, 0.1, 0.1));  // wide
    for (int n = 0; n < 500; ++n) make.add(make.blob(make.anywhere(), 0.1, 3, 0.05, 0.05));
    TwoLevelSettings settings;
    const TwoLevelCounts by_width = counts_of(make.balls, cubes, settings, 0.01);
    EXPECT_EQ(by_width.dissolved, 40u);  // one sphere as wide as the domain makes primary cubes that hold all
    settings.most_mates = 1e9;
    EXPECT_EQ(counts_of(make.balls, cubes, settings, 0.01).dissolved, 0u);
    settings.most_elements = 39;
    EXPECT_EQ(counts_of(make.balls, cubes, settings, 0.01).dissolved, 40u);
}

// A cluster across a periodic face is one unit at either side, not one as long as the period.
TEST(TwoLevel, ACopyOfAClusterIsAUnit) {
    const Cubes cubes = cubes_of({6, 6, 6}, {true, true, true});
    ClusterMaker make(cubes, 1);
    make.add(make.blob(cubes.domain().lower, 0.5, 50, 0.1, 0.1));  // at a corner: eight copies of it are seen
    const Arranged a = arrange_clusters(make.balls, cubes, 0, cubes.layers());
    TwoLevelWorkspace work;
    two_level_subdivide({a.bodies, cubes, margin, false}, {}, work);
    EXPECT_EQ(work.counts.units, 8u);
    EXPECT_EQ(work.counts.dissolved, 0u);
    EXPECT_LT(work.units.largest_radius(), 0.9);
}

}  // namespace granary::test
