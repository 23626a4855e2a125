// Rolling friction, put on top of a law with rotation:
//   Ai, Chen, Rotter & Ooi (2011), Powder Technology 206, 269-282, "Assessment of rolling resistance models in discrete
//   element simulations": model A (constant directional torque) and model C (elastic-plastic spring-dashpot).
// Here, with w the part of omega_i - omega_j in the tangent plane and the torque on i (that on j is its opposite):
//   A   M = -mu_r R* F_n w/|w|
//   C   M = -(k_r theta + c_r w),  dtheta/dt = w;   |k_r theta| > mu_r R* F_n:  M cut to that length, theta = -M/k_r,
//   no damper
//       k_r = 2.25 k_n (mu_r R*)^2,   c_r = 2 eta_r sqrt(I_r k_r),   1/I_r = 1/(I_i + m_i r_i^2) + 1/(I_j + m_j r_j^2)
//
//   symbol   code               meaning                                                      unit
//   mu_r     rolling_friction   coefficient of rolling friction                              -
//   eta_r    rolling_damping    share of critical damping of the rolling spring              -
//   theta    theta              rolling spring, angle of i relative to j                     rad
//   R*       effective_radius   r_i r_j/(r_i + r_j); at a wall the radius of the ball         m
//   F_n      pressing.force     what presses the partners together: spring and damper, not cohesion   N
//   k_n      pressing.stiffness normal force over overlap (in a Hertz contact the secant)    N/m
//   I_r      rolling_inertia    of rolling about the contact                                 kg m^2
//
// Convention: the reduced radius, so that of two equal balls it is half the radius. Only rolling is resisted; spin
// about the normal (torsion) is not. As with the tangential spring, theta is a total spring: projected into the present
// tangent plane, then moved on by w dt (under the predictor-corrector see spring_displacements.hpp). Chosen here:
//   A  has no direction at rest and would swing about zero. Close to rest the torque is that of a damper which takes a
//   quarter of the
//      relative spin in a step, I w/(4 dt): a ball on a slope below mu_r does not roll away but creeps, at about 10 g
//      sin(slope) dt. Whoever needs true rest takes C.
//   C  the damper is off while the spring is at its limit (f = 0 in the paper).
#pragma once
#include "contact/contact_energy.hpp"
#include "contact/law.hpp"
#include "contact/law_settings.hpp"
#include "contact/where.hpp"

