// One number made of the bits of what core/simd.hpp, core/lanes16.hpp and a contact law make of random numbers: the
// same whatever registers the CPU has, two, four or eight doubles wide.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include "contact/hertz_mindlin_huang2020.hpp"
#include "core/lanes16.hpp"
#include "core/random.hpp"
#include "core/simd.hpp"

namespace support {

class LanesBits {
  public:
    std::uint64_t of_everything() {
        for (int k = 0; k < 20000; ++k) quads();
        for (int k = 0; k < 20000; ++k) contacts();
        for (int k = 0; k < 5000; ++k) sixteen();
        return hash_;
    }

  private:
    using Real4 = granary::Real4;
    using Vec4 = granary::Vec3<Real4>;

    void add(std::uint64_t bits) { hash_ = (hash_ ^ bits) * 0x100000001b3u; }
    void add(double x) { add(std::bit_cast<std::uint64_t>(x != x ? 0 : x)); }
    void add(const Real4& a) {
        for (int lane = 0; lane < 4; ++lane) add(double(a[lane]));
    }
    void add(const Vec4& a) { add(a.x), add(a.y), add(a.z); }

    double number() { return granary::uniform({.seed = 17}, n_++); }
    Real4 four(double low, double high) {
        double x[4];
        for (double& one : x) one = low + (high - low) * number();
        return Real4{x[0], x[1], x[2], x[3]};
    }
    Vec4 three(double size) { return {four(-size, size), four(-size, size), four(-size, size)}; }

    void quads() {
        Real4 a = four(-1, 1), b = four(-1, 1), c = four(-2, 2), d = four(0, 3);
        add(std::uint64_t(granary::lane_bits((a < b) | (c >= d)) + 16 * granary::lane_bits((a > c) & ~(b <= d))));
        add(granary::root(d) / (a * b - c));
        add(granary::larger(granary::where(a != b, a, c), granary::smaller(b, d)));
        add(granary::shuffled<0, 5, 2, 7>(a, b) + granary::shuffled<3, 3, 6, 1>(c, d));
        granary::transpose(a, b, c, d);
        add(a), add(b), add(c), add(d);
        alignas(32) double memory[12] = {};
        granary::store4(memory, a);
        granary::store_loose4(memory + 5, -b);
        add(granary::load4(memory + 4) - granary::load_loose4(memory + 1));
    }

    // Each for some steps, its spring kept: sticking, sliding, parting.
    void contacts() {
        const granary::HertzMindlin law{.attraction = (n_ & 1) == 0};
        granary::Contact<Real4> contact{};
        Vec4 normal = three(1);
        normal = (granary::broadcast4(1) / granary::root(dot(normal, normal))) * normal;
        contact.normal = normal;
        contact.overlap = four(-0.2e-4, 1e-4);
        contact.velocity = three(0.3);
        contact.effective_radius = four(1e-3, 2e-3);
        contact.effective_mass = four(1e-5, 2e-4);
        const granary::HertzMindlin::Parameters<Real4> p{four(1e6, 1e7), four(1e6, 1e7), four(1, 1e3), four(1, 1e3),
                                                         four(0, 0.8)};
        Vec4 xi = three(1e-6);
        for (int step = 0; step < 3; ++step) {
            add(law.force(contact, p, xi, granary::broadcast4(1e-5)));
            add(xi);
            contact.overlap = contact.overlap - granary::broadcast4(0.3e-4);
        }
    }

    void sixteen() {
        using namespace granary;
        alignas(64) float x[16], y[16];
        alignas(64) std::uint32_t whole[32], kept[32] = {}, lane[16];
        for (int k = 0; k < 16; ++k) {
            x[k] = float(number() - 0.5), y[k] = float(number());
            whole[k] = std::uint32_t(number() * 1000), lane[k] = std::uint32_t(15 - k);
        }
        const Float16 a = Float16::load(x), b = Float16::load(y);
        const unsigned below = lanes_below(larger(a, Float16::all(-0.1f)) * b + a, b - Float16::all(0.3f) * a);
        add(std::uint64_t{below} + (std::uint64_t{lanes_above(whole, 500)} << 16));
        const std::size_t n = std::size_t(keep_lanes(whole, 7, below, kept) - kept);
        sort_short(kept, n);
        for (std::size_t k = 0; k < n; ++k) add(std::uint64_t{kept[k]});
        float few[32];
        for (const float *end = keep_lanes(x, below, few), *f = few; f != end; ++f) add(double(*f));
        permute_lanes(whole, lane, 16 - n / 2);
        for (std::size_t k = 0; k < 16 - n / 2; ++k) add(std::uint64_t{whole[k]});
    }

    std::uint64_t hash_ = 0xcbf29ce484222325u;
    std::uint32_t n_ = 0;
};

inline std::uint64_t bits_of_lanes() { return LanesBits().of_everything(); }

}  // namespace support
