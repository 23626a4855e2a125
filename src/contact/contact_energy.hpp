// What a contact stores and what it loses, law by law, each from its own formula: for the energy balance, which is kept
// only when a case asks for it. Here are the parts that laws share; the formula of a law stands in its own file
// (`energy`), and its force knows nothing of it.
//
// Stored, at positions x(t) and springs of t:
//   Hertz   2/5 (4/3 E* s delta) delta     linear   1/2 k_n delta^2     Kelvin-Voigt   1/2 k delta^2 while they overlap
//   tangential spring 1/2 k_t xi^2         rolling spring 1/2 k_r theta^2        SJKR   -1/2 (4 pi R* k) delta^2
// Lost over the step that ends at t. The stored velocity v belongs to the middle of that step, so v dt is the
// displacement of the step, and the overlap at its begin is delta_0 = delta + v_n dt; 0 and 1 mark begin and end.
// (Under the predictor-corrector v belongs to its end, and these are sums of first order in dt.)
//   damper            (1/4 c_0 + 3/4 c_1) v^2 dt. The leapfrog's damper force at t is c(t) v(t - dt/2) and works over
//   the displacement of
//                     v(t - dt/2)/2 + v(t + dt/2)/2; summed by parts over a contact this is it, up to dt^2. It holds
//                     from the first step of a contact (c_0 = 0) to the one after its last (c_1 = 0).
//   cut at zero       (law.attraction = false) the spring's force is taken up whole: 1/2 (F_0 + F_1) v_n dt, each end
//   by itself sliding           1/2 (k_0 xi_0 + k_1 xi_1) . slip, where slip is the part of the displacement that the
//   spring did not follow rolling           the same with theta, and the rolling damper with it; the constant torque -M
//   . w dt cohesion of Kelvin-Voigt   all that is needed to pull the balls apart: the law gives none of it back
// A spring whose stiffness follows the overlap (Mindlin, and the rolling spring on Hertz) is not conservative: while
// the contact is pressed together, a stretched spring stiffens and gains 1/2 xi_0 . xi_1 (k_1 - k_0) that nobody has
// put in, and loses it again later. That is `stiffening`, an energy that the model brings in; 0 for linear contacts.
#pragma once
#include "contact/law.hpp"
#include "contact/where.hpp"

namespace granary {

template <class T> struct ContactEnergy {
    T damping{}, friction{}, rolling{};  // J, lost
    T stiffening{};                      // J, brought in
    T stored{};                          // J, at the end of the step
};

// Of a law with friction, at some overlap; all zero without overlap.
template <class T> struct EnergyCoefficients {
    T f_n;       // of the normal spring, N
    T c_n, c_t;  // N s/m
    T k_t;       // N/m
    T energy;    // of the normal spring, J
};

namespace energy_detail {

// The same contact at the begin of the step.
template <class T> Contact<T> begin_of_step(const Contact<T>& c, T dt) {
    Contact<T> before = c;
    before.overlap = c.overlap + dot(c.velocity, c.normal) * dt;
    return before;
}

template <class T> T damper_loss(T c_0, T c_1, const Vec3<T>& v, T dt) {
    return (broadcast<T>(0.25) * c_0 + broadcast<T>(0.75) * c_1) * dot(v, v) * dt;
}

// A spring that may yield, from `before` to `after` while its end moves by `displacement`.
template <class T> struct SpringStep {
    T slid, stiffening;
    decltype(T{} > T{}) yields;
};
template <class T> SpringStep<T> spring_step(const Vec3<T>& normal, const Vec3<T>& before, const Vec3<T>& after,
                                             const Vec3<T>& displacement, T k_0, T k_1) {
    const T half = broadcast<T>(0.5);
    const Vec3<T> begin = before - dot(before, normal) * normal;
    const Vec3<T> slip = begin + displacement - after;
    return {half * dot(k_0 * begin + k_1 * after, slip), half * dot(begin, after) * (k_1 - k_0), dot(slip, slip) > T{}};
}

}  // namespace energy_detail

// A spring and a damper along the normal, which may be cut at zero (law.attraction), and a tangential spring with a
// Coulomb limit.
template <class Law, class P, class T> ContactEnergy<T> energy_with_friction(const Law& law, const Contact<T>& c,
                                                                             const P& p, const Vec3<T>& xi_before,
                                                                             const Vec3<T>& xi_after, T dt) {
    const T zero{}, half = broadcast<T>(0.5);
    const auto before = law.coefficients(energy_detail::begin_of_step(c, dt), p), now = law.coefficients(c, p);
    const T v_n = dot(c.velocity, c.normal);
    const Vec3<T> v_t = c.velocity - v_n * c.normal;
    T normal = energy_detail::damper_loss(before.c_n, now.c_n, v_n * c.normal, dt);
    if (!law.attraction) {
        const auto at_begin = energy_detail::damper_loss(before.c_n, zero, v_n * c.normal, dt);
        const auto at_end = energy_detail::damper_loss(zero, now.c_n, v_n * c.normal, dt);
        normal = where(before.f_n < before.c_n * v_n, half * before.f_n * v_n * dt, at_begin) +
                 where(now.f_n < now.c_n * v_n, half * now.f_n * v_n * dt, at_end);
    }
    const auto spring = energy_detail::spring_step(c.normal, xi_before, xi_after, v_t * dt, before.k_t, now.k_t);
    const auto touches = c.overlap > zero;
    const T tangential = where(spring.yields & touches, zero, energy_detail::damper_loss(before.c_t, now.c_t, v_t, dt));
    return {normal + tangential, where(touches, spring.slid, zero), zero, where(touches, spring.stiffening, zero),
            now.energy + half * now.k_t * dot(xi_after, xi_after)};
}

}  // namespace granary
