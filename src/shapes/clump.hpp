// A clump: a rigid union of balls, which may overlap. Mass, centre and moments are those of the union: what lies in
// several balls counts once.
//   Exact (sums of polynomials) where at most two balls overlap at any place: balls less lenses, a lens being two caps
//   of
// balls cut by the plane in which both surfaces meet. This holds for chains and frames of balls. A ball that lies
// inside another one adds nothing.
//   Where three balls overlap pairwise the union is cut into rays along z, on a square lattice of `rays_across` lines
//   over
// the longest side of its box; on each ray the union of intervals is exact. The error of volume and moments is below
// 1e-4 for up to a few dozen balls; tests/shapes/clump_test.cpp measures it (2e-5 for eight balls about a ninth).
#pragma once
#include <array>
#include <span>
#include <string>
#include "shapes/shape_template.hpp"

namespace granary {

inline constexpr std::size_t most_clump_balls = 255;  // their numbers tell contacts apart (core/contact_record.hpp)
inline constexpr int rays_across = 1000;

struct UnionOfBalls {
    double volume = 0;               // m^3
    Vec3d centre;                    // m
    std::array<Vec3d, 3> inertia{};  // about the centre for a density of 1, kg m^2; rows
    bool exact = true;
};
UnionOfBalls union_of_balls(std::span<const ClumpBall> balls);
UnionOfBalls union_by_rays(std::span<const ClumpBall> balls);

// The template of a clump given by its balls in any frame, m. Throws InputError with the name: no ball, too many, a
// radius that is none, two balls alike. The own frame has the principal axes, each next to the axis of the user that it
// is nearest to. centre, axes: if not null, the own frame in that of the user, X_user = centre + x e_x + y e_y + z e_z.
ShapeTemplate make_clump(const std::string& name, std::span<const ClumpBall> balls, Vec3d* centre = nullptr,
                         std::array<Vec3d, 3>* axes = nullptr);

}  // namespace granary
