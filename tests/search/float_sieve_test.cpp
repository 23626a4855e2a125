// The sieve never holds a candidate back, over all extents; and it does hold back what is far.
#include "search/float_sieve.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "search/candidates.hpp"
#include "support/dice.hpp"

namespace granary::test {

namespace {

struct Box {
    Vec3d lower;
    double extent;   // m, of the longest side
    double largest;  // radius, m
    double smallest, margin;
};

bool is_candidate(const std::array<double, 4>& i, const std::array<double, 4>& j, double margin) {
    const double dx = j[0] - i[0], dy = j[1] - i[1], dz = j[2] - i[2], reach = i[3] + j[3] + margin;
    return dx * dx + dy * dy + dz * dz < reach * reach;
}

// A ball at a distance from i of a share of the reach, along any direction; or along an axis, at coordinates that the
// others share.
std::array<double, 4> beside(Dice& dice, const std::array<double, 4>& i, double r, double distance) {
    Vec3d way = dice.vector(1);
    if (dice.one_in(4)) way = {dice.one_in(2) ? 1.0 : -1.0, 0, 0};
    way = distance / std::max(1e-9, norm(way)) * way;
    return {i[0] + way.x, i[1] + way.y, i[2] + way.z, r};
}

}  // namespace

TEST(FloatSieve, NeverHoldsACandidateBack) {
    Dice dice(1);
    int n_candidates = 0, n_close = 0;
    for (const Box& box :
         {Box{{0, 0, 0}, 1, 0.1, 0.001, 1e-4}, Box{{-1e3, 5e3, 1e5}, 1e4, 0.5, 1e-4, 1e-5},
          Box{{0, 0, 0}, 1e6, 0.5, 0.01, 0}, Box{{1e-7, 0, -1e-6}, 1e-5, 1e-6, 1e-8, 1e-9},
          Box{{-1e9, -1e9, -1e9}, 2e9, 1e3, 1, 0.1}, Box{{7, 7, 7}, 0, 0.5, 0.5, 0.1}, Box{{0, 0, 0}, 1, 0.5, 0.3, 0},
          Box{{3, 3, 3}, 0.7, 0.5, 0.1, 0.1}}) {  // balls as large as the box
        const Vec3d upper = box.lower + box.extent * Vec3d{1, 1, 1};
        const FloatSieve sieve(box.lower, upper, 2 * box.largest + box.margin);
        SievedBalls balls;
        balls.make_room(16);
        for (int round = 0; round < 4000; ++round) {
            const auto any_radius = [&] {
                return box.largest * std::pow(box.smallest / box.largest, dice.uniform(0, 1));
            };
            const Vec3d x = dice.within(box.lower, upper);
            const std::array<double, 4> i{x.x, x.y, x.z, any_radius()};
            std::array<std::array<double, 4>, 16> j;
            for (std::uint32_t k = 0; k < 16; ++k) {
                const double r = any_radius(), reach = i[3] + r + box.margin;
                // Just within reach, to the last bits or to those of single precision; or anywhere near.
                const double share = 1 - std::array{0.0, 1e-15, 1e-9, 1e-7, 1e-5, dice.uniform(-1, 1)}[k % 6];
                j[k] = beside(dice, i, r, share * reach);
                for (int axis = 0; axis < 3; ++axis)
                    j[k][axis] = std::clamp(j[k][axis], at(box.lower, axis), at(upper, axis));
                balls.put(k, sieve.of(j[k].data()), k);
            }
            const FloatSieve::Ball ball = sieve.of(i.data());
            const unsigned near = balls.near(0, ball, ball.r + sieve.margin(box.margin));
            for (unsigned k = 0; k < 16; ++k)
                if (is_candidate(i, j[k], box.margin)) {
                    ++n_candidates, n_close += k % 6 < 4 ? 1 : 0;
                    ASSERT_TRUE((near >> k) & 1) << "extent " << box.extent << ", radii " << i[3] << " " << j[k][3];
                }
        }
    }
    EXPECT_GT(n_candidates, 100000);
    EXPECT_GT(n_close, 50000);
}

// In a box of a thousand balls' diameters hardly one in a thousand that is let through is none.
TEST(FloatSieve, HoldsBackWhatIsFar) {
    Dice dice(2);
    const FloatSieve sieve({0, 0, 0}, {1000, 1000, 1000}, 1.1);
    SievedBalls balls;
    balls.make_room(16);
    int let_through = 0, wrong = 0;
    for (int round = 0; round < 20000; ++round) {
        const Vec3d x = dice.within({0, 0, 0}, {1000, 1000, 1000});
        const std::array<double, 4> i{x.x, x.y, x.z, 0.5};
        std::array<std::array<double, 4>, 16> j;
        for (std::uint32_t k = 0; k < 16; ++k) {
            j[k] = beside(dice, i, 0.5, dice.uniform(0.5, 2));
            balls.put(k, sieve.of(j[k].data()), k);
        }
        const FloatSieve::Ball ball = sieve.of(i.data());
        const unsigned near = balls.near(0, ball, ball.r + sieve.margin(0.1));
        for (unsigned k = 0; k < 16; ++k)
            if ((near >> k) & 1) ++let_through, wrong += is_candidate(i, j[k], 0.1) ? 0 : 1;
    }
    EXPECT_GT(let_through, 50000);
    EXPECT_LT(wrong, let_through / 1000);
}

// Sorted along x as well as it says, and each ball is still itself.
TEST(FloatSieve, SortsAlongX) {
    Dice dice(3);
    SievedBalls balls;
    SortAlongX room;
    const FloatSieve sieve({0, 0, 0}, {1, 1, 1}, 0.1);
    for (const std::size_t n : {0, 1, 2, 7, 15, 16, 17, 63, 64, 1000, 5000})
        for (const double width : {1.0, 1e-3, 0.0}) {
            const std::size_t from = 5;
            balls.make_room(from + n);
            std::vector<std::array<double, 4>> quads(from + n + 3);
            for (std::uint32_t k = 0; k < quads.size(); ++k) {
                quads[k] = {0.5 + width * dice.uniform(-0.5, 0.5), dice.uniform(0, 1), dice.uniform(0, 1), 0.05};
                balls.put(k, sieve.of(quads[k].data()), k);
            }
            const float blur = sort_along_x(balls, from, from + n, room);
            EXPECT_LT(blur, 0x1p-19 + width / 400);
            float highest = 0;
            std::vector<int> seen(quads.size(), 0);
            for (std::size_t k = 0; k < quads.size(); ++k) {
                const FloatSieve::Ball truth = sieve.of(quads[balls.number[k]].data());
                EXPECT_TRUE(balls.x[k] == truth.x && balls.y[k] == truth.y && balls.z[k] == truth.z &&
                            balls.r[k] == truth.r);
                ++seen[balls.number[k]];
                if (k < from || k >= from + n) EXPECT_EQ(balls.number[k], k);  // the neighbours stay
                else {
                    ASSERT_GE(balls.x[k], highest - blur) << n << " in " << width;
                    highest = std::max(highest, balls.x[k]);
                }
            }
            EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), static_cast<std::ptrdiff_t>(seen.size()));
        }
}

}  // namespace granary::test
