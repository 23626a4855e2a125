// A box cut into equal cells, x fastest, then y, then z: what fields are measured on.
#pragma once
#include <array>
#include <cmath>
#include <cstddef>
#include "core/vec.hpp"

namespace granary {

struct Grid {
    Vec3d lower;  // m, corner
    Vec3d step;   // m, edges of a cell
    std::array<int, 3> counts{1, 1, 1};

    std::size_t size() const {
        return static_cast<std::size_t>(counts[0]) * static_cast<std::size_t>(counts[1]) *
               static_cast<std::size_t>(counts[2]);
    }
    double cell_volume() const { return step.x * step.y * step.z; }
    std::size_t cell(int ix, int iy, int iz) const {
        return (static_cast<std::size_t>(iz) * static_cast<std::size_t>(counts[1]) + static_cast<std::size_t>(iy)) *
                   static_cast<std::size_t>(counts[0]) +
               static_cast<std::size_t>(ix);
    }
    bool holds(int k, int axis) const { return k >= 0 && k < counts[static_cast<std::size_t>(axis)]; }
};

}  // namespace granary
