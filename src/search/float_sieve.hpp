// Bodies in single precision, eight tested at a time, to leave out nearly all that cannot be candidates. Whatever is left is
// tested exactly afterwards: rounding here may let a body through, never hold one back.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#ifdef __AVX__
#include <immintrin.h>
#endif
#include "core/bodies.hpp"
#include "core/large_pages.hpp"

namespace granary {

class FloatSieve {
  public:
    static constexpr std::size_t padding = 8;  // places that may be read past the end of a run

    // For n bodies between the two corners. Coordinates become shares of the longest side, so that squares neither
    // overflow nor vanish.
    void start(const Vec3d& lower, const Vec3d& upper, double longest_reach, std::size_t n) {
        for (auto* v : {&x_, &y_, &z_, &r_})
            if (v->size() < n) v->resize(n + n / 16);
        lower_ = lower;
        const Vec3d size = upper - lower;
        const double extent = std::max({size.x, size.y, size.z, longest_reach});
        scale_ = extent > 0 ? 1 / extent : 1;
    }
    void put(std::size_t k, const double* q) {  // q: position and radius
        x_[k] = static_cast<float>((q[0] - lower_.x) * scale_);
        y_[k] = static_cast<float>((q[1] - lower_.y) * scale_);
        z_[k] = static_cast<float>((q[2] - lower_.z) * scale_);
        r_[k] = static_cast<float>(q[3] * scale_ * share_on_top);
    }

    // A body that looks for others.
    struct Looker {
        float x, y, z, reach;
    };
    Looker looker(std::size_t k, double margin) const {
        return {x_[k], y_[k], z_[k], r_[k] + static_cast<float>((margin * scale_ + slack) * share_on_top)};
    }

    // Calls f(k) for those from begin to end that may be near.
    template <class F> void for_each_near(const Looker& i, std::size_t begin, std::size_t end, F&& f) const {
        for (std::size_t k = begin; k < end; k += 8) {
            const Float8 dx = load(x_, k) - i.x, dy = load(y_, k) - i.y, dz = load(z_, k) - i.z,
                         reach = load(r_, k) + i.reach;
            unsigned near = lane_bits(dx * dx + dy * dy + dz * dz < reach * reach);
            if (end - k < 8) near &= (1u << (end - k)) - 1;
            for (; near != 0; near &= near - 1) f(k + static_cast<std::size_t>(std::countr_zero(near)));
        }
    }
    std::uint64_t bytes() const { return 4 * sizeof(float) * x_.capacity(); }

  private:
    using Float8 = float __attribute__((vector_size(32)));
    using Mask8 = std::int32_t __attribute__((vector_size(32)));

    // A coordinate, at most 1, is off by 2^-25, the difference of two by 2^-24, a distance by less than twice that; the
    // rounding of differences, squares, sums and radii is some 2^-22 of the distance.
    static constexpr double slack = 0x1p-23, share_on_top = 1 + 0x1p-20;

    static Float8 load(const LargeVector<float>& v, std::size_t k) {
        Float8 a;
        std::memcpy(&a, v.data() + k, sizeof a);
        return a;
    }
    static unsigned lane_bits(Mask8 m) {  // bit k is lane k
#ifdef __AVX__
        return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(m)));
#else
        unsigned bits = 0;
        for (int k = 0; k < 8; ++k) bits |= m[k] != 0 ? 1u << k : 0u;
        return bits;
#endif
    }

    LargeVector<float> x_, y_, z_, r_;
    Vec3d lower_;
    double scale_ = 1;
};

}  // namespace granary
