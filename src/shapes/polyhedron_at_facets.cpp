#include "shapes/polyhedron_at_facets.hpp"
#include <algorithm>
#include <cmath>
#include "shapes/contact_patch.hpp"
#include "shapes/polyhedron_contact.hpp"

namespace granary {
namespace {

constexpr double smooth = 0.3437;  // sine of 20.1 degrees, as between triangles of one smooth patch of a mesh

std::span<const Vec3d> corners_of_facet(const FlatFacet& f) { return {f.corner.data(), f.n_corners}; }

bool same_point(const Vec3d& a, const Vec3d& b, double tolerance) {
    const Vec3d d = a - b;
    return dot(d, d) <= tolerance * tolerance;
}

}  // namespace

std::size_t merge_touches(std::span<FacetTouch> touches, double length) {
    std::size_t n = 0;
    for (std::size_t k = 0; k < touches.size(); ++k) {
        FacetTouch merged = touches[k];
        if (merged.touch.area == 0) continue;
        const Vec3d first = merged.touch.normal;
        Vec3d force, torque, point;
        double volume = 0, stored = 0;
        PatchSum patch;
        for (std::size_t l = k; l < touches.size(); ++l) {
            ConvexTouch& t = touches[l].touch;
            if (t.area == 0 || dot(t.normal, first) < 0.7071067811865476) continue;
            const double v = t.overlap * t.area;
            const Vec3d f = v * t.normal;
            force += f, torque += cross(t.point, f), point += v * t.point;
            volume += v, stored += v * t.stored_depth;
            patch.add(t);
            merged.number = std::min(merged.number, touches[l].number);
            if (l > k) t.area = 0;
        }
        const double square = dot(force, force), size = std::sqrt(square), area = patch.area(),
                     radius = 0.75 * area / length;
        point = (1 / volume) * point;
        ConvexTouch& t = merged.touch;
        t.normal = (1 / size) * force;
        t.area = area, t.overlap = size / area, t.stored_depth = stored / size;
        t.effective_radius = radius * radius / t.overlap;
        t.point = point + (1 / square) * cross(force, torque - cross(point, force));
        const double face = t.patch.face;
        t.patch = patch.at(t.point, t.normal);
        t.patch.face = face;
        touches[n++] = merged;
    }
    return n;
}

std::span<FacetTouch> PolyhedronAtFacets::find(const ConvexPolyhedron& a, const Placed& i,
                                               std::span<const FlatFacet> near) {
    touches_.clear();
    taken_.assign(near.size(), 0);
    const double size = a.outer_radius() * i.size;
    for (std::size_t k = 0; k < near.size(); ++k) {
        if (taken_[k]) continue;
        const Vec3d& point = near[k].corner[0];
        const double side = dot(near[k].normal, i.centre - point);
        if (side > size || side < -size) continue;
        const Vec3d normal = side >= 0 ? near[k].normal : -near[k].normal;
        plane_.clear();
        for (std::size_t l = k; l < near.size(); ++l) {
            const double along = dot(near[l].normal, normal);
            if (taken_[l] || along * along < 1 - 1e-12) continue;
            if (std::abs(dot(normal, near[l].corner[0] - point)) > 1e-7 * size) continue;
            taken_[l] = 1;
            plane_.push_back(static_cast<std::uint32_t>(l));
        }
        FlatContact contact(a, i, point, normal);
        if (!contact.touching()) continue;
        cells_.clear();
        FacetTouch found;
        bool any = false;
        for (const std::uint32_t l : plane_)
            if (contact.add(corners_of_facet(near[l]), &cells_) > 0 && (!any || near[l].number < found.number))
                found.number = near[l].number, any = true;
        if (!any) continue;
        const double part = share(contact, normal, i.centre, near);
        if (!(part > 0)) continue;
        if (part < 1) contact.scale(part);
        if (contact.touch(found.touch)) touches_.push_back(found);
    }
    return touches_;
}

double PolyhedronAtFacets::share(const FlatContact& contact, const Vec3d& normal, const Vec3d& centre,
                                 std::span<const FlatFacet> near) const {
    Vec3d lower = cells_[0], upper = cells_[0];  // z: depth
    for (const Vec3d& c : cells_)
        for (int axis = 0; axis < 3; ++axis) {
            at(lower, axis) = std::min(at(lower, axis), at(c, axis));
            at(upper, axis) = std::max(at(upper, axis), at(c, axis));
        }
    const double depth = upper.z, width = norm(Vec3d{upper.x - lower.x, upper.y - lower.y, 0});
    double least = 2 * width + depth;
    for (const std::uint32_t l : plane_) {
        const FlatFacet& f = near[l];
        for (std::uint32_t k = 0; k < f.n_corners; ++k) {
            const Vec3d &p = f.corner[k], &q = f.corner[(k + 1) % f.n_corners];
            const Vec3d a = contact.flat(p), b = contact.flat(q);
            if (std::max(a.x, b.x) < lower.x || std::min(a.x, b.x) > upper.x || std::max(a.y, b.y) < lower.y ||
                std::min(a.y, b.y) > upper.y)
                continue;
            const double tolerance = 1e-7 * norm(q - p);
            bool shared = false;
            for (std::size_t m = 0; m < near.size() && !shared; ++m) {
                if (m == l) continue;
                const FlatFacet& g = near[m];
                for (std::uint32_t c = 0; c < g.n_corners && !shared; ++c) {
                    const Vec3d &r = g.corner[c], &s = g.corner[(c + 1) % g.n_corners];
                    if (!(same_point(p, s, tolerance) && same_point(q, r, tolerance)) &&
                        !(same_point(p, r, tolerance) && same_point(q, s, tolerance)))
                        continue;
                    // The next surface: no rim if it goes on smoothly, or if both stand in front of each other as seen
                    // from the body, as in the corner of a room.
                    const Vec3d away = g.corner[(c + 2) % g.n_corners] - r;
                    const Vec3d along = s - r, across = away - (dot(away, along) / dot(along, along)) * along;
                    const double rise = dot(across, normal);
                    const double body = dot(g.normal, centre - r);
                    const double own = dot(g.normal, f.corner[(k + 2) % f.n_corners] - r);
                    shared = (rise >= 0 && own * body >= 0) || rise * rise < smooth * smooth * dot(across, across);
                }
            }
            if (shared) continue;
            // How far what lies beneath reaches inward from this side.
            const Vec3d third = contact.flat(f.corner[(k + 2) % f.n_corners]);
            const double ex = b.x - a.x, ey = b.y - a.y, length = std::sqrt(ex * ex + ey * ey);
            const double inward = ex * (third.y - a.y) - ey * (third.x - a.x) >= 0 ? 1 / length : -1 / length;
            double reach = 0;
            for (const Vec3d& c : cells_) reach = std::max(reach, inward * (ex * (c.y - a.y) - ey * (c.x - a.x)));
            least = std::min(least, reach);
        }
    }
    if (depth <= least) return 1;
    return least > 0 ? std::max(0.0, 2 - depth / least) : 0;
}

}  // namespace granary
