// Numbers of one copy of a template (shape_template.hpp) from its row in the body table.
#pragma once
#include <span>
#include "core/bodies.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

inline Quaterniond orientation_of(const Bodies& b, Index i) {
    return {b.orientation(i, 0), b.orientation(i, 1), b.orientation(i, 2), b.orientation(i, 3)};
}

inline const ShapeTemplate& template_of(const Bodies& b, Index i, std::span<const ShapeTemplate> shapes) {
    return shapes[b.shape(i) - std::size_t{1}];
}

inline double size_of(const ShapeTemplate& shape, double radius) { return radius / shape.outer_radius; }

// 1/(principal moments), 1/(kg m^2); zero for a held body, whose inverse mass is.
inline Vec3d inverse_moments(const ShapeTemplate& shape, double radius, double inverse_mass) {
    const double size = size_of(shape, radius), by_size = inverse_mass / (size * size);
    return {by_size / shape.inertia_per_mass.x, by_size / shape.inertia_per_mass.y, by_size / shape.inertia_per_mass.z};
}
inline Vec3d inverse_moments(const Bodies& b, Index i, std::span<const ShapeTemplate> shapes) {
    return inverse_moments(template_of(b, i, shapes), b.radius(i), b.velocity(i, 3));
}

// a_k b_k, component by component.
inline Vec3d times(const Vec3d& a, const Vec3d& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

// I^-1 v in space.
inline Vec3d by_inertia(const Quaterniond& q, const Vec3d& inverse_moments, const Vec3d& v) {
    return rotate(q, times(inverse_moments, rotate_back(q, v)));
}

// v . I^-1 v: of a lever r x n what an impulse along n turns the body by; of an angular momentum twice its energy.
inline double square_by_inertia(const Quaterniond& q, const Vec3d& inverse_moments, const Vec3d& v) {
    const Vec3d own = rotate_back(q, v);
    return dot(times(inverse_moments, own), own);
}

}  // namespace granary
