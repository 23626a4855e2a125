#include "walls/shape_wall_geometry.hpp"

#include <algorithm>
#include <cmath>
#include "contact/contact_geometry.hpp"
#include "shapes/polygon_contact.hpp"
#include "walls/ellipsoid_at_wall.hpp"
#include "walls/polyhedron_at_walls.hpp"

namespace granary {

namespace {

// The rotation of a pose as a quaternion, from home to now.
Quaterniond turn_of(const Pose& pose) {
    if (!pose.turned) return {1, 0, 0, 0};
    const Vec3d* r = pose.row;
    // The largest of the four is found first, so that nothing is lost.
    const double ww = 1 + r[0].x + r[1].y + r[2].z, xx = 1 + r[0].x - r[1].y - r[2].z,
                 yy = 1 - r[0].x + r[1].y - r[2].z, zz = 1 - r[0].x - r[1].y + r[2].z;
    if (ww >= xx && ww >= yy && ww >= zz)
        return normalised(Quaterniond{ww, r[2].y - r[1].z, r[0].z - r[2].x, r[1].x - r[0].y});
    if (xx >= yy && xx >= zz) return normalised(Quaterniond{r[2].y - r[1].z, xx, r[0].y + r[1].x, r[0].z + r[2].x});
    if (yy >= zz) return normalised(Quaterniond{r[0].z - r[2].x, r[0].y + r[1].x, yy, r[1].z + r[2].y});
    return normalised(Quaterniond{r[1].x - r[0].y, r[0].z + r[2].x, r[1].z + r[2].y, zz});
}

std::size_t end_of_wall(std::span<const WallCandidate> near, std::size_t c) {
    std::size_t end = c + 1;
    while (end < near.size() && near[end].wall == near[c].wall) ++end;
    return end;
}

}  // namespace

void ShapeWallGeometry::add(std::uint32_t wall, const SurfacePoint& at, const ShapeAtWall& contact) {
    touched_.push_back({wall, at, contact.overlap, false});
    contacts_.push_back(contact);
}

void ShapeWallGeometry::touch_with_ball(const Vec3d& x, double radius, std::span<const WallCandidate> near,
                                        std::span<const Wall> walls, double far) {
    const auto take = [&](std::uint32_t w, const SurfacePoint& at) {
        ShapeAtWall c;
        c.wall = w, c.normal = at.normal, c.point = at.point, c.overlap = radius - at.distance;
        c.arm = arm_to_surface(radius, c.overlap, at.normal);
        c.effective_radius = c.least_radius = radius;
        add(w, at, c);
    };
    for (std::size_t c = 0; c < near.size();) {
        const std::uint32_t w = near[c].wall;
        const std::size_t end = end_of_wall(near, c);
        if (const Mesh* mesh = std::get_if<Mesh>(&walls[w].shape)) {
            triangles_.assign(near.begin() + static_cast<std::ptrdiff_t>(c),
                              near.begin() + static_cast<std::ptrdiff_t>(end));
            mesh_contacts_.reserve(triangles_.size());
            mesh_contacts_.find(*mesh->surface, triangles_, mesh->pose.home_point(x), radius, far,
                                [&](WallCandidate&, const SurfacePoint& at) { take(w, in_place(*mesh, at)); });
        } else if (const SurfacePoint at = closest(walls[w].shape, x); at.distance < radius + far) {
            take(w, at);
        }
        c = end;
    }
    if (touched_.size() > 1) drop_doubled_contacts(walls, touched_, radius);
}

void ShapeWallGeometry::touch_mesh(const PlacedEllipsoid& e, const Vec3d& x, std::span<const WallCandidate> near,
                                   const Mesh& mesh, std::uint32_t wall, double far) {
    const TriangleMesh& surface = *mesh.surface;
    const Vec3d home = mesh.pose.home_point(x);
    const PlacedEllipsoid at_home =
        mesh.pose.turned ? place_ellipsoid(e.semi_axes, conjugate(turn_of(mesh.pose)) * e.orientation) : e;
    on_mesh_.clear();
    for (const WallCandidate& c : near) {
        EllipsoidOnTriangle found;
        if (!ellipsoid_on_triangle(at_home, home, surface.frame(c.place), found, far)) continue;
        ShapeAtWall contact;
        contact.wall = wall, contact.normal = found.at.touch.normal, contact.point = found.at.wall_point;
        contact.arm = found.at.touch.point, contact.overlap = found.at.touch.overlap;
        contact.effective_radius = found.at.touch.effective_radius;
        on_mesh_.push_back({c.place, found.region, false, contact, found.at.on_rim});
    }
    // A place on an edge or corner: is there a nearer one on a triangle that shares it?
    const double tolerance = std::max(1e-6 * e.largest, surface.weld());
    const auto is_better = [&](const OnTriangle& a, const OnTriangle& b) {
        const double more = a.contact.overlap - b.contact.overlap;
        if (more > tolerance || more < -tolerance) return more > 0;
        return a.region != b.region ? a.region < b.region : a.triangle < b.triangle;
    };
    for (OnTriangle& a : on_mesh_) {
        if (a.region == Region::face) continue;
        for (const std::uint32_t t : surface.around(a.triangle, a.region))
            for (const OnTriangle& b : on_mesh_)
                if (b.triangle == t && &b != &a && is_better(b, a)) a.dropped = true;
    }
    // One smooth surface, or the same place seen twice.
    for (OnTriangle& a : on_mesh_)
        for (const OnTriangle& b : on_mesh_) {
            if (&a == &b || a.dropped || b.dropped || !is_better(b, a)) continue;
            const auto patch_of = [&](const OnTriangle& o) {
                return o.region == Region::face ? surface.patch_of(o.triangle)
                                                : surface.patch_around(o.triangle, o.region);
            };
            const std::uint32_t patch = patch_of(a);
            const bool smooth = patch != TriangleMesh::no_patch && patch == patch_of(b) &&
                                dot(a.contact.normal, b.contact.normal) > same_direction;
            a.dropped = smooth || norm(a.contact.point - b.contact.point) < tolerance;
        }
    for (OnTriangle& a : on_mesh_) {
        if (a.dropped) continue;
        ShapeAtWall& c = a.contact;
        c.normal = mesh.pose.direction(c.normal), c.arm = mesh.pose.direction(c.arm),
        c.point = mesh.pose.point(c.point);
        add(wall, {c.point, c.normal, -c.overlap, a.on_rim, false}, c);
    }
}

void ShapeWallGeometry::touch_with_ellipsoid(const PlacedEllipsoid& e, const Vec3d& x,
                                             std::span<const WallCandidate> near, std::span<const Wall> walls,
                                             double far) {
    for (std::size_t c = 0; c < near.size();) {
        const std::uint32_t w = near[c].wall;
        const std::size_t end = end_of_wall(near, c);
        if (const Mesh* mesh = std::get_if<Mesh>(&walls[w].shape))
            touch_mesh(e, x, near.subspan(c, end - c), *mesh, w, far);
        else
            for (const EllipsoidWallTouch& t : touch_wall(e, x, walls[w].shape, far)) {
                ShapeAtWall contact;
                contact.wall = w, contact.normal = t.touch.normal, contact.point = t.wall_point;
                contact.arm = t.touch.point, contact.overlap = t.touch.overlap;
                contact.effective_radius = t.touch.effective_radius;
                add(w, {t.wall_point, t.touch.normal, -t.touch.overlap, t.on_rim, false}, contact);
            }
        c = end;
    }
    if (touched_.size() > 1) drop_doubled_contacts(walls, touched_, e.largest);
}

void ShapeWallGeometry::touch_with_polyhedron(const ShapeTemplate& shape, const Placed& at,
                                              std::span<const WallCandidate> near, std::span<const Wall> walls) {
    PolyhedronAtWalls(*shape.polyhedron, at).find(near, walls, [&](const ShapeAtWall& c) {
        if (!shape.polygon) return add(c.wall, {c.point, c.normal, -c.overlap, false, false}, c);
        // Seen in the plane.
        ConvexTouch flat{c.normal, c.overlap, c.arm, c.effective_radius, c.area, c.stored_depth, c.patch};
        if (!flatten_touch(shape, at.size, flat)) return;
        ShapeAtWall to = c;
        to.normal = flat.normal, to.arm = flat.point, to.point = at.centre + flat.point;
        to.effective_radius = flat.effective_radius, to.area = flat.area, to.patch = flat.patch;
        add(to.wall, {to.point, to.normal, -to.overlap, false, false}, to);
    });
}

void ShapeWallGeometry::find(const PlacedShapes& placed, const Bodies& bodies, Index i,
                             std::span<const WallCandidate> near, std::span<const Wall> walls,
                             std::span<const WallBallCandidate> near_balls, std::span<const WallBall> balls, double far,
                             std::vector<ShapeAtWall>& found) {
    const Vec3d x = bodies.x(i);
    const auto hand_over = [&](std::uint32_t part, const Vec3d& centre) {
        for (std::size_t k = 0; k < touched_.size(); ++k) {
            if (touched_[k].dropped) continue;
            ShapeAtWall c = contacts_[k];
            if (placed.kind(bodies, i) == ShapeKind::ellipsoid)
                c.effective_radius = placed.radius_at_wall(i, c.effective_radius);
            c.part = part, c.arm += centre;
            c.least_radius = placed.least_radius(bodies, i, part);
            found.push_back(c);
        }
    };
    for (std::uint32_t part = 0; part < placed.n_parts(bodies, i); ++part) {
        touched_.clear(), contacts_.clear();
        const Vec3d centre = placed.part_centre(bodies, i, part);
        if (placed.kind(bodies, i) == ShapeKind::clump)
            touch_with_ball(x + centre, placed.part_radius(bodies, i, part), near, walls, far);
        else if (placed.kind(bodies, i) == ShapeKind::polyhedron) {
            Placed at = placed.placed(bodies, i);
            at.centre = x;
            touch_with_polyhedron(template_of(bodies, i, placed.templates()), at, near, walls);
        } else touch_with_ellipsoid(placed.ellipsoid(i), x, near, walls, far);
        hand_over(part, centre);
        for (const WallBallCandidate& c : near_balls) {
            const WallBall& w = balls[c.ball];
            ConvexTouch touch;
            if (!placed.touch_ball(bodies, i, part, w.centre - x, w.radius, far, touch)) continue;
            found.push_back({w.wall, part, touch.normal, x + touch.point, touch.point, touch.overlap,
                             touch.effective_radius, touch.area, touch.stored_depth,
                             placed.least_radius(bodies, i, part), touch.patch});
        }
    }
}

}  // namespace granary
