// What is particular to the fixed cubes; that they give the right pairs is in detectors_test.cpp.
#include "search/fixed_cubes_lazarevic2002.hpp"
#include <gtest/gtest.h>
#include "detectors.hpp"

namespace granary::test {

namespace {

using Once = FixedCubesSettings::Once;

FixedCubesCounts counts_of(const std::vector<NewBody>& balls, const Domain& d, double margin, double delta) {
    const Cubes cubes(d, 2 * largest_radius + margin);
    const Arranged a = arrange(balls, cubes);
    FixedCubesWorkspace work;
    FixedCubesCounts counts;
    FixedCubesSettings settings;
    settings.delta = delta;
    PairList list;
    fixed_cubes_search({a.bodies, cubes, margin, false}, list, settings, work, &counts);
    return counts;
}

// Light contacts of a large and a small ball, each pair alone, any way round and anywhere relative to the cubes.
std::vector<NewBody> couples(double ratio, int n_pairs, double overlap, double first_cube) {
    Dice dice(12);
    const PositionLattice lattice({{0, 0, 0}, {400, 400, 400}, {}});
    std::vector<NewBody> balls{ball(0, {first_cube, first_cube, first_cube}, largest_radius)};
    for (int n = 0; n < n_pairs; ++n) {
        const Vec3d middle =
            Vec3d{8.0 + 5 * (n % 70), 8.0 + 5 * (n / 70 % 70), 8.0 + 5 * (n / 4900)} + dice.vector(0.6);
        Vec3d way = dice.vector(1);
        while (norm(way) > 1 || norm(way) < 0.1) way = dice.vector(1);
        const double small = largest_radius / ratio, apart = (largest_radius + small) - overlap * small;
        balls.push_back(ball(balls.size(), lattice.snap(middle), largest_radius));
        balls.push_back(ball(balls.size(), lattice.snap(middle + apart / norm(way) * way), small));
    }
    return balls;
}

}  // namespace

// The share of touching pairs that the rule of the midpoint loses grows with the ratio of radii; the default loses
// none.
TEST(FixedCubes, MidpointLosesPairsOfUnequalBallsAndTheDefaultNone) {
    const Cubes cubes({{0, 0, 0}, {400, 400, 400}, {}}, 2 * largest_radius);
    constexpr int n_pairs = 40000;
    struct Share {
        double ratio, least, most;  // of the pairs that are lost
    };
    for (const Share& s : {Share{1, 0, 0}, Share{1.05, 0.00005, 0.001}, Share{1.5, 0.01, 0.04}, Share{3, 0.06, 0.18}}) {
        SCOPED_TRACE("ratio " + std::to_string(s.ratio));
        const Arranged a = arrange(couples(s.ratio, n_pairs, 1e-3, 1), cubes);
        const SearchTask task{a.bodies, cubes, 0, false};
        FixedCubesWorkspace work;
        FixedCubesSettings settings;
        PairList truth, list;
        mr_search(task, truth);
        ASSERT_EQ(truth.size, static_cast<Index>(n_pairs));
        fixed_cubes_search(task, list, settings, work);
        EXPECT_EQ(listed(list), listed(truth));
        settings.once = Once::midpoint;
        fixed_cubes_search(task, list, settings, work);
        const double lost = 1 - static_cast<double>(list.size) / n_pairs;
        RecordProperty("lost at ratio " + std::to_string(s.ratio), std::to_string(lost));
        EXPECT_GE(lost, s.least);
        EXPECT_LE(lost, s.most);
    }
}

// A ball is entered into exactly the cubes within its radius: counted over the 27 around it.
TEST(FixedCubes, EntersABallIntoTheCubesThatItReaches) {
    const Domain d{{0, 0, 0}, {20, 20, 20}, {}};
    const double edge = 2 * largest_radius * 1.25 * (1 + 1e-8);
    Dice dice(3);
    int most = 0;
    for (int n = 0; n < 3000; ++n) {
        const double r = dice.uniform(0.2, 1) * largest_radius;
        const Vec3d x = dice.within({5, 5, 5}, {10, 10, 10});
        int reached = 0;
        for (int code = 0; code < 27; ++code) {
            double d2 = 0;
            const std::array k{code % 3 - 1, code / 3 % 3 - 1, code / 9 - 1};
            for (int axis = 0; axis < 3; ++axis) {
                const double low = (std::floor(at(x, axis) / edge) + k[axis]) * edge;
                const double beyond = std::max({0.0, low - at(x, axis), at(x, axis) - low - edge});
                d2 += beyond * beyond;
            }
            reached += d2 <= r * r ? 1 : 0;
        }
        // A second ball, far away, makes the cubes as large as the largest ball wants them.
        const auto c = counts_of({ball(0, x, r), ball(1, {15, 15, 15}, largest_radius)}, d, 0, 0.25);
        const auto alone = counts_of({ball(1, {15, 15, 15}, largest_radius)}, d, 0, 0.25);
        ASSERT_EQ(c.entries - alone.entries, static_cast<std::uint64_t>(reached));
        most = std::max(most, reached);
    }
    EXPECT_EQ(most, 8);
}

// Centres exactly on a face, an edge, a corner (18) and in the middle of a cube (19), and balls that just touch a face.
TEST(FixedCubes, AmbiguousPositions) {
    // Only balls of the largest size, so that a = 1.25 (1 + 1e-8); the first cube begins at the domain's corner.
    const Domain d{{0, 0, 0}, {20, 20, 20}, {}};
    const double a = 1.25 * (1 + 1e-8);
    const auto entries = [&](const Vec3d& x) { return counts_of({ball(0, x, largest_radius)}, d, 0, 0.25).entries; };
    const double m = 1.5 * a, f = 2 * a, t = 2 * a - largest_radius;
    EXPECT_EQ(entries({m, m, m}), 1u);
    EXPECT_EQ(entries({f, m, m}), 2u);
    EXPECT_EQ(entries({m, m, f}), 2u);
    EXPECT_EQ(entries({f, f, m}), 4u);
    EXPECT_EQ(entries({f, m, f}), 4u);
    EXPECT_EQ(entries({f, f, f}), 8u);
    EXPECT_EQ(entries({t, m, m}), 2u);
    EXPECT_EQ(entries({m, t, m}), 2u);
    EXPECT_EQ(entries({0, 0, 0}), 8u);  // where the ceiling has no cube
}

// Numbers of section 3.5 and of table 1: 6 to 10 examinations; 5.8 cubes a ball on average.
TEST(FixedCubes, ExaminationsAndCubesABall) {
    const Domain d{{0, 0, 0}, {30, 30, 30}, {}};
    Dice dice(7);
    std::vector<NewBody> balls{ball(0, {15, 15, 15}, largest_radius)};
    for (Id n = 1; n < 20000; ++n)
        balls.push_back(ball(n, dice.within(d.lower, d.upper), dice.uniform(0.215, 0.225) / 0.225 * largest_radius));
    const auto c = counts_of(balls, d, 0, 0.05 / 0.45);
    EXPECT_EQ(c.balls, 20000u);
    EXPECT_EQ(c.fewest, 6u);
    EXPECT_EQ(c.most, 10u);
    EXPECT_NEAR(static_cast<double>(c.entries) / 20000, 5.8, 0.1);
    EXPECT_GT(c.cubes, 1000u);
    EXPECT_GT(c.pair_tests, 0u);
    EXPECT_GE(c.most_in_a_cube * c.cubes, c.entries);
}

TEST(FixedCubes, MemoryDoesNotKnowTheVolumeOfSpace) {
    const auto bytes = [](double size) {
        const Cubes cubes({{0, 0, 0}, {size, size, size}, {}}, smallest_edge);
        Dice dice(3);
        std::vector<NewBody> balls;
        for (Id n = 0; n < 2000; ++n) balls.push_back(ball(n, dice.within({1, 1, 1}, {9, 9, 9}), largest_radius));
        const Arranged a = arrange(balls, cubes);
        FixedCubesWorkspace work;
        PairList list;
        fixed_cubes_search({a.bodies, cubes, margin, false}, list, {}, work);
        return work.bytes();
    };
    EXPECT_EQ(bytes(10), bytes(100000));
}

}  // namespace granary::test
