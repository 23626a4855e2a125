// Springs between balls under a predictor-corrector.
//
// The laws let a spring grow by v dt (friction.hpp, rolling_ai2011.hpp). That is the displacement of the step where v
// belongs to its middle, as in the leapfrog. The v of the predictor-corrector belongs to the end of the step, where
// dampers want it; a spring that grew by it would be
//   k (x + v dt/2), a spring with a damper of k dt/2 beside it,
// which takes the swing out of every contact that should keep it. So before the laws are asked, springs are moved by
// what the displacement was more than v dt:
//   xi += s - v dt,      theta += rotation - w dt
//
//   symbol   code           meaning                                                                  unit
//   s        displacement   of i relative to j at the contact in this step, rotations included       m
//   -        rotation       of i relative to j in this step                                          rad
//   v, w     -              velocity and spin of i relative to j as the law will see them            m/s, rad/s
//
// The law then adds v dt and lays the sum into the tangent plane. The displacement is that from one predicted position
// to the next, the last correction in it: a tangential spring is as long as the positions say, and swings with the
// order of the integrator. Levers and tangent plane are those of the middle of the step, so where they change it is of
// second order. (With those of its end, as the leapfrog has them, of first order.) At walls: moved_by_way() in
// walls/rigid_frame.hpp. A pair that has just begun to touch has no spring yet and gets v dt from its law, as with the
// leapfrog.
#pragma once
#include "core/bodies.hpp"
#include "core/pair_list.hpp"

namespace granary {

// Of all pairs of these bodies that touched a step ago. Bodies have displacements; laws without springs have nothing to
// follow.
void springs_follow_displacements(const Bodies& bodies, PairList& pairs, Range range, double dt);

}  // namespace granary
