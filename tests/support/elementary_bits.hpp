// One number made of the bits of some hundred thousand results of core/elementary.hpp. The arguments come from random
// bits by exact steps.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include "core/elementary.hpp"
#include "core/random.hpp"

namespace support {

inline std::uint64_t bits_of_elementary() {
    using namespace granary;
    std::uint64_t hash = 0xcbf29ce484222325u;
    const auto add = [&](double x) {
        hash = (hash ^ std::bit_cast<std::uint64_t>(std::isnan(x) ? 0 : x)) * 0x100000001b3u;
    };
    const RandomKey key{.seed = 5};
    for (std::uint32_t k = 0; k < 20000; ++k) {
        const double u = uniform(key, 4 * k), v = uniform(key, 4 * k + 1), sign = k % 2 == 0 ? 1 : -1;
        const double x = std::ldexp(u + 0.5, static_cast<int>(k % 60) - 40),
                     y = std::ldexp(v - 0.5, static_cast<int>(k % 13) - 5);
        const double wide = std::ldexp(u + 0.5, static_cast<int>(random_bits(key, 4 * k + 2) % 2000) - 1000);
        const auto [s, c] = elementary::sin_cos(sign * wide);
        const auto [s_x, c_x] = elementary::sin_cos(sign * x);
        for (const double f : {s,
                               c,
                               s_x,
                               c_x,
                               elementary::tan(y),
                               elementary::acos(2 * v - 1),
                               elementary::atan2(y, sign * x),
                               elementary::exp(y),
                               elementary::expm1(y),
                               elementary::log(wide),
                               elementary::log1p(x),
                               elementary::log2(wide),
                               elementary::log10(wide),
                               elementary::pow(wide, y / 64),
                               elementary::pow(x, 4 * v - 2),
                               elementary::cbrt(sign * wide),
                               elementary::acosh(1 + x),
                               elementary::erfc(y),
                               elementary::erfc(20 * u - 4),
                               elementary::hypot(wide, x)})
            add(f);
    }
    return hash;
}

}  // namespace support
