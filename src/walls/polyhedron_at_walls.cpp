#include "walls/polyhedron_at_walls.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include "shapes/polyhedron_at_facets.hpp"
#include "shapes/polyhedron_contact.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary {

namespace {

constexpr std::size_t circle_corners = 64;

// A polygon in the circle about a centre, normal to a unit vector.
std::array<Vec3d, circle_corners> polygon_in(const Vec3d& centre, const Vec3d& normal, double radius) {
    constexpr double c = 0.99518472667219688624, s = 0.098017140329560601994;  // of 2 pi/64
    const Vec3d e = perpendicular(normal), f = cross(normal, e);
    std::array<Vec3d, circle_corners> corners;
    double x = radius, y = 0;
    for (Vec3d& corner : corners) {
        corner = centre + x * e + y * f;
        const double next = c * x - s * y;
        y = s * x + c * y, x = next;
    }
    return corners;
}

// Room for their work, so that a step does not allocate.
thread_local PolyhedronAtFacets at_facets;
thread_local std::vector<FlatFacet> facets;
thread_local std::vector<FacetTouch> pressed;

constexpr int strips_a_side = 16;  // of a round wall, seen from outside

ShapeAtWall contact_of(std::uint32_t wall, const ConvexTouch& touch, const Vec3d& centre) {
    ShapeAtWall c;
    c.wall = wall, c.normal = touch.normal, c.arm = touch.point, c.overlap = touch.overlap;
    c.point = centre + touch.point;
    c.effective_radius = touch.effective_radius;
    c.area = touch.area, c.stored_depth = touch.stored_depth, c.patch = touch.patch;
    return c;
}

}  // namespace

void PolyhedronAtWalls::touch_flat(std::uint32_t wall, const WallShape& shape, const Take& take) const {
    // On the side of the body.
    const auto towards = [&](const Vec3d& normal, const Vec3d& point) {
        return dot(normal, at_.centre - point) < 0 ? -normal : normal;
    };
    ConvexTouch touch;
    if (const Plane* plane = std::get_if<Plane>(&shape)) {
        if (touch_plane(body_, at_, plane->point, plane->normal, touch)) take(contact_of(wall, touch, at_.centre));
    } else if (const Rectangle* r = std::get_if<Rectangle>(&shape)) {
        const Vec3d across = cross(r->edge_a, r->edge_b);
        FlatFacet facet;
        facet.corner = {r->corner, r->corner + r->edge_a, r->corner + r->edge_a + r->edge_b, r->corner + r->edge_b};
        facet.n_corners = 4;
        facet.normal = (1 / norm(across)) * across;
        for (const FacetTouch& t : at_facets.find(body_, at_, {&facet, 1})) take(contact_of(wall, t.touch, at_.centre));
    } else if (const Disc* d = std::get_if<Disc>(&shape)) {
        FlatContact flat(body_, at_, d->centre, towards(d->normal, d->centre));
        if (!flat.touching()) return;
        flat.add(polygon_in(d->centre, d->normal, d->radius));
        if (flat.touch(touch)) take(contact_of(wall, touch, at_.centre));
    } else if (const Annulus* a = std::get_if<Annulus>(&shape)) {
        FlatContact flat(body_, at_, a->centre, towards(a->normal, a->centre));
        if (!flat.touching()) return;
        const auto outer = polygon_in(a->centre, a->normal, a->outer),
                   inner = polygon_in(a->centre, a->normal, a->inner);
        for (std::size_t k = 0; k < circle_corners; ++k) {
            const std::size_t next = (k + 1) % circle_corners;
            flat.add(std::array{inner[k], outer[k], outer[next], inner[next]});
        }
        if (flat.touch(touch)) take(contact_of(wall, touch, at_.centre));
    }
}

void PolyhedronAtWalls::touch_mesh(std::uint32_t wall, const Mesh& mesh, std::span<const WallCandidate> near,
                                   const Take& take) const {
    const TriangleMesh& surface = *mesh.surface;
    facets.clear();
    for (const WallCandidate& c : near) {
        FlatFacet facet;
        const auto& corners = surface.corners_of(c.place);
        for (std::size_t k = 0; k < 3; ++k) facet.corner[k] = mesh.pose.point(surface.corners()[corners[k]]);
        facet.normal = mesh.pose.direction(surface.frame(c.place).normal);
        facet.number = c.place;
        facets.push_back(facet);
    }
    for (const FacetTouch& t : at_facets.find(body_, at_, facets)) take(contact_of(wall, t.touch, at_.centre));
}

