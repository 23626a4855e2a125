// A bin with upright sides, as the formulas of silo pressures see it: round, or a rectangle made of four flat walls.
#pragma once
#include <optional>
#include <span>
#include "core/domain.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

struct UprightBin {
    Vec3d bottom, top;     // ends of its axis, the lower one first
    double radius = 0;     // m; 0: a rectangle
    Vec3d half_a, half_b;  // m; rectangle: from the axis to the middles of two sides

    bool round() const { return radius > 0; }
    double height() const { return norm(top - bottom); }
    double area() const;                // m^2
    double hydraulic_diameter() const;  // m, 4 A/U
    double across() const;              // m, of the largest circle in it: d_c of EN 1991-4
    bool holds(const Vec3d& x, double& over_bottom) const;
};

UprightBin bin_of(const Cylinder& cylinder, const Vec3d& up);  // up: unit, against gravity

// The rectangular bin of which a wall is one side: upright, flat (a rectangle or a plane), with one wall opposite to it
// and two at right angles. Over the height of a rectangle, or of the domain. Empty: there is none.
std::optional<UprightBin> rectangular_bin(std::span<const Wall> walls, std::size_t wall, const Vec3d& up,
                                          const Domain& domain);

}  // namespace granary
