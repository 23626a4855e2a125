// Single balls and clusters in a drum: the 24 systems of
//   Huang, Ding, Miao, Sang & Jia (2020), Powder Technol. 374, 371-382, section 5, tables 6 to 8.
//
// The paper gives numbers and radii, and describes the positions: settled at rest (tight), thrown up (loose). Here both
// come from a periodic pack of the nominal spheres (filling/relaxed_pack.hpp), tiled, clipped by the drum, every cluster
// turned anywhere: tight is a pack of solid fraction 0.6 of which the lowest are taken, loose one that just has enough
// places in the whole drum, of which some are taken. No forces settle the clusters: their hollows do not interlock, so
// fewer spheres overlap than in a real heap of A, whose six balls fill 43 % of their sphere.
#pragma once
#include <cstdint>
#include <string>
#include <vector>
#include "bench/detect/scene.hpp"

namespace granary {

struct DrumCase {
    int distribution = 1;  // 1 to 4, table 6
    char cluster = 'A';    // A to F, table 7
};

struct ClusterKind {
    char name;
    int elements;
    double radius;  // of an element, m
};
inline constexpr std::array<ClusterKind, 6> cluster_kinds{{{'A', 6, 8.28e-3},
                                                           {'B', 10, 7.50e-3},
                                                           {'C', 25, 5.80e-3},
                                                           {'D', 50, 4.70e-3},
                                                           {'E', 75, 4.10e-3},
                                                           {'F', 100, 3.73e-3}}};

// A fit of equal balls in the nominal sphere of 20 mm: pushed apart and back into the sphere until nothing moves. What
// does not fit overlaps (paper-notes: table 7 has more than fits).
std::vector<Vec3d> fitted_sphere(const ClusterKind& kind);

// Shared by the cases of one distribution: where single balls and clusters are.
struct DrumPlaces {
    std::vector<Vec3d> singles, clusters;  // m, centres
};
DrumPlaces drum_places(int distribution);

// One body a number; bodies of a cluster have successive numbers, the first of them is the label. Lengths in m.
DetectScene drum_scene(const DrumPlaces& places, const ClusterKind& kind, double margin);

// Each single ball and each cluster as a whole is moved by up to so much along each axis, anew in each round.
void shake_units(const DetectScene& home, double amplitude, std::uint64_t round, DetectScene& scene);

}  // namespace granary
