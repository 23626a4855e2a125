// Surfaces of templates to look at: polygons with a normal at each corner. Nothing of a run depends on them.
//   An ellipsoid is a sphere of triangles, stretched; a polyhedron has its faces, with corners of their own so that
//   edges look sharp; a clump has the triangles of its balls that do not lie wholly inside other balls.
#pragma once
#include <cstdint>
#include <vector>
#include "core/vec.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

struct ShapeSurface {
    std::vector<Vec3d> points, normals;  // in the own frame, m; unit, outward
    std::vector<std::uint32_t> corners;  // of all cells, one after the other
    std::vector<std::uint32_t> ends;     // by cell: end of its corners
};

// How fine spheres are: an icosahedron whose triangles are divided in four so many times.
struct SurfaceDetail {
    int ellipsoid = 2, ball = 1;  // 162 points, 320 triangles; 42 points, 80 triangles
};

// For so many grains in one picture or file: ellipsoids 2 up to 1000, 1 up to 50 000, 0 beyond; balls of clumps 1 up to
// 3000, 0 beyond.
SurfaceDetail detail_for(std::uint64_t grains);

ShapeSurface surface_of(const ShapeTemplate& shape, const SurfaceDetail& detail);

}  // namespace granary
