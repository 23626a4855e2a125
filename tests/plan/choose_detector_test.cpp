#include "plan/choose_detector.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include <utility>
#include "search/fixed_cubes_lazarevic2002.hpp"
#include "search/mmr_search_munjiza2006.hpp"
#include "support/arranged.hpp"

namespace granary::test {

namespace {

// Balls of several radii and how many there are of each, in cubes 2.1 of the largest radii wide.
DetectorEstimate estimate(std::initializer_list<std::pair<double, double>> kinds) {
    BallsInAll all;
    double largest = 0;
    for (const auto& [radius, count] : kinds) {
        all.count += count;
        all.volume += count * 4.0 / 3.0 * std::numbers::pi * std::pow(radius, 3);
        largest = std::max(largest, radius);
    }
    const double edge = 2.1 * largest;
    return estimate_detector(all, {edge, edge, edge});
}

}  // namespace

TEST(ChooseDetector, CountsBallsInACube) {
    const DetectorEstimate equal = estimate({{0.5, 1000}});
    EXPECT_NEAR(equal.balls_in_a_cube, 0.6 * std::pow(1.05, 3) * 6 / std::numbers::pi, 1e-12);
    EXPECT_NEAR(equal.pair_tests, 13.5 * equal.balls_in_a_cube, 1e-12);
    EXPECT_NEAR(estimate({{0.005, 10}}).balls_in_a_cube, equal.balls_in_a_cube, 1e-12);  // the scale does not matter
}

TEST(ChooseDetector, TakesMmrWhereSmallBallsAreMany) {
    EXPECT_FALSE(estimate({{1, 100}}).mmr_is_faster());
    EXPECT_FALSE(estimate({{1, 100}, {0.7, 100}}).mmr_is_faster());
    EXPECT_FALSE(estimate({{1, 1e6}, {0.01, 100}}).mmr_is_faster());  // few small ones do no harm
    EXPECT_TRUE(estimate({{1, 100}, {0.3, 10000}}).mmr_is_faster());
    EXPECT_TRUE(estimate({{1, 1}, {0.05, 1e6}}).mmr_is_faster());  // nor do few large ones help
    EXPECT_FALSE(estimate_detector({}, {1, 1, 1}).mmr_is_faster());
}

// What `granary check` counts for the lists of a detector is what they take, with about as many pairs as a dense
// packing has.
TEST(ChooseDetector, KnowsTheMemoryOfDetectors) {
    const Cubes cubes({{0, 0, 0}, {10, 10, 10}, {}}, 1.05);
    for (const double ratio : {6.0, 16.0}) {  // one step, and several
        Dice dice(1);
        std::vector<NewBody> balls;
        for (Id n = 0; n < (ratio < 10 ? 20000u : 150000u); ++n) {
            const double u = dice.uniform(0, 1);
            balls.push_back(ball(
                n, dice.within({0, 0, 0}, {10, 10, 10}),
                ratio < 10 ? 0.5 * std::pow(ratio, -u) : 0.5 * std::pow(1 + u * (std::pow(ratio, 3) - 1), -1.0 / 3)));
        }
        const Arranged a = arrange(balls, cubes);
        const SearchTask task{a.bodies, cubes, 0.002, false};
        const double n = static_cast<double>(balls.size());
        PairList list;
        MmrWorkspace mmr;
        mmr_search(task, list, {}, mmr);
        EXPECT_EQ(mmr.steps > 1, ratio > 10);
        const double pairs = list.size / n, of_mmr = static_cast<double>(mmr.bytes()) / n;
        EXPECT_LT(of_mmr, bytes_a_ball(Detector::mmr)) << "ratio " << ratio << ", " << pairs << " pairs per ball";
        EXPECT_GT(of_mmr, bytes_a_ball(Detector::mmr) / 3) << "ratio " << ratio << ", " << pairs << " pairs per ball";
        if (ratio < 10) continue;
        FixedCubesWorkspace fixed;
        fixed_cubes_search(task, list, {}, fixed);
        const double of_fixed = static_cast<double>(fixed.bytes()) / n;
        EXPECT_LT(of_fixed, bytes_a_ball(Detector::fixed_cubes));
        EXPECT_GT(of_fixed, bytes_a_ball(Detector::fixed_cubes) / 3);
    }
    EXPECT_EQ(bytes_a_ball(Detector::mr), 0);
}

TEST(ChooseDetector, NamesAreThoseOfTheCase) {
    EXPECT_EQ(word_of(Detector::mr), "mr");
    EXPECT_EQ(word_of(Detector::mmr), "mmr");
    EXPECT_EQ(word_of(Detector::fixed_cubes), "fixed-cubes");
    EXPECT_EQ(word_of(Detector::all_pairs), "all-pairs");
}

}  // namespace granary::test
