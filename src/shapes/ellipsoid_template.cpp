#include "shapes/ellipsoid_template.hpp"
#include <numbers>
#include <cmath>
#include <fmt/format.h>
#include "core/errors.hpp"

namespace granary {

ShapeTemplate make_ellipsoid(const std::string& name, const Vec3d& semi_axes) {
    const Vec3d& s = semi_axes;
    const auto fail = [&](const std::string& what) {
        throw InputError(fmt::format("shape '{}': the semi-axes are {}, {} and {} m; {}", name, s.x, s.y, s.z, what));
    };
    for (const double a : {s.x, s.y, s.z})
        if (!std::isfinite(a) || !(a > 0)) fail("give three finite lengths above 0");
    const double largest = std::max(s.x, std::max(s.y, s.z)), least = std::min(s.x, std::min(s.y, s.z));
    if (largest > longest_ellipsoid * least)
        fail(fmt::format("the largest is {:.4g} times the least, and {} times is the limit; make it less slender",
                         largest / least, longest_ellipsoid));
    ShapeTemplate t;
    t.name = name;
    t.kind = ShapeKind::ellipsoid;
    t.outer_radius = largest;
    t.volume = 4.0 / 3 * std::numbers::pi * (s.x * s.y * s.z);
    if (!std::isnormal(t.volume * t.volume)) fail("lengths in m are expected, whose volume can be computed");
    t.inertia_per_mass = {(s.y * s.y + s.z * s.z) / 5, (s.x * s.x + s.z * s.z) / 5, (s.x * s.x + s.y * s.y) / 5};
    t.semi_axes = s;
    return t;
}

}  // namespace granary
