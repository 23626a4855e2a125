// Where the elements of clusters are. Only + - * / and square roots, and the random numbers of random.hpp, so that a
// shape has the same bits on every machine.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>
#include "filling/cluster_template.hpp"

namespace granary {

// A ball filled with equal smaller ones: thrown in anywhere, then pushed apart and back into the ball until neither
// changes. What is too much for the ball is shared by overlaps and by elements that stick out of it.
// Huang et al. (2020), Powder Technol. 374, table 7, has six such fits of a ball of 20 mm; but for the first one, none
// of them fits without overlap.
struct SphereFit {
    std::uint32_t elements = 0;
    double element_radius = 0, radius = 0;  // m
};
inline constexpr std::array<SphereFit, 6> huang_fits{{{6, 8.28e-3, 20e-3},
                                                      {10, 7.50e-3, 20e-3},
                                                      {25, 5.80e-3, 20e-3},
                                                      {50, 4.70e-3, 20e-3},
                                                      {75, 4.10e-3, 20e-3},
                                                      {100, 3.73e-3, 20e-3}}};
std::vector<ClusterTemplate::Element> sphere_elements(const SphereFit& fit);

// nx x ny x nz balls on a cubic lattice; spacing of centres. x varies fastest.
std::vector<ClusterTemplate::Element> block_elements(const std::array<std::uint64_t, 3>& counts, double element_radius,
                                                     double spacing);

enum class ElementFilling { cubic, hexagonal, dense };

// A shape to be filled: how deep a place is inside, m (negative: outside), and a box around it. Elements lie wholly
// inside, to rounding.
struct SolidShape {
    std::function<double(const Vec3d&)> depth;
    Vec3d lower, upper;
    double volume = 0;  // m^3
};

// A cylinder along z around the origin, its faces flat or domed by spherical caps of this height; `height` is that of
// the band between the caps.
SolidShape tablet(double radius, double height, double dome);

struct FillRules {
    ElementFilling filling = ElementFilling::hexagonal;
    double element_radius = 0;     // m
    double spacing = 0;            // m, of the centres of a lattice
    double solid_fraction = 0.58;  // of a dense packing
    std::uint64_t seed = 1;        // likewise
};
// Of a lattice the positions of its origin that are tried are those with an element, an edge, a face or a cell at the
// middle of the box; the first that holds most is taken. Throws InputError if no element fits in.
std::vector<ClusterTemplate::Element> filled(const SolidShape& shape, const FillRules& rules);

}  // namespace granary
