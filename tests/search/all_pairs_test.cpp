// The truth itself, on pairs worked out by hand; how it agrees with the detectors is in mr_search_munjiza2006_test.cpp.
#include "search/all_pairs.hpp"
#include <gtest/gtest.h>
#include "scenes.hpp"

namespace granary::test {

namespace {

Pairs pairs_of(const Arranged& a, const Cubes& cubes) {
    PairList list;
    all_pairs_search({a.bodies, cubes, margin, true}, list);
    return listed(list);
}

}  // namespace

TEST(AllPairs, MeasuresRadiiAndMargin) {
    const Cubes cubes({{0, 0, 0}, {8, 8, 8}, {}}, smallest_edge);
    const auto found = [&](double distance) {
        const Arranged a = arrange({ball(1, {1, 1, 1}, 0.5), ball(2, {1, 1 + distance, 1}, 0.25)}, cubes);
        return !pairs_of(a, cubes).empty();
    };
    EXPECT_TRUE(found(0));
    EXPECT_TRUE(found(0.875 - 1e-12));
    EXPECT_FALSE(found(0.875));  // radii and margin exactly: the pair is apart
    EXPECT_FALSE(found(0.9));
}

TEST(AllPairs, TakesBodiesInTheirOrder) {
    const Cubes cubes({{0, 0, 0}, {8, 8, 8}, {}}, smallest_edge);
    const Arranged a = arrange(
        {ball(3, {1, 1, 1}, 0.5), ball(2, {1.5, 1, 1}, 0.5), ball(1, {2, 1, 1}, 0.5), ball(0, {7, 7, 7}, 0.5)}, cubes);
    EXPECT_EQ(pairs_of(a, cubes), (Pairs{{0, 1}, {0, 2}, {1, 2}}));
}

// A row of balls along x through both periodic faces of the first layer, and one ball in each layer above: of pairs of
// two images, two ghosts, or an image and a ghost, none is listed.
TEST(AllPairs, WantsOneRealPartner) {
    const Cubes cubes({{0, 0, 0}, {3.6, 8, 8}, {true, false, false}}, smallest_edge);
    std::vector<NewBody> balls;
    for (const double z : {0.5, 1.3}) {
        balls.push_back(ball(balls.size(), {0.1, 1, z}, 0.5));
        balls.push_back(ball(balls.size(), {3.5, 1, z}, 0.5));
    }
    // Layer 0 alone: places image of 1, 0, 1, image of 0 below; above the same of ghosts.
    const Arranged a = arrange(balls, cubes, 0, 1);
    ASSERT_EQ(a.bodies.size, 8u);
    ASSERT_EQ(a.bodies.owned, (Range{0, 4}));
    EXPECT_EQ(pairs_of(a, cubes), (Pairs{{0, 1}, {1, 4}, {1, 5}, {2, 3}, {2, 6}, {2, 7}}));
}

TEST(AllPairs, NoneAndOne) {
    const Cubes cubes({{0, 0, 0}, {8, 8, 8}, {}}, smallest_edge);
    EXPECT_TRUE(pairs_of(arrange({}, cubes), cubes).empty());
    EXPECT_TRUE(pairs_of(arrange({ball(1, {1, 1, 1}, 0.5)}, cubes), cubes).empty());
}

}  // namespace granary::test
