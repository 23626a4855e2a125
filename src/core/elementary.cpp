#include "core/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numbers>
#include "core/double_pair.hpp"

namespace granary::elementary {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(),
                 not_a_number = std::numeric_limits<double>::quiet_NaN();
// ln 2: 42 bits, so that its product with an exponent is exact, and the rest.
constexpr double ln2_first = 0x1.62e42fefa38p-1, ln2_second = 0x1.ef35793c7673p-45;

// e^x = 2^exponent (1 + rest), |rest| below 0.42. |x| below 800.
struct Power {
    int exponent = 0;
    DoublePair rest;
};

Power power_of_e(DoublePair x) {
    const double k = std::floor(x.hi * std::numbers::log2e + 0.5);
    const DoublePair r = exact_sum(x.hi - k * ln2_first, x.lo - k * ln2_second);
    // r + r^2/2 + r^3 (1/6 + r/24 + ...); what is not computed as a pair is below r/35
    double sum = 1.0 / 87178291200;  // 1/14!
    sum = sum * r.hi + 1.0 / 6227020800;
    sum = sum * r.hi + 1.0 / 479001600;
    sum = sum * r.hi + 1.0 / 39916800;
    sum = sum * r.hi + 1.0 / 3628800;
    sum = sum * r.hi + 1.0 / 362880;
    sum = sum * r.hi + 1.0 / 40320;
    sum = sum * r.hi + 1.0 / 5040;
    sum = sum * r.hi + 1.0 / 720;
    sum = sum * r.hi + 1.0 / 120;
    sum = sum * r.hi + 1.0 / 24;
    sum = sum * r.hi + 1.0 / 6;
    const DoublePair square = exact_product(r.hi, r.hi), s = exact_sum_ordered(r.hi, 0.5 * square.hi);
    const double rest = 0.5 * square.lo + r.lo + r.hi * r.lo + square.hi * r.hi * sum;
    return {static_cast<int>(k), exact_sum_ordered(s.hi, s.lo + rest)};
}

double exp(DoublePair x) {
    if (x.hi > 710) return infinity;
    if (x.hi < -746) return 0;
    const Power p = power_of_e(x);
    const DoublePair s = exact_sum_ordered(1, p.rest.hi);
    return std::ldexp(s.hi + (s.lo + p.rest.lo), p.exponent);
}

// x > 0 and finite. x = 2^k m, m from sqrt(1/2) to sqrt(2); log m = 2 artanh(s) = 2 s (1 + s^2/3 + s^4/5 + ...), s = (m
// - 1)/(m + 1), |s| < 0.172. What is not computed as a pair is below 2^-18 of the result: 70 bits, so that pow has
// enough of them left.
DoublePair log_of(double x) {
    int k = 0;
    double m = std::frexp(x, &k);
    if (m < std::numbers::sqrt2 / 2) m *= 2, --k;
    const DoublePair s = DoublePair{m - 1, 0} / exact_sum(m, 1), square = s * s;
    const double z = square.hi;
    double sum = 1.0 / 29;
    sum = sum * z + 1.0 / 27;
    sum = sum * z + 1.0 / 25;
    sum = sum * z + 1.0 / 23;
    sum = sum * z + 1.0 / 21;
    sum = sum * z + 1.0 / 19;
    sum = sum * z + 1.0 / 17;
    sum = sum * z + 1.0 / 15;
    sum = sum * z + 1.0 / 13;
    sum = sum * z + 1.0 / 11;
    sum = sum * z + 1.0 / 9;
    sum = sum * z + 1.0 / 7;
    constexpr DoublePair third{0x1.5555555555555p-2, 0x1.5555555555555p-56},
        fifth{0x1.999999999999ap-3, -0x1.999999999999ap-57};
    const DoublePair higher = square * (third + square * (fifth + DoublePair{z * sum, 0}));
    const DoublePair twice{2 * s.hi, 2 * s.lo}, of_m = twice + twice * higher;
    if (k == 0) return of_m;
    return exact_sum_ordered(k * ln2_first, k * ln2_second) + of_m;
}

// Whether log x needs no computation, and then which it is.
bool special_log(double x, double& result) {
    if (x > 0 && x < infinity) return false;
    result = x == 0 ? -infinity : x > 0 ? x : not_a_number;
    return true;
}

// |x|^y, of finite numbers but 0.
double power(double x, double y) {
    if (x == 1) return 1;
    if (std::abs(y) > 0x1p65) return (x > 1) == (y > 0) ? infinity : 0;  // |log x| is at least 2^-54
    return exp(log_of(x) * DoublePair{y, 0});
}

// 2/sqrt(pi) (x - x^3/3 + x^5/(2! 5) - x^7/(3! 7) + ...), |x| up to 1/2.
double erf_near_0(double x) {
    const double z = -x * x;
    double factorial = 6227020800.0, sum = 0;  // 13!
    for (int n = 13; n >= 1; factorial /= n--) sum = (sum + 1 / (factorial * (2 * n + 1))) * z;
    return 2 * std::numbers::inv_sqrtpi * (x + x * sum);
}

bool is_whole(double y) { return std::floor(y) == y; }
bool is_odd(double y) { return is_whole(y) && std::abs(y) < 0x1p53 && !is_whole(0.5 * y); }

}  // namespace

