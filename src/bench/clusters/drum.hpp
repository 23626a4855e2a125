// Single balls and clusters in a drum: the 24 systems of
//   Huang, Ding, Miao, Sang & Jia (2020), Powder Technol. 374, 371-382, section 5, tables 6 to 8.
//
// The paper gives numbers and radii, and describes the positions: settled at rest (tight), thrown up (loose). Here both
// come from a periodic pack of the nominal spheres (filling/relaxed_pack.hpp), tiled, clipped by the drum, every
// cluster turned anywhere: tight is a pack of solid fraction 0.6 of which the lowest are taken, loose one that just has
// enough places in the whole drum, of which some are taken. No forces settle the clusters: their hollows do not
// interlock, so fewer spheres overlap than in a real heap of A, whose six balls fill 43 % of their sphere.
#pragma once
#include <array>
#include <cstdint>
#include <vector>
#include "bench/detect/scene.hpp"
#include "filling/cluster_shapes.hpp"

namespace granary {

struct FittedCluster {
    char name;  // table 7
    SphereFit fit;
};
inline constexpr std::array<FittedCluster, 6> fitted_clusters{{{'A', huang_fits[0]},
                                                               {'B', huang_fits[1]},
                                                               {'C', huang_fits[2]},
                                                               {'D', huang_fits[3]},
                                                               {'E', huang_fits[4]},
                                                               {'F', huang_fits[5]}}};

// Shared by the cases of one distribution: where single balls and clusters are.
struct DrumPlaces {
    std::vector<Vec3d> singles, clusters;  // m, centres
};
DrumPlaces drum_places(int distribution);  // 1 to 4, table 6
bool is_loose(int distribution);

// One body a number; bodies of a cluster have successive numbers, the first of them is the label. Lengths in m.
DetectScene drum_scene(const DrumPlaces& places, const FittedCluster& kind, double margin);

// Each single ball and each cluster as a whole is moved by up to so much along each axis, anew in each round.
void shake_units(const DetectScene& home, double amplitude, std::uint64_t round, DetectScene& scene);

}  // namespace granary
