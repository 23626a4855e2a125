// As many lanes as the CPU has do what one number does, to the last bit; quads become lanes and back.
#include "core/quad_rows.hpp"
#include <gtest/gtest.h>
#include <bit>
#include <limits>
#include <vector>
#include "support/dice.hpp"

namespace granary::test::quad_rows_test {

namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

template <class T> std::vector<double> numbers_of(const T& a) {
    std::vector<double> numbers(n_lanes<T>);
    std::memcpy(numbers.data(), &a, sizeof a);
    return numbers;
}

std::vector<double> awkward_numbers() {
    using L = std::numeric_limits<double>;
    std::vector<double> a{0.0,           -0.0,           1.0, -1.0,          L::min(), L::denorm_min(), L::max(),
                          L::infinity(), -L::infinity(), 2.0, L::quiet_NaN()};
    Dice dice(1);
    for (int n = 0; n < 21; ++n) a.push_back(dice.uniform(-1, 1) * std::exp(dice.uniform(-300, 300)));
    return a;
}

template <class T> class QuadRowsOf : public ::testing::Test {};
using Widths =
    std::conditional_t<std::is_same_v<Real4, WideReal>, ::testing::Types<Real4>, ::testing::Types<Real4, WideReal>>;
TYPED_TEST_SUITE(QuadRowsOf, Widths);

// What a NaN is made of is nobody's business.
void expect_same(double a, double b, const char* what) {
    if (a != a && b != b) return;
    EXPECT_TRUE(same_bits(a, b)) << what << ": " << a << " and " << b;
}

}  // namespace

TYPED_TEST(QuadRowsOf, LanesDoWhatOneNumberDoes) {
    using T = TypeParam;
    constexpr int n = n_lanes<T>;
    const auto numbers = awkward_numbers();
    Dice dice(2);
    for (int turn = 0; turn < 2000; ++turn) {
        double a[n], b[n];
        for (int k = 0; k < n; ++k)
            a[k] = numbers[dice.below(int(numbers.size()))], b[k] = numbers[dice.below(int(numbers.size()))];
        const T x = load_lanes<T>(a), y = load_lanes<T>(b);
        T sum = x, difference = x;
        sum += y, difference -= y;
        const auto plus = numbers_of(x + y), minus = numbers_of(x - y), times = numbers_of(x * y),
                   by = numbers_of(x / y), negative = numbers_of(-x), roots = numbers_of(root(x)),
                   most = numbers_of(larger(x, y)), least = numbers_of(smaller(x, y)), sums = numbers_of(sum),
                   differences = numbers_of(difference), chosen = numbers_of(where((x <= y) & ~(x > T{}), x, y)),
                   same = numbers_of(broadcast<T>(a[0]));
        const int below = lane_bits((x < y) | (x >= broadcast<T>(1e100)));
        EXPECT_EQ(any(x < y), lane_bits(x < y) != 0);
        for (int k = 0; k < n; ++k) {
            expect_same(plus[k], a[k] + b[k], "+"), expect_same(minus[k], a[k] - b[k], "-");
            expect_same(times[k], a[k] * b[k], "*"), expect_same(by[k], a[k] / b[k], "/");
            expect_same(negative[k], -a[k], "negative"), expect_same(roots[k], root(a[k]), "root");
            expect_same(most[k], larger(a[k], b[k]), "larger"), expect_same(least[k], smaller(a[k], b[k]), "smaller");
            expect_same(sums[k], a[k] + b[k], "+="), expect_same(differences[k], a[k] - b[k], "-=");
            expect_same(chosen[k], a[k] <= b[k] && !(a[k] > 0) ? a[k] : b[k], "where");
            expect_same(same[k], a[0], "broadcast");
            EXPECT_EQ((below >> k) & 1, int(a[k] < b[k] || a[k] >= 1e100));
        }
    }
}

TYPED_TEST(QuadRowsOf, QuadsBecomeLanesAndBack) {
    using T = TypeParam;
    constexpr int n = n_lanes<T>;
    alignas(64) double quads[4 * n];
    for (int k = 0; k < 4 * n; ++k) quads[k] = k + 0.5;
    auto rows = QuadRows<T>::load([&](int lane) { return quads + 4 * lane; });
    const auto fourth = numbers_of(rows.fourth());
    for (int k = 0; k < n; ++k) EXPECT_EQ(fourth[k], quads[4 * k + 3]);
    rows.turn();
    for (int axis = 0; axis < 4; ++axis) {
        const auto lanes = numbers_of(rows.row[axis]);
        for (int k = 0; k < n; ++k) EXPECT_EQ(lanes[k], quads[4 * k + axis]);
    }
    rows.turn();
    for_lanes<n>([&](auto lane) {
        const auto quad = numbers_of(rows.template quad<lane>());
        for (int axis = 0; axis < 4; ++axis) EXPECT_EQ(quad[axis], quads[4 * lane + axis]);
    });
}

TYPED_TEST(QuadRowsOf, WhatIsKeptStandsOneAfterTheOther) {
    using T = TypeParam;
    constexpr int n = n_lanes<T>;
    double from[n];
    std::uint32_t whole[2 * n];
    for (int k = 0; k < n; ++k) from[k] = 10.0 + k, whole[k] = whole[k + n] = std::uint32_t(100 + k);
    for (int bits = 0; bits < 1 << n; ++bits) {
        double kept[n];
        std::uint32_t kept_whole[n], in_place[2 * n];
        std::memcpy(in_place, whole, sizeof whole);
        store_kept(kept, load_lanes<T>(from), bits);
        store_kept<T>(kept_whole, whole, bits);
        store_kept<T>(in_place + n / 2, in_place + n, bits);
        unsigned next = 0;
        for (int k = 0; k < n; ++k) {
            if (((bits >> k) & 1) == 0) continue;
            EXPECT_EQ(kept[next], from[k]);
            EXPECT_EQ(kept_whole[next], whole[k]);
            EXPECT_EQ(in_place[n / 2 + next], whole[k]);
            ++next;
        }
        EXPECT_EQ(n_kept<T>(bits), next);
    }
}

TYPED_TEST(QuadRowsOf, TopBits) {
    using T = TypeParam;
    constexpr int n = n_lanes<T>;
    for (int bits = 0; bits < 1 << n; ++bits) {
        std::uint32_t numbers[n];
        for (int k = 0; k < n; ++k) numbers[k] = 0x7fffffffu | std::uint32_t((bits >> k) & 1) << 31;
        EXPECT_EQ(top_bits<T>(numbers), bits);
    }
}

TEST(QuadRows, ThreeNumbersAreWrittenAndNothingBehindThem) {
    double numbers[5] = {1, 2, 3, 4, 5};
    store_three(numbers, Real4{7, 8, 9, 10});
    const double expected[5] = {7, 8, 9, 4, 5};
    for (int k = 0; k < 5; ++k) EXPECT_EQ(numbers[k], expected[k]);
    std::vector<double> end(3, 6.0);  // the sanitizer watches what lies behind it
    store_three(end.data(), Real4{7, 8, 9, 10});
}

}  // namespace granary::test::quad_rows_test
