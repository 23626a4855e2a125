#include "core/elementary.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include "core/random.hpp"
#include "support/elementary_bits.hpp"

// Reference: the C library's functions of long double, which has 11 bits more on x86-64; their own errors of about one
// unit in their last place are 0.0005 of ours.
namespace elementary_test {
using namespace granary;

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
constexpr double largest = std::numeric_limits<double>::max(), tiniest = std::numeric_limits<double>::denorm_min();

class Draws {
  public:
    explicit Draws(std::uint64_t event) { key_.event = event; }
    double between(double low, double high) { return low + (high - low) * uniform(key_, draw_++); }
    // Of either sign, its size uniform in the logarithm to base 2.
    double of_sizes(double low, double high) {
        const double size = std::exp2(between(low, high));
        return between(0, 1) < 0.5 ? -size : size;
    }
    double size(double low, double high) { return std::exp2(between(low, high)); }

  private:
    RandomKey key_{.seed = 17};
    std::uint32_t draw_ = 0;
};

// In units of the last place of a double of the size of the reference.
double error(double value, long double reference) {
    if (std::isnan(static_cast<double>(reference)) || std::isinf(static_cast<double>(reference)))
        return std::isnan(value) == std::isnan(static_cast<double>(reference)) &&
                       (std::isnan(value) || value == static_cast<double>(reference))
                   ? 0
                   : infinity;
    int exponent = 0;
    std::frexp(reference, &exponent);
    const long double unit = std::ldexp(1.0L, std::max(exponent - 53, -1074));
    return static_cast<double>(std::abs(value - reference) / unit);
}

template <class Ours, class Theirs, class Draw>
void expect_within(double limit, Ours ours, Theirs theirs, Draw draw, int n = 200000) {
    double worst = 0, at = 0;
    for (int k = 0; k < n; ++k) {
        const double x = draw(k), e = error(ours(x), theirs(static_cast<long double>(x)));
        if (!(e <= worst)) worst = e, at = x;
    }
    EXPECT_LE(worst, limit) << "at " << std::hexfloat << at;
}

#define OURS(f) [](double x) { return elementary::f(x); }
#define THEIRS(f) [](long double x) { return std::f(x); }

TEST(Elementary, SineAndCosine) {
    Draws d(1);
    const auto turns = [&](int) { return d.between(-10, 10); };
    expect_within(0.6, OURS(sin), THEIRS(sin), turns);
    expect_within(0.6, OURS(cos), THEIRS(cos), turns);
    expect_within(2, OURS(tan), THEIRS(tan), turns);
    const auto all_sizes = [&](int) { return d.of_sizes(-1074, 1024); };
    expect_within(0.6, OURS(sin), THEIRS(sin), all_sizes);
    expect_within(0.6, OURS(cos), THEIRS(cos), all_sizes);
    // Nearest to multiples of pi/2, where nearly all bits cancel.
    const auto quarters = [&](int k) { return static_cast<double>((k + 1) * (std::numbers::pi_v<long double> / 2)); };
    expect_within(0.6, OURS(sin), THEIRS(sin), quarters);
    expect_within(0.6, OURS(cos), THEIRS(cos), quarters);
    // The double nearest of all to a multiple of pi/2: Kahan; Muller (2016), Elementary functions, 3rd ed., table 11.1.
    const double nearest = std::ldexp(6381956970095103.0, 797);
    EXPECT_NEAR(elementary::cos(nearest) / -4.68716592425462761112e-19, 1, 1e-15);
    EXPECT_EQ(std::abs(elementary::sin(nearest)), 1);
    for (const double x : {infinity, -infinity, nan})
        EXPECT_TRUE(std::isnan(elementary::sin(x)) && std::isnan(elementary::cos(x)));
    EXPECT_TRUE(std::signbit(elementary::sin(-0.0)));
    EXPECT_EQ(elementary::cos(0), 1);
    EXPECT_EQ(elementary::sin(tiniest), tiniest);
}

TEST(Elementary, SineAndCosineAreARotation) {
    Draws d(2);
    for (int k = 0; k < 100000; ++k) {
        const double x = d.of_sizes(-40, 40);
        const auto [s, c] = elementary::sin_cos(x);
        ASSERT_EQ(s, elementary::sin(x));
        ASSERT_EQ(c, elementary::cos(x));
        ASSERT_NEAR(static_cast<double>(static_cast<long double>(s) * s + static_cast<long double>(c) * c - 1), 0,
                    2.5e-16);
        ASSERT_EQ(elementary::sin(-x), -s);
        ASSERT_EQ(elementary::cos(-x), c);
    }
    double before = 0;
    for (int k = 1; k <= 100000;
         ++k) {  // monotone up to pi/2, in steps far above the last place and at the seam at pi/4
        const double s = elementary::sin(k * (std::numbers::pi / 2 / 100000));
        ASSERT_GE(s, before);
        before = s;
    }
    before = 0;
    for (double x = std::nextafter(0.78539, 0); x < 0.78541; x += 1e-10) {
        const double s = elementary::sin(x);
        ASSERT_GE(s, before);
        before = s;
    }
}

TEST(Elementary, ArcTangentAndArcCosine) {
    Draws d(3);
    for (int k = 0; k < 200000; ++k) {
        const double x = k % 2 == 0 ? d.between(-1, 1) : d.of_sizes(-400, 400),
                     y = k % 2 == 0 ? d.between(-1, 1) : d.of_sizes(-400, 400);
        ASSERT_LE(error(elementary::atan2(y, x), std::atan2(static_cast<long double>(y), static_cast<long double>(x))),
                  0.6)
            << y << " " << x;
    }
    for (const double y : {0.0, -0.0, 1.0, -1.0, 2.0, infinity, -infinity, nan, tiniest, -largest})
        for (const double x : {0.0, -0.0, 1.0, -1.0, 2.0, infinity, -infinity, nan, tiniest, -largest}) {
            const double a = elementary::atan2(y, x), b = std::atan2(y, x);
            EXPECT_TRUE(a == b || std::isnan(b)) << y << " " << x << ": " << a << " " << b;
            EXPECT_EQ(std::isnan(a), std::isnan(b));
            if (!std::isnan(b)) {
                EXPECT_EQ(std::signbit(a), std::signbit(b)) << y << " " << x;
            }
        }
    expect_within(2, OURS(acos), THEIRS(acos), [&](int) { return d.between(-1, 1); });
    expect_within(2, OURS(acos), THEIRS(acos), [&](int) { return 1 - d.size(-53, 0); });
    EXPECT_EQ(elementary::acos(1), 0);
    EXPECT_EQ(elementary::acos(-1), std::numbers::pi);
    EXPECT_TRUE(std::isnan(elementary::acos(1.0000001)));
}

TEST(Elementary, Exponential) {
    Draws d(4);
    const auto range = [&](int) { return d.between(-746, 710); };
    const auto all_sizes = [&](int) { return d.of_sizes(-80, 9.4); };
    expect_within(0.6, OURS(exp), THEIRS(exp), [&](int) { return d.between(-708, 709.7); });
    expect_within(0.6, OURS(exp), THEIRS(exp), all_sizes);
    expect_within(1.05, OURS(exp), THEIRS(exp), range);  // below 2^-1022 rounded twice
    expect_within(0.6, OURS(expm1), THEIRS(expm1), all_sizes);
    expect_within(0.6, OURS(expm1), THEIRS(expm1), [&](int) { return d.between(-2, 2); });
    for (const double x : {0.0, 1.0, -1.0, 709.782712893384, 709.7827128933841, 710.0, 1e300, -745.13, -745.2, -1e300,
                           infinity, -infinity, nan}) {
        EXPECT_LE(error(elementary::exp(x), std::exp(static_cast<long double>(x))), 1.05) << x;
        EXPECT_LE(error(elementary::expm1(x), std::expm1(static_cast<long double>(x))), 0.6) << x;
    }
    EXPECT_TRUE(std::signbit(elementary::expm1(-0.0)));
}

TEST(Elementary, Logarithms) {
    Draws d(5);
    const auto all_sizes = [&](int) { return d.size(-1074, 1024); };
    const auto near_one = [&](int) { return 1 + d.of_sizes(-53, -1); };
    expect_within(0.6, OURS(log), THEIRS(log), all_sizes);
    expect_within(0.6, OURS(log), THEIRS(log), near_one);
    expect_within(0.6, OURS(log2), THEIRS(log2), near_one);
    expect_within(0.6, OURS(log2), THEIRS(log2), all_sizes);
    expect_within(0.6, OURS(log10), THEIRS(log10), near_one);
    expect_within(0.6, OURS(log10), THEIRS(log10), all_sizes);
    expect_within(0.6, OURS(log1p), THEIRS(log1p), [&](int) { return d.of_sizes(-60, 0); });
    expect_within(3, OURS(acosh), THEIRS(acosh), [&](int) { return 1 + d.size(-50, 100); });
    for (const double x : {0.0, -0.0, -1.0, 1.0, infinity, -infinity, nan, tiniest, largest, -tiniest}) {
        EXPECT_LE(error(elementary::log(x), std::log(static_cast<long double>(x))), 0.6) << x;
        EXPECT_LE(error(elementary::log2(x), std::log2(static_cast<long double>(x))), 0.6) << x;
        EXPECT_LE(error(elementary::log10(x), std::log10(static_cast<long double>(x))), 0.6) << x;
        EXPECT_LE(error(elementary::log1p(x), std::log1p(static_cast<long double>(x))), 0.6) << x;
        EXPECT_LE(error(elementary::acosh(x), std::acosh(static_cast<long double>(x))), 2) << x;
    }
    for (int k = -1074; k < 1024; ++k) EXPECT_EQ(elementary::log2(std::ldexp(1, k)), k);
    for (int k = 0; k <= 22; ++k) EXPECT_EQ(elementary::log10(std::pow(10.0L, k)), k);
}

TEST(Elementary, Powers) {
    Draws d(6);
    for (int k = 0; k < 300000; ++k) {
        const double x = k % 2 == 0 ? d.size(-1074, 1024) : 1 + d.of_sizes(-50, -1), l = std::log2(x);
        const double y = k % 3 == 0 ? std::floor(d.between(-6, 7)) : d.between(-1020, 1020) / l;
        ASSERT_LE(error(elementary::pow(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))),
                  std::abs(y * l) < 1021 ? 0.6 : 1.05)
            << std::hexfloat << x << " " << y;
    }
    const double numbers[] = {0.0,
                              -0.0,
                              1.0,
                              -1.0,
                              2.0,
                              -2.0,
                              3.0,
                              -3.0,
                              0.5,
                              -0.5,
                              1e-300,
                              -1e300,
                              1e16,
                              9007199254740991.0,
                              -9007199254740991.0,
                              infinity,
                              -infinity,
                              nan,
                              tiniest,
                              largest,
                              std::nextafter(1, 0),
                              std::nextafter(1, 2)};
    for (const double x : numbers)
        for (const double y : numbers) {
            const double a = elementary::pow(x, y), b = std::pow(x, y);
            EXPECT_EQ(std::isnan(a), std::isnan(b)) << x << " " << y;
            if (std::isnan(b)) continue;
            EXPECT_EQ(std::signbit(a), std::signbit(b)) << x << " " << y;
            if (std::isinf(b) || b == 0) EXPECT_EQ(a, b) << x << " " << y;
            else EXPECT_NEAR(a / b, 1, 3e-16) << x << " " << y;
        }
    double ten = 1;
    for (int k = 0; k <= 22; ++k, ten *= 10) EXPECT_EQ(elementary::pow(10, k), ten);  // exactly representable
    for (int k = 1; k <= 22; ++k) EXPECT_EQ(elementary::pow(10, -k), 1 / static_cast<double>(std::pow(10.0L, k))) << k;
}

