// Where a convex polyhedron touches walls.
//   Plane, Rectangle, Disc, Annulus, triangles of a mesh: by the volume that the body has beyond the flat wall, below
//   the wall's outline (shapes/polyhedron_contact.hpp). Parts that lie in one plane are added up before a contact is
//   made of them: a floor of 2 and one of 200 triangles are the same floor. Circles are polygons of 64 corners, inside
//   the circle: 0.12 % of the radius. Cylinder, Cone: what they enclose is convex, so a convex body inside can only
//   leave it with its corners. Each corner beyond the surface is a contact of its own, with R* that of the ball of the
//   same volume. From outside faces and edges lie on it, too: 32 strips of the surface press on what lies beneath them,
//   as flat walls do, and make one contact.
#pragma once
#include <functional>
#include <span>
#include "shapes/convex_polyhedron.hpp"
#include "walls/shape_wall_geometry.hpp"

namespace granary {

class PolyhedronAtWalls {
  public:
    using Take = std::function<void(const ShapeAtWall&)>;

    PolyhedronAtWalls(const ConvexPolyhedron& body, const Placed& at) : body_(body), at_(at) {}
    // near: by wall, then by triangle. Contacts are those that overlap.
    void find(std::span<const WallCandidate> near, std::span<const Wall> walls, const Take& take) const;

  private:
    void touch_flat(std::uint32_t wall, const WallShape& shape, const Take& take) const;
    void touch_mesh(std::uint32_t wall, const Mesh& mesh, std::span<const WallCandidate> near, const Take& take) const;
    // bottom, top: ends of the axis, with the radii there.
    void touch_round(std::uint32_t wall, const Vec3d& bottom, const Vec3d& top, double bottom_radius, double top_radius,
                     const Take& take) const;

    struct Round {
        Vec3d bottom, axis, outwards;  // outwards: unit, from the axis to the centre of the body
        double length, bottom_radius, top_radius;
    };
    void touch_round_outside(std::uint32_t wall, const Round& round, const Take& take) const;

    const ConvexPolyhedron& body_;
    Placed at_;
};

}  // namespace granary
