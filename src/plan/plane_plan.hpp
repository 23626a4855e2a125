// Runs in a plane: what of the case shows only when sizes and meshes are known.
#pragma once
#include <vector>
#include "engine/setup.hpp"
#include "io/case/case.hpp"

namespace granary {

// The plane of a case as the setup has it.
Setup::Plane plane_of(const Case& c, const Axes& axes);

// Walls must be lines that are extruded farther than the largest body reaches. Throws InputError, at the place of the
// wall. The largest radius must be known. Without a plane nothing happens.
void check_walls_in_plane(const Case& c, const Setup& setup, const CasePlaces& places);

// Materials for the choice of a time step. A disc thinner than 4/3 of its radius is lighter than its ball, and its hits
// are quicker; as light as the largest one at most.
std::vector<Material> materials_for_time_scales(const Setup& setup, double largest_radius);

}  // namespace granary
