// What can be known of motions before a run: whether a wall will be too fast or leave the domain, and what `granary
// check` says about them.
#pragma once
#include <string>
#include <vector>
#include "engine/setup.hpp"
#include "plan/stage.hpp"
#include "io/case/case.hpp"

namespace granary {

// Throws InputError at the place of the motion: a wall that moves more than half a cube in one step of any stage, or
// that is sure to leave the domain altogether. Where that depends on when a stage ends, it is a remark.
void check_motions(const Case& c, const Setup& setup, const std::vector<Stage>& stages, const Vec3d& cube_edge,
                   const CasePlaces& places, std::vector<std::string>& remarks);

// A line for each motion, and for each gate that slides.
std::vector<std::string> motion_lines(const Case& c, const Setup& setup);

}  // namespace granary
