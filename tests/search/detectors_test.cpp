// All detectors give the same list, whatever the sizes of the balls and wherever they lie, with ghosts and images too.
#include <gtest/gtest.h>
#include "detectors.hpp"
#include "support/quick.hpp"

namespace granary::test {

namespace {

void expect_all_agree(const Arranged& a, const Cubes& cubes, double margin, const std::vector<DetectorUnderTest>& all) {
    PairList list;  // made again and again in the same arrays
    const Pairs truth = brute_force(a, margin);
    for (const DetectorUnderTest& detector : all) {
        detector.search({a.bodies, cubes, margin, true}, list);
        ASSERT_EQ(list.n_bodies, a.bodies.size) << detector.name;
        ASSERT_EQ(list.begin(list.n_bodies), list.size) << detector.name;
        ASSERT_EQ(listed(list), truth) << detector.name;
    }
}

}  // namespace

TEST(Detectors, AgreeOnEverySizeRatioAndPlace) {
    const auto all = detectors();
    const Cubes cubes = cubes_of({5, 4, 6}, {});
    std::size_t n_pairs = 0, n_unlike = 0;
    for (const double ratio : {1.0, 3.0, 32.0, 1024.0})
        for (const std::string name : arrangements)
            for (const int count : {0, 1, 2, 3, 17, 400, 3000}) {
                if (HasFatalFailure()) return;
                SCOPED_TRACE(name + ", ratio " + std::to_string(ratio) + ", " + std::to_string(count) + " balls");
                const Mixture m{name, ratio, count};
                const Arranged a = arrange(mixture(m, cubes, 7 + static_cast<std::uint64_t>(count)), cubes);
                expect_all_agree(a, cubes, m.margin(), all);
                for (const auto& [i, j] : brute_force(a, m.margin())) {
                    ++n_pairs;
                    const double p = a.bodies.radius(i), q = a.bodies.radius(j);
                    n_unlike += std::max(p, q) > 10 * std::min(p, q) ? 1 : 0;
                }
            }
    EXPECT_GT(n_pairs, 100000u);
    EXPECT_GT(n_unlike, 10000u);
}

TEST(Detectors, AgreeWithoutAMargin) {
    const auto all = detectors();
    const Cubes cubes = cubes_of({5, 4, 6}, {});
    for (const double ratio : {1.0, 1024.0})
        for (const std::string name : arrangements) {
            if (HasFatalFailure()) return;
            SCOPED_TRACE(name + ", ratio " + std::to_string(ratio));
            const Mixture m{name, ratio, 500};
            expect_all_agree(arrange(mixture(m, cubes, 3), cubes), cubes, 0, all);
        }
}

// What a rank of several holds: its layers, ghosts below and above, images among them.
TEST(Detectors, AgreeWithGhostsAndImages) {
    const auto all = detectors();
    for (const std::array periodic :
         {std::array{true, true, true}, std::array{false, true, false}, std::array{true, false, true}})
        for (const std::array<int, 3> n : {std::array{3, 3, 3}, std::array{5, 4, 6}}) {
            if (quick() && (n[0] == 5) == periodic[2]) continue;
            const Cubes cubes = cubes_of(n, periodic);
            const int top = cubes.layers();
            for (const double ratio : {1.0, 3.0, 32.0})
                for (const std::string name : arrangements)
                    for (const auto& [first, end] :
                         std::vector<std::pair<int, int>>{{0, top}, {0, 1}, {1, 2}, {1, top}}) {
                        if (HasFatalFailure()) return;
                        SCOPED_TRACE(name + ", ratio " + std::to_string(ratio) + ", layers " + std::to_string(first) +
                                     " to " + std::to_string(end));
                        const Mixture m{name, ratio, 300};
                        expect_all_agree(arrange(mixture(m, cubes, 11), cubes, first, end), cubes, m.margin(), all);
                    }
        }
}

TEST(Detectors, AgreeOnTheScenesOfMr) {
    const auto all = detectors();
    for (const std::array periodic : {std::array{false, false, false}, std::array{true, true, true}}) {
        const Cubes cubes = cubes_of({5, 4, 6}, periodic);
        for (const std::string name : scene_names) {
            if (HasFatalFailure()) return;
            SCOPED_TRACE(name);
            expect_all_agree(arrange(scene(name, cubes, 17), cubes), cubes, margin, all);
        }
    }
}

// Too many for all pairs: MR, which the others were compared with above, is the measure.
TEST(Detectors, AgreeWithMrOnAHundredThousandBalls) {
    const auto all = detectors();
    const Cubes cubes({{0, 0, 0}, {20, 20, 20}, {}}, smallest_edge);
    for (const double ratio : {1.0, 8.0}) {
        const Mixture m{"anywhere", ratio, ratio == 1 ? 20000 : 100000};
        const Arranged a = arrange(mixture(m, cubes, 5), cubes);
        PairList truth, list;
        mr_search({a.bodies, cubes, m.margin(), false}, truth);
        EXPECT_GT(truth.size, 10000u);
        for (const DetectorUnderTest& detector : all) {
            if (detector.name == "all-pairs") continue;
            detector.search({a.bodies, cubes, m.margin(), false}, list);
            ASSERT_EQ(list.size, truth.size) << detector.name;
            ASSERT_TRUE(std::equal(list.begin.data(), list.begin.data() + list.n_bodies + 1, truth.begin.data()))
                << detector.name;
            ASSERT_TRUE(std::equal(list.partner.data(), list.partner.data() + list.size, truth.partner.data()))
                << detector.name;
        }
    }
}

}  // namespace granary::test
