// A wall made of fixed, overlapping balls with random radii, "to prevent crystalization of balls representing silage
// material" and as a model of its roughness: Lazarević, Dvornik & Fresl (2002), section 4, procedure wall(d_h, h_h,
// d_c, h_c, ...), which the paper does not show. So chosen here:
//   - The centres stand in a net on a surface that is set back from the wall by the mean radius, away from the grain:
//   the clear
//     width of the silo is what its lengths say, give or take the roughness.
//   - Cylinder, cone, disc, annulus: rings along the wall, every other one turned by half a ball. Rectangle: rows. A
//   net reaches from
//     rim to rim, in steps of at most the spacing, so that where walls join both have balls.
//   - Radii are spread evenly from the smallest to the largest, as those of the grain, eq. (1).
#pragma once
#include <cstdint>
#include <vector>
#include "core/wall_ball.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

struct WallBallNet {
    double spacing = 0;                     // m
    double radius_min = 0, radius_max = 0;  // m
    Vec3d inner;                            // a point inside, which says what is away from the grain at flat walls
    std::uint64_t seed = 1;
};

// Appends the balls of one wall; numbers go on from those that are there. The radius of a ball is a function of the
// seed, the wall's number and its place in the net. A plane has no end, and so no net: InputError.
void add_wall_balls(const Wall& wall, std::uint32_t number, const WallBallNet& net, std::vector<WallBall>& balls);

}  // namespace granary
