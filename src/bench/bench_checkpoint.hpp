// What a checkpoint costs: the time to write one, against a plain sequential write of as many bytes to the same disk,
// both brought to the disk (fsync), and its size against the numbers that it must hold. Prints one line of JSON.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <string>

namespace granary {

struct BenchCheckpoint {
    std::uint64_t balls = 1'000'000;  // about so many, a block of cubes
    std::uint64_t repeats = 5;        // of both, in turn
    std::string folder = ".";         // on the disk in question
};

// Collective; the line is complete on rank 0.
std::string bench_checkpoint(const boost::mpi::communicator& comm, const BenchCheckpoint& options);

}  // namespace granary
