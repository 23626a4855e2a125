// Balls that come in packed into cells.
#include <gtest/gtest.h>
#include <algorithm>
#include <memory>
#include "rain.hpp"

namespace granary::packed_insertion_test {

using test::rain;

namespace {

// Cells from the bottom up; no two balls closer than allowed, all inside of the box.
void expect_packed(InsertionSpec s, double most, int slab_axis) {
    s.axes = Axes(slab_axis);
    s.method = InsertionMethod::pack, s.max_overlap = most;
    s.lower = s.axes.in(Vec3d{0.1, 0.2, 1.0}), s.upper = s.axes.in(Vec3d{0.5, 0.65, 1.5}), s.spans_period = {};
    validate(s);
    const auto packed = trials(s, 1);
    double deepest = 0, before = 0;
    for (std::size_t i = 0; i < packed.size(); ++i) {
        const NewBody& a = packed[i];
        EXPECT_GE(a.radius, s.balls.radius_min);
        EXPECT_LE(a.radius, s.balls.radius_max);
        for (int k = 0; k < 3; ++k) {
            EXPECT_GE(at(a.position, k) - a.radius, at(s.lower, k) - 1e-12);
            EXPECT_LE(at(a.position, k) + a.radius, at(s.upper, k) + 1e-12);
        }
        for (std::size_t j = 0; j < i; ++j)
            deepest = std::max(deepest, a.radius + packed[j].radius - norm(a.position - packed[j].position));
        const double up = s.axes.out(a.position).z;
        EXPECT_GT(up, before - 2 * s.balls.radius_max);
        before = std::max(before, up);
    }
    EXPECT_LE(deepest, most * s.balls.radius_min + 1e-12);
    EXPECT_EQ(deepest > 0, most > 0);
    EXPECT_GT(before, 1.35);  // up to the last whole cell
}

}  // namespace

TEST(Insertion, PackedBallsKeepTheirDistance) {
    for (const double most : {0.0, 0.2, 0.5})
        for (const int slab_axis : {0, 2}) expect_packed(rain(), most, slab_axis);
    InsertionSpec low = rain();
    low.method = InsertionMethod::pack, low.upper.z = low.lower.z + 0.05, low.balls.radius_max = 0.02;
    EXPECT_EQ(n_trials(low), 24u * 24 * 1);
}

// However sizes are spread: balls are placed as if they were smaller by the allowance, and are not.
TEST(Insertion, PackedBallsHaveTheSizesAskedFor) {
    InsertionSpec s = rain();
    const double low = s.balls.radius_min, high = s.balls.radius_max;
    for (const SizeDistribution& sizes : {SizeDistribution::normal(0.5 * (low + high), high - low, low, high),
                                          SizeDistribution::sieve({low, 0.6 * low + 0.4 * high, high}, {0, 0.7, 1}),
                                          SizeDistribution::list({low, high}, {1, 1})}) {
        s.balls.sizes = std::make_shared<SizeDistribution>(sizes);
        for (const double most : {0.0, 0.3}) expect_packed(s, most, 2);
    }
    s.method = InsertionMethod::pack, s.spans_period = {};
    std::vector<double> radii;
    for (const double most : {0.0, 0.4}) {
        s.max_overlap = most;
        const auto packed = trials(s, 1);
        for (const NewBody& b : packed) EXPECT_TRUE(b.radius == low || b.radius == high) << b.radius;
        const auto some = std::min<std::size_t>(packed.size(), 200);
        if (radii.empty())
            for (std::size_t k = 0; k < some; ++k) radii.push_back(packed[k].radius);
        ASSERT_GE(packed.size(), radii.size());
        for (std::size_t k = 0; k < radii.size(); ++k) EXPECT_EQ(packed[k].radius, radii[k]);
    }
}

}  // namespace granary::packed_insertion_test
