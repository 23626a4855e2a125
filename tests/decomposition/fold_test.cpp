#include "decomposition/fold.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace granary {

// Numbers whose sum depends on the order: shared out among the ranks in any way they give the bits of one rank alone, on all.
TEST(Fold, SumsAreThoseOfOneRank) {
    const boost::mpi::communicator world;
    const auto number = [](int k, int of) {
        return std::sin(12.9898 * k + of) * std::pow(10.0, (k * 7 + of) % 13 - 6);
    };
    constexpr int n = 1000, sums = 3;
    std::vector<double> alone(sums, 0.0), reversed(sums, 0.0);
    for (int k = 0; k < n; ++k)
        for (int s = 0; s < sums; ++s) alone[s] += number(k, s), reversed[s] += number(n - 1 - k, s);
    ASSERT_NE(alone, reversed);  // the order matters
    const int me = world.rank(), ranks = world.size();
    for (const bool uneven : {false, true}) {
        // Uneven: the first rank has nearly all, the others little or nothing.
        const auto begin = [&](int rank) { return rank == 0 ? 0 : uneven ? n - (ranks - rank) / 2 : n * rank / ranks; };
        std::vector<double> together(sums, 0.0);
        fold_in_order(world, together, [&](std::vector<double>& s) {
            for (int k = begin(me); k < (me + 1 == ranks ? n : begin(me + 1)); ++k)
                for (int q = 0; q < sums; ++q) s[q] += number(k, q);
        });
        EXPECT_EQ(together, alone);
    }
}

}  // namespace granary
