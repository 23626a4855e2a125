// Sixteen numbers of 32 bits side by side: one register with AVX-512, two with AVX2, four of 16 bytes else. What
// compares gives bits: bit k is lane k.
//
// The parts are of just the width of a register: of wider vectors gcc makes sixteen single numbers.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <utility>
#include <vector>
#if defined(__SSE2__)
#include <immintrin.h>
#endif
#include "core/large_pages.hpp"

namespace granary {

#if defined(__AVX512F__)
inline constexpr int lanes_a_part = 16;
#elif defined(__AVX2__)
inline constexpr int lanes_a_part = 8;
#else
inline constexpr int lanes_a_part = 4;
#endif

struct Float16 {
    static constexpr int parts = 16 / lanes_a_part;
    using Part = float __attribute__((vector_size(4 * lanes_a_part)));
    std::array<Part, parts> part;

    static Float16 all(float x) {
        Float16 v;
        for (Part& p : v.part) p = Part{} + x;
        return v;
    }
    static Float16 load(const float* from) {
        Float16 v;
        for (int p = 0; p < parts; ++p) std::memcpy(&v.part[p], from + p * lanes_a_part, sizeof(Part));
        return v;
    }
    // f(part, part of b)
    template <class F> Float16 with(const Float16& b, F&& f) const {
        Float16 v;
        for (int p = 0; p < parts; ++p) v.part[p] = f(part[p], b.part[p]);
        return v;
    }
    friend Float16 operator+(const Float16& a, const Float16& b) {
        return a.with(b, [](Part x, Part y) { return x + y; });
    }
    friend Float16 operator-(const Float16& a, const Float16& b) {
        return a.with(b, [](Part x, Part y) { return x - y; });
    }
    friend Float16 operator*(const Float16& a, const Float16& b) {
        return a.with(b, [](Part x, Part y) { return x * y; });
    }
    friend Float16 larger(const Float16& a, const Float16& b) {
        return a.with(b, [](Part x, Part y) { return x > y ? x : y; });
    }
};

// A vector that begins where a load of sixteen may begin without crossing a line of the cache.
template <class T> struct LanesAllocator {
    using value_type = T;
    LanesAllocator() = default;
    template <class U> LanesAllocator(const LanesAllocator<U>&) {}
    T* allocate(std::size_t n) {
        T* data = static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64}));
        want_large_pages(data, n * sizeof(T));
        return data;
    }
    void deallocate(T* data, std::size_t) { ::operator delete (data, std::align_val_t{64}); }
    friend bool operator==(const LanesAllocator&, const LanesAllocator&) { return true; }
};
template <class T> using LanesVector = std::vector<T, LanesAllocator<T>>;

inline constexpr unsigned all16 = 0xffff;
inline unsigned first_lanes(std::size_t n) {  // a shift, no branch that could be guessed wrong
    return all16 >> (16 - std::min<std::size_t>(n, 16));
}

namespace detail {

#if !defined(__AVX512F__)
// All bits of a lane of a comparison are set, or none.
template <class Mask> unsigned bits_of_part(const Mask& mask) {
#if defined(__AVX2__)
    return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
#elif defined(__SSE2__)
    return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(mask)));
#else
    unsigned bits = 0;
    for (int k = 0; k < lanes_a_part; ++k) bits |= mask[k] != 0 ? 1u << k : 0u;
    return bits;
#endif
}
#endif

}  // namespace detail

// a < b
inline unsigned lanes_below(const Float16& a, const Float16& b) {
#if defined(__AVX512F__)
    return _mm512_cmp_ps_mask(reinterpret_cast<__m512>(a.part[0]), reinterpret_cast<__m512>(b.part[0]), _CMP_LT_OQ);
#else
    unsigned bits = 0;
    for (int p = 0; p < Float16::parts; ++p) bits |= detail::bits_of_part(a.part[p] < b.part[p]) << (p * lanes_a_part);
    return bits;
#endif
}

// from[k] > b, numbers below 2^31
inline unsigned lanes_above(const std::uint32_t* from, std::uint32_t b) {
#if defined(__AVX512F__)
    return _mm512_cmpgt_epi32_mask(_mm512_loadu_si512(from), _mm512_set1_epi32(static_cast<int>(b)));
#else
    using Part = std::int32_t __attribute__((vector_size(4 * lanes_a_part)));
    unsigned bits = 0;
    for (int p = 0; p < Float16::parts; ++p) {
        Part part;
        std::memcpy(&part, from + p * lanes_a_part, sizeof part);
        bits |= detail::bits_of_part(part > static_cast<std::int32_t>(b)) << (p * lanes_a_part);
    }
    return bits;
#endif
}

