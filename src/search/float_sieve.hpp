// Bodies in single precision, sixteen tested at a time, to leave out nearly all that cannot be candidates. Whatever is
// left is tested exactly afterwards: rounding here may let a body through, never hold one back.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include "core/bodies.hpp"
#include "core/large_pages.hpp"
#include "core/lanes16.hpp"
#include "search/keyed_bodies.hpp"

namespace granary {

struct SievedBalls;

// Coordinates and lengths as shares of the longest side of a box, so that squares neither overflow nor vanish.
class FloatSieve {
  public:
    struct Ball {
        float x, y, z, r;  // r a trifle larger than it is
    };

    FloatSieve() = default;
    // For centres between the two corners, and radii up to half the longest reach.
    FloatSieve(const Vec3d& lower, const Vec3d& upper, double longest_reach) : lower_(lower) {
        const Vec3d size = upper - lower;
        const double extent = std::max({size.x, size.y, size.z, longest_reach});
        scale_ = extent > 0 ? 1 / extent : 1;
    }
    Ball of(const double* q) const {  // q: position and radius
        return {static_cast<float>((q[0] - lower_.x) * scale_), static_cast<float>((q[1] - lower_.y) * scale_),
                static_cast<float>((q[2] - lower_.z) * scale_), radius(q[3])};
    }
    float radius(double r) const { return static_cast<float>(r * scale_ * share_on_top); }
    float coordinate(double x, int axis) const { return static_cast<float>((x - at(lower_, axis)) * scale_); }
    // Radius of a sphere around balls of a list that was made with this sieve, m: a trifle more than needed.
    double radius_around(const SievedBalls& balls, std::size_t begin, std::size_t end, const Vec3d& centre) const;
    // To be added to the sum of two radii.
    float margin(double m) const { return static_cast<float>((m * scale_ + slack) * share_on_top); }

    // A coordinate, at most 1, is off by 2^-25, the difference of two by 2^-24, a distance by less than twice that; the
    // rounding of differences, squares, sums and radii is some 2^-22 of the distance.
    static constexpr double slack = 0x1p-23, share_on_top = 1 + 0x1p-20;
    // Pairs that are nearer than this share of the square of their reach b (radii and margin, as above) are candidates
    // for sure, if b is at least so long: in units of the box, distances here are short by less than 1.74 * 2^-24 and
    // 2^-22 of themselves, and b is longer than the true reach by less than 1.01 * 2^-23 and 1.25 * 2^-20 of itself; so
    // b sqrt(share) (1 + 2^-22) + 1.74 * 2^-24 <= b (1 - 1.25 * 2^-20) - 1.01 * 2^-23 is enough.
    static float sure_share(float least_reach) {
        return static_cast<float>(std::max(0.0, 1 - 0x1p-18 - 0x1p-21 / static_cast<double>(least_reach)));
    }

  private:
    Vec3d lower_;
    double scale_ = 1;
};

// A list of balls, each with a number, for which balls can look.
struct SievedBalls {
    static constexpr std::size_t padding = 16;  // places that may be read or written past the end

    LanesVector<float> x, y, z, r;
    LanesVector<std::uint32_t> number;

    void make_room(std::size_t n) {
        if (x.size() < n + padding) grow(n + n / 16 + padding);
    }
    void put(std::size_t k, const FloatSieve::Ball& b, std::uint32_t n) {
        x[k] = b.x, y[k] = b.y, z[k] = b.z, r[k] = b.r, number[k] = n;
    }
    void copy16(std::size_t to, const SievedBalls& other, std::size_t from) {
        std::memcpy(&x[to], &other.x[from], 64), std::memcpy(&y[to], &other.y[from], 64);
        std::memcpy(&z[to], &other.z[from], 64), std::memcpy(&r[to], &other.r[from], 64);
        std::memcpy(&number[to], &other.number[from], 64);
    }
    // Of the sixteen from `from` on those whose bits are set; returns how many. May write sixteen.
    [[gnu::always_inline]] unsigned copy_lanes(std::size_t to, const SievedBalls& other, std::size_t from,
                                               unsigned bits) {
        keep_lanes(&other.x[from], bits, &x[to]), keep_lanes(&other.y[from], bits, &y[to]);
        keep_lanes(&other.z[from], bits, &z[to]), keep_lanes(&other.r[from], bits, &r[to]);
        keep_lanes(&other.number[from], 0, bits, &number[to]);
        return static_cast<unsigned>(std::popcount(bits));
    }
    // Which of the sixteen from k on may be candidates of a ball; reach: its radius and the margin.
    [[gnu::always_inline]] unsigned near(std::size_t k, const FloatSieve::Ball& i, float reach) const {
        const Float16 dx = Float16::load(&x[k]) - Float16::all(i.x), dy = Float16::load(&y[k]) - Float16::all(i.y),
                      dz = Float16::load(&z[k]) - Float16::all(i.z), both = Float16::load(&r[k]) + Float16::all(reach);
        return lanes_below(dx * dx + dy * dy + dz * dz, both * both);
    }
    std::uint64_t bytes() const { return (4 * sizeof(float) + sizeof(std::uint32_t)) * x.capacity(); }

