// Eight doubles side by side, for CPUs with AVX-512: the names of simd.hpp for a law that is written once. Every lane
// does exactly the IEEE operations of the scalar form. Without AVX-512 this header declares nothing; whoever wants as
// many lanes as pay takes WideReal of quad_rows.hpp.
#pragma once
#include "core/simd.hpp"

#if defined(__AVX512F__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#define GRANARY_EIGHT_LANES 1

namespace granary {

struct Mask8 {
    __mmask8 bits;
};  // bit k is lane k

struct Real8 {
    __m512d v;

    static Real8 all(double a) { return {_mm512_set1_pd(a)}; }
    double operator[](int lane) const { return v[lane]; }
};

inline Real8 operator+(Real8 a, Real8 b) { return {a.v + b.v}; }
inline Real8 operator-(Real8 a, Real8 b) { return {a.v - b.v}; }
inline Real8 operator*(Real8 a, Real8 b) { return {a.v * b.v}; }
inline Real8 operator/(Real8 a, Real8 b) { return {a.v / b.v}; }
inline Real8 operator-(Real8 a) { return {-a.v}; }
inline Real8& operator+=(Real8& a, Real8 b) { return a = a + b; }
inline Real8& operator-=(Real8& a, Real8 b) { return a = a - b; }
inline Mask8 operator<(Real8 a, Real8 b) { return {_mm512_cmp_pd_mask(a.v, b.v, _CMP_LT_OQ)}; }
inline Mask8 operator>(Real8 a, Real8 b) { return {_mm512_cmp_pd_mask(a.v, b.v, _CMP_GT_OQ)}; }
inline Mask8 operator<=(Real8 a, Real8 b) { return {_mm512_cmp_pd_mask(a.v, b.v, _CMP_LE_OQ)}; }
inline Mask8 operator>=(Real8 a, Real8 b) { return {_mm512_cmp_pd_mask(a.v, b.v, _CMP_GE_OQ)}; }
inline Mask8 operator&(Mask8 a, Mask8 b) { return {static_cast<__mmask8>(a.bits & b.bits)}; }
inline Mask8 operator|(Mask8 a, Mask8 b) { return {static_cast<__mmask8>(a.bits | b.bits)}; }
inline Mask8 operator~(Mask8 a) { return {static_cast<__mmask8>(~a.bits)}; }

inline Real8 root(Real8 a) { return {_mm512_maskz_sqrt_pd(0xff, a.v)}; }
inline Real8 where(Mask8 c, Real8 a, Real8 b) { return {_mm512_mask_blend_pd(c.bits, b.v, a.v)}; }
inline int lane_bits(Mask8 c) { return c.bits; }
inline bool any(Mask8 c) { return c.bits != 0; }

inline Real8 join(Real4 low, Real4 high) {
    return {_mm512_maskz_insertf64x4(0xff, _mm512_castpd256_pd512(__m256d(low)), __m256d(high), 1)};
}
inline Real4 low_half(Real8 a) { return __builtin_shufflevector(a.v, a.v, 0, 1, 2, 3); }
inline Real4 high_half(Real8 a) { return __builtin_shufflevector(a.v, a.v, 4, 5, 6, 7); }

// Of eight doubles that are aligned as one is.
inline Real8 load_loose8(const double* p) { return {_mm512_loadu_pd(p)}; }

// Each half by itself, as transpose of simd.hpp.
inline void transpose(Real8& a, Real8& b, Real8& c, Real8& d) {
    const __m512d ab_lo = __builtin_shufflevector(a.v, b.v, 0, 8, 2, 10, 4, 12, 6, 14);
    const __m512d ab_hi = __builtin_shufflevector(a.v, b.v, 1, 9, 3, 11, 5, 13, 7, 15);
    const __m512d cd_lo = __builtin_shufflevector(c.v, d.v, 0, 8, 2, 10, 4, 12, 6, 14);
    const __m512d cd_hi = __builtin_shufflevector(c.v, d.v, 1, 9, 3, 11, 5, 13, 7, 15);
    a.v = __builtin_shufflevector(ab_lo, cd_lo, 0, 1, 8, 9, 4, 5, 12, 13);
    b.v = __builtin_shufflevector(ab_hi, cd_hi, 0, 1, 8, 9, 4, 5, 12, 13);
    c.v = __builtin_shufflevector(ab_lo, cd_lo, 2, 3, 10, 11, 6, 7, 14, 15);
    d.v = __builtin_shufflevector(ab_hi, cd_hi, 2, 3, 10, 11, 6, 7, 14, 15);
}

}  // namespace granary
#endif
