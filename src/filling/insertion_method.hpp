#pragma once

namespace granary {

// rain: balls at random places, event after event. pack: all at once, from the bottom of the box upwards (along z of
// the user), one ball to a cell of a lattice as wide as the largest ball. dense: the same with the tile of
// dense_pack.hpp.
enum class InsertionMethod { rain, pack, dense };

}  // namespace granary
