// A polyhedron at a wall of any shape (shapes/polyhedron_contact.hpp has the law).
//   plane                 the half-space behind it
//   rectangle, triangles  as they are, thin, acting to the side of the body's centre
//   disc, annulus         regular polygons of 30 corners around their circles
//   cylinder, cone        tangent planes: one at the meridian of the body's centre, more to both sides, each 2 t radii
//   wide,
//                         t = 0.1 sqrt(r/R) for a body of radius r at a surface of radius R: the surface is off by at
//                         most t^2 R/2 = 0.005 r. They turn with the body about the axis, so none of them is ever felt
//                         as an edge. Their touches are merged to one (two, where a body is wedged across the pipe).
// No memory.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "shapes/polyhedron_at_facets.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

class PolyhedronAtWalls {
  public:
    // Of a wall that is no mesh. number of a touch: 0, or of the tangent plane, so that several are told apart.
    std::span<const FacetTouch> find(const ConvexPolyhedron& a, const Placed& i, const WallShape& shape);

    // Triangles of a mesh that are near the body, ascending; the numbers of touches are theirs.
    std::span<const FacetTouch> find(const ConvexPolyhedron& a, const Placed& i, const Mesh& mesh,
                                     std::span<const std::uint32_t> triangles);

  private:
    void add_round(const Placed& i, double radius, const Vec3d& bottom, const Vec3d& top, double bottom_radius,
                   double top_radius);

    PolyhedronAtFacets at_facets_;
    std::vector<FlatFacet> facets_;
    std::vector<FacetTouch> touches_;
};

}  // namespace granary
