// How much room a rank needs for the bodies that it begins with. With enough from the start no column has to grow,
// which would take two of it for a while.
#pragma once
#include <optional>
#include <vector>
#include "engine/neighbourhood.hpp"

namespace granary {

// Bodies that this rank will hold, ghosts and images included, by the bodies in each layer of all ranks.
inline double held_here(const Neighbourhood& hood, int rank, const std::vector<double>& in_layer) {
    double n = hood.given_here(in_layer);
    const auto add = [&](const std::optional<int>& neighbour, int layer) {
        if (neighbour) n += in_layer[static_cast<std::size_t>((layer + hood.slabs.n_layers()) % hood.slabs.n_layers())];
    };
    add(hood.slabs.below(rank), hood.slabs.first(rank) - 1), add(hood.slabs.above(rank), hood.slabs.end(rank));
    for (int axis = 0; axis < 2; ++axis)
        if (hood.cubes.domain().periodic[static_cast<std::size_t>(axis)])
            n *= 1 + 2.0 / hood.cubes.count[static_cast<std::size_t>(axis)];
    return n;
}

}  // namespace granary
