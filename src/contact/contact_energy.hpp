// What a contact stores and what it loses, law by law, each from its own formula: for the energy balance, which is kept only when a case
// asks for it. The force of a law knows nothing of this file.
//
// Stored, at positions x(t) and springs of t:
//   Hertz   2/5 (4/3 E* s delta) delta     linear   1/2 k_n delta^2     Kelvin-Voigt   1/2 k delta^2 while they overlap
//   tangential spring 1/2 k_t xi^2         rolling spring 1/2 k_r theta^2        SJKR   -1/2 (4 pi R* k) delta^2
// Lost over the step that ends at t. The stored velocity v belongs to the middle of that step, so v dt is the way of the step, and the
// overlap at its begin is delta_0 = delta + v_n dt; 0 and 1 mark begin and end. (Under the predictor-corrector v belongs to its end, and these
// are sums of first order in dt.)
//   damper            (1/4 c_0 + 3/4 c_1) v^2 dt. The leapfrog's damper force at t is c(t) v(t - dt/2) and works over the way of
//                     v(t - dt/2)/2 + v(t + dt/2)/2; summed by parts over a contact this is it, up to dt^2. It holds from the first
//                     step of a contact (c_0 = 0) to the one after its last (c_1 = 0).
//   cut at zero       (law.attraction = false) the spring's force is taken up whole: 1/2 (F_0 + F_1) v_n dt, each end by itself
//   sliding           1/2 (k_0 xi_0 + k_1 xi_1) . slip, where slip is the part of the way that the spring did not follow
//   rolling           the same with theta, and the rolling damper with it; the constant torque -M . w dt
//   cohesion of Kelvin-Voigt   all that is needed to pull the balls apart: the law gives none of it back
// A spring whose stiffness follows the overlap (Mindlin, and the rolling spring on Hertz) is not conservative: while the contact is pressed
// together, a stretched spring stiffens and gains 1/2 xi_0 . xi_1 (k_1 - k_0) that nobody has put in, and loses it again later. That is
// `stiffening`, an energy that the model brings in; 0 for linear contacts.
#pragma once
#include <numbers>
#include "contact/pair_table.hpp"