  private:
    void grow(std::size_t n) {
        for (auto* v : {&x, &y, &z, &r}) v->resize(n);
        number.resize(n);
    }
};

inline double FloatSieve::radius_around(const SievedBalls& balls, std::size_t begin, std::size_t end,
                                        const Vec3d& centre) const {
    const float x = coordinate(centre.x, 0), y = coordinate(centre.y, 1), z = coordinate(centre.z, 2);
    float farthest = 0;
    for (std::size_t k = begin; k < end; ++k) {
        const float dx = balls.x[k] - x, dy = balls.y[k] - y, dz = balls.z[k] - z;
        farthest = std::max(farthest, std::sqrt(dx * dx + dy * dy + dz * dz) + balls.r[k]);
    }
    return (static_cast<double>(farthest) * share_on_top + slack) / scale_;
}

struct SortAlongX {  // room for many balls
    LargeVector<ShortKeyed> items, spare;
    LargeVector<std::uint32_t> old;
    std::uint64_t bytes() const {
        return sizeof(ShortKeyed) * (items.capacity() + spare.capacity()) + sizeof(std::uint32_t) * old.capacity();
    }
};

// Sorts the balls from begin to end along x. Not quite: returns by how much one may stand out of order.
inline float sort_along_x(SievedBalls& balls, std::size_t begin, std::size_t end, SortAlongX& room) {
    const std::size_t n = end - begin;
    constexpr float of_sixteen = 0x1p-20F;  // the last four bits of a number below 1
    if (n <= 1) return of_sixteen;
    if (n <= 16) {  // the order of floats that are not negative is that of their bits
        std::array<std::uint32_t, 16> lane;
        std::memcpy(lane.data(), &balls.x[begin], sizeof lane);
        for (std::uint32_t k = 0; k < 16; ++k) lane[k] = (lane[k] & ~15u) | k;
        sort_short(lane.data(), n);
        for (std::uint32_t& k : lane) k &= 15u;
        for (auto* v : {&balls.x, &balls.y, &balls.z, &balls.r}) permute_lanes(&(*v)[begin], lane.data(), n);
        permute_lanes(&balls.number[begin], lane.data(), n);
        return of_sixteen;
    }
    constexpr int bits = 10;
    const auto [low, high] = std::minmax_element(&balls.x[begin], &balls.x[begin] + n);
    const float from = *low, width = *high - *low, digits = width > 0 ? ((1 << bits) - 1) / width : 0;
    if (room.items.size() < n) room.items.resize(n + n / 2), room.spare.resize(n + n / 2), room.old.resize(n + n / 2);
    for (std::size_t k = 0; k < n; ++k)
        room.items[k] = {static_cast<std::uint32_t>((balls.x[begin + k] - from) * digits), static_cast<Index>(k)};
    sort_by_key(room.items, room.spare, n, bits);
    const auto move = [&](auto* v) {
        std::memcpy(room.old.data(), v, n * sizeof *v);
        for (std::size_t k = 0; k < n; ++k) std::memcpy(v + k, &room.old[room.items[k].place], sizeof *v);
    };
    for (auto* v : {&balls.x, &balls.y, &balls.z, &balls.r}) move(&(*v)[begin]);
    move(&balls.number[begin]);
    return width / (1 << (bits - 1)) + of_sixteen;
}

}  // namespace granary
