// Which detector serves a case best. All detectors give the same run, bit for bit; the choice is one of time. The rule:
//   1. two-level, if a unit (a cluster or a single ball) has at least ten bodies on average, counted over all that
//   there
//      is at the start or comes in; and not more than the search in two levels takes as a cluster;
//   2. else MMR, if a cube of the one order holds more than seven balls of a dense packing of all sizes;
//   3. else MR.
// On any number of ranks: the search over ranks takes as long as the same search by each rank alone, within a tenth,
// and its lead over MR and MMR is the same on 1, 2 and 4 ranks.
// The measurements behind it: tests/benchmarks/CLUSTERS.md (1), tests/benchmarks/RESULTS.md (2, 3). When clusters
// break, units become more; where they have fewer than four bodies on average the search in two levels turns to MMR,
// rebuild by rebuild (search/two_level_huang2020.cpp).
#pragma once
#include <string>
#include "engine/setup.hpp"

namespace granary {

// All balls that there are at the start or that will come in.
struct BallsInAll {
    double count = 0;
    double volume = 0;  // m^3
    double units = 0;   // clusters and single balls
};

struct DetectorEstimate {
    double balls_in_a_cube = 0;  // in a dense packing of all sizes, well mixed
    double pair_tests = 0;       // of MR, a ball
    double bodies_a_unit = 1;
    bool mmr_is_faster() const;
    bool two_level_is_faster() const;
    Detector best() const;
};

// edge: of the cubes, m.
DetectorEstimate estimate_detector(const BallsInAll& balls, const Vec3d& edge);

// What a detector's own lists take, kept from rebuild to rebuild: bytes a ball, ghosts and images apart.
double bytes_a_ball(Detector detector);

std::string word_of(Detector detector);  // of a case file

}  // namespace granary
