// Two ellipsoids that touch: ns a pair with a remembered normal, alone and four at a time, and without one;
// iterations; floating-point operations, counted in the source, beside the 1400 of Johnson, Williams & Cook (2005); the
// share of pairs that end in the fallback; and a clump fitted into the same prolate ellipsoid, all pairs of balls.
#pragma once
#include <cstdint>
#include <string>

namespace granary {

std::string bench_ellipsoids(std::uint64_t pairs, std::uint64_t repeats);

}  // namespace granary
