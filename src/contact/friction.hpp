// The tangential part shared by the laws with friction: a spring xi with a damper beside it, cut at the
// Coulomb limit.
//
//   symbol   code      meaning                                                   unit
//   xi       xi        stretch of the spring, of i relative to j                 m
//   v_t      v_t       velocity of i relative to j in the tangent plane          m/s
//   k_t      k_t       stiffness of the spring now                               N/m
//   c_t      c_t       damping now                                               N s/m
//   mu F_n   limit     greatest length of the tangential force, not negative     N
//
//   F_t = -(k_t xi + c_t v_t);   |F_t| > mu F_n:  F_t cut to that length,  xi = -F_t/k_t
//
// A total spring: the force follows from the whole xi and the present k_t, nothing is summed over the steps
// but xi itself. First xi is projected into the present tangent plane (the normal has turned since the last
// step; the length lost is of second order in the turn), then it grows by v_t dt. Where v_t belongs to the end of the
// step and not to its middle (predictor-corrector), xi has been moved beforehand by what the way was more than that:
// spring_ways.hpp.
//
// Chosen here: while it slides, the spring alone carries the Coulomb force. The other usual choice, xi =
// -(F_t + c_t v_t)/k_t, leaves a spring that is stretched backwards whenever the damper alone exceeds the
// limit. In a Hertz contact c_t/k_t has no bound as the overlap goes to zero, so this happens at every first
// touch of an oblique hit; while the overlap grows, k_t outgrows c_t and friction then pushes a ball on in
// the direction it slides. Without tangential damping the two are the same.
#pragma once
#include "contact/where.hpp"

namespace granary {

// Moves xi on to the present step and returns the tangential force on i.
template <class T> [[gnu::always_inline]] inline Vec3<T> spring_with_coulomb_limit(const Vec3<T>& normal,
                                                                                   const Vec3<T>& v_t, T k_t, T c_t,
                                                                                   T limit, Vec3<T>& xi, T dt) {
    xi = xi - dot(xi, normal) * normal + v_t * dt;
    Vec3<T> f_t = -(k_t * xi + c_t * v_t);
    const T squared = dot(f_t, f_t);
    const auto slides = squared > limit * limit;
    if (any(slides)) {  // root and divisions only for those who need them
        const T one = broadcast<T>(1.0);
        const T share = limit / root(where(slides, squared, one));
        f_t = where(slides, share * f_t, f_t);
        const auto has_spring = k_t > T{};
        const T compliance = where(has_spring, one / where(has_spring, k_t, one), T{});
        xi = where(slides, -(compliance * f_t), xi);
    }
    return f_t;
}

}  // namespace granary
