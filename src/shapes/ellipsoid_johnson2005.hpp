// Contact of two ellipsoids with three different axes by the method of equivalent spheres,
//   Johnson, Williams & Cook (2005), "Contact detection between axially asymmetric ellipsoids in discrete element
//   modeling", Third MIT Conference on Computational Fluid and Solid Mechanics.
//
//   symbol    code            meaning                                                                       unit
//   CG_12     d               from the centre of body 1 to that of body 2                                   m
//   k         Estimate::k     place of the estimate along the major axis of its body                        m
//   theta     Estimate::theta direction of the estimate in the plane of the two minor axes, (cos, sin)      -
//   P_i       first theta     direction in that plane towards the other body, eq. (1)                       -
//   -         centre          of the equivalent sphere: on the normal line of the estimate                  m
//   -         skew            |n_1 x n_2|, sine of the angle by which the normals miss being opposite       -
//
// One iteration: at the estimate of each body the surface is replaced by a sphere that touches it there; the line
// through the centres of both spheres is the candidate contact vector; it is intersected with both surfaces, which
// gives new estimates theta and k. Where it stands still the vector is normal to both surfaces. The sign of n_1 x n_2
// along the axis that belongs to a parameter says on which side of the contact its estimate lies; bounds are kept for
// each of the four parameters, and a step that leaves them is replaced by their middle.
//   Corrected: in (1) (v x k) x k points away from the other body; it is negated. On the major axis it is 0/0; any
// theta will do there.
//   Not printed, chosen here: the centre of the equivalent sphere is p - c^2 G with the least semi-axis c and the
// gradient G = A^-1 p. Its radius c^2 |G| is nowhere above a radius of curvature; with larger spheres the skew grows
// from one iteration to the next where they exceed twice the radius of curvature, as on the rim of an oblate body. The
// iteration converges linearly, and slowly where the axes differ much; it is used to get near (skew below near_enough,
// at most most_spheres iterations), and Newton's steps on the common normal (common_normal.hpp) give all digits.
// Contact is defined by the common normal that maximises g(n) = n.d - h_1 - h_2; the overlap is -g.
//   A bound is found while the other body has an estimate of its own, so it may be wrong; a step past one bound alone
// drops it, only between two the middle is taken.
//   Bodies longer than 1/round_enough : 1 would need up to 30 iterations and end in the fallback in 3 to 20 % of pairs
//   at
// 10:1. There the first normal is the line of centres, stretched: (A_1/h_1 + A_2/h_2)^-1 d with h along the line of
// centres, the common normal of touching bodies but for h; Newton's steps follow at once.
//   The fallback: where the spheres do not get near or plain steps do not converge, Newton's method with a shifted
// matrix and halved steps climbs g from the best direction seen. Pairs that needed it are counted.
//
// A pair remembers its normal. A warm start takes Newton's steps from there at once and follows that maximum: normal
// and overlap are continuous in time as long as it exists. A cold start whose overlap is above the sum of the least
// radii of curvature of both bodies, below which a maximum is certain to be the greatest, climbs from a stated set of
// directions besides: the line of centres and the axes of both bodies, signs towards the other body; the greatest
// counts, of equal ones the first.
//   Fixed caps, no dependence on anything but the arguments, only + - * / sqrt.
#pragma once
#include <cstdint>
#include "shapes/placed_ellipsoid.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

enum class EllipsoidStart : std::uint8_t {
    by_ratio,  // equivalent spheres for bodies that are round enough, else the stretched line
    spheres,
    stretched,
};

// What pairs needed, for reports; counts do not influence anything.
struct EllipsoidCounts {
    std::uint64_t pairs = 0;
    std::uint64_t cold = 0;         // without a remembered normal
    std::uint64_t far = 0;          // a plane between them left a gap of at least `far`
    std::uint64_t by_spheres = 0;   // cold pairs that began with equivalent spheres
    std::uint64_t spheres = 0;      // their iterations
    std::uint64_t steps = 0;        // plain Newton steps
    std::uint64_t fallback = 0;     // pairs that went to the safeguarded form
    std::uint64_t safe_steps = 0;   // steps there
    std::uint64_t starts = 0;       // cold pairs that were tried from the stated set of directions
    std::uint64_t unconverged = 0;  // pairs that reached the cap; the best direction was taken

    EllipsoidCounts& operator+=(const EllipsoidCounts& b) {
        pairs += b.pairs, cold += b.cold, far += b.far, by_spheres += b.by_spheres, spheres += b.spheres,
            steps += b.steps, fallback += b.fallback;
        safe_steps += b.safe_steps, starts += b.starts, unconverged += b.unconverged;
        return *this;
    }
};

// Does the gap between i and j stay below `far`? If so `out` is exact: normal from j to i, point in the middle of the
// overlap relative to the centre of i, effective radius R_i R_j/(R_i + R_j) with R = 1/sqrt(Gaussian curvature). If
// not, out.normal is the normal of planes between them and -out.overlap a gap that is not above the true one.
//   from_i_to_j: between the centres, m. normal_memory: unit, from j to i, of the last call for this pair, or zero (a
// cold start); set by every call. Exchanging the partners negates it. Call it lower body first.
bool touch_ellipsoids(const PlacedEllipsoid& i, const PlacedEllipsoid& j, const Vec3d& from_i_to_j,
                      Vec3d& normal_memory, ConvexTouch& out, double far, EllipsoidCounts* counts = nullptr,
                      EllipsoidStart start = EllipsoidStart::by_ratio);

// Four pairs at a time, with the bits of one at a time; pays where most of them remember a normal. Gives a bit for each
// pair whose gap is below `far`. A lane that is not needed may repeat another one's bodies, with a memory of its own.
struct EllipsoidPairs4 {
    const PlacedEllipsoid* i[4];
    const PlacedEllipsoid* j[4];
    Vec3d from_i_to_j[4];
};
unsigned touch_ellipsoids4(const EllipsoidPairs4& pairs, Vec3d (&normal_memory)[4], ConvexTouch (&out)[4],
                           const double (&far)[4], EllipsoidCounts* counts = nullptr);

inline bool touch_ellipsoids(const Vec3d& semi_axes_i, const Quaterniond& q_i, const Vec3d& semi_axes_j,
                             const Quaterniond& q_j, const Vec3d& from_i_to_j, Vec3d& normal_memory, ConvexTouch& out,
                             double far, EllipsoidCounts* counts = nullptr) {
    return touch_ellipsoids(place_ellipsoid(semi_axes_i, q_i), place_ellipsoid(semi_axes_j, q_j), from_i_to_j,
                            normal_memory, out, far, counts);
}

}  // namespace granary
