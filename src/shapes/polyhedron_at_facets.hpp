// A polyhedron at a thin surface of flat facets: triangles of a mesh, rectangles, pieces of a cylinder. Each plane
// gives one touch, however many facets it has there. The surface has two sides; a plane acts on the side where the
// centre of the body is.
//
// A facet presses along its normal on what of the body lies beneath it (polyhedron_contact.hpp). Where a body rests on
// the flat top of a block and juts out over its edge, a thin layer of it also lies beneath the side of the block, deep
// along the normal of the side. So a plane counts only as far as its normal is the nearest way out: with D the greatest
// depth beneath it, and d the width of what lies beneath it, measured from the rim of its facets (the least over the
// sides that no other facet of the plane shares), the touch is taken times 2 - D/d, within 0 and 1.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>
#include "shapes/convex_polyhedron.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

struct FlatFacet {
    std::array<Vec3d, 4> corner;  // m, in the frame of Placed
    std::uint32_t n_corners = 3;  // 3 or 4
    Vec3d normal;                 // unit, to any side
    std::uint32_t number = 0;     // told by the touch
};

struct FacetTouch {
    ConvexTouch touch;
    std::uint32_t number = 0;  // the lowest of the facets of the plane that lie over the overlap
};

// With room for its work, so that a step does not allocate.
class PolyhedronAtFacets {
  public:
    // All facets near the body, in a fixed order; the touches come in the order of the first facet of their planes.
    std::span<const FacetTouch> find(const ConvexPolyhedron& a, const Placed& i, std::span<const FlatFacet> near);

  private:
    double share(const class FlatContact& contact, std::span<const FlatFacet> near) const;

    std::vector<FacetTouch> touches_;
    std::vector<char> taken_;
    std::vector<std::uint32_t> plane_;
    std::vector<Vec3d> cells_;
};

}  // namespace granary
