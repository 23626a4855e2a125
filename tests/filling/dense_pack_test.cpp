#include "filling/dense_pack.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/errors.hpp"
#include "filling/insertion.hpp"

namespace granary::test {
namespace {

const BallKind nearly_equal{0.0095, 0.0105, 1000, 0, {}, {}, {}};

InsertionSpec dense_spec(const Vec3d& lower, const Vec3d& upper, std::shared_ptr<const DenseTile> tile) {
    InsertionSpec s;
    s.name = "fill", s.lower = lower, s.upper = upper, s.method = InsertionMethod::dense, s.tile = std::move(tile);
    s.total = 1'000'000, s.per_event = s.trials_per_event = 1'000'000, s.balls = nearly_equal;
    return s;
}

TEST(DensePack, ATileIsDenseWithoutOverlapAndHasItsSizes) {
    const DenseTile tile = dense_tile(nearly_equal, 0.58, 0, 1);
    EXPECT_EQ(tile.largest_overlap, 0);
    double solid = 0, mean = 0;
    for (const PackBall& b : tile.balls) {
        solid += 4.0 / 3.0 * std::numbers::pi * std::pow(b.radius, 3);
        mean += b.radius / static_cast<double>(tile.balls.size());
    }
    EXPECT_NEAR(solid / std::pow(tile.edge, 3), 0.58, 1e-6);
    EXPECT_NEAR(mean, 0.01, 1e-6);
    EXPECT_TRUE(std::is_sorted(tile.balls.begin(), tile.balls.end(),
                               [](const PackBall& a, const PackBall& b) { return a.centre.z < b.centre.z; }));
}

TEST(DensePack, SitesGoUpwardsAndNeverOverlap) {
    const auto tile = std::make_shared<const DenseTile>(dense_tile(nearly_equal, 0.58, 0, 1));
    const double e = tile->edge;
    const InsertionSpec s = dense_spec({1, 2, 3}, {1 + 1.3 * e, 2 + 1.1 * e, 3 + 1.2 * e}, tile);
    const std::vector<NewBody> all = trials(s, 1);
    ASSERT_EQ(all.size(), 8 * tile->balls.size());
    std::vector<char> blocked(all.size(), 0);
    mark_outside(s, all, blocked);
    std::vector<NewBody> kept;
    for (std::size_t t = 0; t < all.size(); ++t)
        if (blocked[t] == 0) kept.push_back(all[t]);
    for (const NewBody& b : kept)
        for (int k = 0; k < 3; ++k) {
            EXPECT_GE(at(b.position, k) - b.radius, at(s.lower, k));
            EXPECT_LE(at(b.position, k) + b.radius, at(s.upper, k));
        }
    // From the bottom upwards, and none is in the way of another: accept takes all of them.
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end(),
                               [](const NewBody& a, const NewBody& b) { return a.position.z < b.position.z; }));
    const Domain domain{{0, 0, 0}, {5, 5, 5}, {}};
    EXPECT_EQ(accept(kept, std::vector<char>(kept.size(), 0), kept.size(), domain).size(), kept.size());
    // Away from the faces the region is as dense as the tile: count in a box of one tile in the middle.
    double solid = 0;
    for (const NewBody& b : all) {
        const Vec3d x = (1 / e) * (b.position - s.lower);
        if (x.x >= 0.5 && x.x < 1.5 && x.y >= 0.5 && x.y < 1.5 && x.z >= 0.5 && x.z < 1.5)
            solid += 4.0 / 3.0 * std::numbers::pi * std::pow(b.radius, 3);
    }
    EXPECT_NEAR(solid / (e * e * e), 0.58, 1e-6);
}

TEST(DensePack, TheHopperAndTheTubeAreRespected) {
    const auto tile = std::make_shared<const DenseTile>(dense_tile(nearly_equal, 0.5, 0, 1));
    InsertionSpec s = dense_spec({-0.2, -0.2, 0}, {0.2, 0.2, 0.4}, tile);
    s.inside = {{0, 0, 0}, {0, 0, 1}, 0.2};
    s.hopper = {0, 0.2, {0, 0}, {0.05, 0.05}, {0.2, 0.2}, true};
    const std::vector<NewBody> all = trials(s, 1);
    std::vector<char> blocked(all.size(), 0);
    mark_outside(s, all, blocked);
    int in_hopper = 0;
    for (std::size_t t = 0; t < all.size(); ++t) {
        const Vec3d& x = all[t].position;
        const double r = std::hypot(x.x, x.y);
        if (blocked[t] != 0) continue;
        EXPECT_LE(r + all[t].radius, 0.2);
        EXPECT_LE(r, x.z < 0.2 ? 0.05 + 0.15 * x.z / 0.2 + 1e-12 : 0.2);
        in_hopper += x.z < 0.2 ? 1 : 0;
    }
    EXPECT_GT(in_hopper, 500);
}

TEST(DensePack, WhatCannotBeIsRefused) {
    EXPECT_THROW(dense_tile(nearly_equal, 0.7, 0, 1), InputError);  // denser than random packings are
    const SizeDistribution wide = SizeDistribution::sieve({0.0001, 0.01}, {0, 1});
    const BallKind rare{0.0001, 0.01, 1000, 0, {}, std::make_shared<const SizeDistribution>(wide), {}};
    EXPECT_THROW(dense_tile(rare, 0.58, 0, 1), InputError);
}

}  // namespace
}  // namespace granary::test
