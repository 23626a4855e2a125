// Shapes of Rockable (.shp): one block `< ... >` for each,
//     name NAME
//     radius R                    Minkowski radius: the solid is the polyhedron of the vertices grown by balls of R
//     nv N   x y z ...            vertices
//     ne N   i j ...              edges
//     nf N   n i j k ...          faces: number of corners, corners
// and others, which are not used here (preCompDone, isSurface, obb.*, volume, I/m, position, orientation, ...).
// Here the rounding is left out: every face is moved outwards by R, so that the solid has the faces of the rounded one
// and sharp edges.
#pragma once
#include <string>
#include <string_view>
#include <vector>
#include "core/vec.hpp"

namespace granary {

struct ShpShape {
    std::string name;
    double radius = 0;
    std::vector<Vec3d> vertices;                  // as in the file
    std::vector<std::vector<std::size_t>> faces;  // corners, by vertex
};

// All shapes of a file's content; name is for messages. Throws InputError with the line.
std::vector<ShpShape> parse_shp(std::string_view content, const std::string& name);

// The vertices moved so that every face is R farther out. Throws InputError where faces do not enclose a vertex.
std::vector<Vec3d> grown_vertices(const ShpShape& shape);

}  // namespace granary
