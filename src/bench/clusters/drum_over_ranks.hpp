// The searches of a run on several ranks, in a drum cut into slabs: two levels with owners of faces, two levels by each
// rank for itself, and the flat detectors.
#pragma once
#include <boost/mpi/communicator.hpp>
#include "bench/clusters/drum.hpp"
#include "bench/detect/result_table.hpp"

namespace granary {

// Adds a row for each to the table of the first rank. Collective.
void time_over_ranks(const boost::mpi::communicator& comm, int distribution, const FittedCluster& kind,
                     std::uint64_t repeats, double margin, ResultTable& table);

}  // namespace granary
