// Contact detection in drums of single balls and bonded clusters: the 24 cases of
//   Huang, Ding, Miao, Sang & Jia (2020), Powder Technol. 374, 371-382, section 5, tables 6 to 11.
// The search in two levels, the paper's single-level grids with both rules for cells, and the flat detectors of the
// program, each timed as the paper does: grid subdivision, contact resolution, total. All must report the same pairs.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <string>
#include <vector>

namespace granary {

struct BenchClusters {
    std::vector<int> distributions{1, 2, 3, 4};
    std::string clusters = "ABCDEF";
    std::vector<std::string> detectors;  // empty: all
    std::uint64_t repeats = 5;           // of the paper's single-level grids from 100 000 bodies on: one
    double margin = 0;                   // mm, reach and skin: pairs nearer than that are listed; the paper has none
    double moved = 0.5;   // mm: single balls and clusters move by up to so much along each axis between detections
    bool packed = false;  // positions are those of a pack, neither settled nor thrown: no time is spent on that
    std::string csv, json;
};

std::vector<std::string> cluster_detector_names();

// On several ranks: the searches of a run in packed drums cut into slabs, each rank's CPU time. Collective.
// Tells its progress on standard error and gives back what belongs on standard output.
std::string bench_clusters(const boost::mpi::communicator& comm, const BenchClusters& options);

}  // namespace granary
