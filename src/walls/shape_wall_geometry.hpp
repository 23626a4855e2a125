// Where one body that is no ball touches walls.
//   A clump touches with each of its balls, as a ball does (wall_shapes.hpp, mesh_contacts.hpp). An ellipsoid touches
//   as
// ellipsoid_at_wall.hpp says; of a mesh it touches the surface, not the triangles: a place on an edge or corner counts
// if no triangle there is nearer, and of places of one smooth patch with similar normals only the deepest. Walls that
// join are one surface (drop_doubled_contacts), for each part of a body.
#pragma once
#include <span>
#include <vector>
#include "core/wall_ball.hpp"
#include "shapes/placed_shapes.hpp"
#include "walls/mesh_contacts.hpp"
#include "walls/wall_candidate.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

struct ShapeAtWall {
    std::uint32_t wall = 0, part = 0;
    Vec3d normal;  // unit, from the wall to the body
    Vec3d point;   // of the wall, m
    Vec3d arm;     // from the centre of the body to the contact, m
    double overlap = 0;
    double effective_radius = 0;
    double area = 0, stored_depth = 0;  // as ConvexTouch has them
    double least_radius = 1;            // m, overlaps are told as a share of it
    ContactPatch patch{};
};

class ShapeWallGeometry {
  public:
    // near: all candidates of body i, by wall, then by triangle; near_balls: its candidates among the balls that walls
    // are made of. Puts all contacts with a gap below `far` into found, by part.
    void find(const PlacedShapes& placed, const Bodies& bodies, Index i, std::span<const WallCandidate> near,
              std::span<const Wall> walls, std::span<const WallBallCandidate> near_balls,
              std::span<const WallBall> balls, double far, std::vector<ShapeAtWall>& found);

  private:
    void touch_with_ball(const Vec3d& x, double radius, std::span<const WallCandidate> near,
                         std::span<const Wall> walls, double far);
    void touch_with_ellipsoid(const PlacedEllipsoid& e, const Vec3d& x, std::span<const WallCandidate> near,
                              std::span<const Wall> walls, double far);
    void touch_mesh(const PlacedEllipsoid& e, const Vec3d& x, std::span<const WallCandidate> near, const Mesh& mesh,
                    std::uint32_t wall, double far);
    void touch_with_polyhedron(const ShapeTemplate& shape, const Placed& at, std::span<const WallCandidate> near,
                               std::span<const Wall> walls);
    void add(std::uint32_t wall, const SurfacePoint& at, const ShapeAtWall& contact);

    // Of one part.
    std::vector<WallContact> touched_;
    std::vector<ShapeAtWall> contacts_;
    std::vector<WallCandidate> triangles_;
    MeshContacts mesh_contacts_;
    struct OnTriangle {
        std::uint32_t triangle;
        Region region;
        bool dropped;
        ShapeAtWall contact;
        bool on_rim;
    };
    std::vector<OnTriangle> on_mesh_;
};

}  // namespace granary
