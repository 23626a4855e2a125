// Keys of a case: rigid grains that are no balls.
#include "io/case/case_table.hpp"

namespace granary::case_table {
namespace {

// clang-format off
constexpr KeyRow shape_keys[] = {
    // section name type unit bounds default example doc extra
    {"shapes", "type", T::choice, "", unbounded, required, "",
     "type of grain; polyhedron: convex, from vertices or a file; clump: rigid union of balls; polygon: convex, in two dimensions; cube to prism are "
     "ready-made polyhedra, rod and maize ready-made clumps",
     {.choices = "ellipsoid|polyhedron|clump|cube|box|tetrahedron|octahedron|dodecahedron|icosahedron|prism|rod|maize|polygon"}},
    {"shapes", "name", T::text, "", not_empty, required, "\"bean\"",
     "name for other sections, messages and --set shapes.NAME.key=value", {}},
    {"shapes", "material", T::text, "", unbounded, preset("\"\""), "",
     "name of its material; empty: that of the [[bodies]], [[insert]] or stage", {}},
    {"shapes", "semi_axes", T::vec3, "m", positive, none, "[0.006, 0.004, 0.003]",
     "semi-axes, in any order", {.only = "ellipsoid", .rivals = "diameters"}},
    {"shapes", "diameters", T::vec3, "m", positive, none, "[0.012, 0.008, 0.006]",
     "lengths of the axes, twice the semi-axes", {.only = "ellipsoid", .rivals = "semi_axes"}},
    {"shapes", "vertices", T::vec3s, "m", unbounded, none,
     "[[0.0, 0.0, 0.0], [0.01, 0.0, 0.0], [0.0, 0.01, 0.0], [0.0, 0.0, 0.01]]",
     "its corners, in any order and frame; all must lie on their convex hull", {.only = "polyhedron", .rivals = "file"}},
    {"shapes", "corners", T::vec2s, "m", unbounded, required, "[[0.0, 0.0], [0.01, 0.0], [0.0, 0.01]]",
     "its corners in the plane, in any order: [x, z] with normal = \"y\", else [x, y] or [y, z]; all must lie on their convex hull",
     {.only = "polygon"}},
    {"shapes", "balls", T::vec4s, "m", unbounded, none, "[[-0.002, 0.0, 0.0, 0.003], [0.002, 0.0, 0.0, 0.003]]",
     "centre and radius of each ball, in any frame; they may overlap", {.only = "clump", .rivals = "file"}},
    {"shapes", "file", T::text, "", not_empty, none, "\"stone.stl\"",
     "for a polyhedron an STL file of a closed convex surface, or a .shp file of Rockable; for a clump a text file with a line \"x y z radius\" for "
     "each ball; path from the folder of this file", {.only = "polyhedron|clump", .rivals = "vertices|balls"}},
    {"shapes", "name_in_file", T::text, "", unbounded, preset("\"\""), "",
     "name of the shape in a .shp file; empty: the first one", {.only = "polyhedron"}},
    {"shapes", "scale", T::number, "", positive, preset("1.0"), "",
     "length unit of the file in m: 0.001 for a file in mm", {.only = "polyhedron|clump"}},
    {"shapes", "edge", T::number, "m", positive, none, "0.008",
     "length of an edge", {.only = "cube|tetrahedron|octahedron|dodecahedron|icosahedron", .rivals = "equivalent_diameter"}},
    {"shapes", "edges", T::vec3, "m", positive, required, "[0.01, 0.008, 0.006]",
     "lengths of its edges along x, y, z", {.only = "box"}},
    {"shapes", "sides", T::integer, "", {3, 30, false, false}, preset("6"), "",
     "number of side faces; its axis is z", {.only = "prism"}},
    {"shapes", "radius", T::number, "m", positive, required, "0.004",
     "radius of the circle through the corners of the base (prism), of the balls (rod)", {.only = "prism|rod"}},
    {"shapes", "height", T::number, "m", positive, required, "0.008", "length along z", {.only = "prism"}},
    {"shapes", "length", T::number, "m", positive, required, "0.02",
     "length over all, along x", {.only = "rod"}},
    {"shapes", "elements", T::integer, "", {2, 255, false, false}, preset("4"), "",
     "number of its balls, evenly spaced", {.only = "rod"}},
    {"shapes", "equivalent_diameter", T::number, "m", positive, none, "0.008",
     "scale the shape to this diameter of the ball of equal volume (polygon: disc of equal area); default: the size given, maize 11 mm long", {.rivals = "edge"}},
    {"shapes", "orientation", T::choice, "", unbounded, preset("\"random\""), "",
     "orientation of the grains: random, or that of the template", {.choices = "random|upright"}},
};
// clang-format on

}  // namespace

std::span<const KeyRow> keys_of_shapes() { return shape_keys; }

}  // namespace granary::case_table
