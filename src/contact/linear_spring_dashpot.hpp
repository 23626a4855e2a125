// Linear spring and damper, normal and tangential, with Coulomb friction:
//   Cundall & Strack (1979), Geotechnique 29, 47-65; the usual form of it.
// Here:
//   F_n = k_n delta + c_n ddelta/dt,            c_n = 2 zeta_n sqrt(k_n m*)
//   F_t = -(k_t xi + c_t v_t), k_t xi cut to mu k_n delta,   c_t = 2 zeta_t sqrt(k_t m*)
//
//   symbol   code      meaning                                              unit
//   delta    delta     overlap, positive in contact                         m
//   xi       xi        tangential spring, of i relative to j                m
//   k_n      k_n       normal stiffness of the pair                         N/m
//   k_t      k_t       tangential stiffness of the pair, may be 0           N/m
//   zeta     zeta_n    share of critical damping, 0 <= zeta < 1             -
//            zeta_t
//   mu       friction  Coulomb coefficient                                  -
//   m*       effective_mass   m_i m_j/(m_i + m_j)                           kg
//
// Convention: zeta belongs to the effective mass. zeta = beta(e) of restitution.hpp gives back e exactly, and
// a contact of pi/sqrt(k_n/m* (1 - zeta^2)), at any speed and for any mass.
// Signs: as law.hpp. ddelta/dt > 0 while the partners approach, F_n > 0 pushes them apart.
// Chosen here: as in the Hertz law, F_n may pull for a moment before the partners part; with
// attraction = false it is cut at zero, which raises the restitution (Schwager & Poeschel 2007). The
// damper makes F_n jump at first touch. Friction follows the spring's part of F_n, k_n delta, see friction.hpp. Rolling
// friction: rolling_ai2011.hpp.
#pragma once
#include <cmath>
#include "contact/contact_energy.hpp"
#include "contact/friction.hpp"
#include "contact/hit_scale.hpp"
#include "contact/law.hpp"
#include "contact/law_settings.hpp"
#include "contact/restitution.hpp"

namespace granary {

struct LinearSpringDashpot {
    template <class T> struct Parameters { T k_n, k_t, zeta_n, zeta_t, friction; };
    static constexpr bool has_history = true;
    static constexpr bool rotates = true;
    static constexpr bool elastic_moduli = false;
    static constexpr Quantity uses[] = {Quantity::restitution, Quantity::friction, Quantity::stiffness,
                                        Quantity::stiffness_ratio};

    bool attraction = true;

    static LinearSpringDashpot from(const LawSettings& s) { return {.attraction = s.attraction}; }
    static Parameters<double> parameters(const PairValues& v) {
        return make(v.stiffness, v.stiffness_ratio, v.restitution, v.friction);
    }
    // ratio is k_t/k_n; both dampers are those of the restitution.
    static Parameters<double> make(double stiffness, double ratio, double restitution, double friction) {
        const double zeta = damping_ratio(restitution);
        return {stiffness, ratio * stiffness, zeta, zeta, friction};
    }

    // Without overlap the force and xi are zero, whatever else the lane holds.
    template <class T>
    [[gnu::always_inline]] Vec3<T> force(const Contact<T>& c, const Parameters<T>& p, Vec3<T>& xi, T dt) const {
        const T zero{}, two = broadcast<T>(2.0);
        const auto touching = c.overlap > zero;
        const T delta = where(touching, c.overlap, zero);
        const T v_n = dot(c.velocity, c.normal);  // = -ddelta/dt
        const Vec3<T> v_t = c.velocity - v_n * c.normal;
        const T c_n = two * p.zeta_n * root(p.k_n * c.effective_mass);
        const T c_t = two * p.zeta_t * root(p.k_t * c.effective_mass);

        const T spring = p.k_n * delta;
        T f_n = spring - c_n * v_n;
        if (!attraction) f_n = larger(f_n, zero);

        const Vec3<T> f_t = spring_with_coulomb_limit(c.normal, v_t, p.k_t, c_t, p.friction * spring, xi, dt);
        const Vec3<T> none{};
        xi = where(touching, xi, none);
        return where(touching, f_n * c.normal + f_t, none);
    }

    // Without overlap both are zero.
    template <class T> [[gnu::always_inline]] Pressing<T> pressing(const Contact<T>& c, const Parameters<T>& p) const {
        const T zero{}, two = broadcast<T>(2.0);
        const auto touching = c.overlap > zero;
        const T v_n = dot(c.velocity, c.normal);
        const T f_n = p.k_n * c.overlap - two * p.zeta_n * root(p.k_n * c.effective_mass) * v_n;
        return {where(touching, larger(f_n, zero), zero), where(touching, p.k_n, zero)};
    }

    template <class T> ContactEnergy<T> energy(const Contact<T>& c, const Parameters<T>& p, const Vec3<T>& before,
                                               const Vec3<T>& after, T dt) const {
        return energy_with_friction(*this, c, p, before, after, dt);
    }
    template <class T> EnergyCoefficients<T> coefficients(const Contact<T>& c, const Parameters<T>& p) const {
        const T zero{}, two = broadcast<T>(2.0);
        const auto touching = c.overlap > zero;
        const T delta = where(touching, c.overlap, zero);
        return {p.k_n * delta, where(touching, two * p.zeta_n * root(p.k_n * c.effective_mass), zero),
                where(touching, two * p.zeta_t * root(p.k_t * c.effective_mass), zero), where(touching, p.k_t, zero),
                broadcast<T>(0.5) * p.k_n * delta * delta};
    }

    static HitScale hit(const PairValues& v, double effective_mass, double, double speed) {
        const double zeta = damping_ratio(v.restitution);
        HitScale h =
            linear_hit(v.stiffness, 2 * zeta * std::sqrt(v.stiffness * effective_mass), zeta, effective_mass, speed);
        h.k_t = v.stiffness_ratio * v.stiffness;
        h.c_t = 2 * zeta * std::sqrt(h.k_t * effective_mass);
        return h;
    }
};

}  // namespace granary
