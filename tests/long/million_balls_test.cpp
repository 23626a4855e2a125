// A million balls of sizes 32 to 1: MMR gives the list of MR, to the last pair. MR needs most of a minute here.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "search/mmr_search_munjiza2006.hpp"
#include "search/mr_search_munjiza2006.hpp"
#include "support/arranged.hpp"

namespace granary::test {

namespace {

// Solid fraction 0.5 by volume, balls anywhere: they overlap, which makes no difference to a detector.
void expect_same_list(bool by_mass) {
    constexpr std::size_t n = 1000000;
    constexpr double ratio = 32, margin = 0.005;
    Dice dice(1);
    std::vector<double> radius(n);
    double volume = 0;
    for (double& r : radius) {
        const double u = dice.uniform(0, 1);
        r = 0.5 * (by_mass ? std::pow(1 + u * (std::pow(ratio, 3) - 1), -1.0 / 3) : std::pow(ratio, -u));
        volume += 4.18879 * r * r * r;
    }
    radius[0] = 0.5;
    const double length = std::cbrt(volume / 0.5);
    const Domain d{{0, 0, 0}, {length, length, length}, {}};
    const Cubes cubes(d, 1 + margin);
    std::vector<NewBody> balls;
    for (std::size_t k = 0; k < n; ++k) balls.push_back(ball(k, dice.within(d.lower, d.upper), radius[k]));
    const Arranged a = arrange(balls, cubes);
    const SearchTask task{a.bodies, cubes, margin, false};
    PairList by_mr, by_mmr;
    MmrWorkspace work;
    mr_search(task, by_mr);
    mmr_search(task, by_mmr, {}, work);
    EXPECT_GT(by_mr.size, n);
    EXPECT_GT(work.steps, 1);
    ASSERT_EQ(by_mmr.size, by_mr.size);
    EXPECT_TRUE(std::equal(by_mr.begin.data(), by_mr.begin.data() + n + 1, by_mmr.begin.data()));
    EXPECT_TRUE(std::equal(by_mr.partner.data(), by_mr.partner.data() + by_mr.size, by_mmr.partner.data()));
}

}  // namespace

TEST(MillionBalls, MmrIsCompleteByNumber) { expect_same_list(false); }
TEST(MillionBalls, MmrIsCompleteByMass) { expect_same_list(true); }

}  // namespace granary::test
