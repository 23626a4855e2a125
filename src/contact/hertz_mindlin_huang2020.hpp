// Hertz normal force, Mindlin tangential stiffness, damping with a velocity-independent restitution:
//   Huang, Ding, Miao, Sang & Jia (2020), Powder Technology, "An improved contact detection algorithm for
//   bonded particles based on multi-level grid and bounding box in DEM simulation", eqs (22)-(27).
// Here:
//   s   = sqrt(R* delta)                                                            (contact radius)
//   F_n = 4/3 E* s delta + alpha sqrt(2 E* s m*) ddelta/dt                          (22), (24), (25)
//   F_t = -(8 G* s xi + alpha sqrt(8 G* s m*) v_t), 8 G* s xi cut to mu 4/3 E* s delta   (23), (26), (27)
//   alpha = 2 sqrt(5/6) beta,  beta = -ln e/sqrt(ln^2 e + pi^2)
//
//   symbol    code        meaning                                                   unit
//   delta     delta       overlap, positive in contact                              m
//   xi        xi          tangential spring, of i relative to j                     m
//   E*        hertz       1/E* = (1 - nu_i^2)/E_i + (1 - nu_j^2)/E_j; as 4/3 E*     Pa
//   G*        mindlin     1/G* = (2 - nu_i)/G_i + (2 - nu_j)/G_j; as 8 G*           Pa
//   alpha     damping_n   as alpha sqrt(2 E*)                                       Pa^(1/2)
//             damping_t   as alpha sqrt(8 G*)                                       Pa^(1/2)
//   mu        friction    Coulomb coefficient                                       -
//   R*, m*    effective_  r_i r_j/(r_i + r_j), m_i m_j/(m_i + m_j)                  m, kg
//   e         -           restitution of a head-on hit, 0 < e <= 1                  -
//
// Convention: radius, not diameter; effective mass, not mass. G = E/(2 (1 + nu)). xi is a total spring
// (friction.hpp): K_t xi with the present K_t, not a sum of K_t dxi.
// Signs: as law.hpp. ddelta/dt > 0 while the partners approach, F_n > 0 pushes them apart.
//
// Misprints of the paper, and what is done instead:
//   (25), (27) carry a velocity that (22), (23) multiply again: the units are wrong and restitution would
//         depend on speed. Both dropped; then a head-on hit gives back e at any speed.
//   (26)  has delta_t under the root, a spring without stiffness at the start: delta_n is meant.
//   (22), (23)  mix signs (ln e < 0, min of a negative number): signs as above.
// Chosen here: damping acts to the end of the contact, so F_n may pull for a moment before the partners part;
// this is what makes e exact. With attraction = false F_n is cut at zero and the restitution comes out
// higher (0.2 -> 0.325, 0.6 -> 0.632, 0.8 -> 0.808). Friction follows the spring's part of F_n, 4/3 E* s delta
// (friction.hpp). Rolling friction: rolling_ai2011.hpp.
#pragma once
#include <cmath>
#include "contact/contact_energy.hpp"
#include "contact/friction.hpp"
#include "contact/hit_scale.hpp"
#include "contact/law.hpp"
#include "contact/law_settings.hpp"
#include "contact/restitution.hpp"

namespace granary {

struct HertzMindlin {
    template <class T> struct Parameters { T hertz, mindlin, damping_n, damping_t, friction; };
    static constexpr bool has_history = true;
    static constexpr bool rotates = true;
    static constexpr bool elastic_moduli = true, allows_sjkr = true;
    static constexpr Quantity uses[] = {Quantity::restitution, Quantity::friction};

    bool attraction = true;

    static HertzMindlin from(const LawSettings& s) { return {.attraction = s.attraction}; }
    static Parameters<double> parameters(const PairValues& v) {
        return make(v.young, v.shear, v.restitution, v.friction);
    }
    static Parameters<double> make(double effective_young, double effective_shear, double restitution,
                                   double friction) {
        const double alpha = 2.0 * std::sqrt(5.0 / 6.0) * damping_ratio(restitution);
        return {4.0 / 3.0 * effective_young, 8.0 * effective_shear, alpha * std::sqrt(2.0 * effective_young),
                alpha * std::sqrt(8.0 * effective_shear), friction};
    }

    // Without overlap the force and xi are zero, whatever else the lane holds.
    template <class T>
    [[gnu::always_inline]] Vec3<T> force(const Contact<T>& c, const Parameters<T>& p, Vec3<T>& xi, T dt) const {
        const T zero{};
        const auto touching = c.overlap > zero;
        const T delta = where(touching, c.overlap, zero);
        const T s = root(c.effective_radius * delta);
        const T root_sm = root(s * c.effective_mass);
        const T v_n = dot(c.velocity, c.normal);  // = -ddelta/dt
        const Vec3<T> v_t = c.velocity - v_n * c.normal;

        const T spring = p.hertz * s * delta;
        T f_n = spring - p.damping_n * root_sm * v_n;
        if (!attraction) f_n = larger(f_n, zero);

        const Vec3<T> f_t =
            spring_with_coulomb_limit(c.normal, v_t, p.mindlin * s, p.damping_t * root_sm, p.friction * spring, xi, dt);
        const Vec3<T> none{};
        xi = where(touching, xi, none);
        return where(touching, f_n * c.normal + f_t, none);
    }

    // Of the overlap and its damper, without cohesion.
    template <class T> [[gnu::always_inline]] Pressing<T> pressing(const Contact<T>& c, const Parameters<T>& p) const {
        const T zero{};
        const T delta = where(c.overlap > zero, c.overlap, zero);
        const T s = root(c.effective_radius * delta);
        const T root_sm = root(s * c.effective_mass);
        const T v_n = dot(c.velocity, c.normal);
        return {larger(p.hertz * s * delta - p.damping_n * root_sm * v_n, zero), p.hertz * s};
    }

    template <class T> ContactEnergy<T> energy(const Contact<T>& c, const Parameters<T>& p, const Vec3<T>& before,
                                               const Vec3<T>& after, T dt) const {
        return energy_with_friction(*this, c, p, before, after, dt);
    }
    template <class T> EnergyCoefficients<T> coefficients(const Contact<T>& c, const Parameters<T>& p) const {
        const T zero{};
        const T delta = where(c.overlap > zero, c.overlap, zero);
        const T s = root(c.effective_radius * delta), root_sm = root(s * c.effective_mass);
        const T f = p.hertz * s * delta;
        return {f, p.damping_n * root_sm, p.damping_t * root_sm, p.mindlin * s, broadcast<T>(0.4) * f * delta};
    }

    // At the deepest overlap: derivative of 4/3 E* s delta, factors of the speeds.
    static HitScale hit(const PairValues& v, double effective_mass, double effective_radius, double speed) {
        const Parameters<double> p = parameters(v);
        HitScale h;
        h.overlap = hertz_overlap(effective_mass, effective_radius, v.young, speed);
        const double s = std::sqrt(effective_radius * h.overlap);
        h.stiffness = 1.5 * p.hertz * s, h.secant = p.hertz * s;
        h.damping = p.damping_n * std::sqrt(s * effective_mass);
        h.zeta = damping_ratio(v.restitution);
        h.contact_time = hertz_time(effective_mass, effective_radius, v.young, speed);
        h.k_t = p.mindlin * s, h.c_t = p.damping_t * std::sqrt(s * effective_mass);
        return h;
    }
};

}  // namespace granary
