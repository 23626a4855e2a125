// Runs in a plane (dimension = 2): what would move a body out of it is taken away before bodies are moved. Positions
// then keep one coordinate and velocities and spins three exact zeros, bit for bit, as they came in with: no other loop
// needs to know. What is taken away is rounding of contacts, which lie in the plane.
#pragma once
#include <span>
#include "core/bodies.hpp"
#include "core/parallel.hpp"

namespace granary {

// normal: axis of the plane, x, y, z = 0, 1, 2.
inline void keep_in_plane(Bodies& bodies, std::span<const Range> ranges, int normal) {
    static const std::string name = "motion::keep_in_plane";
    in_pieces_of(name, ranges, [&](const auto& for_each_range) {
        for_each_range([&](Range range) {
            for (Index i = range.begin; i < range.end; ++i)
                for (int axis = 0; axis < 3; ++axis) (axis == normal ? bodies.force : bodies.torque)(i, axis) = 0;
        });
    });
}

}  // namespace granary
