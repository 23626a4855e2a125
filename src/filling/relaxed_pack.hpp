// Random dense packs of balls of any sizes without overlap, in a periodic cube: thrown in anywhere, then pushed apart
// until nothing overlaps. Small packs, to be tiled. Pairs are found on grids of cells, one for each octave of sizes, so
// the cost of a sweep does not know the ratio of sizes.
//
// Sizes after the uniform distribution of
//   Munjiza, Rougier & John (2006), Int. J. Numer. Meth. Engng 66, 46-71, eq. (36) and figure 31:
//   y = log(x/x_min)/log(x_max/x_min)     y: passing, x: sieve size
// "Passing" is a share of mass, "assigned randomly" is by number; the two packs have next to nothing in common, so both
// readings are there.
#pragma once
#include <cstdint>
#include <vector>
#include "core/vec.hpp"

namespace granary {

enum class SizeReading { by_number, by_mass };

// n diameters from smallest to largest, at the middle of n equal shares of number: nothing is drawn, so a small pack
// has the distribution as well as a large one.
std::vector<double> log_uniform_diameters(std::uint64_t n, double smallest, double largest, SizeReading reading);

struct PackBall {
    Vec3d centre;  // in [0, edge)
    double radius;
};

struct RelaxedPack {
    double edge = 0;
    std::vector<PackBall> balls;
    double largest_overlap = 0;  // left in the end, as a share of the smaller ball's diameter; 0: none
    int sweeps = 0;
};

struct PackTask {
    std::vector<double> diameters;
    double solid_fraction = 0.5;
    double accepted_overlap = 0;  // as above
    int most_sweeps = 2000;
    std::uint64_t seed = 1;
};

// Throws InputError if the cube would be shorter than three of the largest balls: too few balls for their sizes.
RelaxedPack relaxed_pack(const PackTask& task);

}  // namespace granary
