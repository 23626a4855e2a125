// Parts of a case about grains that are rigid and no balls (shapes/shape_template.hpp).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "core/vec.hpp"
#include "io/case/case_cluster_specs.hpp"

namespace granary {

// Values in the order of the words in case_keys_shapes.cpp.
enum class ShapeType {
    ellipsoid,
    polyhedron,
    clump,
    cube,
    box,
    tetrahedron,
    octahedron,
    dodecahedron,
    icosahedron,
    prism,
    rod,
    maize,
    polygon
};

// The keys of its type are filled in, the rest is zero. GrainForm::smallest is the radius of the ball that stands
// for it where time steps are chosen (shapes/contact_scale.hpp), largest the outer radius.
struct ShapeSpec : GrainForm {
    ShapeType type{};
    std::optional<Vec3d> semi_axes, diameters;   // m; ellipsoid: one of them
    std::vector<Vec3d> vertices;                 // m; polyhedron: these or a file
    std::vector<std::array<double, 2>> corners;  // m; polygon: along the first and the second axis of the plane
    std::vector<std::array<double, 4>> balls;    // m, centre and radius; clump: these or a file
    std::string file, name_in_file;              // path; of a .shp file: which of its shapes, empty: the first
    double scale = 0;                            // of lengths in the file
    std::optional<double> edge;                  // m; regular solids: this or the equivalent diameter
    Vec3d edges;                                 // m; box
    std::int64_t sides = 0;                      // prism
    double radius = 0, height = 0;               // m; prism: of the circle around its base; rod: radius
    double length = 0;                           // m, over all; rod
    std::int64_t elements = 0;                   // balls; rod
    std::optional<double> equivalent_diameter;   // m: scales the whole shape
    ClusterTurn orientation{};

    bool has_file() const { return !file.empty(); }

    friend bool operator==(const ShapeSpec&, const ShapeSpec&) = default;
};

}  // namespace granary
