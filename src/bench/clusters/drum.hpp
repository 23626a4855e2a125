// Single balls and clusters in a drum: the 24 systems of
//   Huang, Ding, Miao, Sang & Jia (2020), Powder Technol. 374, 371-382, section 5, tables 6 to 8.
//
// The paper gives numbers and radii, and describes the positions: settled at rest (tight), thrown up (loose). Here they
// come from runs of the program itself. Clusters are rigid unions of their elements in these runs, turned anywhere.
//   tight: a pack of spheres that just hold the clusters (filling/relaxed_pack.hpp), tiled and clipped by the drum, of
//          which the lowest are taken, falls together under its weight and comes to rest (settled).
//   loose: the tight heap is thrown up, the higher the faster, and flies, with all collisions (thrown).
#pragma once
#include <array>
#include <cstdint>
#include <vector>
#include "bench/detect/scene.hpp"
#include "filling/cluster_shapes.hpp"
#include "shapes/shape_template.hpp"

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

// A drum with clusters of one kind.
struct Drum {
    static constexpr double radius = 0.5, length = 1;  // m, table 8; the axis lies along x, the lowest line at z = 0
    static constexpr double single_radius = 10e-3;     // m, table 6
    std::vector<Vec3d> singles;                        // m, centres
    std::vector<Placed> clusters;                      // of centres of mass
    ShapeTemplate cluster;                             // its elements, as a clump
};
// The numbers of distribution 1 to 4, table 6, at places of a pack: the lowest ones of a dense pack, or some of a pack
// that fills the whole drum. Not settled, not thrown.
Drum packed_drum(int distribution, const FittedCluster& kind, bool all_over);
bool is_loose(int distribution);

// One body a number; bodies of a cluster have successive numbers, the first of them is the label. Lengths in m.
DetectScene drum_scene(const Drum& drum, double margin);

// Each single ball and each cluster as a whole is moved by up to so much along each axis, anew in each round.
void shake_units(const DetectScene& home, double amplitude, std::uint64_t round, DetectScene& scene);

}  // namespace granary
