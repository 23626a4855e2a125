#include "plan/choose_detector.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include <utility>
#include "search/fixed_cubes_lazarevic2002.hpp"
#include "search/mmr_search_munjiza2006.hpp"
#include "search/two_level_huang2020.hpp"
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

// Bodies a cluster or single ball decide; the 24 drums of Huang (2020) as tests/benchmarks/CLUSTERS.md measures them.
TEST(ChooseDetector, TakesTwoLevelsWhereClustersHaveManyElements) {
    const auto choice = [](double singles, double clusters, double elements, double radius) {
        const auto volume = [](double r) { return 4.0 / 3.0 * std::numbers::pi * std::pow(r, 3); };
        const double largest = std::max(singles > 0 ? 10e-3 : 0, radius), edge = 2.1 * largest;
        return estimate_detector({singles + clusters * elements,
                                  singles * volume(10e-3) + clusters * elements * volume(radius), singles + clusters},
                                 {edge, edge, edge})
            .best();
    };
    EXPECT_EQ(choice(10'000, 1'000, 6, 8.28e-3), Detector::mr);
    EXPECT_EQ(choice(10'000, 1'000, 25, 5.80e-3), Detector::mr);
    EXPECT_EQ(choice(10'000, 1'000, 100, 3.73e-3), Detector::two_level);
    EXPECT_EQ(choice(5'500, 5'500, 6, 8.28e-3), Detector::mr);
    EXPECT_EQ(choice(5'500, 5'500, 25, 5.80e-3), Detector::two_level);
    EXPECT_EQ(choice(5'500, 5'500, 100, 3.73e-3), Detector::two_level);
    EXPECT_EQ(choice(0, 100, 27, 1e-2), Detector::two_level);
    EXPECT_EQ(choice(1000, 0, 0, 1e-2), Detector::mr);
    EXPECT_EQ(choice(500, 100, 27, 1e-2), Detector::mr);        // the mill: 5.3 bodies a unit
    EXPECT_EQ(choice(0, 1, 1e5, 1e-3), Detector::mr);           // a specimen that no sphere serves
    EXPECT_EQ(choice(1000, 10'000, 2, 0.4e-3), Detector::mmr);  // dimers count as balls
    EXPECT_EQ(estimate_detector({}, {1, 1, 1}).best(), Detector::mr);
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

    // Clusters of a hundred, about six pairs a ball.
    Dice dice(2);
    std::vector<NewBody> balls;
    for (Id n = 0; n < 500; ++n) {
        const Vec3d centre = dice.within({1, 1, 1}, {9, 9, 9});
        for (Id k = 0; k < 100; ++k) {
            balls.push_back(ball(100 * n + k, centre + dice.vector(0.4), 0.07));
            balls.back().cluster = 100 * n;
        }
    }
    Arranged a = arrange(balls, cubes);
    a.bodies.add(When::clusters);
    for (Index i = 0; i < a.bodies.size; ++i) a.bodies.cluster(i) = balls[a.copies[i].ball].cluster;
    PairList list;
    TwoLevelWorkspace two_level;
    two_level_search({a.bodies, cubes, 0.002, false}, list, {}, two_level);
    EXPECT_EQ(two_level.counts.clusters, 500u);
    const double of_two_level = static_cast<double>(two_level.bytes()) / static_cast<double>(balls.size());
    const std::string pairs = std::to_string(list.size / balls.size()) + " pairs per ball";
    EXPECT_LT(of_two_level, bytes_a_ball(Detector::two_level)) << pairs;
    EXPECT_GT(of_two_level, bytes_a_ball(Detector::two_level) / 3) << pairs;
}

TEST(ChooseDetector, NamesAreThoseOfTheCase) {
    EXPECT_EQ(word_of(Detector::mr), "mr");
    EXPECT_EQ(word_of(Detector::mmr), "mmr");
    EXPECT_EQ(word_of(Detector::fixed_cubes), "fixed-cubes");
    EXPECT_EQ(word_of(Detector::all_pairs), "all-pairs");
    EXPECT_EQ(word_of(Detector::two_level), "two-level");
}

}  // namespace granary::test
