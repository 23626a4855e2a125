// Rigid shapes of a case: from what the file says to templates, and rules about them.
#pragma once
#include <string>
#include <vector>
#include "io/case/case.hpp"
#include "io/case/case_problem.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

// Outer radius over the smallest length of a shape at most: beyond, the ball around it proposes too many pairs.
inline constexpr double most_slender = 100;

// The template of a shape; content: of its file, if it has one. The number of its material is left to the caller.
// Throws InputError: not convex, not closed, no volume, too slender, what is wrong in the file.
// plane: normal of a run in a plane, 0, 1, 2; a polygon is 1 m thick until set_thickness.
ShapeTemplate template_of(const ShapeSpec& spec, const std::string& content, int plane = 1);

// Sizes of shapes that are not in files, and of sources whose grains are all shapes and have no sizes of their own.
// What is wrong with a shape is a problem found here. Follows complete_clusters.
void complete_shapes(Case& c, CaseReport& report);

// The same, of shapes that are in files, once these are read.
void take_sizes(const ShapeTemplate& of, ShapeSpec& spec);

// What deserves a word.
std::vector<std::string> remarks_on_shapes(const Case& c);

}  // namespace granary