double exp(double x) { return std::isnan(x) ? not_a_number : exp(DoublePair{x, 0}); }

double expm1(double x) {
    if (std::isnan(x)) return not_a_number;
    if (std::abs(x) < 0x1p-54) return x;
    if (x > 710) return infinity;
    if (x < -40) return -1;
    const Power p = power_of_e({x, 0});
    const int down = p.exponent > 1000 ? 1 : 0;  // 2^1024 is too large for a factor
    const double scale = std::ldexp(1, p.exponent - down);
    const DoublePair one = exact_sum(scale, p.exponent > 1000 ? 0 : -1);
    const DoublePair sum = one + DoublePair{scale * p.rest.hi, scale * p.rest.lo};
    return std::ldexp(sum.hi + sum.lo, down);
}

double log(double x) {
    double special = 0;
    if (special_log(x, special)) return special;
    const DoublePair l = log_of(x);
    return l.hi + l.lo;
}

double log1p(double x) {
    if (std::abs(x) < 0x1p-26) return x - 0.5 * x * x * (1 - x * (2.0 / 3));
    const DoublePair of = exact_sum(1, x);
    double special = 0;
    if (special_log(of.hi, special)) return special;
    const DoublePair l = log_of(of.hi) + DoublePair{of.lo / of.hi, 0};
    return l.hi + l.lo;
}

