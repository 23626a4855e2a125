#include "decomposition/slabs.hpp"
#include <gtest/gtest.h>

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

}  // namespace granary::test
