// Spring and damper in parallel while two balls overlap, a spring alone while they stick together:
//   Lazarevic, Dvornik & Fresl (2002), "Contact Detection Algorithm for Discrete Element Analysis",
//   eqs (2)-(5) and (20)-(22).
// Here, f along the normal, positive pushing apart:
//   delta > 0                                              f = k delta + c ddelta/dt     (20)
//   -N_max/k <= delta <= 0 and the balls move apart        f = k delta (a pull)          (21), (22)
//   otherwise                                              f = 0
//
//   symbol   code     meaning                                          unit
//   delta    overlap  r_i + r_j - |u_i - u_j|, (4); negative: a gap    m
//   k        k        stiffness of the pair                            N/m
//   c        c        viscosity of the pair                            N s/m
//   N_max    n_max    greatest pull of cohesion, 0 = none              N
//
// No friction and no rotation: spins are zero and the velocity of the contact is that of the centres.
// Signs: as law.hpp. ddelta/dt > 0 while the balls approach.
// Reach: a pair acts on each other up to the gap N_max/k, so search and ghosts must look that much further.
//
// Misprint: (22) with its "< 0" is true for balls that approach; the text lets cohesion act on balls that move
//         apart, and so does this file.
// Not in the paper, chosen here:
//   - The law itself, known only from its description; k and c of unlike balls (see materials.hpp).
//   - The damper acts during the whole overlap: f jumps to c |v| at first touch and may pull at the end. With
//     damper_may_pull = false f is cut at zero.
//   - Exactly at rest with a gap there is no pull. Under a steady pull the pair then chatters about zero
//     speed and stays where it is; a weight hung on suddenly is held up to N_max/2.
#pragma once
#include <cmath>
#include "contact/contact_energy.hpp"
#include "contact/hit_scale.hpp"
#include "contact/law.hpp"
#include "contact/law_settings.hpp"
#include "contact/where.hpp"

namespace granary {

struct KelvinVoigt {
    template <class T> struct Parameters { T k, c, n_max; };
    static constexpr bool has_history = false;
    static constexpr bool rotates = false;
    static constexpr bool elastic_moduli = false;
    static constexpr Quantity uses[] = {Quantity::stiffness, Quantity::damping, Quantity::cohesion};

    bool damper_may_pull = true;

    static KelvinVoigt from(const LawSettings& s) { return {.damper_may_pull = s.damper_may_pull}; }
    static Parameters<double> parameters(const PairValues& v) { return {v.stiffness, v.damping, v.cohesion}; }

    // The widest gap at which the pair still acts, m.
    static double reach(const Parameters<double>& p) { return p.n_max > 0.0 ? p.n_max / p.k : 0.0; }

    // xi and dt are not used.
    template <class T>
    [[gnu::always_inline]] Vec3<T> force(const Contact<T>& c, const Parameters<T>& p, Vec3<T>&, T) const {
        const T zero{};
        const T v_n = dot(c.velocity, c.normal);  // = -ddelta/dt
        const T spring = p.k * c.overlap;
        T squeezed = spring - p.c * v_n;
        if (!damper_may_pull) squeezed = larger(squeezed, zero);

        const auto overlaps = c.overlap > zero;
        const auto sticks = (c.overlap <= zero) & (spring >= -p.n_max) & (v_n > zero);
        const T f = where(overlaps, squeezed, spring);
        return where(overlaps | sticks, f * c.normal, Vec3<T>{});
    }

    template <class T>
    ContactEnergy<T> energy(const Contact<T>& c, const Parameters<T>& p, const Vec3<T>&, const Vec3<T>&, T dt) const {
        using energy_detail::damper_loss;
        const T zero{}, half = broadcast<T>(0.5);
        const T v_n = dot(c.velocity, c.normal), from = c.overlap + v_n * dt, to = c.overlap;
        const T c_0 = where(from > zero, p.c, zero), c_1 = where(to > zero, p.c, zero);
        T damper = damper_loss(c_0, c_1, v_n * c.normal, dt);
        if (!damper_may_pull) {
            const T f_0 = where(from > zero, p.k * from, zero), f_1 = where(to > zero, p.k * to, zero);
            damper = where(f_0 < c_0 * v_n, half * f_0 * v_n * dt, damper_loss(c_0, zero, v_n * c.normal, dt)) +
                     where(f_1 < c_1 * v_n, half * f_1 * v_n * dt, damper_loss(zero, c_1, v_n * c.normal, dt));
        }
        // The pull acts from the first gap to the widest.
        const T gap_0 = where(from < zero, -from, zero), gap_1 = where(to < zero, -to, zero);
        const auto pulls = (to <= zero) & (v_n > zero) & (p.k * gap_1 <= p.n_max);
        return {damper + where(pulls, half * p.k * (gap_1 * gap_1 - gap_0 * gap_0), zero), zero, zero, zero,
                where(to > zero, half * p.k * to * to, zero)};
    }

    static HitScale hit(const PairValues& v, double effective_mass, double, double speed) {
        const double zeta = v.damping / (2 * std::sqrt(v.stiffness * effective_mass));
        return linear_hit(v.stiffness, v.damping, zeta, effective_mass, speed);
    }
};

}  // namespace granary