TEST(Elementary, RootsAndDiagonals) {
    Draws d(7);
    expect_within(0.6, OURS(cbrt), THEIRS(cbrt), [&](int) { return d.of_sizes(-1074, 1024); });
    expect_within(0.6, OURS(cbrt), THEIRS(cbrt), [&](int) { return d.between(0.1, 10); });
    for (int k = -300; k <= 300; ++k) EXPECT_EQ(elementary::cbrt(std::ldexp(27, 3 * k)), std::ldexp(3, k));
    for (int k = 1; k < 2000; ++k) EXPECT_EQ(elementary::cbrt(1.0 * k * k * k), k);
    for (int k = 0; k < 200000; ++k) {
        const double x = d.of_sizes(-600, 600), y = k % 2 == 0 ? x * d.between(-1, 1) : d.of_sizes(-600, 600);
        ASSERT_LE(error(elementary::hypot(x, y), std::hypot(static_cast<long double>(x), static_cast<long double>(y))),
                  0.6)
            << x << " " << y;
    }
    EXPECT_EQ(elementary::hypot(3e300, 4e300), 5e300);
    EXPECT_EQ(elementary::hypot(3 * tiniest, 4 * tiniest), 5 * tiniest);
    EXPECT_EQ(elementary::hypot(largest, largest), infinity);
    EXPECT_EQ(elementary::hypot(nan, -infinity), infinity);
    EXPECT_TRUE(std::isnan(elementary::hypot(nan, 1)));
    for (const double x : {0.0, -0.0, infinity, -infinity}) {
        EXPECT_EQ(elementary::cbrt(x), x);
        EXPECT_EQ(std::signbit(elementary::cbrt(x)), std::signbit(x));
    }
    EXPECT_TRUE(std::isnan(elementary::cbrt(nan)));
    EXPECT_LE(error(elementary::cbrt(tiniest), std::cbrt(static_cast<long double>(tiniest))), 0.6);
}

TEST(Elementary, ComplementOfTheErrorFunction) {
    Draws d(8);
    expect_within(4, OURS(erfc), THEIRS(erfc), [&](int) { return d.between(-6, 26); });
    expect_within(4, OURS(erfc), THEIRS(erfc), [&](int) { return d.of_sizes(-60, 4); });
    EXPECT_EQ(elementary::erfc(0), 1);
    EXPECT_EQ(elementary::erfc(infinity), 0);
    EXPECT_EQ(elementary::erfc(-infinity), 2);
    EXPECT_EQ(elementary::erfc(30), 0);
    EXPECT_TRUE(std::isnan(elementary::erfc(nan)));
    double before = 2;
    for (int k = -60000; k <= 270000; ++k) {  // steps of 1e-4: relative ones of the result far above its last place
        const double e = elementary::erfc(k * 1e-4);
        ASSERT_LE(e, before);
        before = e;
    }
}

// Recorded once. Whatever compiler, optimization or CPU gives another number breaks the promise of one result
// everywhere.
TEST(Elementary, HaveTheSameBitsEverywhere) { EXPECT_EQ(support::bits_of_elementary(), 0x6dd0f7f5bc5b39b0u); }

#undef OURS
#undef THEIRS
}  // namespace elementary_test
