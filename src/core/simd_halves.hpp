// Four doubles as two halves, for CPUs whose registers hold two (SSE2, NEON): of vectors wider than a register
// compilers make single numbers wherever lanes are compared or change places. The same names and bits as in simd.hpp,
// which includes this file where it is needed.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace granary {

using Real2 = double __attribute__((vector_size(16)));
using Mask2 = std::int64_t __attribute__((vector_size(16)));

// Half: Real2 or Mask2.
template <class Half, class Number> struct alignas(32) Halves {
    Half lo, hi;

    // One lane, to be written.
    struct Lane {
        Halves& of;
        int k;
        operator Number() const { return k < 2 ? of.lo[k] : of.hi[k - 2]; }
        Lane& operator=(Number a) {
            if (k < 2) of.lo[k] = a;
            else of.hi[k - 2] = a;
            return *this;
        }
        Lane& operator=(const Lane& a) { return *this = Number(a); }
        Lane& operator+=(Number a) { return *this = Number(*this) + a; }
        Lane& operator-=(Number a) { return *this = Number(*this) - a; }
        Lane& operator*=(Number a) { return *this = Number(*this) * a; }
        Lane& operator/=(Number a) { return *this = Number(*this) / a; }
    };

    Halves() = default;
    constexpr Halves(Half l, Half h) : lo(l), hi(h) {}
    constexpr Halves(Number a, Number b, Number c, Number d) : lo{a, b}, hi{c, d} {}
    // The bits of another kind of number.
    template <class H, class N> explicit Halves(const Halves<H, N>& a) : lo(Half(a.lo)), hi(Half(a.hi)) {}

    template <class K> Number operator[](K k) const { return k < 2 ? lo[k] : hi[k - 2]; }
    template <class K> Lane operator[](K k) { return {*this, static_cast<int>(k)}; }
};

using Real4 = Halves<Real2, double>;
using Mask4 = Halves<Mask2, std::int64_t>;  // all bits of a lane set: true

inline Real4 operator+(const Real4& a, const Real4& b) { return {a.lo + b.lo, a.hi + b.hi}; }
inline Real4 operator-(const Real4& a, const Real4& b) { return {a.lo - b.lo, a.hi - b.hi}; }
inline Real4 operator*(const Real4& a, const Real4& b) { return {a.lo * b.lo, a.hi * b.hi}; }
inline Real4 operator/(const Real4& a, const Real4& b) { return {a.lo / b.lo, a.hi / b.hi}; }
inline Real4 operator-(const Real4& a) { return {-a.lo, -a.hi}; }
inline Real4& operator+=(Real4& a, const Real4& b) { return a = a + b; }
inline Real4& operator-=(Real4& a, const Real4& b) { return a = a - b; }
inline Real4& operator*=(Real4& a, const Real4& b) { return a = a * b; }
inline Mask4 operator<(const Real4& a, const Real4& b) { return {Mask2(a.lo < b.lo), Mask2(a.hi < b.hi)}; }
inline Mask4 operator>(const Real4& a, const Real4& b) { return {Mask2(a.lo > b.lo), Mask2(a.hi > b.hi)}; }
inline Mask4 operator<=(const Real4& a, const Real4& b) { return {Mask2(a.lo <= b.lo), Mask2(a.hi <= b.hi)}; }
inline Mask4 operator>=(const Real4& a, const Real4& b) { return {Mask2(a.lo >= b.lo), Mask2(a.hi >= b.hi)}; }
constexpr Mask4 operator==(const Real4& a, const Real4& b) { return {Mask2(a.lo == b.lo), Mask2(a.hi == b.hi)}; }
constexpr Mask4 operator!=(const Real4& a, const Real4& b) { return {Mask2(a.lo != b.lo), Mask2(a.hi != b.hi)}; }
inline Mask4 operator&(const Mask4& a, const Mask4& b) { return {a.lo & b.lo, a.hi & b.hi}; }
inline Mask4 operator|(const Mask4& a, const Mask4& b) { return {a.lo | b.lo, a.hi | b.hi}; }
inline Mask4 operator^(const Mask4& a, const Mask4& b) { return {a.lo ^ b.lo, a.hi ^ b.hi}; }
inline Mask4 operator~(const Mask4& a) { return {~a.lo, ~a.hi}; }
inline Mask4& operator&=(Mask4& a, const Mask4& b) { return a = a & b; }
inline Mask4& operator|=(Mask4& a, const Mask4& b) { return a = a | b; }

inline Real4 broadcast4(double a) { return {a, a, a, a}; }

inline Real2 root(Real2 a) {
#ifdef __SSE2__
    return Real2(_mm_sqrt_pd(__m128d(a)));
#else
    return Real2{std::sqrt(a[0]), std::sqrt(a[1])};
#endif
}
inline Real4 root(const Real4& a) { return {root(a.lo), root(a.hi)}; }

inline Real4 where(const Mask4& c, const Real4& a, const Real4& b) {
    return {Real2((c.lo & Mask2(a.lo)) | (~c.lo & Mask2(b.lo))), Real2((c.hi & Mask2(a.hi)) | (~c.hi & Mask2(b.hi)))};
}

inline int lane_bits(const Mask4& c) {  // bit k is lane k
#ifdef __SSE2__
    return _mm_movemask_pd(__m128d(c.lo)) | _mm_movemask_pd(__m128d(c.hi)) << 2;
#else
    return int(c.lo[0] & 1) | int(c.lo[1] & 2) | int(c.hi[0] & 4) | int(c.hi[1] & 8);
#endif
}

// Lanes 0 to 3 are those of a, 4 to 7 those of b.
template <int k, int l, int m, int n> Real4 shuffled(const Real4& a, const Real4& b) {
    const Real2 from[4] = {a.lo, a.hi, b.lo, b.hi};
    return {__builtin_shufflevector(from[k / 2], from[l / 2], k % 2, 2 + l % 2),
            __builtin_shufflevector(from[m / 2], from[n / 2], m % 2, 2 + n % 2)};
}

inline Real4 load4(const double* p) {
    return {*reinterpret_cast<const Real2*>(p), *reinterpret_cast<const Real2*>(p + 2)};
}
inline void store4(double* p, const Real4& a) {
    *reinterpret_cast<Real2*>(p) = a.lo, *reinterpret_cast<Real2*>(p + 2) = a.hi;
}

// Of doubles that are aligned as one is.
inline Real2 load_loose2(const double* p) {
    Real2 a;
    std::memcpy(&a, p, sizeof a);
    return a;
}
inline Real4 load_loose4(const double* p) { return {load_loose2(p), load_loose2(p + 2)}; }
inline void store_loose4(double* p, const Real4& a) {
    std::memcpy(p, &a.lo, sizeof a.lo), std::memcpy(p + 2, &a.hi, sizeof a.hi);
}

}  // namespace granary
