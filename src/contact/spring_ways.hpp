// Springs between balls under a predictor-corrector.
//
// The laws let a spring grow by v dt (friction.hpp, rolling_ai2011.hpp). That is the way gone in the step where v belongs to its middle, as in
// the leapfrog. The v of the predictor-corrector belongs to the end of the step, where dampers want it; a spring that grew by it would be
//   k (x + v dt/2), a spring with a damper of k dt/2 beside it,
// which takes the swing out of every contact that should keep it. So before the laws are asked, springs are moved by what the way was more
// than v dt:
//   xi += s - v dt,      theta += turn - w dt
//
//   symbol   code    meaning                                                                   unit
//   s        way     way of i relative to j at the contact in this step, turns included        m
//   turn     turn    turn of i relative to j in this step                                      rad
//   v, w     -       velocity and spin of i relative to j as the law will see them             m/s, rad/s
//
// The law then adds v dt and lays the sum into the tangent plane. The way is that from one predicted position to the next, the last correction
// in it: a tangential spring is as long as the positions say, and swings with the order of the integrator. Levers and tangent plane are those of
// the middle of the step, so where they change it is of second order. (With those of its end, as the leapfrog has them, of first order.)
// At walls: moved_by_way() in walls/rigid_frame.hpp.
// A pair that has just begun to touch has no spring yet and gets v dt from its law, as with the leapfrog.
#pragma once
#include "core/bodies.hpp"
#include "core/pair_list.hpp"

namespace granary {

// Of a pair, from the turns (or spins) of its balls: what the tangential motion at the contact is the cross product of with x_i - x_j, that is
// (a_i of_i + a_j of_j)/d with the lever arms a (law.hpp) and the distance d. Exchanging i and j gives the same, bit for bit.
inline Vec3d turn_about_contact(const Vec3d& of_i, const Vec3d& of_j, double r_i, double r_j, double distance) {
    return 0.5 * ((of_i + of_j) + ((r_i - r_j) / distance) * (of_i - of_j));
}

// Tangential way s. gone: centre of i relative to that of j in this step; turned_i, turned_j: their turns, zero of a partner at rest;
// apart: x_i - x_j at the end of the step.
inline Vec3d tangential_way(const Vec3d& gone, const Vec3d& turned_i, const Vec3d& turned_j, double r_i, double r_j,
                            const Vec3d& apart) {
    const Vec3d between = apart - 0.5 * gone;
    const Vec3d way = gone - cross(turn_about_contact(turned_i, turned_j, r_i, r_j, norm(between)), between);
    return way - (dot(way, between) / dot(between, between)) * between;
}

// Of all pairs that touched a step ago. Bodies have ways; laws without springs have nothing to follow.
void springs_follow_ways(const Bodies& bodies, PairList& pairs, double dt);

}  // namespace granary
