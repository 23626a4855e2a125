// Bodies with the keys of their cubes, and sorting them by key. Keys have 32 bits where that is enough, else 64: the
// lists of all detectors that make an order of their own come in both forms.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>
#include "core/bodies.hpp"
#include "core/large_pages.hpp"

namespace granary {

template <class Key> struct KeyedBody {
    Key key;
    Index place;
};
using ShortKeyed = KeyedBody<std::uint32_t>;  // 8 bytes
using LongKeyed = KeyedBody<std::uint64_t>;   // 16 bytes

// Stable radix sort, least digit first, over the lowest key_bits bits; spare must be as long. The result is in items:
// the two may change places. Linear in the bodies; a digit has at most 11 bits, so its counters stay in the first
// cache.
template <class Key>
void sort_by_key(LargeVector<KeyedBody<Key>>& items, LargeVector<KeyedBody<Key>>& spare, std::size_t n, int key_bits) {
    if (n < 2 || key_bits == 0) return;
    constexpr int most_digit_bits = 11, most_passes = 6;
    // Few bodies: short digits, so that clearing and summing counters does not cost more than the sorting.
    const int bits_a_digit = std::clamp(static_cast<int>(std::bit_width(n)) - 2, 4, most_digit_bits);
    if (n < 64 || (key_bits + bits_a_digit - 1) / bits_a_digit > most_passes) {
        std::sort(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(n),
                  [](const auto& a, const auto& b) { return a.key != b.key ? a.key < b.key : a.place < b.place; });
        return;
    }
    const int passes = (key_bits + bits_a_digit - 1) / bits_a_digit;
    const int bits = (key_bits + passes - 1) / passes;  // the same for all digits
    const Key mask = (Key{1} << bits) - 1;
    std::array<std::array<Index, 1 << most_digit_bits>, most_passes> count;
    for (int pass = 0; pass < passes; ++pass) std::fill_n(count[pass].begin(), std::size_t{1} << bits, Index{0});
    for (std::size_t k = 0; k < n; ++k)
        for (int pass = 0; pass < passes; ++pass) ++count[pass][(items[k].key >> (pass * bits)) & mask];
    for (int pass = 0; pass < passes; ++pass) {
        Index* next = count[pass].data();
        Index sum = 0;
        bool all_alike = false;  // nothing to do for this digit
        for (std::size_t d = 0; d <= mask; ++d) {
            const Index here = next[d];
            all_alike |= here == n;
            next[d] = sum;
            sum += here;
        }
        if (all_alike) continue;
        for (std::size_t k = 0; k < n; ++k) spare[next[(items[k].key >> (pass * bits)) & mask]++] = items[k];
        std::swap(items, spare);
    }
}

// A sorted list, followed by eight that end it: their key is beyond all others, and their place may be read.
template <class Key> struct SortedBodies {
    static constexpr std::size_t padding = 8;
    const KeyedBody<Key>* begin = nullptr;
    Index size = 0;

    static void close(KeyedBody<Key>* end) {
        std::fill_n(end, padding, KeyedBody<Key>{std::numeric_limits<Key>::max(), 0});
    }
    // The first from `from` on whose key is not below. Mostly it is near: four at a time are counted without a branch
    // that could be guessed wrong. Farther ones are reached by leaps that double.
    Index forward(Index from, Key key) const {
        for (int fours = 0; fours < 6; ++fours) {
            const KeyedBody<Key>* at = begin + from;
            const Index below = (at[0].key < key) + (at[1].key < key) + (at[2].key < key) + (at[3].key < key);
            from += below;
            if (below < 4) return from;
        }
        Index leap = 16, low = from;  // all before low are below
        while (low + leap < size && begin[low + leap].key < key) low += leap + 1, leap *= 2;
        Index high = std::min(low + leap, size);
        while (low < high) {
            const Index middle = low + (high - low) / 2;
            if (begin[middle].key < key) low = middle + 1;
            else high = middle;
        }
        return low;
    }
};

}  // namespace granary
