// Where one ball touches a mesh.
//
// A ball that rolls over triangles is near many of them at a time; what it touches is the surface. Its contacts are the
// places where the distance from its centre to the SURFACE is least among all places nearby:
//   the foot of a perpendicular inside a face always is one;
//   a point of an edge is one if no triangle of that edge has a nearer point; a corner, if no triangle at it has.
// So over a flat seam or a convex edge there is one contact, in a concave corner one for each face, and nothing is
// counted twice, whatever the order of the triangles. Contacts nearer to each other than 1e-6 of the radius (or the
// welding distance of the mesh) are one: rounding may put the ball over two faces, or over none but their edge.
//
// A hollow surface made of facets, the inside of a pipe, would still give several contacts where the pipe itself gives
// one, and they would grow in number as the facets grow finer. So among contacts on one smooth patch
// (triangle_mesh.hpp) whose normals differ by less than same_direction only the deepest counts: the ball feels the
// nearest point of a smooth surface, as it does at a cylinder or a cone. Not so at an open rim or on a ridge between
// patches: the two rims of a slot are two supports.
//
// The spring of a contact stands beside the candidate of its triangle: of those that share the place, a face before an
// edge before a corner, then the lowest number. When the ball rolls on to another triangle the spring goes along: a
// contact without a spring takes the nearest one that has lost its contact, if the ball saw that one in a similar
// direction. The law then lays it into the new tangent plane.
//
// An ellipsoid is treated alike: nearest is what is deepest in it, or nearest to it, of each triangle
// (ellipsoid_at_wall.hpp).
#pragma once
#include <array>
#include <span>
#include <vector>
#include "shapes/placed_ellipsoid.hpp"
#include "shapes/shape_template.hpp"
#include "walls/triangle_mesh.hpp"
#include "walls/wall_candidate.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

inline constexpr double same_direction = 0.7071067811865476;  // cosine of 45 degrees

// With room for its work, so that a step does not allocate.
class MeshContacts {
  public:
    void reserve(std::size_t most_near);  // triangles near one ball

    // near: all candidates of one ball with one mesh, ascending. Centre x and the points found are in the frame of the
    // mesh. Each contact is told as take(candidate that holds its spring, SurfacePoint), ascending. Springs of
    // candidates without contact are zero afterwards. theta: a second spring beside each candidate, if the law has one;
    // it goes where the first goes.
    using Spring = std::array<double, 3>;
    template <class Take> void find(const TriangleMesh& mesh, std::span<WallCandidate> near, const Vec3d& x,
                                    double radius, double reach, Take&& take, std::span<Spring> theta = {}) {
        touch(mesh, near, x, radius, reach, theta);
        for (const Contact& c : contacts_) take(near[c.near], c.at);
    }
    // An ellipsoid, placed in the frame of the mesh: take(candidate, ConvexTouch, SurfacePoint), normals from the mesh
    // to the body. The distance of the surface point is that from the body, negative inside it.
    template <class Take> void find(const TriangleMesh& mesh, std::span<WallCandidate> near, const Vec3d& x,
                                    const PlacedEllipsoid& body, double reach, Take&& take,
                                    std::span<Spring> theta = {}) {
        touch(mesh, near, x, body, reach, theta);
        for (const Contact& c : contacts_) take(near[c.near], touches_[c.near], c.at);
    }

  private:
    struct Near {  // as the candidates
        NearestOnTriangle at;
        bool touching = false;
    };
    struct Contact {
        std::uint32_t near;  // place in the list of candidates
        SurfacePoint at;
        std::uint32_t patch;  // that all triangles around the place belong to; no_patch at a rim or ridge
        bool dropped;
    };

    void touch(const TriangleMesh& mesh, std::span<WallCandidate> near, const Vec3d& x, double radius, double reach,
               std::span<Spring> theta);
    void touch(const TriangleMesh& mesh, std::span<WallCandidate> near, const Vec3d& x, const PlacedEllipsoid& body,
               double reach, std::span<Spring> theta);
    // Look: how the body sees one triangle (mesh_contacts.cpp).
    template <class Look> void touch_by(const TriangleMesh& mesh, std::span<WallCandidate> near, double tolerance,
                                        const Look& look, std::span<Spring> theta);
    bool is_least(const TriangleMesh& mesh, std::span<const WallCandidate> near, std::size_t k, double tolerance) const;
    void join_same_points(double tolerance);
    void join_smooth();
    template <class Look> void hand_on_springs(const TriangleMesh& mesh, std::span<WallCandidate> near,
                                               const Look& look, std::span<Spring> theta) const;

    std::vector<Near> near_;
    std::vector<Contact> contacts_;
    std::vector<ConvexTouch> touches_;  // of an ellipsoid, as the candidates
};

}  // namespace granary
