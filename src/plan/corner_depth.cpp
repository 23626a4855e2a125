#include "plan/corner_depth.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include "io/formats/amounts.hpp"
#include "shapes/convex_polyhedron.hpp"

namespace granary {
namespace {

constexpr double deep_corner = 0.75;  // of the inner radius: said. Damping leaves some two thirds of it

}  // namespace

double sharpest_corner(const ShapeTemplate& shape) {
    if (!shape.polyhedron || shape.polygon) return 0;
    const ConvexPolyhedron& p = *shape.polyhedron;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t c = 0; c < p.corners().size(); ++c) {
        const Vec3d x = p.corners()[c], inwards = (-1 / norm(x)) * x;
        std::vector<Vec3d> ring;  // where the edges pass through the plane one unit below the corner
        for (const std::uint32_t k : p.neighbours_of(c)) {
            const Vec3d edge = p.corners()[k] - x;
            const double down = dot(edge, inwards);
            if (!(down > 1e-6 * norm(edge))) break;  // so blunt that the plane is not reached
            ring.push_back((1 / down) * edge);
        }
        if (ring.size() < p.neighbours_of(c).size()) continue;
        double twice = 0;
        for (std::size_t k = 1; k + 1 < ring.size(); ++k)
            twice += dot(cross(ring[k] - ring[0], ring[k + 1] - ring[0]), inwards);
        least = std::min(least, 0.5 * std::abs(twice));
    }
    return std::isfinite(least) ? least : 0;
}

double foundation_by_young(const ShapeTemplate& shape, double e_star) {
    return shape.polyhedron ? e_star / shape.polyhedron->equivalent_radius() : 0;
}

double foundation_by_stiffness(const ShapeTemplate& shape, double stiffness) {
    return shape.polyhedron ? stiffness / shape.polyhedron->largest_face() : 0;
}

double corner_depth_share(const ShapeTemplate& shape, double density, double foundation, double speed) {
    const double k = sharpest_corner(shape);
    if (!(k > 0) || !(foundation > 0)) return 0;
    const double square = std::sqrt(6 * density * shape.volume * speed * speed / (foundation * k));
    return std::sqrt(square) / shape.polyhedron->inner_radius();
}

std::vector<std::string> tell_corner_depths(const Setup& setup, CheckReport& report) {
    std::vector<std::string> warnings;
    constexpr double none = std::numeric_limits<double>::infinity();
    double e_star = none, stiffness = none, density = 0;
    for (const PairScale& p : report.pairs) {
        if (p.values.young > 0) e_star = std::min(e_star, p.values.young);
        if (p.values.stiffness > 0) stiffness = std::min(stiffness, p.values.stiffness);
    }
    for (const Material& m : setup.materials) density = std::max(density, m.density);
    const bool linear = !std::isfinite(e_star);
    if (linear && !std::isfinite(stiffness)) return warnings;
    for (std::size_t k = 0; k < setup.shapes.size() && k < report.shapes.size(); ++k) {
        const ShapeTemplate& t = setup.shapes[k];
        const double own = t.material != ShapeTemplate::no_material ? setup.materials[t.material].density : density;
        const double foundation = linear ? foundation_by_stiffness(t, stiffness) : foundation_by_young(t, e_star);
        const double share = corner_depth_share(t, own, foundation, report.speed);
        if (!(share > 0)) continue;
        const std::string depth =
            fmt::format("{} ({:.0f} % of its inner radius) where it lands at {:.3g} m/s",
                        si_text(share * t.polyhedron->inner_radius(), "m"), 100 * share, report.speed);
        report.shapes[k] += "; a corner sinks in by up to " + depth;
        if (share > deep_corner)
            warnings.push_back(
                fmt::format("a corner of the shape \"{}\" sinks in by up to {}; above {:.0f} % its shape "
                            "no longer matters; use a higher stiffness",
                            t.name, depth, 100 * deep_corner));
    }
    return warnings;
}

}  // namespace granary
