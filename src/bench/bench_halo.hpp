// What it costs to refresh ghosts: ranks in a ring, each with a slab of layers of balls, exchange their outer layers as
// a step does, alone, and while they move the balls of the interior. Prints lines of JSON, one for each size.
// Times are [least, median] over the repeats, each the longest of all ranks; messages of a refresh are counted by
// tests/program/messages.sh.
//   refresh   us, start and finish with nothing between
//   work      us, what integration of the interior moves through memory, without messages
//   both      us, messages started, interior moved, messages finished: as in a step
//   hidden    (refresh + work - both) / refresh: 1, all of it is behind the work; 0, none (medians)
#pragma once
#include <boost/mpi/communicator.hpp>
#include <string>
#include <vector>

namespace granary {

struct BenchHalo {
    std::vector<int> balls{1, 10, 100, 1000, 10'000};  // of a layer
    int layers = 8;                                    // of a rank
    int repeats = 200;
};

// Collective; the text is complete on rank 0.
std::string bench_halo(const boost::mpi::communicator& comm, const BenchHalo& options);

}  // namespace granary
