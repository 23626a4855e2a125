// Analytic wall shapes: where a ball touches them. Pure geometry: no motion, no forces, no ranks.
//
//   Plane        half-space; its normal points to the side of the balls, a ball beyond it is pushed back
//   Rectangle    corner and two orthogonal edges       |
//   Disc         centre, normal, radius                |  infinitely thin, two-sided, with rims:
//   Annulus      disc with a hole                      |  the ball feels the nearest point of the surface
//   Cylinder     lateral surface only                  |
//   ConeFrustum  lateral surface only                  |
//   Mesh         triangles (triangle_mesh.hpp)         |
//
// Lengths in m. closest() wants unit normals and orthogonal edges: take walls from make_wall().
//
// Degenerate places, where the nearest point or the normal is not unique, get a fixed answer:
//   on the axis of a cylinder or cone, over the centre of an annulus: one meridian of all that are equally near, the
//   same for shapes that share the axis, marked by `all_round`: whoever makes a force of it takes the mean over the
//   circle, which points along the axis; on the surface itself: a flat shape gives its own normal (rectangle: edge_a x
//   edge_b), a cylinder or cone its normal towards the axis (where the grain is), also on their rims.
// "On" means closer than 1e-12 of the shape's size, below which the direction would be rounding noise.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include "core/vec.hpp"
#include "walls/pose.hpp"

namespace granary {

struct Plane {
    Vec3d point;
    Vec3d normal;  // to the side where balls are
};

struct Rectangle {
    Vec3d corner;
    Vec3d edge_a, edge_b;
};

struct Disc {
    Vec3d centre;
    Vec3d normal;
    double radius = 0;
};

struct Annulus {
    Vec3d centre;
    Vec3d normal;
    double inner = 0, outer = 0;  // radii
};

struct Cylinder {
    Vec3d bottom, top;  // ends of the axis
    double radius = 0;
};

struct ConeFrustum {
    Vec3d bottom, top;                         // ends of the axis
    double bottom_radius = 0, top_radius = 0;  // one of them may be 0; equal radii are a cylinder
};

class TriangleMesh;
class MeshGrid;

// A ball may touch it at several places (mesh_contacts.hpp); closest() is for all that asks only how near it is. The
// triangles are shared by all copies. Without a grid every triangle is looked at; with one, a surface farther than the
// reach of the grid is infinitely far. The triangles and their cubes stay where they are; `pose` says where the mesh is
// now, and a ball is looked at from the mesh's frame.
struct Mesh {
    std::shared_ptr<const TriangleMesh> surface;
    std::shared_ptr<const MeshGrid> grid;
    Pose pose;
};

using WallShape = std::variant<Plane, Rectangle, Disc, Annulus, Cylinder, ConeFrustum, Mesh>;

struct Wall {
    std::string name;
    WallShape shape;
    std::uint16_t material = 0;
    std::size_t motion = at_rest;  // number of what moves it (wall_motion.hpp)

    static constexpr std::size_t at_rest = static_cast<std::size_t>(-1);
    bool moves() const { return motion != at_rest; }
};

// The point of a surface nearest to the centre of a ball.
struct SurfacePoint {
    Vec3d point;
    Vec3d normal;         // unit, from the surface to the centre; Plane: always its own normal
    double distance = 0;  // from the surface to the centre, >= 0; Plane: signed, < 0 beyond it
    bool on_rim = false;  // the nearest point is an edge, not the foot of a perpendicular inside the face
    bool all_round =
        false;  // a whole circle about the axis of the shape is as near; point and normal are of one place on it
};

SurfacePoint closest(const Plane&, const Vec3d& x);
SurfacePoint closest(const Rectangle&, const Vec3d& x);
SurfacePoint closest(const Disc&, const Vec3d& x);
SurfacePoint closest(const Annulus&, const Vec3d& x);
SurfacePoint closest(const Cylinder&, const Vec3d& x);
SurfacePoint closest(const ConeFrustum&, const Vec3d& x);
SurfacePoint closest(const Mesh&, const Vec3d& x);
SurfacePoint closest(const WallShape&, const Vec3d& x);

// A point found in the frame of a mesh, where the mesh is now.
SurfacePoint in_place(const Mesh&, const SurfacePoint& home);

// Unit, of an annulus, disc, cylinder or cone; zero for shapes without an axis.
Vec3d axis_of_symmetry(const WallShape&);

// Does p lie on the surface (Plane: on the plane itself), within the tolerance in m?
bool contains(const WallShape&, const Vec3d& p, double tolerance);

// A fixed unit vector at right angles to the unit vector a.
Vec3d perpendicular(const Vec3d& a);

struct BoundingBox {
    Vec3d lower, upper;
    // Is x within reach of the box? False means: no point of the wall is nearer than reach.
    bool near(const Vec3d& x, double reach) const {
        return x.x >= lower.x - reach && x.x <= upper.x + reach && x.y >= lower.y - reach && x.y <= upper.y + reach &&
               x.z >= lower.z - reach && x.z <= upper.z + reach;
    }
};

// Smallest axis-aligned box around the surface; infinite for a Plane, since it acts on a whole half-space.
BoundingBox bounding_box(const WallShape&);

// Throws InputError, naming the wall, what is wrong with its shape and what to do.
void validate(const Wall&);

// The same shape with unit normals and exactly orthogonal edges (edge_b gives way). Wants a valid shape.
WallShape normalised(const WallShape&);

// Validated and normalised: the way walls are made.
Wall make_wall(std::string name, const WallShape&, std::uint16_t material);

// Meshes among the walls get cubes that find triangles up to this far from a ball, m; those that have them keep them.
void prepare_meshes(std::span<Wall> walls, double reach);

// One wall that a ball touches.
struct WallContact {
    std::uint32_t wall = 0;  // number of the wall
    SurfacePoint at;
    double overlap = 0;    // radius - distance, m
    bool dropped = false;  // set by drop_doubled_contacts
};

// Walls that join are one surface for a ball. Among all contacts of ONE ball, in ascending order of wall
// number, marks those that another one already stands for; tolerance 1e-6 radius:
//   a rim point that lies on another touched wall, if that one is touched in its face or at a nearer rim point:
//   the same spot seen twice, or the edge of a wall that continues in the other;
//   two contacts at the same point, both on a rim or both in a face (walls that overlap): the higher number goes.
// So over a seam or a convex edge one contact is left, in a concave corner (two faces) both stay. At least one
// contact always stays. Contacts with one and the same mesh are left alone: mesh_contacts.hpp has looked at them. Does
// not allocate.
void drop_doubled_contacts(std::span<const Wall> walls, std::span<WallContact> contacts, double radius);

}  // namespace granary
