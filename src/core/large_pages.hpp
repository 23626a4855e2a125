// Large arrays on large pages, where the system grants them on request: fewer misses of the address cache in the pair
// loop, fewer page faults when scratch is made anew. Only advice; without it everything works the same.
#pragma once
#include <sys/mman.h>
#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace granary {

inline constexpr std::size_t large_page = std::size_t{2} << 20;

inline void want_large_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    if (bytes < 2 * large_page) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(data), whole = large_page - 1;
    const std::uintptr_t from = (begin + whole) & ~whole, to = (begin + bytes) & ~whole;
    if (from < to) madvise(reinterpret_cast<void*>(from), to - from, MADV_HUGEPAGE);
#endif
}

// For vectors that are large and short-lived.
template <class T> struct LargePageAllocator {
    using value_type = T;
    LargePageAllocator() = default;
    template <class U> LargePageAllocator(const LargePageAllocator<U>&) {}
    T* allocate(std::size_t n) {
        T* data = static_cast<T*>(::operator new(n * sizeof(T)));
        want_large_pages(data, n * sizeof(T));
        return data;
    }
    void deallocate(T* data, std::size_t) { ::operator delete(data); }
    friend bool operator==(const LargePageAllocator&, const LargePageAllocator&) { return true; }
};

template <class T> using LargeVector = std::vector<T, LargePageAllocator<T>>;

}  // namespace granary
