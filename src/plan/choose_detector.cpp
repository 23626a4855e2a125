#include "plan/choose_detector.hpp"

#include "io/case/case_schema.hpp"

namespace granary {

namespace {

constexpr double dense = 0.6;             // solid fraction of a bed at rest
constexpr double cubes_looked_at = 13.5;  // by MR: half of the 27 around a ball

// Equal balls are about 1.2 in a cube: there MR is the faster one. With about 5 (diameters 1 to 1/4, spread evenly on a
// logarithmic scale by number; radii spread evenly from next to nothing up to the largest) the two are level, with
// about 12 (1 to 1/32, by number) MMR is twice as fast, with thousands (the same by mass) dozens of times. Near to
// level MR is taken: it needs no memory.
constexpr double crowded = 7;

// Bodies a unit at which the search in two levels is surely the faster one: 1.2 to 2 times as fast as the better of MR
// and MMR from 10 on, in tight and loose drums, with and without single balls. From 5 to 9 the two are level within a
// fifth, below it is slower by up to two times. It takes more memory, and breakage makes it slower.
constexpr double many_a_unit = 10, most_a_unit = 4096;

}  // namespace

bool DetectorEstimate::mmr_is_faster() const { return balls_in_a_cube > crowded; }

bool DetectorEstimate::two_level_is_faster() const {
    return bodies_a_unit >= many_a_unit && bodies_a_unit <= most_a_unit;
}

Detector DetectorEstimate::best() const {
    return two_level_is_faster() ? Detector::two_level : mmr_is_faster() ? Detector::mmr : Detector::mr;
}

DetectorEstimate estimate_detector(const BallsInAll& balls, const Vec3d& edge) {
    if (!(balls.volume > 0)) return {};
    const double in_a_cube = dense * edge.x * edge.y * edge.z * balls.count / balls.volume;
    return {in_a_cube, cubes_looked_at * in_a_cube, balls.units > 0 ? balls.count / balls.units : 1};
}

double bytes_a_ball(Detector detector) {
    switch (detector) {
        case Detector::mmr: return 100;  // lists 20 to 30, order of a finer step 16, cubes 10, notes of pairs 40
        case Detector::fixed_cubes: return 140;  // a ball in six cubes: 16 + 6 x 16, notes of pairs
        case Detector::two_level: return 130;    // labels 16, elements 20, units 5 to 60, runs of pairs 24 to 40
        case Detector::all_pairs:
        case Detector::mr: break;
    }
    return 0;
}

std::string word_of(Detector detector) {
    return choice_word("run", "detector", 1 + static_cast<std::size_t>(detector));  // behind "auto"
}

}  // namespace granary
