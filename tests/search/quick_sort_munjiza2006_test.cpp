#include "search/quick_sort_munjiza2006.hpp"
#include <gtest/gtest.h>
#include "numbered_balls.hpp"

namespace granary::test::quick_sort_munjiza2006_test {

namespace {

std::int64_t linear(const Cell<3>& c, std::int64_t n_x, std::int64_t n_y) { return (c[0] * n_y + c[1]) * n_x + c[2]; }

void expect_right(const QuickSortDetector& detector, const NumberedBalls<3>& balls) {
    EXPECT_TRUE(balls.is_order(detector.order()));
    const NumberPairs truth = balls.brute_force();
    std::vector<Couple> couples(3);
    detector.mr_search(balls.quads.data(), margin, couples);
    EXPECT_EQ(sorted_pairs(couples), truth);
    detector.binary_search(balls.quads.data(), margin, couples);
    EXPECT_EQ(sorted_pairs(couples), truth);
}

}  // namespace

// Equations (15)-(17): m = (2, 2, 0), M = (1, 2, 3) in 5 x 6 cells a layer give (x, y, z) = (1, 5, 1), the 44th of 88.
TEST(MiddleCell, IsThatOfThePapersExample) {
    const Cell<3> m{0, 2, 2}, M{3, 2, 1}, mu = middle_cell(m, M, 5, 6);
    EXPECT_EQ(mu[2], 1);
    EXPECT_EQ(mu[1], 5);
    EXPECT_EQ(mu[0], 1);
    EXPECT_EQ(linear(mu, 5, 6) - linear(m, 5, 6), 44);
}

TEST(MiddleCell, IsHalfTheSumOfLinearIndices) {
    Dice dice(1);
    for (int n = 0; n < 100'000; ++n) {
        const bool large = dice.one_in(3);
        const auto radix = [&] { return 1 + dice.below(large ? 2'000'000 : 9); };
        const std::int32_t n_x = radix(), n_y = radix(), n_z = 1 + dice.below(large ? 2'000 : 9);
        const auto any = [&] { return Cell<3>{dice.below(n_z), dice.below(n_y), dice.below(n_x)}; };
        Cell<3> m = any(), M = any();
        if (M < m) std::swap(m, M);
        ASSERT_EQ(linear(middle_cell(m, M, n_x, n_y), n_x, n_y), (linear(m, n_x, n_y) + linear(M, n_x, n_y)) / 2);
    }
}

TEST(QuickSort, FindsAllPairsByBothSearches) {
    for (const std::string name : scene_names) {
        SCOPED_TRACE(name);
        NumberedBalls<3> balls(name, 37);
        QuickSortDetector detector(balls.cells(), balls.quads.data(), balls.size());
        Dice dice(9);
        for (const double by : {0.0, 0.05, 0.5, smallest_edge}) {
            SCOPED_TRACE(by);
            balls.move(dice, by);
            detector.sort(balls.quads.data());
            expect_right(detector, balls);
        }
        balls.scatter(dice, 1);  // no order is too bad
        detector.sort(balls.quads.data());
        expect_right(detector, balls);
    }
}

// From the worst orders that there are for pivots taken by place.
TEST(QuickSort, SortsAscendingAndDescendingNumbers) {
    for (const bool descending : {false, true}) {
        std::vector<double> quads;
        for (int k = 0; k < 3000; ++k) {
            const int cell = descending ? 2999 - k : k;
            quads.insert(quads.end(), {cell % 3 + 0.5, cell / 3 % 20 + 0.5, cell / 60 + 0.5, 0.4});
        }
        QuickSortDetector detector(MrCells<3>::over({0, 0, 0}, {3, 20, 50}, 1), quads.data(), 3000);
        detector.sort(quads.data());
        const std::vector<Index> order = detector.order();
        for (Index k = 0; k < 3000; ++k) ASSERT_EQ(order[k], descending ? 2999 - k : k);
    }
}

}  // namespace granary::test::quick_sort_munjiza2006_test
