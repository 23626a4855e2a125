// Dense packings for many balls, made in seconds: one small pack in a periodic cube (relaxed_pack.hpp) is made with the
// sizes that are wanted, and this tile is laid over the region again and again. What touches a wall is left out by
// whoever places the balls, so at walls there are gaps of up to a diameter, which close when the packing settles.
//
// The tile has the distribution of sizes exactly (quantiles, nothing is drawn); near walls large balls are left out a
// little more often than small ones. The order repeats with the tile, about fifteen balls, until the balls have moved.
#pragma once
#include <array>
#include <cstdint>
#include "filling/packing.hpp"
#include "filling/relaxed_pack.hpp"

namespace granary {

struct DenseTile {
    double edge = 0;
    std::vector<PackBall> balls;  // ascending z
    double largest_overlap = 0;   // share of the smaller ball's diameter: never above the limit it was made with
};

// Throws InputError if the sizes differ too much for a tile, or if it cannot be made so dense within the overlap that
// is accepted (a share of the smaller ball's diameter).
DenseTile dense_tile(const BallKind& balls, double solid_fraction, double accepted_overlap, std::uint64_t seed);

// The sites of a region, numbered from its bottom upwards: a ball in front has no ball far above it. Sites stick out
// over the region at its upper faces.
class DenseSites {
  public:
    DenseSites(const DenseTile& tile, const Vec3d& lower, const Vec3d& upper);
    std::uint64_t size() const { return n_[0] * n_[1] * n_[2] * tile_.balls.size(); }
    PackBall at(std::uint64_t site) const;

  private:
    const DenseTile& tile_;
    Vec3d lower_;
    std::array<std::uint64_t, 3> n_{};
};

}  // namespace granary
