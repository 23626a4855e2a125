#include "plan/plane_plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "core/errors.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary {
namespace {

constexpr double tilt_allowed = 1e-9;  // of a unit normal of a mesh along that of the plane

int inside_of(int axis, const Axes& axes) {
    Vec3d unit;
    at(unit, axis) = 1;
    unit = axes.in(unit);
    return unit.x == 1 ? 0 : unit.y == 1 ? 1 : 2;
}

// From where to where a wall goes along the normal.
struct Reach {
    double low = 0, high = 0;
};

}  // namespace

Setup::Plane plane_of(const Case& c, const Axes& axes) {
    if (!c.domain.is_plane()) return {};
    return {inside_of(c.domain.normal, axes), c.domain.plane(), c.domain.thickness.value_or(0)};
}

void check_walls_in_plane(const Case& c, const Setup& setup, const CasePlaces& places) {
    if (!setup.plane.given()) return;
    const int n = setup.plane.normal;
    const char axis = setup.axes.name(n);
    for (std::size_t k = 0; k < c.walls.size(); ++k) {
        const WallSpec& w = c.walls[k];
        const auto made =
            std::find_if(setup.walls.begin(), setup.walls.end(), [&](const Wall& wall) { return wall.name == w.name; });
        if (made == setup.walls.end()) continue;
        Reach reach;
        const char* key = "type";
        if (const auto* r = std::get_if<Rectangle>(&made->shape)) {
            const double a = at(r->corner, n), b = a + at(r->edge_a, n) + at(r->edge_b, n);
            reach = {std::min(a, b), std::max(a, b)}, key = "corner";
        } else if (const auto* cylinder = std::get_if<Cylinder>(&made->shape)) {
            const double a = at(cylinder->bottom, n), b = at(cylinder->top, n);
            reach = {std::min(a, b), std::max(a, b)}, key = "bottom";
        } else if (const auto* mesh = std::get_if<Mesh>(&made->shape)) {
            key = "file";
            const TriangleMesh& surface = *mesh->surface;
            reach = {at(surface.lower(), n), at(surface.upper(), n)};
            for (std::uint32_t t = 0; t < surface.size(); ++t)
                if (std::abs(at(surface.frame(t).normal, n)) > tilt_allowed) {
                    const std::string path = fmt::format("walls[{}].file", k);
                    throw InputError(places.at(
                        path, fmt::format("{}: triangle {} of the mesh \"{}\" is not parallel to {} (expected lines of "
                                          "the plane, extruded along its normal, without caps)",
                                          path, t + 1, w.name, axis)));
                }
        } else continue;
        const double room = setup.largest_radius;
        if (reach.low > setup.plane.at - room || reach.high < setup.plane.at + room) {
            const std::string path = fmt::format("walls[{}].{}", k, key);
            throw InputError(places.at(
                path, fmt::format(
                          "{}: the wall \"{}\" is too short along {}, the normal of the plane (expected from {:.6g} or "
                          "below to {:.6g} or above, the largest radius beside the plane, got {:.6g} to {:.6g})",
                          path, w.name, axis, setup.plane.at - room, setup.plane.at + room, reach.low, reach.high)));
        }
    }
}

std::vector<Material> materials_for_time_scales(const Setup& setup, double largest_radius) {
    std::vector<Material> materials = setup.materials;
    if (!setup.plane.given() || !(largest_radius > 0)) return materials;
    const double lighter = std::min(1.0, 0.75 * setup.plane.thickness / largest_radius);
    for (Material& m : materials) m.density *= lighter;
    return materials;
}

}  // namespace granary
