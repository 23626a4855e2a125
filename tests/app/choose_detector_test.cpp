#include "app/choose_detector.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include <utility>

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

TEST(ChooseDetector, NamesAreThoseOfTheCase) {
    EXPECT_STREQ(name_of(Detector::mr), "mr");
    EXPECT_STREQ(name_of(Detector::mmr), "mmr");
    EXPECT_STREQ(name_of(Detector::fixed_cubes), "fixed-cubes");
    EXPECT_STREQ(name_of(Detector::all_pairs), "all-pairs");
}

}  // namespace granary::test
