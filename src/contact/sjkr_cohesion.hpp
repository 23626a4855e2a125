// Cohesion in proportion to the contact area, put on top of the Hertz law: "simplified JKR", in the second of the two
// usual forms (SJKR2 of LIGGGHTS, fix pair/gran cohesion models):
//   F_c = -k A,   A = 4 pi R* delta
//
//   symbol   code               meaning                                       unit
//   k        cohesion_density   energy density of cohesion                    J/m^3
//   A        -                  area of contact, 2 pi delta 2 R*              m^2
//   delta    overlap            overlap, positive in contact                  m
//   R*       effective_radius   r_i r_j/(r_i + r_j)                           m
//
// With the Hertz force K delta^(3/2), K = 4/3 E* sqrt(R*), and C = 4 pi R* k follow
//   at rest without load   delta_0 = (C/K)^2 = 9 pi^2 k^2 R*/E*^2
//   greatest pull          4 C^3/(27 K^2) = 16/3 pi^3 R*^2 k^3/E*^2, at delta = 4/9 delta_0
// Conservative: loading and unloading follow one curve, and it ends where the surfaces part, so it has no reach beyond
// touching. (The other form takes for A the area of the circle in which two spheres intersect; for small overlaps it is
// half of this one.) Chosen here: cohesion is a load on the contact like any other. Friction follows the force of the
// spring that stands against it, rolling friction that of spring and damper, so that two balls which cohesion alone
// holds together do rub.
#pragma once
#include <numbers>
#include "contact/contact_energy.hpp"
#include "contact/law.hpp"
#include "contact/law_settings.hpp"
#include "contact/where.hpp"

namespace granary {

template <class Base> struct Sjkr {
    template <class T> struct Parameters {
        typename Base::template Parameters<T> base;
        T cohesion_density;
    };
    static constexpr bool has_history = Base::has_history, rotates = Base::rotates;

    Base base;

    static Sjkr from(const LawSettings& s) { return {Base::from(s)}; }
    static Parameters<double> parameters(const PairValues& v) { return {Base::parameters(v), v.cohesion_density}; }

    template <class T>
    [[gnu::always_inline]] Vec3<T> force(const Contact<T>& c, const Parameters<T>& p, Vec3<T>& xi, T dt) const {
        const T zero{};
        const T delta = where(c.overlap > zero, c.overlap, zero);
        const T pull = broadcast<T>(4 * std::numbers::pi) * p.cohesion_density * c.effective_radius * delta;
        const Vec3<T> f = base.force(c, p.base, xi, dt);
        return where(c.overlap > zero, f - pull * c.normal, f);
    }

    template <class T> [[gnu::always_inline]] Pressing<T> pressing(const Contact<T>& c, const Parameters<T>& p) const {
        return base.pressing(c, p.base);
    }

    template <class T> ContactEnergy<T> energy(const Contact<T>& c, const Parameters<T>& p, const Vec3<T>& before,
                                               const Vec3<T>& after, T dt) const {
        const T zero{}, delta = where(c.overlap > zero, c.overlap, zero);
        auto sum = base.energy(c, p.base, before, after, dt);
        sum.stored -= broadcast<T>(2 * std::numbers::pi) * p.cohesion_density * c.effective_radius * delta * delta;
        return sum;
    }
};

}  // namespace granary
