// A ball that a wall is made of (Lazarević 2002, section 4): it never moves and has no mass, it only stands in the way.
#pragma once
#include <cstdint>
#include "core/bodies.hpp"
#include "core/vec.hpp"

namespace granary {

struct WallBall {
    Vec3d centre;              // m
    double radius = 0;         // m
    std::uint32_t number = 0;  // among all wall balls of a case, in the order in which they were made
    std::uint32_t wall = 0;    // the wall it belongs to: its load counts there, and with it the ball vanishes
    std::uint16_t material = 0;
};

// A body that may touch a wall ball until the next rebuild.
struct WallBallCandidate {
    Index body;
    std::uint32_t ball;  // place in the list of wall balls
    double xi[3];        // spring of the body relative to the wall ball, zero while apart
};

}  // namespace granary
