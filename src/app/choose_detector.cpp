#include "app/choose_detector.hpp"

namespace granary {

namespace {

constexpr double dense = 0.6;             // solid fraction of a bed at rest
constexpr double cubes_looked_at = 13.5;  // by MR: half of the 27 around a ball

// Equal balls are about 1.2 in a cube, and radii spread evenly from next to nothing up to the largest are 5: there MR is
// the faster one. MMR tests a fraction of the pairs, but sorts anew at each search and writes its list twice: with about ten
// balls in a cube (diameters 1 to 1/32, spread evenly on a logarithmic scale by number) the two are level, with thousands (the
// same by mass) MMR is dozens of times faster.
constexpr double crowded = 10;

}  // namespace

bool DetectorEstimate::mmr_is_faster() const { return balls_in_a_cube > crowded; }

DetectorEstimate estimate_detector(const BallsInAll& balls, const Vec3d& edge) {
    if (!(balls.volume > 0)) return {};
    const double in_a_cube = dense * edge.x * edge.y * edge.z * balls.count / balls.volume;
    return {in_a_cube, cubes_looked_at * in_a_cube};
}

const char* name_of(Detector detector) {
    switch (detector) {
        case Detector::mmr: return "mmr";
        case Detector::fixed_cubes: return "fixed-cubes";
        case Detector::all_pairs: return "all-pairs";
        case Detector::mr: break;
    }
    return "mr";
}

}  // namespace granary
