#include "core/lanes16.hpp"
#include <gtest/gtest.h>
#include <array>
#include <numeric>
#include <random>
#include <vector>

namespace granary::test {

TEST(Lanes16, SortsAnyNumber) {
    std::mt19937 dice(1);
    for (std::uint32_t most : {1u, 5u, 1u << 31})
        for (std::size_t n = 0; n <= 40; ++n)
            for (int round = 0; round < 20; ++round) {
                std::vector<std::uint32_t> a(std::max<std::size_t>(n, 16), 7);  // 7: must not come in
                for (std::size_t k = 0; k < n; ++k) a[k] = static_cast<std::uint32_t>(dice()) % (most + 1);
                std::vector<std::uint32_t> truth(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n));
                std::sort(truth.begin(), truth.end());
                std::vector<std::uint32_t> b(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n));
                sort_nearly_sorted(b.data(), n);
                EXPECT_EQ(b, truth) << n;
                sort_short(a.data(), n);
                a.resize(n);
                ASSERT_EQ(a, truth) << n;
            }
}

TEST(Lanes16, ComparesKeepsAndPermutes) {
    std::mt19937 dice(2);
    for (int round = 0; round < 200; ++round) {
        std::array<std::uint32_t, 16> a{}, kept{}, lane{};
        std::array<float, 16> x{}, y{};
        unsigned below = 0, above = 0;
        const std::uint32_t b = static_cast<std::uint32_t>(dice()) % 20;
        for (unsigned k = 0; k < 16; ++k) {
            a[k] = static_cast<std::uint32_t>(dice()) % 20;
            x[k] = static_cast<float>(dice() % 5), y[k] = static_cast<float>(dice() % 5);
            below |= x[k] < y[k] ? 1u << k : 0u, above |= a[k] > b ? 1u << k : 0u;
        }
        EXPECT_EQ(lanes_below(Float16::load(x.data()), Float16::load(y.data())), below);
        EXPECT_EQ(lanes_above(a.data(), b), above);
        const std::uint32_t* end = keep_lanes(a.data(), 100, above, kept.data());
        std::size_t n = 0;
        for (unsigned k = 0; k < 16; ++k)
            if (a[k] > b) {
                ASSERT_LT(kept.data() + n, end);
                EXPECT_EQ(kept[n++], a[k] + 100);
            }
        EXPECT_EQ(end, kept.data() + n);
        std::iota(lane.begin(), lane.end(), 0u);
        std::shuffle(lane.begin(), lane.end(), dice);
        const std::size_t first = dice() % 17;
        const auto before = a;
        permute_lanes(a.data(), lane.data(), first);
        for (unsigned k = 0; k < 16; ++k) EXPECT_EQ(a[k], before[k < first ? lane[k] : k]);
    }
    EXPECT_EQ(first_lanes(0), 0u);
    EXPECT_EQ(first_lanes(3), 7u);
    EXPECT_EQ(first_lanes(16), all16);
    EXPECT_EQ(first_lanes(1000), all16);
}

}  // namespace granary::test
