// Work on ranges of bodies side by side, on the threads that Kokkos has: as many as were asked for (--threads) with its
// back-ends OpenMP and Threads, one with Serial. Ranges end between layers of cubes, so partners of a body are in its
// own range, in the last layer of the range before, or in the first layer of the next.
#pragma once
#include <Kokkos_Core.hpp>
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

// Calls f(k) once for every k below n, and returns when all are done. What one call writes no other may read or write.
// The name is that of the kernel in profiles; whoever calls makes it once, so that no step allocates.
template <class F> void in_parallel(const std::string& name, std::size_t n, const F& f) {
    using Space = Kokkos::DefaultHostExecutionSpace;
    Kokkos::parallel_for(name, Kokkos::RangePolicy<Space, Kokkos::Schedule<Kokkos::Static>>(0, n),
                         [&f](std::size_t k) { f(k); });
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