namespace granary {

template <class T> struct ContactEnergy {
    T damping{}, friction{}, rolling{};  // J, lost
    T stiffening{};                      // J, brought in
    T stored{};                          // J, at the end of the step
};

namespace energy_detail {

// Of a contact with rotation at some overlap; all zero without overlap.
template <class T> struct Coefficients {
    T f_n;       // of the normal spring, N
    T c_n, c_t;  // N s/m
    T k_t;       // N/m
    T energy;    // of the normal spring, J
};

template <class T>
Coefficients<T> coefficients(const HertzMindlin&, const HertzMindlin::Parameters<T>& p, const Contact<T>& c) {
    const T zero{};
    const T delta = where(c.overlap > zero, c.overlap, zero);
    const T s = root(c.effective_radius * delta), root_sm = root(s * c.effective_mass);
    const T f = p.hertz * s * delta;
    return {f, p.damping_n * root_sm, p.damping_t * root_sm, p.mindlin * s, broadcast<T>(0.4) * f * delta};
}

template <class T> Coefficients<T> coefficients(const LinearSpringDashpot&, const LinearSpringDashpot::Parameters<T>& p,
                                                const Contact<T>& c) {
    const T zero{}, two = broadcast<T>(2.0);
    const auto touching = c.overlap > zero;
    const T delta = where(touching, c.overlap, zero);
    return {p.k_n * delta, where(touching, two * p.zeta_n * root(p.k_n * c.effective_mass), zero),
            where(touching, two * p.zeta_t * root(p.k_t * c.effective_mass), zero), where(touching, p.k_t, zero),
            broadcast<T>(0.5) * p.k_n * delta * delta};
}

// The same contact at the begin of the step.
template <class T> Contact<T> begin_of_step(const Contact<T>& c, T dt) {
    Contact<T> before = c;
    before.overlap = c.overlap + dot(c.velocity, c.normal) * dt;
    return before;
}

template <class T> T damper_loss(T c_0, T c_1, const Vec3<T>& v, T dt) {
    return (broadcast<T>(0.25) * c_0 + broadcast<T>(0.75) * c_1) * dot(v, v) * dt;
}

// A spring that may yield, from `before` to `after` while its end moves by `way`.
template <class T> struct SpringStep {
    T slid, stiffening;
    decltype(T{} > T{}) yields;
};
template <class T> SpringStep<T> spring_step(const Vec3<T>& normal, const Vec3<T>& before, const Vec3<T>& after,
                                             const Vec3<T>& way, T k_0, T k_1) {
    const T half = broadcast<T>(0.5);
    const Vec3<T> begin = before - dot(before, normal) * normal;
    const Vec3<T> slip = begin + way - after;
    return {half * dot(k_0 * begin + k_1 * after, slip), half * dot(begin, after) * (k_1 - k_0), dot(slip, slip) > T{}};
}

template <class Law, class P, class T> ContactEnergy<T> energy_with_friction(const Law& law, const Contact<T>& c,
                                                                             const P& p, const Vec3<T>& xi_before,
                                                                             const Vec3<T>& xi_after, T dt) {
    const T zero{}, half = broadcast<T>(0.5);
    const auto before = coefficients(law, p, begin_of_step(c, dt)), now = coefficients(law, p, c);
    const T v_n = dot(c.velocity, c.normal);
    const Vec3<T> v_t = c.velocity - v_n * c.normal;
    T normal = damper_loss(before.c_n, now.c_n, v_n * c.normal, dt);
    if (!law.attraction) {
        const auto at_begin = damper_loss(before.c_n, zero, v_n * c.normal, dt);
        const auto at_end = damper_loss(zero, now.c_n, v_n * c.normal, dt);
        normal = where(before.f_n < before.c_n * v_n, half * before.f_n * v_n * dt, at_begin) +
                 where(now.f_n < now.c_n * v_n, half * now.f_n * v_n * dt, at_end);
    }
    const SpringStep<T> spring = spring_step(c.normal, xi_before, xi_after, v_t * dt, before.k_t, now.k_t);
    const auto touches = c.overlap > zero;
    const T tangential = where(spring.yields & touches, zero, damper_loss(before.c_t, now.c_t, v_t, dt));
    return {normal + tangential, where(touches, spring.slid, zero), zero, where(touches, spring.stiffening, zero),
            now.energy + half * now.k_t * dot(xi_after, xi_after)};
}

}  // namespace energy_detail

// Stored by a contact now, and lost over the step that ends now; also for one that has just parted (a gap, springs zero), whose damper ends with it.
template <class T> ContactEnergy<T> energy_of(const HertzMindlin& law, const Contact<T>& c,
                                              const HertzMindlin::Parameters<T>& p, const Vec3<T>& before,
                                              const Vec3<T>& after, T dt) {
    return energy_detail::energy_with_friction(law, c, p, before, after, dt);
}

template <class T> ContactEnergy<T> energy_of(const LinearSpringDashpot& law, const Contact<T>& c,
                                              const LinearSpringDashpot::Parameters<T>& p, const Vec3<T>& before,
                                              const Vec3<T>& after, T dt) {
    return energy_detail::energy_with_friction(law, c, p, before, after, dt);
}

template <class T> ContactEnergy<T> energy_of(const KelvinVoigt& law, const Contact<T>& c,
                                              const KelvinVoigt::Parameters<T>& p, const Vec3<T>&, const Vec3<T>&,
                                              T dt) {
    const T zero{}, half = broadcast<T>(0.5);
    const T v_n = dot(c.velocity, c.normal), from = c.overlap + v_n * dt, to = c.overlap;
    const T c_0 = where(from > zero, p.c, zero), c_1 = where(to > zero, p.c, zero);
    T damper = energy_detail::damper_loss(c_0, c_1, v_n * c.normal, dt);
    if (!law.damper_may_pull) {
        const T f_0 = where(from > zero, p.k * from, zero), f_1 = where(to > zero, p.k * to, zero);
        damper =
            where(f_0 < c_0 * v_n, half * f_0 * v_n * dt, energy_detail::damper_loss(c_0, zero, v_n * c.normal, dt)) +
            where(f_1 < c_1 * v_n, half * f_1 * v_n * dt, energy_detail::damper_loss(zero, c_1, v_n * c.normal, dt));
    }
    // The pull acts from the first gap to the widest.
    const T gap_0 = where(from < zero, -from, zero), gap_1 = where(to < zero, -to, zero);
    const auto pulls = (to <= zero) & (v_n > zero) & (p.k * gap_1 <= p.n_max);
    return {damper + where(pulls, half * p.k * (gap_1 * gap_1 - gap_0 * gap_0), zero), zero, zero, zero,
            where(to > zero, half * p.k * to * to, zero)};
}

template <class T, class Base> ContactEnergy<T> energy_of(const Sjkr<Base>& law, const Contact<T>& c,
                                                          const typename Sjkr<Base>::template Parameters<T>& p,
                                                          const Vec3<T>& before, const Vec3<T>& after, T dt) {
    const T zero{}, delta = where(c.overlap > zero, c.overlap, zero);
    auto sum = energy_of(law.base, c, p.base, before, after, dt);
    sum.stored -= broadcast<T>(2 * std::numbers::pi) * p.cohesion_density * c.effective_radius * delta * delta;
    return sum;
}

template <class T, class Base>
ContactEnergy<T> energy_of(const RollingConstant<Base>& law, const Contact<T>& c,
                           const typename RollingConstant<Base>::template Parameters<T>& p, const Vec3<T>& before,
                           const Vec3<T>& after, T dt) {
    return energy_of(law.base, c, p.base, before, after, dt);
}

template <class T, class Base> ContactEnergy<T> energy_of(const RollingSpring<Base>& law, const Contact<T>& c,
                                                          const typename RollingSpring<Base>::template Parameters<T>& p,
                                                          const Vec3<T>& before, const Vec3<T>& after, T dt) {
    return energy_of(law.base, c, p.base, before, after, dt);
}

// The same of rolling friction: torque and springs as the law has just made them.
template <class T, class Base> void add_rolling_energy(const RollingConstant<Base>&, const Contact<T>& c,
                                                       const typename RollingConstant<Base>::template Parameters<T>&,
                                                       const Vec3<T>& torque, const Vec3<T>&, const Vec3<T>&, T dt,
                                                       ContactEnergy<T>& sum) {
    sum.rolling += -dot(torque, c.spin) * dt;
}

template <class T, class Base> void add_rolling_energy(const RollingSpring<Base>& law, const Contact<T>& c,
                                                       const typename RollingSpring<Base>::template Parameters<T>& p,
                                                       const Vec3<T>&, const Vec3<T>& before, const Vec3<T>& after,
                                                       T dt, ContactEnergy<T>& sum) {
    const T zero{}, two = broadcast<T>(2.0), lever = p.rolling_friction * c.effective_radius;
    const auto stiffness = [&](const Contact<T>& at) {
        return RollingSpring<Base>::stiffness(law.base.pressing(at, p.base).stiffness, lever);
    };
    const T k_0 = stiffness(energy_detail::begin_of_step(c, dt)), k_1 = stiffness(c);
    const auto damping = [&](T k) { return two * p.rolling_damping * root(c.rolling_inertia * k); };
    const Vec3<T> w = c.spin - dot(c.spin, c.normal) * c.normal;
    const auto spring = energy_detail::spring_step(c.normal, before, after, w * dt, k_0, k_1);
    const auto touches = c.overlap > zero;
    sum.rolling += where(touches, spring.slid, zero) +
                   where(spring.yields & touches, zero, energy_detail::damper_loss(damping(k_0), damping(k_1), w, dt));
    sum.stiffening += where(touches, spring.stiffening, zero);
    sum.stored += where(touches, broadcast<T>(0.5) * k_1 * dot(after, after), zero);
}

}  // namespace granary
