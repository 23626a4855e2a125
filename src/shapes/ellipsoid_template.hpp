// A template of ellipsoids from its semi-axes: volume 4/3 pi a b c, moments m/5 (b^2 + c^2), ...
#pragma once
#include <string>
#include "shapes/placed_ellipsoid.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

// Beyond that the narrow phase has too few digits left (radii of curvature go as the third power), and a needle's
// bounding sphere would have too many neighbours.
inline constexpr double longest_ellipsoid = 100;  // largest over least semi-axis

// semi_axes in m, in any order; the template's frame is theirs. Throws InputError.
ShapeTemplate make_ellipsoid(const std::string& name, const Vec3d& semi_axes);

// A copy as the narrow phases want it; size: of the copy (shape_template.hpp).
inline PlacedEllipsoid place_ellipsoid(const ShapeTemplate& shape, double size, const Quaterniond& q) {
    return place_ellipsoid(size * shape.semi_axes, q);
}

}  // namespace granary
