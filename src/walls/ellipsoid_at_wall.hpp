// Where an ellipsoid touches a wall. A contact is a place of the wall whose distance from the body, negative inside it,
// is least among all places nearby, and the common normal there.
//   Plane, Rectangle    one contact (shapes/ellipsoid_point.hpp)
//   Disc, Annulus       on the face, if the lowest point of the body lies over it; else at rims
//   Cylinder, Cone      seen from inside up to two contacts (a long body lies across a pipe with both ends), seen from
//                       outside one; and up to two at each rim (a long body bridges an outlet)
//   triangle of a mesh  ellipsoid_on_triangle; what is told of a mesh is in mesh_contacts.hpp
//
// The face of a cone is the envelope of its tangent planes, one for each meridian. With the wall's normal m towards the
// body, the gap of the tangent plane at the meridian with direction e is w(e) = m.(c - q) - sqrt(m.A m); contact is
// where it is least (from inside) or greatest (from outside). That is where the lowest point x of the body lies in the
// plane of the meridian, x.(u x e) = 0: one unknown, found among n_meridians of fixed directions, then by Newton's
// method between two of them. A rim is a circle; the same is done with the distance of its points from the body.
#pragma once
#include <array>
#include <span>
#include "shapes/ellipsoid_point.hpp"
#include "walls/closest_on_triangle.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

struct EllipsoidWallTouch {
    ConvexTouch touch;    // normal from the wall to the body; point relative to the centre; radius: the body's
    Vec3d wall_point;     // m, in space
    bool on_rim = false;  // the wall touches with an edge
};

// Face and rims, deepest first within each.
struct EllipsoidWallTouches {
    static constexpr std::size_t most = 6;
    std::array<EllipsoidWallTouch, most> at;
    std::size_t count = 0;
    const EllipsoidWallTouch* begin() const { return at.data(); }
    const EllipsoidWallTouch* end() const { return at.data() + count; }
};

// All contacts with a gap below `far`. Not for a Mesh: its candidates are triangles.
EllipsoidWallTouches touch_wall(const PlacedEllipsoid& e, const Vec3d& centre, const WallShape& shape, double far);

// One triangle, in whatever frame all is given.
struct EllipsoidOnTriangle {
    EllipsoidWallTouch at;
    Region region = Region::face;
};
bool ellipsoid_on_triangle(const PlacedEllipsoid& e, const Vec3d& centre, const TriangleFrame& triangle,
                           EllipsoidOnTriangle& out, double far);

}  // namespace granary
