// The pieces that bonds hold together now, with their mass: what measurements of breakage ask for.
#pragma once
#include <cstdint>
#include <functional>
#include "engine/simulation.hpp"

namespace granary {

struct Piece {
    Id label = 0;              // least id of its bodies
    std::uint64_t bodies = 0;  // that count
    double mass = 0;           // kg, of these
    double volume = 0;         // m^3, of their material: mass over density, so overlaps do not count twice
};

// Calls use(piece) for every piece of which a body counts, single bodies too, each on one of the ranks. Sums are exact,
// so they do not depend on the ranks; the order does. Bodies that have crossed an outlet do not count, but hold their
// piece together until they are taken out. Collective.
void for_each_piece(const Simulation& sim, const std::function<bool(Index)>& counts,
                    const std::function<void(const Piece&)>& use);

// Diameter of the ball of the same volume, m.
double equivalent_diameter(const Piece& piece);

}  // namespace granary
