// The bed benchmark: a dense bed at rest on a flat floor, periodic sides, made by tiling a small settled column. Prints
// one line of JSON.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <string>
#include "contact/materials.hpp"

namespace granary {

struct BenchBed {
    std::uint64_t balls = 100'000;  // rounded to whole columns
    std::uint64_t steps = 200;
    LawSettings::Type law = LawSettings::Type::hertz_mindlin;
    std::uint64_t rebuild_every = 0;  // 0: when the skin says so
    std::uint64_t warm_up = 20;       // steps before the clock starts
    double skin = 4e-4;               // m
    int slab_axis = 2;                // 0, 1, 2: slabs are cut along x, y, z
    std::string cache;                // folder for the settled column; empty: the user's cache folder
};

// Collective; the line is complete on rank 0.
std::string bench_bed(const boost::mpi::communicator& comm, const BenchBed& options);

}  // namespace granary
