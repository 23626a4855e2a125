// Four lanes do what one number does, to the last bit.
#include "core/simd.hpp"
#include <gtest/gtest.h>
#include <bit>
#include <limits>
#include <vector>
#include "support/dice.hpp"

namespace granary::test::simd_test {

namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

std::vector<double> awkward_numbers() {
    using L = std::numeric_limits<double>;
    std::vector<double> a{0.0,           -0.0,           1.0, -1.0, L::min(), L::denorm_min(), L::max(),
                          L::infinity(), -L::infinity(), 2.0};
    test::Dice dice(1);
    for (int n = 0; n < 50; ++n) a.push_back(dice.uniform(-1, 1) * std::exp(dice.uniform(-300, 300)));
    return a;
}

}  // namespace

TEST(Simd, RootOfEachLane) {
    for (const double a : awkward_numbers())
        for (int lane = 0; lane < 4; ++lane) {
            Real4 four = broadcast4(4.0);
            four[lane] = std::abs(a);
            const Real4 r = root(four);
            for (int k = 0; k < 4; ++k) EXPECT_TRUE(same_bits(r[k], k == lane ? root(std::abs(a)) : 2.0));
        }
}

TEST(Simd, LargerSmallerAndWhereAsForOneNumber) {
    const auto numbers = awkward_numbers();
    for (const double a : numbers)
        for (const double b : numbers) {
            const Real4 x{a, b, a, b}, y{b, a, a, 1.0};
            for (int k = 0; k < 4; ++k) {
                EXPECT_TRUE(same_bits(larger(x, y)[k], larger<double>(x[k], y[k])));
                EXPECT_TRUE(same_bits(smaller(x, y)[k], smaller<double>(x[k], y[k])));
                EXPECT_TRUE(same_bits(where(x < y, x, y)[k], where(x[k] < y[k], x[k], y[k])));
            }
            EXPECT_EQ(larger(a, b), a > b ? a : b);
            EXPECT_EQ(smaller(a, b), a < b ? a : b);
        }
    // The lane that is not taken may hold anything.
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Real4 kept = where(Mask4{-1, 0, -1, 0}, Real4{1, nan, 3, nan}, Real4{nan, 2, nan, 4});
    for (int k = 0; k < 4; ++k) EXPECT_EQ(kept[k], k + 1.0);
}

TEST(Simd, LaneBits) {
    for (int bits = 0; bits < 16; ++bits) {
        Mask4 mask{};
        for (int k = 0; k < 4; ++k) mask[k] = (bits >> k) & 1 ? -1 : 0;
        EXPECT_EQ(lane_bits(mask), bits);
        EXPECT_EQ(any(mask), bits != 0);
    }
    EXPECT_TRUE(any(true));
    EXPECT_FALSE(any(false));
}

TEST(Simd, TransposeTurnsRowsToColumnsAndBack) {
    Real4 rows[4];
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) rows[r][c] = 10 * r + c;
    transpose(rows[0], rows[1], rows[2], rows[3]);
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) EXPECT_EQ(rows[r][c], 10 * c + r);
    transpose(rows[0], rows[1], rows[2], rows[3]);
    for (int r = 0; r < 4; ++r)
        for (int c = 0; c < 4; ++c) EXPECT_EQ(rows[r][c], 10 * r + c);
}

TEST(Simd, LoadsAndStoresQuads) {
    alignas(32) double memory[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const Real4 a = load4(memory + 4);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(a[k], 5.0 + k);
    store4(memory, a);
    for (int k = 0; k < 8; ++k) EXPECT_EQ(memory[k], 5.0 + k % 4);
    for (int k = 0; k < 4; ++k) EXPECT_EQ(broadcast<Real4>(2.5)[k], 2.5);
    EXPECT_EQ(broadcast<double>(2.5), 2.5);
}

}  // namespace granary::test::simd_test