// Writes from[k] + more for the lanes k whose bit is set, one after the other; returns where the next one goes. May
// write sixteen.
inline std::uint32_t* keep_lanes(const std::uint32_t* from, std::uint32_t more, unsigned bits, std::uint32_t* to) {
#if defined(__AVX512F__)
    const __m512i v = _mm512_add_epi32(_mm512_loadu_si512(from), _mm512_set1_epi32(static_cast<int>(more)));
    _mm512_storeu_si512(to, _mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), v));
    return to + std::popcount(bits);
#else
    for (; bits != 0; bits &= bits - 1) *to++ = from[std::countr_zero(bits)] + more;
    return to;
#endif
}

inline float* keep_lanes(const float* from, unsigned bits, float* to) {
#if defined(__AVX512F__)
    _mm512_storeu_ps(to, _mm512_maskz_compress_ps(static_cast<__mmask16>(bits), _mm512_loadu_ps(from)));
    return to + std::popcount(bits);
#else
    for (; bits != 0; bits &= bits - 1) *to++ = from[std::countr_zero(bits)];
    return to;
#endif
}

// a[k] becomes what a[lane[k]] was, for the first n of sixteen.
template <class T> void permute_lanes(T* a, const std::uint32_t* lane, std::size_t n) {
    static_assert(sizeof(T) == sizeof(std::uint32_t));
#if defined(__AVX512F__)
    _mm512_mask_storeu_epi32(
        a, static_cast<__mmask16>(first_lanes(n)),
        _mm512_maskz_permutexvar_epi32(__mmask16{all16}, _mm512_loadu_si512(lane), _mm512_loadu_si512(a)));
#else
    T from[16];
    std::memcpy(from, a, sizeof from);
    for (std::size_t k = 0; k < n; ++k) a[k] = from[lane[k]];
#endif
}

namespace detail {

#if defined(__AVX512F__)
// One round of the bitonic network: lane i with lane i xor J, ascending where the bit K of i is not set.
template <int K, int J, class V, int... I> V bitonic_round(V v, std::integer_sequence<int, I...>) {
    constexpr int n = sizeof...(I);
    const V other = __builtin_shufflevector(v, v, (I ^ J)...);
    const V low = v < other ? v : other, high = v < other ? other : v;
    return __builtin_shufflevector(low, high, (((I & J) == 0) == ((I & K) == 0) ? I : I + n)...);
}
template <int K, int J, class V> V bitonic_rounds(V v) {
    constexpr int n = sizeof(V) / sizeof(std::uint32_t);
    v = bitonic_round<K, J>(v, std::make_integer_sequence<int, n>());
    if constexpr (J > 1) v = bitonic_rounds<K, J / 2>(v);
    return v;
}
template <class V, int K = 2> V bitonic_sort(V v) {
    v = bitonic_rounds<K, K / 2>(v);
    if constexpr (K < static_cast<int>(sizeof(V) / sizeof(std::uint32_t))) v = bitonic_sort<V, 2 * K>(v);
    return v;
}

// No branch: how the numbers lie does not matter to the time.
using Uint8x32 = std::uint32_t __attribute__((vector_size(32)));
using Uint16x32 = std::uint32_t __attribute__((vector_size(64)));
template <class V> void sort_in_register(std::uint32_t* a, std::size_t n) {
    V v, number;
    std::memcpy(&v, a, sizeof v);
    for (std::uint32_t k = 0; k < sizeof(V) / sizeof k; ++k) number[k] = k;
    const V last = V{} + std::numeric_limits<std::uint32_t>::max();
    v = bitonic_sort(number < static_cast<std::uint32_t>(n) ? v : last);
    std::memcpy(a, &v, sizeof v);
}
#endif

}  // namespace detail

// By insertion: quick where hardly any has far to go.
inline void sort_nearly_sorted(std::uint32_t* a, std::size_t n) {
    for (std::size_t k = 1; k < n; ++k) {
        const std::uint32_t x = a[k];
        std::size_t to = k;
        for (; to > 0 && a[to - 1] > x; --to) a[to] = a[to - 1];
        a[to] = x;
    }
}

// Sorts n numbers below 2^32 - 1. There must be room for sixteen; what lies beyond n is lost.
inline void sort_short(std::uint32_t* a, std::size_t n) {
    if (n <= 1) return;
#if defined(__AVX512F__)
    if (n <= 8) return detail::sort_in_register<detail::Uint8x32>(a, n);
    if (n <= 16) return detail::sort_in_register<detail::Uint16x32>(a, n);
#else
    if (n <= 16) return sort_nearly_sorted(a, n);
#endif
    std::sort(a, a + n);
}

}  // namespace granary
