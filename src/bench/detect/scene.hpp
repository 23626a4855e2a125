// The systems of bodies that detectors are timed on. Bodies are known by number; lengths are in diameters d of the
// largest ball, so d = 1 and touching neighbours of a lattice stand at a distance of exactly 1.
#pragma once
#include <array>
#include <cstdint>
#include "core/bodies.hpp"
#include "core/domain.hpp"
#include "core/large_pages.hpp"
#include "filling/relaxed_pack.hpp"

namespace granary {

struct DetectScene {
    Domain domain;              // with an empty cell around the bodies; not periodic
    LargeVector<double> quads;  // x, y, z, radius of each body
    LargeVector<Id> cluster;    // label of each body; empty: there are no clusters
    double largest_diameter = 1, smallest_diameter = 1;
    double margin = 0;  // pairs nearer than their radii and this are wanted

    Index size() const { return static_cast<Index>(quads.size() / 4); }
    double reach() const { return largest_diameter + margin; }  // the farthest at which two bodies must find each other
};

// A pair at a distance of exactly d counts as touching: detectors ask for "nearer than", so they get d and a trifle
// more.
inline constexpr double trifle = 1e-9;

// Lattice of equal balls, spaced as said along each axis; centres in the middle of cells of edge d where the spacing is
// whole, far from faces in any case that is counted. Numbered along x, then y, then z.
DetectScene lattice_scene(std::array<std::uint64_t, 3> counts, std::array<double, 3> spacing);

// About n bodies, in whole tiles.
DetectScene tiled_scene(const RelaxedPack& pack, std::uint64_t n, double margin);

// Numbers dealt out anew at random, as after long mixing: who is near in space is no longer near in memory.
void mix_numbers(DetectScene& scene);

// Balls dropped anywhere into a cube, overlapping or not: for searches that are only counted and timed.
DetectScene random_scene(std::uint64_t n, double edge, double smallest_diameter, std::uint64_t seed);

// Moves bodies between detections without letting them drift away: in every round each body stands elsewhere within
// `amplitude` of its home along each axis. A function of (number, round), so all detectors see the same.
class Shaker {
  public:
    // scatter: every home first leaves its place by up to so much along each axis, for good.
    Shaker(DetectScene& scene, double scatter, double amplitude);
    void shake(std::uint64_t round);

  private:
    DetectScene& scene_;
    LargeVector<double> homes_;
    double amplitude_;
};

}  // namespace granary
