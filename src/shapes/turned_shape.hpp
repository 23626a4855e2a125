// A template with its own frame in the axes inside (core/axes.hpp), and back: numbers change their places and none
// changes a bit. Corners and faces of polyhedra keep their numbers.
#pragma once
#include "core/axes.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

ShapeTemplate turned_in(const ShapeTemplate& shape, const Axes& axes);
ShapeTemplate turned_out(const ShapeTemplate& shape, const Axes& axes);

}  // namespace granary
