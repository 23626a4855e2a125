#include "decomposition/slabs.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <numeric>
#include "support/dice.hpp"

namespace granary::test {

namespace {

// Cuts of all kinds: empty ranks at the ends and between, one layer, more ranks than layers.
const std::vector<std::vector<int>> many_cuts{
    {0, 5},       {0, 2, 5},    {0, 0, 5},       {0, 5, 5},       {0, 1, 2, 5},         {0, 2, 2, 5},
    {0, 0, 0, 5}, {0, 5, 5, 5}, {0, 1, 2, 3, 3}, {0, 0, 1, 1, 3}, {0, 1, 1, 1, 2, 3, 3}};

// The owner found by looking at every rank.
int owner_of(const std::vector<int>& cuts, int layer) {
    for (std::size_t r = 0; r + 1 < cuts.size(); ++r)
        if (cuts[r] <= layer && layer < cuts[r + 1]) return static_cast<int>(r);
    return -1;
}

}  // namespace

TEST(Slabs, EveryLayerHasOneOwner) {
    for (const auto& cuts : many_cuts) {
        const Slabs slabs(cuts, false);
        EXPECT_EQ(slabs.n_layers(), cuts.back());
        EXPECT_EQ(slabs.n_ranks(), static_cast<int>(cuts.size()) - 1);
        for (int layer = 0; layer < cuts.back(); ++layer) EXPECT_EQ(slabs.owner(layer), owner_of(cuts, layer));
    }
}

TEST(Slabs, NeighboursOwnTheNextLayer) {
    for (const auto& cuts : many_cuts)
        for (const bool periodic : {false, true}) {
            const Slabs slabs(cuts, periodic);
            const int n = cuts.back();
            for (int r = 0; r < slabs.n_ranks(); ++r) {
                const auto wanted = [&](int layer) -> std::optional<int> {
                    if (cuts[r] == cuts[r + 1] || (!periodic && (layer < 0 || layer >= n))) return {};
                    return owner_of(cuts, (layer + n) % n);
                };
                EXPECT_EQ(slabs.empty(r), cuts[r] == cuts[r + 1]);
                EXPECT_EQ(slabs.below(r), wanted(cuts[r] - 1));
                EXPECT_EQ(slabs.above(r), wanted(cuts[r + 1]));
                if (slabs.empty(r)) continue;
                EXPECT_EQ(slabs.wraps_below(r), periodic && cuts[r] == 0);
                EXPECT_EQ(slabs.wraps_above(r), periodic && cuts[r + 1] == n);
            }
        }
    const Slabs alone({0, 4}, true);
    EXPECT_EQ(alone.below(0), 0);  // its own neighbour
    EXPECT_EQ(alone.above(0), 0);
}

// Whom I send to knows that I do.
TEST(Slabs, NeighboursAgree) {
    for (const auto& cuts : many_cuts)
        for (const bool periodic : {false, true}) {
            const Slabs slabs(cuts, periodic);
            for (int r = 0; r < slabs.n_ranks(); ++r) {
                const auto below = slabs.below(r), above = slabs.above(r);
                EXPECT_TRUE(!below || slabs.above(*below) == r);
                EXPECT_TRUE(!above || slabs.below(*above) == r);
            }
        }
}

TEST(Slabs, BalancedCutsAreCuts) {
    test::Dice dice(1);
    for (int n = 0; n < 2000; ++n) {
        std::vector<double> cost(1 + dice.below(30));
        for (double& c : cost) c = dice.one_in(3) ? 0 : dice.uniform(0, 100);
        const int ranks = 1 + dice.below(9);
        const std::vector<int> cuts = balanced_cuts(cost, ranks);
        ASSERT_EQ(cuts.size(), static_cast<std::size_t>(ranks) + 1);
        EXPECT_EQ(cuts.front(), 0);
        EXPECT_EQ(cuts.back(), static_cast<int>(cost.size()));
        EXPECT_TRUE(std::is_sorted(cuts.begin(), cuts.end()));
        // Each cut is at the face nearest to its share: no rank is off by more than the dearest layer.
        const double whole = std::accumulate(cost.begin(), cost.end(), 0.0);
        const double dearest = *std::max_element(cost.begin(), cost.end());
        if (whole > 0) {
            EXPECT_LE(imbalance(cost, cuts) * whole / ranks, whole / ranks + dearest * (1 + 1e-9) + 1e-5 * whole);
        }
    }
}

TEST(Slabs, BalancedCutsOfKnownCosts) {
    EXPECT_EQ(balanced_cuts({1, 1, 1, 1, 1, 1}, 3), (std::vector{0, 2, 4, 6}));
    EXPECT_EQ(balanced_cuts({0, 0, 0, 9, 9, 0, 0, 0}, 2), (std::vector{0, 4, 8}));
    EXPECT_EQ(balanced_cuts({5, 1, 1, 1, 1, 1}, 2), (std::vector{0, 1, 6}));
    EXPECT_EQ(balanced_cuts({0, 0, 0, 0}, 2), (std::vector{0, 2, 4}));  // nothing costs anything: shared evenly
    EXPECT_EQ(balanced_cuts({0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0}, 1), (std::vector{0, 12}));
    const std::vector<int> few = balanced_cuts({1, 1}, 4);
    EXPECT_EQ(few.front(), 0);
    EXPECT_EQ(few.back(), 2);
}

TEST(Slabs, Imbalance) {
    EXPECT_DOUBLE_EQ(imbalance({1, 1, 1, 1}, {0, 2, 4}), 1.0);
    EXPECT_DOUBLE_EQ(imbalance({1, 1, 1, 1}, {0, 3, 4}), 1.5);
    EXPECT_DOUBLE_EQ(imbalance({1, 1, 1, 1}, {0, 4, 4}), 2.0);
    EXPECT_DOUBLE_EQ(imbalance({0, 0, 0, 0}, {0, 4, 4}), 1.0);
}

}  // namespace granary::test
