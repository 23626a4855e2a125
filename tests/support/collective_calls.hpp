// How often this rank has called something of MPI in which all ranks take part, blocking or not.
#pragma once
#include <cstdint>

namespace granary::test {

std::uint64_t collective_calls();

}  // namespace granary::test