namespace granary {

template <class Base> struct RollingConstant {
    template <class T> struct Parameters {
        typename Base::template Parameters<T> base;
        T rolling_friction;
    };
    static constexpr bool has_history = Base::has_history, rotates = true, rolls = true, has_rolling_spring = false;
    static_assert(Base::rotates);

    Base base;

    static RollingConstant from(const LawSettings& s) { return {Base::from(s)}; }
    static Parameters<double> parameters(const PairValues& v) { return {Base::parameters(v), v.rolling_friction}; }

    template <class T>
    [[gnu::always_inline]] Vec3<T> force(const Contact<T>& c, const Parameters<T>& p, Vec3<T>& xi, T dt) const {
        return base.force(c, p.base, xi, dt);
    }

    template <class T>
    [[gnu::always_inline]] Vec3<T> rolling_torque(const Contact<T>& c, const Parameters<T>& p, Vec3<T>&, T dt) const {
        const T zero{}, one = broadcast<T>(1.0);
        const Vec3<T> w = c.spin - dot(c.spin, c.normal) * c.normal;
        const T speed = root(dot(w, w));
        const T limit = p.rolling_friction * c.effective_radius * base.pressing(c, p.base).force;
        // I = 2/5 m r^2 is 2/7 of I + m r^2; no step, no damper.
        const auto moves = dt > zero;
        const T damper = where(moves, broadcast<T>(0.25 * 2.0 / 7.0) * c.rolling_inertia / where(moves, dt, one), zero);
        const auto rolls_on = damper * speed > limit;
        const T share = where(rolls_on, limit / where(rolls_on, speed, one), damper);
        return where(c.overlap > zero, -(share * w), Vec3<T>{});
    }

    template <class T> ContactEnergy<T> energy(const Contact<T>& c, const Parameters<T>& p, const Vec3<T>& before,
                                               const Vec3<T>& after, T dt) const {
        return base.energy(c, p.base, before, after, dt);
    }
    template <class T> void add_rolling_energy(const Contact<T>& c, const Parameters<T>&, const Vec3<T>& torque,
                                               const Vec3<T>&, const Vec3<T>&, T dt, ContactEnergy<T>& sum) const {
        sum.rolling += -dot(torque, c.spin) * dt;
    }
};

// Of the rolling spring of model C, from the normal stiffness and mu_r R*: N m/rad.
template <class T> [[gnu::always_inline]] inline T rolling_stiffness(T k_n, T lever) {
    return broadcast<T>(2.25) * k_n * lever * lever;
}

template <class Base> struct RollingSpring {
    template <class T> struct Parameters {
        typename Base::template Parameters<T> base;
        T rolling_friction, rolling_damping;
    };
    static constexpr bool has_history = Base::has_history, rotates = true, rolls = true, has_rolling_spring = true;
    static_assert(Base::rotates && Base::has_history);

    Base base;

    static RollingSpring from(const LawSettings& s) { return {Base::from(s)}; }
    static Parameters<double> parameters(const PairValues& v) {
        return {Base::parameters(v), v.rolling_friction, v.rolling_damping};
    }

    template <class T>
    [[gnu::always_inline]] Vec3<T> force(const Contact<T>& c, const Parameters<T>& p, Vec3<T>& xi, T dt) const {
        return base.force(c, p.base, xi, dt);
    }

    // Without overlap torque and theta are zero, whatever else the lane holds.
    template <class T> [[gnu::always_inline]] Vec3<T> rolling_torque(const Contact<T>& c, const Parameters<T>& p,
                                                                     Vec3<T>& theta, T dt) const {
        const T zero{}, one = broadcast<T>(1.0), two = broadcast<T>(2.0);
        const Vec3<T> w = c.spin - dot(c.spin, c.normal) * c.normal;
        const Pressing<T> pressing = base.pressing(c, p.base);
        const T lever = p.rolling_friction * c.effective_radius;
        const T limit = lever * pressing.force;
        const T k_r = rolling_stiffness(pressing.stiffness, lever);
        const T c_r = two * p.rolling_damping * root(c.rolling_inertia * k_r);

        theta = theta - dot(theta, c.normal) * c.normal + w * dt;
        const Vec3<T> spring = -(k_r * theta);
        Vec3<T> torque = spring - c_r * w;
        const T squared = dot(spring, spring);
        const auto full = squared > limit * limit;
        if (any(full)) {
            torque = where(full, limit / root(where(full, squared, one)) * spring, torque);
            const auto has_spring = k_r > zero;
            const T compliance = where(has_spring, one / where(has_spring, k_r, one), zero);
            theta = where(full, -(compliance * torque), theta);
        }
        const auto touching = c.overlap > zero;
        const Vec3<T> none{};
        theta = where(touching, theta, none);
        return where(touching, torque, none);
    }

    template <class T> ContactEnergy<T> energy(const Contact<T>& c, const Parameters<T>& p, const Vec3<T>& before,
                                               const Vec3<T>& after, T dt) const {
        return base.energy(c, p.base, before, after, dt);
    }
    template <class T> void add_rolling_energy(const Contact<T>& c, const Parameters<T>& p, const Vec3<T>&,
                                               const Vec3<T>& before, const Vec3<T>& after, T dt,
                                               ContactEnergy<T>& sum) const {
        const T zero{}, two = broadcast<T>(2.0), lever = p.rolling_friction * c.effective_radius;
        const auto stiffness = [&](const Contact<T>& at) {
            return rolling_stiffness(base.pressing(at, p.base).stiffness, lever);
        };
        const T k_0 = stiffness(energy_detail::begin_of_step(c, dt)), k_1 = stiffness(c);
        const auto damping = [&](T k) { return two * p.rolling_damping * root(c.rolling_inertia * k); };
        const Vec3<T> w = c.spin - dot(c.spin, c.normal) * c.normal;
        const auto spring = energy_detail::spring_step(c.normal, before, after, w * dt, k_0, k_1);
        const auto touches = c.overlap > zero;
        sum.rolling +=
            where(touches, spring.slid, zero) +
            where(spring.yields & touches, zero, energy_detail::damper_loss(damping(k_0), damping(k_1), w, dt));
        sum.stiffening += where(touches, spring.stiffening, zero);
        sum.stored += where(touches, broadcast<T>(0.5) * k_1 * dot(after, after), zero);
    }
};

}  // namespace granary
