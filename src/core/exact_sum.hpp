// A sum of doubles without rounding until the end: the same bits in whatever order, and over however many ranks, it is
// summed up. Digits of 32 bits, each in 64, one after the other from the smallest double to the largest, as in
// Kulisch's accumulator.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>

namespace granary {

class ExactSum {
  public:
    static constexpr int n_digits = 68;  // 2^-1074 to 2^1024, and room above

    // Finite and not negative; up to 2^31 of them.
    void add(double x) {
        int exponent = 0;
        const double part = std::frexp(x, &exponent);  // x = part 2^exponent, part from 0.5 to 1
        const auto whole = static_cast<std::uint64_t>(std::ldexp(part, 53));
        const int at = exponent - 53 + lowest;  // of the last bit; below 0 only where the bits below are 0
        const std::uint64_t bits = at < 0 ? whole >> -at : whole;
        const int shift = at < 0 ? 0 : at % 32, first = at < 0 ? 0 : at / 32;
        const std::uint64_t low = (bits & last_32) << shift, high = (bits >> 32) << shift;
        digits[first] += low & last_32;
        digits[first + 1] += (low >> 32) + (high & last_32);
        digits[first + 2] += high >> 32;
    }

    // From the highest digit down.
    double value() const {
        std::array<std::uint64_t, n_digits> d = digits;
        for (int k = 0; k + 1 < n_digits; ++k) d[k + 1] += d[k] >> 32, d[k] &= last_32;
        double sum = 0;
        for (int k = n_digits - 1; k >= 0; --k) sum += std::ldexp(static_cast<double>(d[k]), 32 * k - lowest);
        return sum;
    }

    std::array<std::uint64_t, n_digits> digits{};  // those of several ranks may be added one by one

  private:
    static constexpr int lowest = 1074;
    static constexpr std::uint64_t last_32 = 0xffffffffu;
};

}  // namespace granary
