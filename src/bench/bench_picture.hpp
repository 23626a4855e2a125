// The picture benchmark: what one picture of many balls costs in time and memory. Prints one line of JSON.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <string>

namespace granary {

struct BenchPicture {
    std::uint64_t balls = 1'000'000;  // over all ranks
    std::uint64_t pictures = 3;       // timed, after a first one that loads everything
    std::string script = "half-silo";
    std::string folder = "bench-picture";
};

// Collective; the line is complete on rank 0. Throws InputError if no picture can be made.
std::string bench_picture(const boost::mpi::communicator& comm, const BenchPicture& options);

}  // namespace granary
