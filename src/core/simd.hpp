// Four doubles side by side, and the few functions by which a law written once serves one contact
// (T = double, in tests and at walls) and four contacts at a time (T = Real4).
// Every lane does exactly the IEEE operations of the scalar form, so both give the same bits.
#pragma once
#include <cmath>
#include <cstdint>
#ifdef __AVX__
#include <immintrin.h>
#else
#include "core/simd_halves.hpp"
#endif

namespace granary {

#ifdef __AVX__
using Real4 = double __attribute__((vector_size(32)));
using Mask4 = std::int64_t __attribute__((vector_size(32)));  // all bits of a lane set: true

inline Real4 broadcast4(double a) { return Real4{a, a, a, a}; }

inline Real4 root(Real4 a) { return Real4(_mm256_sqrt_pd(__m256d(a))); }

inline Real4 where(Mask4 c, Real4 a, Real4 b) { return c ? a : b; }
inline int lane_bits(Mask4 c) { return _mm256_movemask_pd(__m256d(c)); }  // bit k is lane k

// Lanes 0 to 3 are those of a, 4 to 7 those of b.
template <int k, int l, int m, int n> Real4 shuffled(Real4 a, Real4 b) {
    return __builtin_shufflevector(a, b, k, l, m, n);
}

// Quads in memory are 32-byte aligned (see bodies.hpp).
inline Real4 load4(const double* p) { return *reinterpret_cast<const Real4*>(p); }
inline void store4(double* p, Real4 a) { *reinterpret_cast<Real4*>(p) = a; }

// Four doubles that are aligned as one is.
inline Real4 load_loose4(const double* p) { return Real4(_mm256_loadu_pd(p)); }
inline void store_loose4(double* p, Real4 a) { _mm256_storeu_pd(p, __m256d(a)); }
#endif

template <class T> T broadcast(double a) {
    if constexpr (sizeof(T) == sizeof(double)) return a;
    else if constexpr (requires { T::all(a); }) return T::all(a);  // simd8.hpp
    else return broadcast4(a);
}

inline double root(double a) { return std::sqrt(a); }

// where(condition, a, b): a where the condition holds, else b. Both are evaluated.
inline double where(bool c, double a, double b) { return c ? a : b; }

inline bool any(bool c) { return c; }
inline bool any(Mask4 c) { return lane_bits(c) != 0; }

template <class T> T larger(T a, T b) { return where(a > b, a, b); }
template <class T> T smaller(T a, T b) { return where(a < b, a, b); }

// Rows become columns: four quads (x, y, z, w) to four lanes of x, of y, of z, of w. Its own inverse.
inline void transpose(Real4& a, Real4& b, Real4& c, Real4& d) {
    const Real4 ab_lo = shuffled<0, 4, 2, 6>(a, b);
    const Real4 ab_hi = shuffled<1, 5, 3, 7>(a, b);
    const Real4 cd_lo = shuffled<0, 4, 2, 6>(c, d);
    const Real4 cd_hi = shuffled<1, 5, 3, 7>(c, d);
    a = shuffled<0, 1, 4, 5>(ab_lo, cd_lo);
    b = shuffled<0, 1, 4, 5>(ab_hi, cd_hi);
    c = shuffled<2, 3, 6, 7>(ab_lo, cd_lo);
    d = shuffled<2, 3, 6, 7>(ab_hi, cd_hi);
}

}  // namespace granary
