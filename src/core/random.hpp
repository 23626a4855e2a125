// Random numbers without a state: each is a function of what it is for, so that every rank draws the same
// number in any order, and a resumed run goes on where the first one stopped.
//
// Generator: Philox-4x32 with 10 rounds,
//   Salmon, Moraes, Dror & Shaw (2011), Parallel random numbers: as easy as 1, 2, 3, SC'11, section 3.3.
// A 128-bit counter is enciphered with a 64-bit key into 128 random bits. How a number is addressed:
//   key         seed, 64 bits, low word first
//   counter 0   purpose (bits 31..24), draw/2 (bits 23..0)     draw < 2^25
//   counter 1   trial, 32 bits
//   counter 2   event, low 32 bits                             event < 2^48: a step, an event, a lattice site
//   counter 3   stream (bits 31..16), event bits 47..32        stream < 2^16: which of several makers
// Even draws take the first two words of the block, odd draws the other two. No two addresses share bits.
#pragma once
#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include "core/vec.hpp"

namespace granary {

// What numbers are drawn for. The values are part of every result: add at the end, never renumber.
enum class Purpose : std::uint8_t {
    lattice = 1,        // radii and jitter of lattice packings, radius of a single ball
    loose_packing = 2,  // radii, places and vacancies of loose packings
    insertion = 3,      // places tried at insertion events
    relaxed_pack = 4,   // first places of balls in packs that are relaxed
    dense_pack = 5,     // materials of balls in dense packings
    wall_balls = 6,     // radii of the balls that walls are made of
    inserted_ball = 7,  // radii and materials of balls that rain in
    cluster_turn = 8,   // orientations of clusters
    bond_strength = 9,  // factors of strength of bonds
    cluster_fit = 10,   // first places of elements in the templates of clusters
    test = 255
};

struct RandomKey {
    std::uint64_t seed = 0;
    Purpose purpose = Purpose::test;
    std::uint16_t stream = 0;
    std::uint64_t event = 0;
    std::uint32_t trial = 0;
};

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

constexpr PhiloxCounter philox4x32_10(PhiloxCounter c, PhiloxKey k) {
    for (int round = 0; round < 10; ++round) {
        const std::uint64_t a = std::uint64_t{0xD2511F53} * c[0], b = std::uint64_t{0xCD9E8D57} * c[2];
        c = {static_cast<std::uint32_t>(b >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(b),
             static_cast<std::uint32_t>(a >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(a)};
        k[0] += 0x9E3779B9;  // golden ratio
        k[1] += 0xBB67AE85;  // sqrt(3) - 1
    }
    return c;
}

// 64 random bits.
constexpr std::uint64_t random_bits(const RandomKey& key, std::uint32_t draw) {
    if (key.event >> 48 || draw >> 25) throw std::out_of_range("random number: event or draw too large for its bits");
    const auto low = [](std::uint64_t a) { return static_cast<std::uint32_t>(a); };
    const PhiloxCounter block =
        philox4x32_10({low(static_cast<std::uint32_t>(key.purpose)) << 24 | draw >> 1, key.trial, low(key.event),
                       static_cast<std::uint32_t>(key.stream) << 16 | low(key.event >> 32)},
                      {low(key.seed), low(key.seed >> 32)});
    const std::size_t half = 2 * (draw & 1);
    return std::uint64_t{block[half + 1]} << 32 | block[half];
}

// In [0, 1), a multiple of 2^-53: all such multiples are equally likely.
constexpr double uniform(const RandomKey& key, std::uint32_t draw) {
    return static_cast<double>(random_bits(key, draw) >> 11) * 0x1p-53;
}

// In [low, high); low itself if the range is empty.
inline double uniform(const RandomKey& key, std::uint32_t draw, double low, double high) {
    if (!(low < high)) return low;
    const double a = low + (high - low) * uniform(key, draw);
    return a < high ? a : std::nextafter(high, low);  // the sum may round up to the end
}

// In the box [lower, upper), by the three draws from the one given on.
inline Vec3d uniform(const RandomKey& key, std::uint32_t draw, const Vec3d& lower, const Vec3d& upper) {
    return {uniform(key, draw, lower.x, upper.x), uniform(key, draw + 1, lower.y, upper.y),
            uniform(key, draw + 2, lower.z, upper.z)};
}

}  // namespace granary
