#include "shapes/ellipsoid_johnson2005.hpp"
#include <gtest/gtest.h>
#include <array>
#include <cstdlib>
#include "ellipsoid_support.hpp"

namespace granary::test {
namespace ellipsoid_johnson2005 {

constexpr double anywhere = 1e9;  // no gap is too far

// All pairs of the issue with GRANARY_ALL_PAIRS=1 in the environment, a part of them otherwise.
int pairs_of(int some, int all) { return std::getenv("GRANARY_ALL_PAIRS") != nullptr ? all : some; }

// The contact was chosen first: overlap, normal and point to rounding times the condition of the problem. The normal
// line may miss by 1e-12 of the size; a normal is worse by the size over the least radius of curvature, 100 at 10:1.
class EllipsoidsOfKind : public testing::TestWithParam<Roundness> {};

TEST_P(EllipsoidsOfKind, FindTheContactThatWasChosen) {
    Dice dice(11);
    EllipsoidCounts counts;
    const int n = pairs_of(5000, 70000);
    for (int k = 0; k < n; ++k) {
        const KnownPair p = known_pair(dice, GetParam());
        const Vec3d middle = 0.5 * (extreme_point(p.i, p.n) + (p.d - extreme_point(p.j, p.n)));
        for (const EllipsoidStart start : {EllipsoidStart::by_ratio, EllipsoidStart::spheres}) {
            Vec3d memory;
            ConvexTouch t;
            EllipsoidCounts* told = start == EllipsoidStart::spheres ? nullptr : &counts;
            ASSERT_TRUE(touch_ellipsoids(p.i, p.j, p.d, memory, t, anywhere, told, start));
            ASSERT_NEAR(t.overlap, -p.g, 1e-14 * p.size()) << "pair " << k;
            ASSERT_LT(norm(t.normal + p.n), 1e-9) << "pair " << k;
            ASSERT_LT(norm(t.point - middle), 1e-11 * p.size()) << "pair " << k;
            ASSERT_EQ(memory, t.normal);
        }
    }
    EXPECT_EQ(counts.pairs, n);
    EXPECT_EQ(counts.unconverged, 0);
    EXPECT_LT(static_cast<double>(counts.fallback), 0.15 * n);
    std::printf("fallback %.2f %% of %d cold pairs, %.2f plain steps a pair\n",
                100.0 * static_cast<double>(counts.fallback) / n, n, static_cast<double>(counts.steps) / n);
}

TEST_P(EllipsoidsOfKind, AgreeWithAnotherMaximiser) {
    Dice dice(12);
    const int n = pairs_of(1500, 70000);
    for (int k = 0; k < n; ++k) {
        const KnownPair p = known_pair(dice, GetParam());
        Vec3d memory;
        ConvexTouch t;
        ASSERT_TRUE(touch_ellipsoids(p.i, p.j, p.d, memory, t, anywhere));
        ASSERT_NEAR(-t.overlap, greatest_gap(p.i, p.j, p.d), 1e-9 * p.size()) << "pair " << k;
    }
}

INSTANTIATE_TEST_SUITE_P(All, EllipsoidsOfKind,
                         testing::Values(Roundness::prolate, Roundness::oblate, Roundness::triaxial));

// How far the normal line through one point misses the other.
double miss_of(const KnownPair& p, const ConvexTouch& t) {
    const Vec3d n = -t.normal, between = p.d - extreme_point(p.i, n) - extreme_point(p.j, n);
    return norm(between - dot(between, n) * n) / p.size();
}

// However deep: a common normal, a maximum, and the greatest that the stated starts lead to.
TEST(Ellipsoids, DeepOverlap) {
    Dice dice(13);
    EllipsoidCounts counts;
    for (int k = 0; k < 3000; ++k) {
        KnownPair p = known_pair(dice, static_cast<Roundness>(k % 3), 5);
        p.d = dice.uniform(0, 1) * p.d;
        Vec3d memory;
        ConvexTouch t;
        ASSERT_TRUE(touch_ellipsoids(p.i, p.j, p.d, memory, t, anywhere, &counts));
        ASSERT_LT(miss_of(p, t), 2e-12);
        const auto gap = [&](const Vec3d& n) { return dot(n, p.d) - width(p.i, n) - width(p.j, n); };
        for (int side = 0; side < 8; ++side) {
            const Vec3d near = -t.normal + 1e-4 * any_direction(dice);
            ASSERT_LT(gap((1 / norm(near)) * near), -t.overlap + 1e-13 * p.size());
        }
        const BodyAxes a = body_axes(p.i.orientation), b = body_axes(p.j.orientation);
        for (const Vec3d& start : {(1 / norm(p.d)) * p.d, a.x, a.y, a.z, b.x, b.y, b.z}) {
            Vec3d from = dot(start, p.d) < 0 ? start : -start;  // memories point from j to i
            ConvexTouch other;
            touch_ellipsoids(p.i, p.j, p.d, from, other, anywhere);
            ASSERT_LE(t.overlap, other.overlap + 1e-12 * p.size()) << "pair " << k;
        }
    }
    EXPECT_EQ(counts.unconverged, 0);
    EXPECT_GT(counts.starts, 1000);
}

// Two bodies turn and sink into each other; the remembered normal follows. The overlap cannot change by more than the
// bodies move (it is the distance to a surface), and the normal turns smoothly.
TEST(Ellipsoids, AreContinuousInTime) {
    Dice dice(14);
    double deepest = 0;
    for (int run = 0; run < 60; ++run) {
        KnownPair p = known_pair(dice, static_cast<Roundness>(run % 3), 4, 0.01);
        const Vec3d spin_i = 0.5 * any_direction(dice), spin_j = 0.5 * any_direction(dice);
        const double dt = 1e-3, speed = 0.6 * std::min(least_axis(p.i), least_axis(p.j));
        Vec3d memory, last;
        double overlap = 0, greatest_turn = 0;
        for (int step = 0; step < 1000; ++step) {
            p.i = place_ellipsoid(p.i.semi_axes, turned(p.i.orientation, dt * spin_i));
            p.j = place_ellipsoid(p.j.semi_axes, turned(p.j.orientation, dt * spin_j));
            p.d = p.d - (speed * dt) * p.n;
            ConvexTouch t;
            ASSERT_TRUE(touch_ellipsoids(p.i, p.j, p.d, memory, t, anywhere));
            ASSERT_LT(miss_of(p, t), 2e-12);
            const double certain = p.i.sharpest + p.j.sharpest;
            if (step > 0) {
                ASSERT_LT(std::abs(t.overlap - overlap), dt * (speed + 0.5 * p.size())) << run << " at " << step;
                if (t.overlap < 0.5 * certain) greatest_turn = std::max(greatest_turn, norm(t.normal - last));
            }
            deepest = std::max(deepest, t.overlap / certain);
            overlap = t.overlap, last = t.normal;
        }
        // Bodies that turn by 1e-3 in a step: the normal turns by that times the ratio of radii of curvature at most,
        // 4^3 for two bodies of 4:1, and half of the curvature is left where the overlap is below the bound above.
        EXPECT_LT(greatest_turn, 2e-3 * 0.5 * 64 * 2) << run;
    }
    EXPECT_GT(deepest, 1.5);  // beyond where a maximum is certain to be the greatest
}

// Like two balls: contact_geometry.hpp has n = apart/|apart|, r_i + r_j - |apart|, arms r - overlap/2.
TEST(Ellipsoids, OfEqualAxesAreBalls) {
    Dice dice(15);
    for (int k = 0; k < 2000; ++k) {
        const double r_i = dice.uniform(0.1, 3), r_j = dice.uniform(0.1, 3);
        const Vec3d d = (r_i + r_j) * dice.uniform(0.7, 1.1) * any_direction(dice);
        Vec3d memory = dice.one_in(2) ? Vec3d{} : any_direction(dice);
        if (dot(memory, d) > -0.3) memory = {};
        ConvexTouch t;
        ASSERT_TRUE(touch_ellipsoids({r_i, r_i, r_i}, any_rotation(dice), {r_j, r_j, r_j}, any_rotation(dice), d,
                                     memory, t, anywhere));
        const double distance = norm(d), overlap = r_i + r_j - distance;
        EXPECT_LT(norm(t.normal + (1 / distance) * d), 3e-15);
        EXPECT_NEAR(t.overlap, overlap, 3e-15 * (r_i + r_j));
        EXPECT_LT(norm(t.point - (r_i - 0.5 * overlap) / distance * d), 5e-15 * (r_i + r_j));
        EXPECT_NEAR(t.effective_radius, r_i * r_j / (r_i + r_j), 3e-15 * (r_i + r_j));
    }
}

// Four at a time, warm and cold and far ones mixed: bit for bit as one at a time.
TEST(Ellipsoids, InLanesHaveTheSameBits) {
    Dice dice(16);
    for (int k = 0; k < 2000; ++k) {
        std::array<KnownPair, 4> p;
        EllipsoidPairs4 four;
        Vec3d memory[4], alone[4];
        ConvexTouch out[4];
        for (int l = 0; l < 4; ++l) {
            p[l] = known_pair(dice, static_cast<Roundness>(dice.below(3)), 10, dice.one_in(4) ? 1.5 : 0.05);
            four.i[l] = &p[l].i, four.j[l] = &p[l].j, four.from_i_to_j[l] = p[l].d;
            const Vec3d near = -p[l].n + dice.uniform(0, 0.3) * any_direction(dice);
            memory[l] = alone[l] = dice.one_in(5) ? Vec3d{} : (1 / norm(near)) * near;
        }
        const double far[4] = {0.02, 0.03, 0.0, 0.02};
        EllipsoidCounts together, single;
        const unsigned touching = touch_ellipsoids4(four, memory, out, far, &together);
        for (int l = 0; l < 4; ++l) {
            ConvexTouch t;
            ASSERT_EQ(touch_ellipsoids(p[l].i, p[l].j, p[l].d, alone[l], t, far[l], &single), (touching >> l & 1) != 0);
            ASSERT_EQ(t.normal, out[l].normal);
            ASSERT_EQ(t.overlap, out[l].overlap);
            ASSERT_EQ(t.point, out[l].point);
            ASSERT_EQ(t.effective_radius, out[l].effective_radius);
            ASSERT_EQ(memory[l], alone[l]);
        }
        ASSERT_EQ(together.pairs, single.pairs);
        ASSERT_EQ(together.far, single.far);
    }
}

// What is called far has a gap of at least that much, and what is not is exact.
TEST(Ellipsoids, FarIsNotNear) {
    Dice dice(17);
    int far_ones = 0;
    for (int k = 0; k < 3000; ++k) {
        const KnownPair p = known_pair(dice, static_cast<Roundness>(k % 3), 10, 0.5);
        Vec3d memory = dice.one_in(2) ? Vec3d{} : any_direction(dice);
        ConvexTouch t;
        const double far = 0.1;
        if (touch_ellipsoids(p.i, p.j, p.d, memory, t, far)) {
            EXPECT_LT(-t.overlap, far);
            if (p.g > 0) {
                EXPECT_NEAR(-t.overlap, p.g, 1e-13 * p.size());
            }
        } else {
            ++far_ones;
            EXPECT_GE(p.g, far);
            EXPECT_GE(-t.overlap, far);
            EXPECT_LE(-t.overlap, p.g + 1e-14 * p.size());
        }
    }
    EXPECT_GT(far_ones, 300);
}

// A record is negated when the partners exchange; the other order finds the same contact.
TEST(Ellipsoids, ExchangeNegates) {
    Dice dice(18);
    for (int k = 0; k < 500; ++k) {
        const KnownPair p = known_pair(dice, static_cast<Roundness>(k % 3));
        Vec3d memory, other = p.n;
        ConvexTouch t, u;
        touch_ellipsoids(p.i, p.j, p.d, memory, t, anywhere);
        touch_ellipsoids(p.j, p.i, -p.d, other, u, anywhere);
        EXPECT_LT(norm(memory + other), 2e-9);
        EXPECT_NEAR(t.overlap, u.overlap, 1e-14 * p.size());
        EXPECT_LT(norm(t.point - (u.point + p.d)), 2e-11 * p.size());
    }
}

// Centres in one place, needles of 100:1 along and across each other: an answer, and a common normal.
TEST(Ellipsoids, HardPlaces) {
    const Vec3d needle{0.01, 0.01, 1}, grain{1, 2, 3};
    const Quaterniond straight{1, 0, 0, 0}, quarter = normalised(Quaterniond{1, 1, 0, 0});
    for (const Vec3d& d : {Vec3d{}, Vec3d{0, 0, 1.99}, Vec3d{0.0199, 0, 0}, Vec3d{0.019, 0, 0.5}, Vec3d{0, 0.5, 0.5}})
        for (const Vec3d& a : {needle, grain})
            for (const Quaterniond& q : {straight, quarter}) {
                Vec3d memory;
                ConvexTouch t;
                EllipsoidCounts counts;
                ASSERT_TRUE(touch_ellipsoids(a, straight, a, q, d, memory, t, anywhere, &counts));
                EXPECT_EQ(counts.unconverged, 0);
                EXPECT_NEAR(norm(t.normal), 1, 1e-15);
                EXPECT_LE(dot(t.normal, d), 1e-15);  // n and -n: the one towards the other centre is the greater
            }
}

}  // namespace ellipsoid_johnson2005
}  // namespace granary::test
