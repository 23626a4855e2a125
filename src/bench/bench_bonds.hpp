// Speed of bonds: a block of bonded balls flies into a floor and breaks there. Whole steps are timed: integration,
// bonds with breakage, contacts of broken and unbonded pairs, rebuilds. Prints one line of JSON.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <string>
#include "contact/bond_type.hpp"

namespace granary {

struct BenchBonds {
    std::uint64_t bonds = 60'000;  // about so many
    std::string lattice = "fcc";   // 12 neighbours a ball; "cubic": 6
    std::string form = "beam";     // or "spring"
    double damping = 0;            // share of critical damping of all four components
    std::uint64_t warm_up = 200, steps = 1000;
};

// Collective; the line is complete on rank 0.
std::string bench_bonds(const boost::mpi::communicator& comm, const BenchBonds& options);

}  // namespace granary
