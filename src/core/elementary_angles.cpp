#include "core/elementary.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include "core/double_pair.hpp"

namespace granary::elementary {
namespace {

constexpr double no_angle = std::numeric_limits<double>::quiet_NaN();
constexpr DoublePair pi{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};
constexpr DoublePair half_pi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// x = quarter pi/2 + rest, |rest| at most pi/4 and a trifle.
struct Reduced {
    unsigned quarter = 0;  // modulo 4
    DoublePair rest;
};

// |x| below 2^20, so that up to 2^20 quarters times 33 bits of pi/2 are exact.
Reduced reduced_small(double x) {
    constexpr double first = 0x1.921fb544p+0, second = 0x1.0b4611a6p-34, third = 0x1.3198a2e037073p-69,
                     fourth = 0x1.129024e088a68p-123;
    const double n = std::floor(x * 0x1.45f306dc9c883p-1 + 0.5);
    const DoublePair rest = exact_sum(x - n * first, -n * second);
    DoublePair more = exact_product(-n, third);
    more.lo -= n * fourth;
    return {static_cast<unsigned>(static_cast<int>(n)) & 3u, rest + more};
}

// The bits of 2/pi, enough for the largest double.
constexpr std::uint32_t two_over_pi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};

// Any x of at least 2^20, after
//   Payne & Hanek (1983), Radian reduction for trigonometric functions, ACM SIGNUM Newsletter 18(1), 19-24:
// x 2/pi modulo 4 as a product of integers, of which bits of 2/pi that only make multiples of 4 are left out. x = whole
// 2^e. Of 7 words of 2/pi the last bit weighs at most 2^(e - 190), the error 2^-137; no double is nearer than 2^-62 to
// a multiple of pi/2.
Reduced reduced_large(double x) {
    constexpr int n_words = 7, n_product = n_words + 2;
    const auto bits = std::bit_cast<std::uint64_t>(x);
    const int e = static_cast<int>(bits >> 52) - 1075;
    const std::uint64_t whole = (bits & 0xfffffffffffffu) | 0x10000000000000u;
    const int skipped = e >= 2 ? (e - 2) / 32 : 0;
    std::uint32_t product[n_product + 1] = {};  // lowest word first; one of zeros above
    for (int k = 0; k < n_words; ++k) {
        const std::uint64_t word = two_over_pi[skipped + n_words - 1 - k];
        const std::uint64_t low = word * (whole & 0xffffffffu) + product[k];
        const std::uint64_t high = word * (whole >> 32) + product[k + 1] + (low >> 32);
        product[k] = static_cast<std::uint32_t>(low), product[k + 1] = static_cast<std::uint32_t>(high);
        product[k + 2] = static_cast<std::uint32_t>(high >> 32);
    }
    const int point = 32 * (skipped + n_words) - e;  // bits behind the binary point
    const auto word_at = [&](int bit) {
        const std::uint64_t two = product[bit / 32] | std::uint64_t{product[bit / 32 + 1]} << 32;
        return static_cast<std::uint32_t>(two >> bit % 32);
    };
    unsigned quarter = word_at(point) & 3u;
    const bool above_half = (word_at(point - 32) & 0x80000000u) != 0;
    if (above_half) ++quarter;
    DoublePair sum;
    for (int k = 5; k >= 1; --k) {
        const std::uint32_t word = word_at(point - 32 * k);
        const DoublePair s = exact_sum(std::ldexp(static_cast<double>(above_half ? ~word : word), -32 * k), sum.hi);
        sum = {s.hi, s.lo + sum.lo};
    }
    if (above_half) sum = {-sum.hi, -sum.lo};
    return {quarter & 3u, sum * half_pi};
}

Reduced reduced(double x) {
    const double size = std::abs(x);
    if (size <= 0x1.921fb54442d18p-1) return {0, {x, 0}};
    if (size < 0x1p20) return reduced_small(x);
    Reduced r = reduced_large(size);
    if (x < 0) r = {(4u - r.quarter) & 3u, {-r.rest.hi, -r.rest.lo}};
    return r;
}

// r - r^3/6 + r^5/120 - ...; what is not computed as a pair is below r/300.
double sin_of(DoublePair r, DoublePair square) {
    if (std::abs(r.hi) < 0x1p-27) return r.hi + r.lo;  // near multiples of pi
    const double z = square.hi;
    double sum = 1.0 / 355687428096000;  // 1/17!
    sum = sum * z - 1.0 / 1307674368000;
    sum = sum * z + 1.0 / 6227020800;
    sum = sum * z - 1.0 / 39916800;
    sum = sum * z + 1.0 / 362880;
    sum = sum * z - 1.0 / 5040;
    sum = sum * z + 1.0 / 120;
    const DoublePair cubic = square * r * DoublePair{-0x1.5555555555555p-3, -0x1.5555555555555p-57};
    const DoublePair s = exact_sum_ordered(r.hi, cubic.hi);
    return s.hi + (s.lo + (cubic.lo + r.lo + z * z * r.hi * sum));
}

// 1 - r^2/2 + r^4/24 - ...
double cos_of(DoublePair square) {
    const double z = square.hi;
    double sum = -1.0 / 6402373705728000;  // 1/18!
    sum = sum * z + 1.0 / 20922789888000;
    sum = sum * z - 1.0 / 87178291200;
    sum = sum * z + 1.0 / 479001600;
    sum = sum * z - 1.0 / 3628800;
    sum = sum * z + 1.0 / 40320;
    sum = sum * z - 1.0 / 720;
    sum = sum * z + 1.0 / 24;
    const DoublePair s = exact_sum_ordered(1, -0.5 * z);
    return s.hi + (s.lo + (z * z * sum - 0.5 * square.lo));
}

// atan(y/x) for 0 <= y <= x, x > 0, neither near the ends of the range: from the nearest of nine angles whose tangent
// is k/8,
//   atan(y/x) = atan(k/8) + atan(t), t = (y - x k/8)/(x + y k/8), |t| <= 1/16 and a trifle.
DoublePair atan_of(DoublePair y, DoublePair x) {
    static constexpr DoublePair of_eighths[9] = {{0, 0},
                                                 {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                                 {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                                 {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                                 {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                                 {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                                 {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                                 {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                                 {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
    const double k = std::floor(8 * (y.hi / x.hi) + 0.5), c = k / 8;
    DoublePair t = y / x;
    if (k > 0) t = (y + x * DoublePair{-c, 0}) / (x + y * DoublePair{c, 0});
    const double z = t.hi * t.hi;
    double sum = -1.0 / 15;
    for (int n = 13; n >= 3; n -= 2) sum = sum * z + (n % 4 == 1 ? 1.0 : -1.0) / n;
    return of_eighths[static_cast<int>(k)] + exact_sum_ordered(t.hi, t.lo + t.hi * z * sum);
}

}  // namespace

SinCos sin_cos(double x) {
    if (!(std::abs(x) <= std::numeric_limits<double>::max())) return {no_angle, no_angle};
    if (std::abs(x) < 0x1p-5) {     // no pairs needed, as what is added to x and 1 is small
        if (x == 0) return {x, 1};  // keeps its sign
        const double z = x * x;
        return {x + x * z * (-1.0 / 6 + z * (1.0 / 120 + z * (-1.0 / 5040 + z * (1.0 / 362880)))),
                1 - z * (0.5 - z * (1.0 / 24 - z * (1.0 / 720 - z * (1.0 / 40320))))};
    }
    const Reduced r = reduced(x);
    DoublePair square = exact_product(r.rest.hi, r.rest.hi);
    square.lo += 2 * r.rest.hi * r.rest.lo;
    const double s = sin_of(r.rest, square), c = cos_of(square);
    switch (r.quarter) {
        case 0: return {s, c};
        case 1: return {c, -s};
        case 2: return {-s, -c};
        default: return {-c, s};
    }
}

double sin(double x) { return sin_cos(x).sin; }
double cos(double x) { return sin_cos(x).cos; }
double tan(double x) {
    const SinCos both = sin_cos(x);
    return both.sin / both.cos;
}

double atan2(double y, double x) {
    if (std::isnan(x) || std::isnan(y)) return no_angle;
    double across = std::abs(x), up = std::abs(y);
    const bool left = std::signbit(x), steep = up > across;
    if (steep) std::swap(across, up);
    DoublePair angle;  // from the nearer of the two axes; the angle at infinity is that of the diagonal
    if (std::isinf(across)) {
        if (std::isinf(up)) angle = {half_pi.hi / 2, half_pi.lo / 2};
    } else if (up > 0) {
        int exponent = 0;  // powers of 2 do not change the angle
        across = std::frexp(across, &exponent);
        const double scaled = std::ldexp(up, -exponent);
        if (scaled >= 0x1p-60) angle = atan_of({scaled, 0}, {across, 0});
        else if (!steep && !left) return std::copysign(up / std::ldexp(across, exponent), y);
    }
    if (steep) angle = half_pi + DoublePair{-angle.hi, -angle.lo};
    if (left) angle = pi + DoublePair{-angle.hi, -angle.lo};
    return std::copysign(angle.hi + angle.lo, y);
}

double acos(double x) {
    if (!(std::abs(x) <= 1)) return no_angle;
    return atan2(std::sqrt((1 - x) * (1 + x)), x);
}

}  // namespace granary::elementary
