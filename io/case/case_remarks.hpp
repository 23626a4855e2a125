// What a sound case gives reason to say before it runs, from its text alone.
#pragma once
#include <string>
#include <vector>
#include "io/case/case.hpp"

namespace granary {

// Walls do not repeat with the period of the domain. Told of each wall that a ball on the other side of a periodic face
// would have to meet: one that ends near the face or goes beyond it, unless it reaches over the whole period, and a
// plane that is not along the axis. And of densities that look like another unit.
std::vector<std::string> remarks_on(const Case& c);

}  // namespace granary
