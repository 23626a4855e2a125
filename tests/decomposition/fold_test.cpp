#include "decomposition/fold.hpp"
#include <gtest/gtest.h>
#include <cmath>

namespace granary {

// Numbers whose sum depends on the order: shared out among the ranks in any way they give the bits of one rank alone,
// on all.
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

// Whatever the slices: the sums are those of one rank, added up over several folds, and nobody holds more than a fair
// share.
TEST(Fold, SlicedSumsAreThoseOfOneRank) {
    const boost::mpi::communicator world;
    const auto number = [](int k, std::size_t of, int look) {
        return std::sin(12.9898 * k + static_cast<double>(of) + look) *
               std::pow(10.0, (k * 7 + static_cast<int>(of)) % 13 - 6);
    };
    constexpr int n = 60, looks = 3;
    const int me = world.rank(), ranks = world.size();
    for (const std::size_t sums : {1u, 7u, 24u, 101u})
        for (const std::size_t at_once : {1u, 5u, 24u, 1000u}) {
            SCOPED_TRACE(testing::Message() << sums << " sums, " << at_once << " at once");
            std::vector<double> alone(sums, 0.0);
            SlicedSums together(world, sums, at_once);
            for (int look = 0; look < looks; ++look) {
                std::vector<double> now(sums, 0.0);
                for (int k = 0; k < n; ++k)
                    for (std::size_t s = 0; s < sums; ++s) now[s] += number(k, s, look);
                for (std::size_t s = 0; s < sums; ++s) alone[s] += now[s];
                together.fold([&](std::span<double> slice, std::size_t first) {
                    EXPECT_LE(slice.size(), at_once);
                    for (int k = n * me / ranks; k < n * (me + 1) / ranks; ++k)
                        for (std::size_t s = 0; s < slice.size(); ++s) slice[s] += number(k, first + s, look);
                });
            }
            const std::vector<double> whole = together.whole();
            EXPECT_EQ(whole, me == 0 ? alone : std::vector<double>());
            EXPECT_LE(together.held(), sums / static_cast<std::size_t>(ranks) + at_once);

            SlicedSums again(world, sums, at_once);
            again.set(whole);
            EXPECT_EQ(again.whole(), whole);
            again.clear();
            EXPECT_EQ(again.whole(), std::vector<double>(whole.size(), 0.0));
        }
}

}  // namespace granary