double log2(double x) {
    double special = 0;
    if (special_log(x, special)) return special;
    const DoublePair l = log_of(x) * DoublePair{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
    return l.hi + l.lo;
}

double log10(double x) {
    double special = 0;
    if (special_log(x, special)) return special;
    const DoublePair l = log_of(x) * DoublePair{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
    return l.hi + l.lo;
}

double pow(double x, double y) {
    if (y == 0 || x == 1) return 1;
    if (std::isnan(x) || std::isnan(y)) return not_a_number;
    if (std::isinf(y)) {
        if (std::abs(x) == 1) return 1;
        return (std::abs(x) > 1) == (y > 0) ? infinity : 0;
    }
    const bool negative = std::signbit(x) && is_odd(y);
    if (x == 0 || std::isinf(x)) {
        const double size = (x == 0) == (y > 0) ? 0 : infinity;
        return negative ? -size : size;
    }
    if (x < 0 && !is_whole(y)) return not_a_number;
    const double size = power(std::abs(x), y);
    return negative ? -size : size;
}

// By Newton's steps from a polynomial that is right to 0.9 %, the last with the square and the cube as pairs.
double cbrt(double x) {
    if (x == 0 || !(std::abs(x) < infinity)) return x;
    int exponent = 0;
    double m = std::frexp(std::abs(x), &exponent);  // from 1/2 to 1
    while (exponent % 3 != 0) m *= 2, --exponent;   // to 4
    double y = 0.56887266 + m * (0.52199533 + m * (-0.10802599 + m * 0.01033395));
    for (int round = 0; round < 3; ++round) y = (2 * y + m / (y * y)) / 3;
    const DoublePair square = exact_product(y, y), cube = square * DoublePair{y, 0};
    y += ((m - cube.hi) - cube.lo) / (3 * square.hi);
    return std::copysign(std::ldexp(y, exponent / 3), x);
}

double acosh(double x) {
    if (!(x >= 1)) return not_a_number;
    if (x > 0x1p30) return log(x) + std::numbers::ln2;
    const double t = x - 1;
    return log1p(t + std::sqrt(t * (2 + t)));
}

// Chebyshev series of (1 + 2 x) exp(x^2) erfc(x) in t = (x - 3.75)/(x + 3.75), which takes all x >= 0 to -1 <= t < 1,
// after
//   Shepherd & Laframboise (1981), Chebyshev approximation of (1 + 2x) exp(x^2) erfc x in 0 <= x < inf, Math. Comp. 36,
//   249-253
// (coefficients computed anew, to more places); summed by Clenshaw's recurrence. The first left out is 3e-20.
double erfc(double x) {
    static constexpr double c[] = {
        0x1.2d75d0246cee8p+0,   -0x1.2cd0564f8c1b7p-8,  -0x1.59159e8868995p-4,  0x1.e50c3e7c7dccep-5,
        -0x1.b4c68f4569326p-6,  0x1.295e991a7d82dp-7,   -0x1.3c4c54f8d419dp-9,  0x1.014ed1572209ap-11,
        -0x1.221e6f70130b5p-14, 0x1.15c3f597f0492p-18,  0x1.9f8f03ca86fc1p-21,  -0x1.d601c320c8f9cp-23,
        0x1.71e1efca86cf9p-27,  0x1.36bf2885524c9p-28,  -0x1.aa4d7b1cdf20ap-31, -0x1.15df59ca6082bp-34,
        0x1.f8af0a9aa6d31p-36,  0x1.b61b723941781p-43,  -0x1.0fc16c00b50f2p-40, 0x1.24f6a772cbc36p-45,
        0x1.2d8b49ab5f72bp-45,  -0x1.0cb63a80de2c5p-49, -0x1.6884628ace07ap-50, 0x1.561b105822235p-54,
        0x1.d3744857e262bp-55,  -0x1.4a219c71bb4d2p-59, -0x1.42cb7ae4cd5a0p-59};
    if (std::isnan(x)) return not_a_number;
    const double size = std::abs(x);
    if (size < 0.5) return 1 - erf_near_0(x);
    double value = 0;
    if (size < 28) {
        const double t = (size - 3.75) / (size + 3.75);
        double now = 0, before = 0;
        for (int k = static_cast<int>(std::size(c)) - 1; k >= 1; --k) {
            const double next = 2 * t * now - before + c[k];
            before = now, now = next;
        }
        const DoublePair square = exact_product(size, size);
        value = (t * now - before + c[0]) / (1 + 2 * size) * exp(DoublePair{-square.hi, -square.lo});
    }
    return x < 0 ? 2 - value : value;
}

// The root of the sum of squares, and what is left of them under it.
double hypot(double x, double y) {
    double large = std::abs(x), small = std::abs(y);
    if (std::isinf(large) || std::isinf(small)) return infinity;
    if (std::isnan(large) || std::isnan(small)) return not_a_number;
    if (large < small) std::swap(large, small);
    if (small == 0) return large;
    int exponent = 0;
    large = std::frexp(large, &exponent);
    small = std::ldexp(small, -exponent);
    const DoublePair sum = exact_product(large, large) + exact_product(small, small);
    const double root = std::sqrt(sum.hi);
    const DoublePair square = exact_product(root, root);
    return std::ldexp(root + (((sum.hi - square.hi) - square.lo) + sum.lo) / (2 * root), exponent);
}

}  // namespace granary::elementary
