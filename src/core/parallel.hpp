// Work on ranges of bodies side by side, on the threads that Kokkos has: as many as were asked for (--threads) with its
// back-ends OpenMP and Threads, one with Serial. Ranges end between layers of cubes, so partners of a body are in its
// own range, in the last layer of the range before, or in the first layer of the next.
#pragma once
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <exception>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include "core/bodies.hpp"
#ifdef __SSE2__
#include <immintrin.h>
#endif
#ifdef __linux__
#include <sched.h>
#endif

namespace granary {

struct LayeredRange {
    Range bodies;
    Index last_layer = 0;  // where the last layer of the range begins; the end of the range if no range follows
};

inline std::size_t threads_here() { return static_cast<std::size_t>(Kokkos::DefaultHostExecutionSpace::concurrency()); }

// Cores that this process may use.
inline std::size_t cores_allowed() {
#ifdef __linux__
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof cores, &cores) == 0) return static_cast<std::size_t>(CPU_COUNT(&cores));
#endif
    return std::thread::hardware_concurrency();
}

// What a kernel throws on one thread would end the program there. It is thrown again when all are done: of several
// that of the lowest range, as one thread would have met it.
class FirstError {
  public:
    template <class F> void guard(std::size_t k, const F& f) {
        try {
            f(k);
        } catch (...) {
            const std::lock_guard lock(only_one_);
            if (error_ == nullptr || k < range_) error_ = std::current_exception(), range_ = k;
        }
    }
    void throw_again() const {
        if (error_ != nullptr) std::rethrow_exception(error_);
    }

  private:
    std::mutex only_one_;
    std::exception_ptr error_;
    std::size_t range_ = 0;
};

// Calls f(k) once for every k below n, and returns when all are done. What one call writes no other may read or write.
// The name is that of the kernel in profiles; whoever calls makes it once, so that no step allocates.
template <class F> void in_parallel(const std::string& name, std::size_t n, const F& f) {
    using Space = Kokkos::DefaultHostExecutionSpace;
    FirstError error;
    Kokkos::parallel_for(name, Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Static>>(0, n),
                         [&](std::size_t k) { error.guard(k, f); });
    error.throw_again();
}

// Into how many pieces n bodies are cut: one a thread, unless they were too small to be worth it.
inline std::size_t pieces_for(std::size_t n) {
    constexpr std::size_t least = 2048;
    return std::min(threads_here(), n / least + 1);
}

// Calls f(begin, end) for pieces that make up 0 to n. For loops whose parts do not see each other, wherever they are
// cut.
template <class F> void in_pieces(const std::string& name, std::size_t n, const F& f) {
    const std::size_t pieces = pieces_for(n);
    in_parallel(name, pieces, [&](std::size_t k) { f(n * k / pieces, n * (k + 1) / pieces); });
}

// The same for the bodies of ranges, ascending: f(each) for every piece, where each(g) calls g(range) for what belongs
// to it.
template <class F> void in_pieces_of(const std::string& name, std::span<const Range> ranges, const F& f) {
    if (ranges.empty()) return;
    const Index first = ranges.front().begin;
    in_pieces(name, ranges.back().end - first, [&](std::size_t from, std::size_t to) {
        const Range piece{first + static_cast<Index>(from), first + static_cast<Index>(to)};
        f([&](auto&& g) {
            auto range = std::partition_point(ranges.begin(), ranges.end(),
                                              [&](const Range& r) { return r.end <= piece.begin; });
            for (; range != ranges.end() && range->begin < piece.end; ++range)
                g(Range{std::max(range->begin, piece.begin), std::min(range->end, piece.end)});
        });
    });
}

// Rounding, flushing of small numbers and the like, as this thread has them: other settings give other bits.
inline unsigned floating_point_settings() {
#ifdef __SSE2__
    return _mm_getcsr() & ~0x3fu;  // without the flags of what has happened
#else
    return 0;
#endif
}

// Whether all threads compute as this one does. Foreign code may change the settings of a thread (a library compiled
// with -ffast-math, for example).
inline bool threads_compute_alike() {
    const unsigned mine = floating_point_settings();
    static const std::string name = "core::threads_compute_alike";
    int different = 0;
    Kokkos::parallel_reduce(
        name, Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, threads_here()),
        [mine](std::size_t, int& sum) { sum += floating_point_settings() != mine ? 1 : 0; }, different);
    return different == 0;
}

}  // namespace granary
