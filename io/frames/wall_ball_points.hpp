// The balls that walls are made of, as points to look at: a .vtp file (VTK XML PolyData, text) like those of the moving
// balls.
//   point data:  radius    m
//                wall      number of the wall that they belong to
//                material  its number in the material table
#pragma once
#include <span>
#include <string>
#include "core/axes.hpp"
#include "core/wall_ball.hpp"

namespace granary {

// Centres are given in the axes inside, the file is in the user's. open: for each wall, not 0 if it has opened; its
// balls are left out. Written aside as path + ".part" and renamed; throws InputError.
void write_wall_balls(const std::string& path, std::span<const WallBall> balls, const Axes& axes,
                      std::span<const char> open = {});

}  // namespace granary
