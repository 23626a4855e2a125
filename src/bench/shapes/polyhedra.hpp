// Polygons and polyhedra: the fast common plane of Nezami et al. (2003) beside Cundall's perturbation, with the same
// search for the nearest corners: ns a pair, their ratio, iterations, gaps, and how often Cundall's plane has the
// greater gap; 16 pairs of polygons in the manner of the paper's table 1, and random ones. Then the contact of grains
// of 12 faces: ns a touching pair with a remembered plane, and a pair apart.
#pragma once
#include <cstdint>
#include <string>

namespace granary {

std::string bench_polyhedra(std::uint64_t pairs, std::uint64_t repeats);

}  // namespace granary
