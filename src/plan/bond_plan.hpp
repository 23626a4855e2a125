// Bonds of a case before it runs: how many there will be, which step they allow, what they need.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <string>
#include <vector>
#include "engine/setup.hpp"
#include "filling/packing.hpp"
#include "io/case/case.hpp"
#include "io/case/case_check_report.hpp"

namespace granary {

// Clusters and bonds of the start. Throws InputError, the same on all ranks, for a bond of a type that the case does
// not have. of_state: the start is a state, whose single bodies have labels, too; clusters are then not told.
// Collective.
struct BondsAtStart {
    double clusters = 0, bonds = 0;
    double longest = 0;  // m, of any bond when it was made
};
BondsAtStart bonds_at_start(const boost::mpi::communicator& comm, const Setup& setup, bool of_state);

// The same of a source of so many grains.
BondsAtStart bonds_of(const Setup& setup, const BallKind& kind, double grains);

// One row for each kind of bond that a cluster of the case has: of the quickest bond of the smallest copies that its
// sources make, see contact/bond_time_scales.hpp.
std::vector<CheckReport::BondKind> bond_scales(const Case& c, const Setup& setup);

// The largest stable step of all, s; infinite without bonds.
double stable_step_of_bonds(const std::vector<CheckReport::BondKind>& bonds);

// How far bonds of a state may reach, m: the longest of them, stretched, between two of the smallest bodies. (Which
// bodies they join is known only when the state is read in.)
double reach_of(const BondsAtStart& bonds, const Setup& setup, double smallest_radius);

// What is appended to a message that cubes do not fit the domain; empty if bonds do not reach farther than the law.
std::string reach_text(const Setup& setup);

}  // namespace granary
