// From a case, as the user wrote it, to a setup, as the simulation wants it: names become numbers, times become steps, axes are turned so
// that the slab axis is the third.
#pragma once
#include <span>
#include "engine/setup.hpp"
#include "core/axes.hpp"
#include "io/case/case.hpp"

namespace granary {

// meshes: by number of the wall, of those of type "mesh" (mesh_walls.hpp). Throws InputError for what only shows here: bodies that do not
// fit, files that cannot be read; with the place in the file where places are given.
Setup make_setup(const Case& c, std::span<const Mesh> meshes = {}, const CasePlaces* places = nullptr);

// What the balls of one source have in common, in the user's axes.
BallKind ball_kind(const Case& c, const RadiusSpec& radii, const std::string& material, const MixSpec& mix,
                   const Vec3d& velocity);

}  // namespace granary
