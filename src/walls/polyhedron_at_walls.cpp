#include "walls/polyhedron_at_walls.hpp"
#include <array>
#include <cmath>
#include "core/errors.hpp"
#include "shapes/polyhedron_contact.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary {
namespace {

constexpr std::size_t circle_corners = 30;
constexpr double cosine_6 = 0.99452189536827333, sine_6 = 0.10452846326765347;    // of half of 360/30 degrees
constexpr double cosine_12 = 0.97814760073380564, sine_12 = 0.20791169081775934;  // of 360/30 degrees

// Corners of the polygon around a circle.
std::array<Vec3d, circle_corners> around_circle(const Vec3d& centre, const Vec3d& normal, double radius) {
    const Vec3d u = perpendicular(normal), v = cross(normal, u);
    std::array<Vec3d, circle_corners> corner;
    double c = cosine_6, s = sine_6;  // a side, not a corner, lies at u
    for (Vec3d& x : corner) {
        x = centre + (radius / cosine_6) * (c * u + s * v);
        const double next = c * cosine_12 - s * sine_12;
        s = s * cosine_12 + c * sine_12, c = next;
    }
    return corner;
}

}  // namespace

// Facets of a round surface near the body.
void PolyhedronAtWalls::add_round(const Placed& i, double radius, const Vec3d& bottom, const Vec3d& top,
                                  double bottom_radius, double top_radius) {
    const Vec3d axis = top - bottom;
    const double height = norm(axis), widest = bottom_radius > top_radius ? bottom_radius : top_radius;
    const Vec3d u = (1 / height) * axis, d = i.centre - bottom;
    const double z = dot(d, u);
    if (z < -radius || z > height + radius) return;
    Vec3d out = d - z * u;
    const double rho = norm(out);
    out = rho > 1e-9 * widest ? (1 / rho) * out : perpendicular(u);
    const double here = bottom_radius + (top_radius - bottom_radius) * (z < 0 ? 0 : z > height ? 1 : z / height);
    const bool inside = rho < here;
    const double share = radius / widest, t = 0.1 * std::sqrt(share < 1 ? share : 1);
    const double c = (1 - t * t) / (1 + t * t), s = 2 * t / (1 + t * t);  // of the angle between planes
    const Vec3d side = cross(u, out);
    std::uint32_t number = 0;
    const auto add = [&](double cosine, double sine) {
        const Vec3d e = cosine * out + sine * side, f = cosine * side - sine * out;
        const Vec3d slope = axis + (top_radius - bottom_radius) * e;
        FlatFacet facet;
        facet.normal = cross(f, slope);
        facet.normal = (1 / norm(facet.normal)) * facet.normal;
        // Does the body reach its plane, and the plane the body?
        const double away = std::abs(dot(facet.normal, d - bottom_radius * e));
        const double beside = std::abs(dot(d, f)) - t * widest;
        if (away > radius || (!inside && beside > radius)) return false;
        const Vec3d low = bottom + bottom_radius * e, high = top + top_radius * e;
        facet.corner = {low - (t * bottom_radius) * f, low + (t * bottom_radius) * f, high + (t * top_radius) * f,
                        high - (t * top_radius) * f};
        facet.n_corners = 4;
        if (top_radius == 0) facet.n_corners = 3;
        if (bottom_radius == 0)
            facet.corner = {low, high + (t * top_radius) * f, high - (t * top_radius) * f, {}}, facet.n_corners = 3;
        facet.number = number++;
        facets_.push_back(facet);
        return true;
    };
    add(1, 0);
    double cosine = c, sine = s;
    // Half the circle to each side; a body that is as large as the pipe reaches all planes.
    for (double turned = 2 * t; turned < 3.15; turned += 2 * t) {
        const bool left = add(cosine, sine), right = add(cosine, -sine);
        const bool rising = inside && rho < 1e-3 * widest;  // on the axis all are as far
        if (!left && !right && !rising) break;
        const double next = cosine * c - sine * s;
        sine = sine * c + cosine * s, cosine = next;
    }
}

std::span<const FacetTouch> PolyhedronAtWalls::find(const ConvexPolyhedron& a, const Placed& i,
                                                    const WallShape& shape) {
    facets_.clear();
    touches_.clear();
    const double radius = a.outer_radius() * i.size;
    const auto flat = [&](const Vec3d& point, const Vec3d& normal, auto&& fill) {
        const bool above = dot(normal, i.centre - point) >= 0;
        FlatContact contact(a, i, point, above ? normal : -normal);
        if (!contact.touching()) return;
        fill(contact);
        FacetTouch found;
        if (contact.touch(found.touch)) touches_.push_back(found);
    };
    const auto round = [&](const Vec3d& bottom, const Vec3d& top, double bottom_radius, double top_radius) {
        add_round(i, radius, bottom, top, bottom_radius, top_radius);
        const auto found = at_facets_.find(a, i, facets_);
        const std::size_t n = merge_touches(found, a.equivalent_radius() * i.size);
        touches_.assign(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(n));
    };
    if (const auto* plane = std::get_if<Plane>(&shape)) {
        FacetTouch found;
        if (touch_plane(a, i, plane->point, plane->normal, found.touch)) touches_.push_back(found);
    } else if (const auto* r = std::get_if<Rectangle>(&shape)) {
        FlatFacet facet;
        facet.corner = {r->corner, r->corner + r->edge_a, r->corner + r->edge_a + r->edge_b, r->corner + r->edge_b};
        facet.n_corners = 4;
        facet.normal = cross(r->edge_a, r->edge_b);
        facet.normal = (1 / norm(facet.normal)) * facet.normal;
        facets_.push_back(facet);
        const auto found = at_facets_.find(a, i, facets_);
        touches_.assign(found.begin(), found.end());
    } else if (const auto* disc = std::get_if<Disc>(&shape)) {
        flat(disc->centre, disc->normal,
             [&](FlatContact& c) { c.add(around_circle(disc->centre, disc->normal, disc->radius)); });
    } else if (const auto* ring = std::get_if<Annulus>(&shape)) {
        flat(ring->centre, ring->normal, [&](FlatContact& c) {
            c.add(around_circle(ring->centre, ring->normal, ring->inner));
            c.scale(-1);
            c.add(around_circle(ring->centre, ring->normal, ring->outer));
        });
    } else if (const auto* pipe = std::get_if<Cylinder>(&shape)) {
        round(pipe->bottom, pipe->top, pipe->radius, pipe->radius);
    } else if (const auto* cone = std::get_if<ConeFrustum>(&shape)) {
        round(cone->bottom, cone->top, cone->bottom_radius, cone->top_radius);
    } else {
        throw InternalError("the triangles of a mesh that a polyhedron is near must be given");
    }
    return touches_;
}

std::span<const FacetTouch> PolyhedronAtWalls::find(const ConvexPolyhedron& a, const Placed& i, const Mesh& mesh,
                                                    std::span<const std::uint32_t> triangles) {
    facets_.clear();
    for (const std::uint32_t t : triangles) {
        const TriangleFrame& frame = mesh.surface->frame(t);
        const auto& k = mesh.surface->corners_of(t);
        const auto points = mesh.surface->corners();
        FlatFacet facet;
        for (std::size_t c = 0; c < 3; ++c) facet.corner[c] = mesh.pose.point(points[k[c]]);
        facet.normal = mesh.pose.direction(frame.normal);
        facet.number = t;
        facets_.push_back(facet);
    }
    return at_facets_.find(a, i, facets_);
}

}  // namespace granary
