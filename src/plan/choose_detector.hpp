// Which detector serves a case best: MR for balls of like sizes, MMR where small balls crowd the cubes of the large
// ones. All detectors give the same run, bit for bit; the choice is one of time.
#pragma once
#include <string>
#include "engine/setup.hpp"

namespace granary {

// All balls that there are at the start or that will come in.
struct BallsInAll {
    double count = 0;
    double volume = 0;  // m^3
};

struct DetectorEstimate {
    double balls_in_a_cube = 0;  // in a dense packing of all sizes, well mixed
    double pair_tests = 0;       // of MR, a ball
    bool mmr_is_faster() const;
};

// edge: of the cubes, m.
DetectorEstimate estimate_detector(const BallsInAll& balls, const Vec3d& edge);

// What a detector's own lists take, kept from rebuild to rebuild: bytes a ball, ghosts and images apart.
double bytes_a_ball(Detector detector);

std::string word_of(Detector detector);  // of a case file

}  // namespace granary
