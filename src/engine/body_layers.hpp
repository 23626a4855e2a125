// Where the bodies of this rank stand: which are real, and in which of its layers.
#pragma once
#include "core/bodies.hpp"
#include "search/cubes.hpp"

namespace granary {

struct BodyLayers {
    const Bodies& bodies;
    const Cubes& cubes;
    int first;  // layer of this rank

    bool is_real(Index i) const { return bodies.owned.contains(i) && !cubes.is_image(bodies.cube(i)); }
    std::size_t operator()(Index i) const { return static_cast<std::size_t>(digit(bodies.cube(i), 2) - first); }
};

}  // namespace granary
