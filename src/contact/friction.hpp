// The tangential part shared by the laws with friction: a spring xi with a damper beside it, cut at the
// Coulomb limit.
//
//   symbol   code      meaning                                                   unit
//   xi       xi        stretch of the spring, of i relative to j                 m
//   v_t      v_t       velocity of i relative to j in the tangent plane          m/s
//   k_t      k_t       stiffness of the spring now                               N/m
//   c_t      c_t       damping now                                               N s/m
//   mu F_e   limit     greatest force of the spring, not negative                N
//
//   k_t |xi| <= mu F_e:  it sticks,  F_t = -(k_t xi + c_t v_t)
//   else                 it slides,  F_t = -mu F_e xi/|xi|,  xi = -F_t/k_t
//
// A total spring: the force follows from the whole xi and the present k_t, nothing is summed over the steps
// but xi itself. First xi is projected into the present tangent plane (the normal has turned since the last
// step; the length lost is of second order in the turn), then it grows by v_t dt. Where v_t belongs to the end of the
// step and not to its middle (predictor-corrector), xi has been moved beforehand by what the displacement was more than
// that: spring_displacements.hpp.
//
// Chosen here, README.md has the arguments: the spring alone decides whether the contact slides, and while it slides
// the damper is off, as in LIGGGHTS. (LAMMPS cuts spring and damper together and leaves xi = -(F_t + c_t v_t)/k_t: in a
// Hertz contact c_t/k_t has no bound as the overlap goes to zero, so at every first touch of an oblique hit that spring
// is stretched backwards; while the overlap grows, k_t outgrows c_t and friction then pushes a ball on in the direction
// it slides.) (Where forces are made without a step, at the begin of a run, the damper has no spring beside it that
// could yield: there the whole is cut.) F_e is the force of the normal spring, without the normal damper: the damper's
// impulse over a whole contact is zero, so a ball that slides all through a hit is braked by exactly mu times the
// normal impulse.
#pragma once
#include "contact/where.hpp"

namespace granary {

// Moves xi on to the present step and returns the tangential force on i.
template <class T> [[gnu::always_inline]] inline Vec3<T> spring_with_coulomb_limit(const Vec3<T>& normal,
                                                                                   const Vec3<T>& v_t, T k_t, T c_t,
                                                                                   T limit, Vec3<T>& xi, T dt) {
    const T zero{}, one = broadcast<T>(1.0);
    xi = xi - dot(xi, normal) * normal + v_t * dt;
    const Vec3<T> spring = -(k_t * xi);
    Vec3<T> f_t = spring - c_t * v_t;
    const T squared = dot(spring, spring);
    const auto slides = (squared > limit * limit) | (limit <= zero);  // without friction not even the damper acts
    if (any(slides)) {                                                // root and divisions only for those who need them
        const T share = limit / root(where(squared > zero, squared, one));
        f_t = where(slides, share * spring, f_t);
        const auto has_spring = k_t > zero;
        const T compliance = where(has_spring, one / where(has_spring, k_t, one), zero);
        xi = where(slides, -(compliance * f_t), xi);
    }
    if (any(dt <= zero)) {  // nothing has moved yet, so the spring cannot tell: spring and damper together
        const T total = dot(f_t, f_t);
        const auto beyond = total > limit * limit;
        f_t = where(beyond, limit / root(where(beyond, total, one)) * f_t, f_t);
    }
    return f_t;
}

}  // namespace granary
