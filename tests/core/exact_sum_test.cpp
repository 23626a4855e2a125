#include "core/exact_sum.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>
#include "core/random.hpp"

using namespace granary;

namespace {

double sum_of(const std::vector<double>& numbers) {
    ExactSum sum;
    for (const double x : numbers) sum.add(x);
    return sum.value();
}

}  // namespace

TEST(ExactSum, LosesNothing) {
    EXPECT_EQ(sum_of({}), 0);
    for (const double x : {1.0, 3.75, 0.1, 1e300, 1e-300, std::numeric_limits<double>::denorm_min(),
                           std::numeric_limits<double>::min(), std::numeric_limits<double>::max()})
        EXPECT_EQ(sum_of({x}), x);
    EXPECT_EQ(sum_of({1, 1e16, 1, 1, 1}), 1e16 + 4);
    EXPECT_EQ(sum_of(std::vector<double>(10, 0.1)), 1.0);  // a tenth is a little more than a tenth: rounded once
    EXPECT_EQ(sum_of({0.5, 0.25, 1024, 3}), 1027.75);
}

TEST(ExactSum, IsTheSameInAnyOrderAndOfAnyParts) {
    std::vector<double> numbers;
    for (std::uint64_t k = 0; k < 1000; ++k) {
        const RandomKey key{1, Purpose::lattice, 0, k, 0};
        numbers.push_back(std::ldexp(uniform(key, 0), static_cast<int>(40 * uniform(key, 1))));
    }
    const double forward = sum_of(numbers);
    ExactSum parts;
    for (std::size_t from = 0; from < numbers.size(); from += 77) {
        ExactSum part;
        for (std::size_t k = from; k < std::min(numbers.size(), from + 77); ++k) part.add(numbers[k]);
        for (int d = 0; d < ExactSum::n_digits; ++d) parts.digits[d] += part.digits[d];
    }
    EXPECT_EQ(parts.value(), forward);
    std::reverse(numbers.begin(), numbers.end());
    EXPECT_EQ(sum_of(numbers), forward);
    std::sort(numbers.begin(), numbers.end());
    EXPECT_EQ(sum_of(numbers), forward);
    long double about = 0;
    for (const double x : numbers) about += x;
    EXPECT_NEAR(forward, static_cast<double>(about), 1e-15 * std::abs(forward));
}
