#include "decomposition/balance.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <limits>
#include <numeric>
#include "support/dice.hpp"

namespace granary::test {

namespace {

double largest_share(const std::vector<double>& cost, const std::vector<int>& cuts, const std::vector<double>& pace) {
    double most = 0;
    for (std::size_t r = 0; r < pace.size(); ++r)
        most = std::max(most, pace[r] * std::accumulate(cost.begin() + cuts[r], cost.begin() + cuts[r + 1], 0.0));
    return most;
}

// Over all cuts there are: the first r ranks take the first k layers.
double smallest_largest_share(const std::vector<double>& cost, const std::vector<double>& pace) {
    const std::size_t n = cost.size();
    std::vector<double> best(n + 1, std::numeric_limits<double>::infinity());
    best[0] = 0;
    for (const double p : pace) {
        std::vector<double> next(n + 1, std::numeric_limits<double>::infinity());
        for (std::size_t from = 0; from <= n; ++from) {
            double mine = 0;
            for (std::size_t to = from; to <= n; ++to) {
                next[to] = std::min(next[to], std::max(best[from], p * mine));
                if (to < n) mine += cost[to];
            }
        }
        best = next;
    }
    return best[n];
}

const std::vector<double> even(40, 1.0);

}  // namespace

TEST(Balance, BalancedCutsAreCuts) {
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
        // No cuts are better; a trifle is given to layers without cost.
        std::vector<double> pace(ranks, 1.0);
        if (dice.one_in(2))
            for (double& p : pace) p = dice.uniform(0.5, 2);
        const double whole = std::accumulate(cost.begin(), cost.end(), 0.0);
        const double best = smallest_largest_share(cost, pace);
        EXPECT_LE(largest_share(cost, balanced_cuts(cost, ranks, pace), pace), best + 1e-5 * whole);
    }
}

TEST(Balance, BalancedCutsOfKnownCosts) {
    EXPECT_EQ(balanced_cuts(std::vector<double>{1, 1, 1, 1, 1, 1}, 3), (std::vector{0, 2, 4, 6}));
    EXPECT_EQ(balanced_cuts(std::vector<double>{0, 0, 0, 9, 9, 0, 0, 0}, 2), (std::vector{0, 4, 8}));
    EXPECT_EQ(balanced_cuts(std::vector<double>{5, 1, 1, 1, 1, 1}, 2), (std::vector{0, 1, 6}));
    EXPECT_EQ(balanced_cuts(std::vector<double>{0, 0, 0, 0}, 2),
              (std::vector{0, 2, 4}));  // nothing costs anything: shared evenly
    EXPECT_EQ(balanced_cuts(std::vector<double>{0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0}, 1), (std::vector{0, 12}));
    const std::vector<int> few = balanced_cuts(std::vector<double>{1, 1}, 4);
    EXPECT_EQ(few.front(), 0);
    EXPECT_EQ(few.back(), 2);
}

TEST(Balance, Imbalance) {
    EXPECT_DOUBLE_EQ(imbalance(std::vector<double>{1, 1, 1, 1}, {0, 2, 4}), 1.0);
    EXPECT_DOUBLE_EQ(imbalance(std::vector<double>{1, 1, 1, 1}, {0, 3, 4}), 1.5);
    EXPECT_DOUBLE_EQ(imbalance(std::vector<double>{1, 1, 1, 1}, {0, 4, 4}), 2.0);
    EXPECT_DOUBLE_EQ(imbalance(std::vector<double>{0, 0, 0, 0}, {0, 4, 4}), 1.0);
}

TEST(Balance, SlowRankGetsFewerLayers) {
    const std::vector<double> pace{1, 1, 2, 1};
    EXPECT_EQ(balanced_cuts(std::vector<double>(35, 1.0), 4, pace), (std::vector{0, 10, 20, 25, 35}));
    EXPECT_DOUBLE_EQ(imbalance(std::vector<double>(35, 1.0), {0, 10, 20, 25, 35}, pace), 1.0);
}

TEST(Balance, LeavesAloneWhatIsGoodEnough) {
    Balance balance(BalanceRules{.by_time = false});
    EXPECT_FALSE(balance.look(even, {0, 10, 20, 30, 40}, {}, 0));
    EXPECT_FALSE(balance.look(std::vector<double>(41, 1.0), {0, 10, 20, 30, 41}, {}, 0))
        << "11 of 10.25: nothing better";
    const auto move = balance.look(even, {0, 5, 20, 30, 40}, {}, 0);
    ASSERT_TRUE(move);
    EXPECT_EQ(move->cuts, (std::vector{0, 10, 20, 30, 40}));
    EXPECT_DOUBLE_EQ(move->before, 1.5);
    EXPECT_DOUBLE_EQ(move->after, 1.0);
}

// Work that swings from one side to the other and back: the cuts follow once or twice, then no more.
TEST(Balance, DoesNotMoveToAndFro) {
    Balance balance(BalanceRules{.by_time = false});
    std::vector<int> cuts{0, 20, 40};
    int moves = 0;
    for (int k = 0; k < 100; ++k) {
        std::vector<double> cost = even;
        for (int layer = 0; layer < 20; ++layer) cost[k % 2 == 0 ? layer : 39 - layer] *= 1.13;
        if (const auto move = balance.look(cost, cuts, {}, 0)) cuts = move->cuts, ++moves;
    }
    EXPECT_LE(moves, 2);
}

// A rank on a core of half the speed: counts say that all is well, the clock says that it is not.
TEST(Balance, ClockSeesASlowRank) {
    std::vector<int> cuts{0, 10, 20, 30, 40};
    std::vector<double> seconds(4, 0.0);
    Balance balance(BalanceRules{});
    std::uint64_t steps = 0;
    const auto run_and_look = [&] {
        for (std::size_t r = 0; r < 4; ++r) seconds[r] += 0.02 * (cuts[r + 1] - cuts[r]) * (r == 2 ? 2 : 1);
        steps += 100;
        if (const auto move = balance.look(even, cuts, seconds, steps)) cuts = move->cuts;
    };
    run_and_look();
    EXPECT_EQ(cuts, (std::vector{0, 10, 20, 30, 40})) << "one look is where measuring begins";
    for (int k = 0; k < 60; ++k) run_and_look();
    const int slow = cuts[3] - cuts[2];
    EXPECT_GE(slow, 5);
    EXPECT_LE(slow, 7);  // 40/7 would be even
    Balance blind(BalanceRules{.by_time = false});
    EXPECT_FALSE(blind.look(even, {0, 10, 20, 30, 40}, seconds, steps));
}

// Times that differ by a few per cent are noise.
TEST(Balance, ClockDoesNotSeeNoise) {
    Dice dice(3);
    std::vector<double> seconds(4, 0.0);
    Balance balance(BalanceRules{});
    for (int k = 1; k < 200; ++k) {
        for (double& s : seconds) s += 0.6 * dice.uniform(0.97, 1.03);
        EXPECT_FALSE(balance.look(even, {0, 10, 20, 30, 40}, seconds, 100 * k));
    }
}

}  // namespace granary::test
