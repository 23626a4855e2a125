// Four doubles side by side, and the few functions by which a law written once serves one contact
// (T = double, in tests and at walls) and four contacts at a time (T = Real4).
// Every lane does exactly the IEEE operations of the scalar form, so both give the same bits.
#pragma once
#include <cmath>
#include <cstdint>
#ifdef __AVX__
#include <immintrin.h>
#endif

namespace granary {

using Real4 = double __attribute__((vector_size(32)));
using Mask4 = std::int64_t __attribute__((vector_size(32)));  // all bits of a lane set: true

inline Real4 broadcast4(double a) { return Real4{a, a, a, a}; }

template <class T> T broadcast(double a) {
    if constexpr (sizeof(T) == sizeof(double)) return a;
    else return broadcast4(a);
}

inline double root(double a) { return std::sqrt(a); }
inline Real4 root(Real4 a) {
#ifdef __AVX__
    return Real4(_mm256_sqrt_pd(__m256d(a)));
#else
    return Real4{std::sqrt(a[0]), std::sqrt(a[1]), std::sqrt(a[2]), std::sqrt(a[3])};
#endif
}

// where(condition, a, b): a where the condition holds, else b. Both are evaluated.
inline double where(bool c, double a, double b) { return c ? a : b; }
inline Real4 where(Mask4 c, Real4 a, Real4 b) { return c ? a : b; }

inline bool any(bool c) { return c; }
inline int lane_bits(Mask4 c) {  // bit k is lane k
#ifdef __AVX__
    return _mm256_movemask_pd(__m256d(c));
#else
    return int(c[0] & 1) | int(c[1] & 2) | int(c[2] & 4) | int(c[3] & 8);
#endif
}
inline bool any(Mask4 c) { return lane_bits(c) != 0; }

template <class T> T larger(T a, T b) { return where(a > b, a, b); }
template <class T> T smaller(T a, T b) { return where(a < b, a, b); }

// Quads in memory are 32-byte aligned (see bodies.hpp).
inline Real4 load4(const double* p) { return *reinterpret_cast<const Real4*>(p); }
inline void store4(double* p, Real4 a) { *reinterpret_cast<Real4*>(p) = a; }

// Rows become columns: four quads (x, y, z, w) to four lanes of x, of y, of z, of w. Its own inverse.
inline void transpose(Real4& a, Real4& b, Real4& c, Real4& d) {
    const Real4 ab_lo = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    const Real4 ab_hi = __builtin_shufflevector(a, b, 1, 5, 3, 7);
    const Real4 cd_lo = __builtin_shufflevector(c, d, 0, 4, 2, 6);
    const Real4 cd_hi = __builtin_shufflevector(c, d, 1, 5, 3, 7);
    a = __builtin_shufflevector(ab_lo, cd_lo, 0, 1, 4, 5);
    b = __builtin_shufflevector(ab_hi, cd_hi, 0, 1, 4, 5);
    c = __builtin_shufflevector(ab_lo, cd_lo, 2, 3, 6, 7);
    d = __builtin_shufflevector(ab_hi, cd_hi, 2, 3, 6, 7);
}

}  // namespace granary
