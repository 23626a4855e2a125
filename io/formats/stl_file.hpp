// Triangles of an STL file, binary or text. Of each only the three corners are read: normals, colours and names of
// solids are not used.
//   binary   80 bytes of any text, the number of triangles as uint32, then 50 bytes each: 12 floats (normal, three
//   corners) and 2
//            bytes; little-endian. Told by its length alone, since many such files begin with "solid", too.
//   text     solid NAME, then for each triangle: facet normal x y z, outer loop, three times vertex x y z, endloop,
//   endfacet; at the end
//            endsolid NAME. Words in any case, any blanks and line ends; several solids in one file are taken together.
// Lengths have no unit there.
#pragma once
#include <string>
#include <string_view>
#include <vector>
#include "walls/triangle_mesh.hpp"

namespace granary {

// The triangles in a file's content; name is for messages. Throws InputError: cut short, a wrong number of triangles, a
// word that does not belong there, numbers that are none.
std::vector<Corners> parse_stl(std::string_view content, const std::string& name);

}  // namespace granary
