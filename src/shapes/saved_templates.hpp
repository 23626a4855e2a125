// The shapes of a run in its states and checkpoints: each with its name, its fingerprint and all that its making has
// found, bit for bit, in the axes of the user. So a checkpoint needs no file of the case, and whoever takes bodies from
// a state knows what its numbers of shapes stand for.
//   shapes.names          texts
//   shapes.fingerprints   two words each
//   shapes.numbers        six each: kind, balls, corners, faces, corners and normal of the polygon
//   shapes.faces          of polyhedra: number of corners, and the corners, face by face
//   shapes.reals          sizes and moments, then balls or corners (saved_templates.cpp)
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/axes.hpp"
#include "core/saved_state.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

using ShapeFingerprint = std::array<std::uint64_t, 2>;

// Of the form and the size of a template in the axes of the user, whatever its name, its material and how copies are
// turned: equal means that bodies, with what their contacts remember, may go from one to the other.
ShapeFingerprint fingerprint_of(const ShapeTemplate& shape);

// axes: from those of the templates to those of the user. Silent without shapes.
void save_templates(std::span<const ShapeTemplate> shapes, const Axes& axes, SavedState& to);

// false: nothing is known of the shapes, be it that there are none or that the file is older than these names.
bool has_templates(const SavedState& from);

// In the axes of the user. Throws InputError where they are damaged.
std::vector<ShapeTemplate> templates_in(const SavedState& from);

}  // namespace granary
