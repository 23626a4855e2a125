// Sizes of bodies by their volume: of a ball its radius, of a shape that of the ball of equal volume. In a plane: of
// the disc of equal area.
#pragma once
#include <numbers>
#include <span>
#include "core/bodies.hpp"
#include "shapes/contact_scale.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

inline double equivalent_radius(const Bodies& bodies, Index i, std::span<const ShapeTemplate> shapes) {
    const double r = bodies.radius(i);
    if (!bodies.is_shape(i)) return r;
    const ShapeTemplate& t = shapes[bodies.shape(i) - 1u];
    return r * (equivalent_radius(t) / t.outer_radius);
}

// m^3. thickness: of discs and polygons in a plane, else 0.
inline double body_volume(const Bodies& bodies, Index i, std::span<const ShapeTemplate> shapes, double thickness) {
    const double r = bodies.radius(i);
    if (thickness > 0) {
        const double disc = equivalent_radius(bodies, i, shapes);
        return std::numbers::pi * disc * disc * thickness;
    }
    if (!bodies.is_shape(i)) return 4.0 / 3.0 * std::numbers::pi * r * r * r;
    const ShapeTemplate& t = shapes[bodies.shape(i) - 1u];
    const double size = r / t.outer_radius;
    return size * size * size * t.volume;
}

}  // namespace granary
