// A real ball near a wall, or near one triangle of a wall that is a mesh.
#pragma once
#include <cstdint>
#include "core/bodies.hpp"

namespace granary {

struct WallCandidate {
    Index body;
    std::uint32_t wall;
    std::uint32_t place;  // number of the triangle; 0 at other walls
    double xi[3];         // tangential spring of the ball relative to the wall, m; zero while apart
    bool has_spring() const { return xi[0] != 0 || xi[1] != 0 || xi[2] != 0; }
};

}  // namespace granary
