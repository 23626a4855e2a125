// What is particular to MMR; that it finds the right pairs is in detectors_test.cpp.
#include "search/mmr_search_munjiza2006.hpp"
#include <gtest/gtest.h>
#include "detectors.hpp"

namespace granary::test {

namespace {

struct Outcome {
    int steps;
    double bytes_a_body;
};

Outcome search(const std::vector<NewBody>& balls, const Cubes& cubes, double margin, const MmrSettings& settings) {
    const Arranged a = arrange(balls, cubes);
    MmrWorkspace work;
    PairList list;
    mmr_search({a.bodies, cubes, margin, false}, list, settings, work);
    EXPECT_EQ(listed(list), brute_force(a, margin));
    return {work.steps, static_cast<double>(work.bytes()) / static_cast<double>(balls.size())};
}

}  // namespace

// One step a group that is not empty: d_(j+1) < d <= d_j, a body at the border belongs to the smaller group.
TEST(MmrSearch, MakesOneStepAGroup) {
    const Cubes cubes = cubes_of({3, 3, 3}, {});
    const auto steps = [&](std::vector<double> diameters) {
        std::vector<NewBody> balls;
        Dice dice(1);
        const PositionLattice lattice(cubes.domain());
        for (const double d : diameters)
            for (int n = 0; n < 5; ++n)
                balls.push_back(
                    ball(balls.size(), lattice.snap(dice.within(cubes.domain().lower, cubes.domain().upper)), d / 2));
        return search(balls, cubes, 1e-3, {2, 0}).steps;
    };
    EXPECT_EQ(steps({1, 1}), 1);
    EXPECT_EQ(steps({1, 0.75, 0.51}), 1);
    EXPECT_EQ(steps({1, 0.5}), 2);
    EXPECT_EQ(steps({1, 0.5, 0.26}), 2);
    EXPECT_EQ(steps({1, 0.5, 0.25, 0.125}), 4);
    EXPECT_EQ(steps({1, 0.001}), 2);  // the groups between are empty
    EXPECT_EQ(steps({1, 0.6, 0.3, 0.15, 0.001}), 4);
}

// Where finer cubes would save nothing, the groups that are left are searched at once.
TEST(MmrSearch, MergesGroupsThatAreSparse) {
    const Cubes cubes = cubes_of({5, 4, 6}, {});
    const Mixture dense{"clustered", 32, 2000}, sparse{"anywhere", 32, 60};
    EXPECT_EQ(search(mixture(sparse, cubes, 1), cubes, sparse.margin(), {}).steps, 1);
    EXPECT_GT(search(mixture(sparse, cubes, 1), cubes, sparse.margin(), {2, 0}).steps, 4);
    EXPECT_GT(search(mixture(dense, cubes, 1), cubes, dense.margin(), {}).steps, 2);
}

// Bytes a body neither grow with the ratio of sizes nor with the volume of space.
TEST(MmrSearch, MemoryKnowsNeitherRatioNorVolume) {
    const Cubes cubes = cubes_of({5, 4, 6}, {});
    for (const double ratio : {3.0, 32.0, 1024.0}) {
        const Mixture m{"anywhere", ratio, 3000};
        EXPECT_LT(search(mixture(m, cubes, 2), cubes, m.margin(), {2, 0}).bytes_a_body, 4 * 16 + 120);
    }
    std::vector<double> bytes;
    for (const double size : {12.0, 12000.0}) {
        const Domain d{{0, 0, 0}, {size, size, size}, {}};
        const Cubes wide(d, smallest_edge);
        const PositionLattice lattice({{0, 0, 0}, {12000, 12000, 12000}, {}});
        Dice dice(3);
        std::vector<NewBody> balls;
        for (Id n = 0; n < 3000; ++n)
            balls.push_back(ball(n, lattice.snap(dice.within({0, 0, 0}, {10, 10, 10})), n % 10 == 0 ? 0.5 : 0.02));
        bytes.push_back(search(balls, wide, 0.001, {2, 0}).bytes_a_body);
    }
    EXPECT_LE(bytes[1], bytes[0] + 3 * 16 * 1.1);  // at most: the three arrays with long keys as well
}

// Two heaps of small balls at the ends of a domain of a million large cubes: more fine cubes than a digit has room for.
TEST(MmrSearch, HoldsInTheLongestDomain) {
    Domain d{{0, 0, 0}, {1e6, 5, 5}, {}};
    const Cubes cubes(d, smallest_edge);
    const PositionLattice lattice(d);
    Dice dice(4);
    std::vector<NewBody> balls;
    for (Id n = 0; n < 1500; ++n) {
        const double r = n % 15 == 0 ? 0.5 : 0.01 * dice.uniform(0.1, 1);
        const Vec3d x = dice.within({0, 0, 0}, {0.3, 0.3, 0.3});
        balls.push_back(ball(n, lattice.snap(n % 2 == 0 ? x : d.upper - x), r));
    }
    search(balls, cubes, 0.001, {});
    search(balls, cubes, 0.001, {2, 0});
}

// A list is made again in the same arrays, without need nothing grows.
TEST(MmrSearch, MakesAListAnew) {
    const Cubes cubes = cubes_of({5, 4, 6}, {});
    const Mixture m{"anywhere", 32, 2000}, f{"anywhere", 32, 50};
    const Arranged many = arrange(mixture(m, cubes, 6), cubes), few = arrange(mixture(f, cubes, 6), cubes);
    MmrWorkspace work;
    PairList list;
    const auto make = [&](const Arranged& a) {
        mmr_search({a.bodies, cubes, m.margin(), true}, list, {2, 0}, work);
        EXPECT_EQ(listed(list), brute_force(a, m.margin()));
        return work.bytes() + list.bytes();
    };
    const auto bytes = make(many);
    make(few);
    EXPECT_EQ(make(many), bytes);
    EXPECT_EQ(make(few), bytes);
}

}  // namespace granary::test
