#include "shapes/contact_scale.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/elementary.hpp"
#include "shapes/convex_polygon.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/shape_surface.hpp"

namespace granary {

double smallest_length(const ShapeTemplate& t) {
    if (t.kind == ShapeKind::ellipsoid) return std::min({t.semi_axes.x, t.semi_axes.y, t.semi_axes.z});
    if (t.kind == ShapeKind::polyhedron) return t.polyhedron->inner_radius();
    double smallest = t.outer_radius;
    for (const ClumpBall& b : t.balls) smallest = std::min(smallest, b.radius);
    return smallest;
}

double largest_curvature_radius(const ShapeTemplate& t) {
    if (t.kind == ShapeKind::ellipsoid) {
        const double least = smallest_length(t);
        return t.semi_axes.x * t.semi_axes.y * t.semi_axes.z / (least * least);
    }
    if (t.kind == ShapeKind::polyhedron) return equivalent_radius(t);
    double largest = 0;
    for (const ClumpBall& b : t.balls) largest = std::max(largest, b.radius);
    return largest > 0 ? largest : t.outer_radius;
}

double least_mass_share(const ShapeTemplate& t) {
    const ShapeSurface surface = surface_of(t, {2, 1});
    const Vec3d& inertia = t.inertia_per_mass;
    double most = 0;  // of 1 + x along a normal, of (1 + x)/(7/2) along a tangent
    for (std::size_t k = 0; k < surface.points.size(); ++k) {
        const Vec3d &r = surface.points[k], &n = surface.normals[k];
        const auto turned = [&](const Vec3d& a) { return Vec3d{a.x / inertia.x, a.y / inertia.y, a.z / inertia.z}; };
        const Vec3d arm = cross(r, n);
        most = std::max(most, 1 + dot(arm, turned(arm)));
        const Vec3d other = std::abs(n.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
        const Vec3d along = cross(n, other), s = (1 / norm(along)) * along, v = cross(n, s);
        const Vec3d a = cross(r, s), b = cross(r, v);
        const double aa = dot(a, turned(a)), bb = dot(b, turned(b)), ab = dot(a, turned(b));
        const double larger = 0.5 * (aa + bb) + std::sqrt(0.25 * (aa - bb) * (aa - bb) + ab * ab);
        most = std::max(most, (1 + larger) / 3.5);
    }
    return most > 1 ? 1 / most : 1;
}

double equivalent_radius(const ShapeTemplate& t) {
    if (t.polygon) return t.polygon->equivalent_radius();
    return elementary::cbrt(t.volume * 3 / (4 * std::numbers::pi));
}

double stand_in_radius(const ShapeTemplate& t) {
    const double r_m = equivalent_radius(t) * elementary::cbrt(least_mass_share(t));
    return std::min(smallest_length(t), r_m * elementary::pow(r_m / largest_curvature_radius(t), 0.2));
}

}  // namespace granary
