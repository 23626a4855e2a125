// Walls where a box does not repeat.
#pragma once
#include "engine/setup.hpp"

namespace granary::test {

inline void close_box(Setup& s) {
    for (int axis = 0; axis < 3; ++axis) {
        if (s.domain.periodic[static_cast<std::size_t>(axis)]) continue;
        Vec3d normal{};
        at(normal, axis) = 1;
        s.walls.push_back(make_wall("lower", Plane{s.domain.lower, normal}, 0));
        s.walls.push_back(make_wall("upper", Plane{s.domain.upper, -normal}, 0));
    }
}

}  // namespace granary::test
