// How deep the corners of polyhedra sink in where they land: a corner is soft, its force grows like the cube of the
// depth (shapes/README.md).
//   F = K V, V = k h^3/3 for a corner whose cross-section at the depth h below it has the area k h^2. A grain of mass m
//   that lands with the speed v on a wall, its centre of mass above the corner and without damping, stops at
//     h = (6 m v^2/(K k))^(1/4).
//   K = E*/L, L the radius of the ball of its volume; of a linear law the stiffness over the area of the largest face.
#pragma once
#include <string>
#include <vector>
#include "engine/setup.hpp"
#include "io/case/case_check_report.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

// The least k of all corners, seen along the line to the centre of mass; 0: it is no polyhedron.
double sharpest_corner(const ShapeTemplate& shape);

// K of a copy as large as its template, Pa/m, from E*, Pa, or from the stiffness of a linear law, N/m.
double foundation_by_young(const ShapeTemplate& shape, double e_star);
double foundation_by_stiffness(const ShapeTemplate& shape, double stiffness);

// h over the least distance of a face from the centre, for a copy as large as its template. foundation: K.
double corner_depth_share(const ShapeTemplate& shape, double density, double foundation, double speed);

// Adds what it is to the lines of the shapes of a report that has its pairs and its speed. Gives the warnings.
std::vector<std::string> tell_corner_depths(const Setup& setup, CheckReport& report);

}  // namespace granary
