// Narrow phases of grains that are not balls: cost of a pair, iterations, and what the papers say. Each part is a file
// in shapes/.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace granary {

struct BenchShapes {
    std::vector<std::string> parts;  // empty: all
    std::uint64_t pairs = 4000;      // of each kind
    std::uint64_t repeats = 20;      // the fastest counts
};

std::vector<std::string> shape_parts();

// On the first rank. Lines of JSON, one a kind of pair.
std::string bench_shapes(const boost::mpi::communicator& comm, const BenchShapes& options);

}  // namespace granary
