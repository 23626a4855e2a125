#include "core/random.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <set>
#include <vector>

using namespace granary;

// Known answers published with the authors' own implementation (Random123, philox4x32-10).
TEST(Random, PhiloxGivesThePublishedAnswers) {
    EXPECT_EQ(philox4x32_10({0, 0, 0, 0}, {0, 0}), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
    constexpr std::uint32_t ones = 0xffffffff;
    EXPECT_EQ(philox4x32_10({ones, ones, ones, ones}, {ones, ones}),
              (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
    EXPECT_EQ(philox4x32_10({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
              (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Random, AddressesArePackedAsDocumented) {
    const RandomKey key{0x299f31d0a4093822, Purpose::insertion, 0xabcd, 0x123456789abc, 0xdeadbeef};
    const PhiloxCounter block =
        philox4x32_10({0x03000000 | 21, 0xdeadbeef, 0x56789abc, 0xabcd1234}, {0xa4093822, 0x299f31d0});
    EXPECT_EQ(random_bits(key, 42), std::uint64_t{block[1]} << 32 | block[0]);
    EXPECT_EQ(random_bits(key, 43), std::uint64_t{block[3]} << 32 | block[2]);
    EXPECT_THROW(random_bits({.event = std::uint64_t{1} << 48}, 0), std::out_of_range);
    EXPECT_THROW(random_bits({}, 1u << 25), std::out_of_range);
}

TEST(Random, EveryPartOfTheKeyCounts) {
    std::set<std::uint64_t> seen;
    const RandomKey base{5, Purpose::lattice, 1, 2, 3};
    std::vector<RandomKey> keys(7, base);
    keys[1].seed = 6, keys[2].seed = 5 + (std::uint64_t{1} << 40), keys[3].purpose = Purpose::insertion;
    keys[4].stream = 2, keys[5].event = 2 + (std::uint64_t{1} << 40), keys[6].trial = 4;
    for (const RandomKey& key : keys)
        for (std::uint32_t draw = 0; draw < 1000; ++draw) seen.insert(random_bits(key, draw));
    EXPECT_EQ(seen.size(), 7000u);  // 64 random bits: a chance repeat has probability 1e-12
}

TEST(Random, UniformHasTheRightMoments) {
    const int n = 200000;
    double sum = 0, square = 0, product = 0, least = 1, most = 0;
    for (int k = 0; k < n; ++k) {
        const RandomKey key{1, Purpose::test, 0, static_cast<std::uint64_t>(k), 0};
        const double u = uniform(key, 0), w = uniform(key, 1);
        ASSERT_TRUE(u >= 0 && u < 1);
        sum += u, square += u * u, product += (u - 0.5) * (w - 0.5);
        least = std::min(least, u), most = std::max(most, u);
    }
    // Five standard deviations of the sample means: sqrt(1/12), sqrt(4/45) and 1/12 over sqrt(n).
    const double root_n = std::sqrt(double(n));
    EXPECT_NEAR(sum / n, 1 / 2.0, 5 * 0.2887 / root_n);
    EXPECT_NEAR(square / n, 1 / 3.0, 5 * 0.2981 / root_n);
    EXPECT_NEAR(product / n, 0, 5 * 0.0834 / root_n);
    EXPECT_LT(least, 1e-4);
    EXPECT_GT(most, 1 - 1e-4);
}

TEST(Random, RangesAreHalfOpenAndMayBeEmpty) {
    const double low = 1, high = std::nextafter(1.0, 2.0);  // only one number is inside; about half the sums round up
    for (std::uint32_t draw = 0; draw < 100; ++draw) EXPECT_EQ(uniform({}, draw, low, high), low);
    EXPECT_EQ(uniform({}, 0, 3.0, 3.0), 3.0);
    const Vec3d p = uniform({}, 4, Vec3d{-1, 2, 5}, Vec3d{0, 3, 5});
    EXPECT_TRUE(p.x >= -1 && p.x < 0 && p.y >= 2 && p.y < 3 && p.z == 5);
}