void PolyhedronAtWalls::touch_round(std::uint32_t wall, const Vec3d& bottom, const Vec3d& top, double bottom_radius,
                                    double top_radius, const Take& take) const {
    const Vec3d along = top - bottom;
    const double length = norm(along);
    const Vec3d axis = (1 / length) * along;
    const double widening = (top_radius - bottom_radius) / length, slant = std::sqrt(1 + widening * widening);
    // How far a point is inside the surface, and the direction to the axis.
    const auto inside = [&](const Vec3d& p, Vec3d& out) {
        const Vec3d d = p - bottom;
        const double z = dot(d, axis);
        const Vec3d across = d - z * axis;
        const double r = norm(across);
        out = r > 0 ? (1 / r) * across : perpendicular(axis);
        return ((bottom_radius + widening * z) - r) / slant;
    };
    Vec3d outwards;
    if (inside(at_.centre, outwards) < 0) {
        touch_round_outside(wall, {bottom, axis, outwards, length, bottom_radius, top_radius}, take);
        return;
    }
    const double radius = body_.equivalent_radius() * at_.size;
    for (const Vec3d& own : body_.corners()) {
        const Vec3d arm = rotate(at_.orientation, at_.size * own), p = at_.centre + arm;
        const double z = dot(p - bottom, axis);
        if (z < 0 || z > length) continue;
        Vec3d out;
        const double depth = -inside(p, out);
        if (!(depth > 0)) continue;
        ShapeAtWall c;
        c.wall = wall;
        c.normal = (1 / slant) * (widening * axis - out);
        c.overlap = depth, c.point = p + depth * c.normal, c.arm = arm + (0.5 * depth) * c.normal;
        c.effective_radius = radius;
        take(c);
    }
}

// The part of the surface that the sphere around the body covers, in strips along meridians on both sides of the one
// towards the centre of the body: they turn with it, so that the force is continuous in the pose. Strips have their
// corners on the surface. Each presses on what of the body lies beneath it; together they are one contact.
void PolyhedronAtWalls::touch_round_outside(std::uint32_t wall, const Round& round, const Take& take) const {
    const double reach = body_.outer_radius() * at_.size;
    const Vec3d d = at_.centre - round.bottom, across = cross(round.axis, round.outwards);
    const double height = dot(d, round.axis), distance = dot(d, round.outwards);
    const double low = std::max(0.0, height - reach), high = std::min(round.length, height + reach);
    const double widening = (round.top_radius - round.bottom_radius) / round.length;
    const double r_low = round.bottom_radius + widening * low, r_high = round.bottom_radius + widening * high;
    if (!(low < high) || distance - reach > std::max(r_low, r_high)) return;
    // Half the angle that is covered has this sine; u: tangents of half the angles of meridians.
    const double sine = distance > reach ? reach / distance : 1.0, most_u = sine / (1 + std::sqrt(1 - sine * sine));
    const auto meridian = [&](int k) {
        const double u = most_u * k / strips_a_side, per = 1 / (1 + u * u);
        return ((1 - u * u) * per) * round.outwards + (2 * u * per) * across;
    };
    const Vec3d foot = round.bottom + low * round.axis, head = round.bottom + high * round.axis;
    pressed.clear();
    for (int k = 0; k < strips_a_side; ++k)
        for (const int side : {1, -1}) {
            const Vec3d e = meridian(side * k), f = meridian(side * (k + 1));
            const std::array corners{foot + r_low * e, foot + r_low * f, head + r_high * f, head + r_high * e};
            const Vec3d middle = 0.5 * (e + f);  // its length: the cosine of half the strip
            const Vec3d steep = (high - low) * middle - ((r_high - r_low) * dot(middle, middle)) * round.axis;
            FlatContact flat(body_, at_, corners[0], (1 / norm(steep)) * steep);
            FacetTouch found;
            if (flat.touching() && flat.add(corners) > 0 && flat.touch(found.touch)) pressed.push_back(found);
        }
    const std::size_t n = merge_touches(pressed, body_.equivalent_radius() * at_.size);
    for (std::size_t k = 0; k < n; ++k) take(contact_of(wall, pressed[k].touch, at_.centre));
}

void PolyhedronAtWalls::find(std::span<const WallCandidate> near, std::span<const Wall> walls, const Take& take) const {
    for (std::size_t c = 0; c < near.size();) {
        const std::uint32_t w = near[c].wall;
        std::size_t end = c + 1;
        while (end < near.size() && near[end].wall == w) ++end;
        const WallShape& shape = walls[w].shape;
        if (const Mesh* mesh = std::get_if<Mesh>(&shape)) touch_mesh(w, *mesh, near.subspan(c, end - c), take);
        else if (const Cylinder* round = std::get_if<Cylinder>(&shape))
            touch_round(w, round->bottom, round->top, round->radius, round->radius, take);
        else if (const ConeFrustum* cone = std::get_if<ConeFrustum>(&shape))
            touch_round(w, cone->bottom, cone->top, cone->bottom_radius, cone->top_radius, take);
        else touch_flat(w, shape, take);
        c = end;
    }
}

}  // namespace granary
