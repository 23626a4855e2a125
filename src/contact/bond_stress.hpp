// When a bond breaks: the largest stresses of a round bar (Potyondy & Cundall 2004, Int. J. Rock Mech. Min. Sci. 41,
// 1329-1364, eqs 14-15; beta: their moment-contribution factor of later work),
//   sigma = F_n/A + beta |M_b| R_b/I   (tension positive),   tau = |F_s|/A + beta |M_t| R_b/J
// against  sigma_c = f tensile_strength,  tau_c = f shear_strength + mu max(0, -F_n/A)   (Mohr-Coulomb)
// f: the bond's own factor of strength. Forces are those of the springs at t, without dampers.
//   separate   sigma >= sigma_c or tau >= tau_c
//   elliptic   (max(0, sigma)/sigma_c)^2 + (tau/tau_c)^2 >= 1
//   reach      l > (1 + longest_stretch) L_0, whatever the stresses
// Cause: reach, if that; shear, if tau has reached tau_c (elliptic: if tau/tau_c is the larger share); else bending or
// tension, whichever is the larger part of sigma.
#pragma once
#include "contact/bond.hpp"

namespace granary {

template <class T> struct BondStress {
    T sigma, tau;      // Pa
    T of_bending;      // the part of sigma that bending has, Pa
    T sigma_c, tau_c;  // strengths, Pa
};

template <class T> [[gnu::always_inline]] inline BondStress<T> stress_of(const BondLoad<T>& load, const BondBar<T>& bar,
                                                                         const BondParameters<T>& p, T factor) {
    const T zero{};
    const T per_volume = broadcast<T>(1.0) / (bar.area * bar.radius);
    const T per_area = bar.radius * per_volume;
    const T from_moment = p.moment_share * per_volume;  // R/I = 4/(A R), R/J = 2/(A R)
    const T axial = load.tension * per_area;
    const T of_bending = broadcast<T>(4.0) * from_moment * root(larger(load.bending_squared, zero));
    const T twist = where(load.twist < zero, -load.twist, load.twist);
    const T tau = root(load.shear_squared) * per_area + broadcast<T>(2.0) * from_moment * twist;
    return {axial + of_bending, tau, of_bending, factor * p.tensile_strength,
            factor * p.shear_strength + p.friction * larger(-axial, zero)};
}

// May it break? No root and no division; whoever breaks is among them. All stresses times A:
//   sigma >= s sigma_c   F_n >= s sigma_c A  or  (4 beta M_b)^2 >= R^2 (s sigma_c A - F_n)^2
//   tau >= s tau_c       2 beta |M_t| >= s R tau_c A  or  (R F_s)^2 >= (s R tau_c A - 2 beta |M_t|)^2
// s: 1 less a millionth, more than all rounding; with an ellipse one of the two shares is at least 1/sqrt(2).
template <class T> [[gnu::always_inline]] inline auto may_break(const BondLoad<T>& load, const BondBar<T>& bar,
                                                                const BondParameters<T>& p, T factor, bool elliptic) {
    const T zero{}, nearly = broadcast<T>(elliptic ? 0.7 : 1 - 1e-6), two = broadcast<T>(2.0);
    const T strengths = nearly * factor * bar.area;
    const T left = strengths * p.tensile_strength - load.tension;
    const T of_bending = two * two * p.moment_share, reach = left * bar.radius;
    const T twist = where(load.twist < zero, -load.twist, load.twist);
    const T shear_left =
        bar.radius * (strengths * p.shear_strength + nearly * p.friction * larger(-load.tension, zero)) -
        two * p.moment_share * twist;
    return (left <= zero) | (of_bending * of_bending * load.bending_squared >= reach * reach) | (shear_left <= zero) |
           (bar.radius * bar.radius * load.shear_squared >= shear_left * shear_left) |
           (load.distance > p.longest * bar.length);
}

// Does it break? A mask of T. elliptic: there are such types, otherwise two divisions are saved.
template <class T> [[gnu::always_inline]] inline auto breaks_at(const BondStress<T>& s, const BondLoad<T>& load,
                                                                const BondBar<T>& bar, const BondParameters<T>& p,
                                                                bool elliptic) {
    auto breaks = (s.sigma >= s.sigma_c) | (s.tau >= s.tau_c) | (load.distance > p.longest * bar.length);
    if (elliptic) {
        const T zero{}, one = broadcast<T>(1.0);
        const T pull = larger(s.sigma, zero) / s.sigma_c, shear = s.tau / s.tau_c;
        breaks = breaks | ((p.elliptic > zero) & (pull * pull + shear * shear >= one));
    }
    return breaks;
}

inline BreakCause cause_of(const BondStress<double>& s, const BondLoad<double>& load, const BondBar<double>& bar,
                           const BondParameters<double>& p) {
    if (load.distance > p.longest * bar.length) return BreakCause::reach;
    const bool shears = p.elliptic > 0 ? s.tau / s.tau_c >= s.sigma / s.sigma_c : s.tau >= s.tau_c;
    if (shears) return BreakCause::shear;
    return s.of_bending > s.sigma - s.of_bending ? BreakCause::bending : BreakCause::tension;
}

}  // namespace granary
