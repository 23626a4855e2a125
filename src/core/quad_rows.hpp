// For loops over pairs that take n of them at a time, n = 4 (T = Real4) or 8 (T = Real8): quads of n bodies become
// lanes and back, and lanes that are wanted are stored one after the other.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>
#include "core/simd.hpp"
#include "core/simd8.hpp"

namespace granary {

template <class T> inline constexpr int n_lanes = sizeof(T) / sizeof(double);

#ifdef GRANARY_EIGHT_LANES
using WideReal = Real8;
#else
using WideReal = Real4;
#endif

// Calls f(lane) with every lane as a constant: no array that is indexed by it goes to memory.
template <int n, class F> [[gnu::always_inline]] inline void for_lanes(F&& f) {
    [&]<int... lane>(std::integer_sequence<int, lane...>) { (f(std::integral_constant<int, lane>{}), ...); }
    (std::make_integer_sequence<int, n>{});
}

// Four rows; row k holds the quad of lane k, of eight lanes also that of lane k + 4. Turned, they are lanes of x, y, z
// and w.
template <class T> struct QuadRows {
    T row[4];

    // from(lane): where the quad is. loose: it is aligned as one number is.
    template <bool loose = false, class F> [[gnu::always_inline]] static QuadRows load(F&& from) {
        const auto load_one = [](const double* p) { return loose ? load_loose4(p) : load4(p); };
        QuadRows q;
        for_lanes<4>([&](auto k) {
#ifdef GRANARY_EIGHT_LANES
            if constexpr (n_lanes<T> == 8) q.row[k] = join(load_one(from(k)), load_one(from(k + 4)));
            else
#endif
                q.row[k] = load_one(from(k));
        });
        return q;
    }
    [[gnu::always_inline]] void turn() { transpose(row[0], row[1], row[2], row[3]); }
    // The lanes of w of rows that are not turned.
    [[gnu::always_inline]] T fourth() const {
        QuadRows q = *this;
        q.turn();
        return q.row[3];
    }
    template <int lane> [[gnu::always_inline]] Real4 quad() const {
#ifdef GRANARY_EIGHT_LANES
        if constexpr (n_lanes<T> == 8 && lane >= 4) return high_half(row[lane - 4]);
        else if constexpr (n_lanes<T> == 8) return low_half(row[lane]);
        else
#endif
            return row[lane];
    }
};

// n doubles that are aligned as one is.
template <class T> T load_lanes(const double* p) {
#ifdef GRANARY_EIGHT_LANES
    if constexpr (n_lanes<T> == 8) return load_loose8(p);
    else
#endif
        return load_loose4(p);
}

// Stores x, y and z where doubles are aligned as one is, and touches nothing behind them.
// In two parts, not with a mask: a load of the three numbers behind it would wait for such a store.
inline void store_three(double* p, Real4 a) {
#if defined(__AVX__)
    _mm_storeu_pd(p, _mm256_castpd256_pd128(__m256d(a)));
    _mm_store_sd(p + 2, _mm256_extractf128_pd(__m256d(a), 1));
#else
    std::memcpy(p, &a.lo, sizeof a.lo), p[2] = a.hi[0];
#endif
}

// For each set of four lanes, by its bits: their numbers one after the other, and how many they are.
struct LaneLists {
    alignas(16) std::int32_t lanes[16][4] = {};
    alignas(32) std::int32_t halves[16][8] = {};  // the same for numbers that are two of 32 bits each
    std::int32_t places[16][4] = {};  // how many stand before a lane: where it goes, until the next one replaces it
    int n[16] = {};
};
inline constexpr LaneLists lane_lists = [] {
    LaneLists l;
    for (unsigned bits = 0; bits < 16; ++bits)
        for (int lane = 0; lane < 4; ++lane) {
            l.places[bits][lane] = l.n[bits];
            if (((bits >> lane) & 1) != 0) {
                const int k = l.n[bits]++;
                l.lanes[bits][k] = lane;
                l.halves[bits][2 * k] = 2 * lane, l.halves[bits][2 * k + 1] = 2 * lane + 1;
            }
        }
    return l;
}();

// Stores the lanes whose bit is set, one after the other. May write n numbers.
inline void store_kept(double* to, Real4 a, int bits) {
#if defined(GRANARY_EIGHT_LANES)
    _mm256_storeu_pd(to, _mm256_maskz_compress_pd(static_cast<__mmask8>(bits), __m256d(a)));
#elif defined(__AVX2__)
    const __m256i lanes = _mm256_load_si256(reinterpret_cast<const __m256i*>(lane_lists.halves[bits]));
    _mm256_storeu_pd(to, _mm256_castps_pd(_mm256_permutevar8x32_ps(_mm256_castpd_ps(__m256d(a)), lanes)));
#else
    const std::int32_t* const place = lane_lists.places[bits];
    to[place[0]] = a[0], to[place[1]] = a[1], to[place[2]] = a[2], to[place[3]] = a[3];
#endif
}
#ifdef GRANARY_EIGHT_LANES
inline void store_kept(double* to, Real8 a, int bits) {
    _mm512_storeu_pd(to, _mm512_maskz_compress_pd(static_cast<__mmask8>(bits), a.v));
}
#endif
// The same of n numbers in memory. `to` may be `from` or lie before it.
template <class T> void store_kept(std::uint32_t* to, const std::uint32_t* from, int bits) {
#if defined(GRANARY_EIGHT_LANES)
    if constexpr (n_lanes<T> == 8) {
        const __m256i all = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                            _mm256_maskz_compress_epi32(static_cast<__mmask8>(bits), all));
        return;
    }
#endif
#if defined(__AVX__)
    const __m128 all = _mm_loadu_ps(reinterpret_cast<const float*>(from));
    const __m128i lanes = _mm_load_si128(reinterpret_cast<const __m128i*>(lane_lists.lanes[bits]));
    _mm_storeu_ps(reinterpret_cast<float*>(to), _mm_permutevar_ps(all, lanes));
#else
    const std::int32_t* const place = lane_lists.places[bits];
    for (int k = 0; k < 4; ++k) to[place[k]] = from[k];
#endif
}

// How many of n lanes are kept; without AVX-512 a CPU may have no instruction for it.
template <class T> unsigned n_kept(int bits) {
    if constexpr (n_lanes<T> == 4) return static_cast<unsigned>(lane_lists.n[bits]);
    else return static_cast<unsigned>(std::popcount(static_cast<unsigned>(bits)));
}

// Bit k: the top bit of from[k], of n numbers.
template <class T> int top_bits(const std::uint32_t* from) {
#if defined(__AVX__)
    if constexpr (n_lanes<T> == 8) return _mm256_movemask_ps(_mm256_loadu_ps(reinterpret_cast<const float*>(from)));
    else return _mm_movemask_ps(_mm_loadu_ps(reinterpret_cast<const float*>(from)));
#elif defined(__SSE2__)
    return _mm_movemask_ps(_mm_loadu_ps(reinterpret_cast<const float*>(from)));
#else
    int bits = 0;
    for (int k = 0; k < n_lanes<T>; ++k) bits |= static_cast<int>(from[k] >> 31) << k;
    return bits;
#endif
}

}  // namespace granary
