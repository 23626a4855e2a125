// What a form of bond sees and what it gives: one bond of two bodies, T = double, or four at a time, T = Real4, with
// the same bits. The bond is a round bar between the centres (bond_type.hpp).
//
//   symbol    code            meaning                                                                unit
//   d         apart           x_i - x_j at t                                                         m
//   L_0, D_0  length, reference  of the bond when it was made; D_0 = x_i - x_j in the bodies' frame  m
//   l, n      -               |d|, d/l                                                               m, -
//   w         spin            (omega_i + omega_j)/2, of the middle of the step                       rad/s
//   k_n       k_n             along the bond                                                         N/m
//   k_s       k_s             across it                                                              N/m
//   k_t, k_b  k_t, k_b        twist, bending                                                         N m
//   m*, I*    -               1/(1/m_i + 1/m_j), the same of inertia; 0 if both bodies are held      kg, kg m^2
//
// Signs: everything is seen from i, the lower body; forces and moments are those on i. Tension is positive.
// Time: positions, orientations and forces belong to t, velocities and spins to t - dt/2, as the leapfrog stores them.
//
// Dampers, the same for both forms. Their velocity is that of the middle of the step, with the centres as they were
// then:
//   v = v_i - v_j - u x (d - (v_i - v_j) dt/2),   u = w 2 tan(|w| dt/2)/(|w| dt)
// A rigid turn of the whole has v = 0 exactly (shapes/quaternion.hpp), so dampers do not brake it.
//   F_d = -c_n (v.n) n - c_s (v - (v.n) n),   c = 2 zeta sqrt(k m*),   torque on both -d x F_d/2
//   M_d = -c_t (w_r.n) n - c_b (w_r - (w_r.n) n), w_r = omega_i - omega_j, c = 2 zeta sqrt(k I*); on j the opposite
// The sum of all moments is zero. Lost in a step: (c_n v_n^2 + c_s v_s^2 + c_t w_n^2 + c_b w_b^2) dt
// (contact_energy.hpp; coefficients of a bond are constant).
//
// The end of a bond, at t: it gives no force any more. The leapfrog's force at t - dt has worked over the first half of
// the step, and the work of the second half, which the force at t would have done, is missing:
//   released = V(t) + 1/2 [F.(v_i - v_j) + M_i.omega_i + M_j.omega_j] dt,  of the springs; dampers lose c v^2 dt/4
// With it the balance closes as it does in a step without an end. A bond that is pulled releases less than V(t).
#pragma once
#include "contact/bond_type.hpp"
#include "core/simd.hpp"
#include "core/vec.hpp"
#include "shapes/quaternion.hpp"

namespace granary {

// The numbers of a type, in SI units, as lanes.
template <class T> struct BondParameters {
    T radius_factor;
    T young, shear;                       // Pa; 0 where a stiffness per area is given
    T normal_stiffness, shear_stiffness;  // N/m^3; 0 where moduli are given
    T normal_damping, shear_damping, twist_damping, bending_damping;
    T tensile_strength, shear_strength, friction, moment_share;
    T longest;   // l/L_0 beyond which it breaks
    T elliptic;  // 1: BondCriterion::elliptic
    T spring;    // 1: BondForm::spring
};
inline constexpr int n_bond_parameters = 16;
static_assert(sizeof(BondParameters<double>) == n_bond_parameters * sizeof(double));

inline BondParameters<double> parameters_of(const BondType& t) {
    const bool per_area = t.normal_stiffness > 0;
    return {t.radius_factor,
            per_area ? 0 : t.young_modulus,
            per_area ? 0 : t.shear_modulus,
            per_area ? t.normal_stiffness : 0,
            per_area ? t.shear_stiffness : 0,
            t.normal_damping,
            t.shear_damping,
            t.twist_damping,
            t.bending_damping,
            t.tensile_strength,
            t.shear_strength,
            t.friction,
            t.moment_share,
            1 + t.longest_stretch,
            t.criterion == BondCriterion::elliptic ? 1.0 : 0.0,
            t.form == BondForm::spring ? 1.0 : 0.0};
}
inline bool is_damped(const BondType& t) {
    return t.normal_damping > 0 || t.shear_damping > 0 || t.twist_damping > 0 || t.bending_damping > 0;
}

template <class T> struct Bond {
    Vec3<T> apart;
    Vec3<T> reference;
    Quaternion<T> q_i, q_j;  // beam bonds only
    T smaller_radius;        // min(r_i, r_j), m
    // Dampers and spring bonds only:
    Vec3<T> velocity;       // v_i - v_j, m/s
    Vec3<T> spin;           // (omega_i + omega_j)/2, rad/s
    Vec3<T> relative_spin;  // omega_i - omega_j, rad/s
    T per_mass;             // 1/m_i + 1/m_j, 1/kg
    T per_inertia;          // 1/I_i + 1/I_j, 1/(kg m^2)
};

// The bar.
template <class T> struct BondBar {
    T length, per_length;  // L_0, 1/L_0
    T radius, area, second_moment;
    T young_area, shear_area;  // E A, G A in N
    T young_moment;            // E I in N m^2
    T shear_moment;            // G J = 2 G I
};

// length, per_length: L_0, 1/L_0, which the list of bonds keeps.
template <class T>
[[gnu::always_inline]] inline BondBar<T> bar_of(const Bond<T>& b, const BondParameters<T>& p, T length, T per_length) {
    const T pi = broadcast<T>(3.141592653589793);
    BondBar<T> bar;
    bar.length = length, bar.per_length = per_length;
    bar.radius = p.radius_factor * b.smaller_radius;
    const T square = bar.radius * bar.radius;
    bar.area = pi * square;
    bar.second_moment = broadcast<T>(0.25) * bar.area * square;
    const T young = p.young + p.normal_stiffness * bar.length, shear = p.shear + p.shear_stiffness * bar.length;
    bar.young_area = young * bar.area, bar.shear_area = shear * bar.area;
    bar.young_moment = young * bar.second_moment, bar.shear_moment = broadcast<T>(2.0) * shear * bar.second_moment;
    return bar;
}

inline BondBar<double> bar_of(const Bond<double>& b, const BondParameters<double>& p) {
    const double length = root(dot(b.reference, b.reference));
    return bar_of(b, p, length, 1 / length);
}

template <class T> struct BondStiffness { T k_n, k_s, k_t, k_b; };

// What a bond does to its bodies, and what its stresses and its energy follow from. Stresses are those of the springs:
// dampers do not count.
template <class T> struct BondLoad {
    Vec3<T> force;               // on i, N; on j the opposite
    Vec3<T> torque_i, torque_j;  // N m
    Vec3<T> normal;              // n
    T distance;                  // l
    T tension;                   // N; negative: pressed
    T shear_squared;             // N^2
    T twist;                     // N m, with a sign
    T bending_squared;           // (N m)^2
    T stored;                    // J, strain
    T damped;                    // J, lost in the step
};

// 1/a, and 0 for 0: of two held bodies.
template <class T> [[gnu::always_inline]] inline T inverse_or_zero(T a) {
    const T one = broadcast<T>(1.0), zero{};
    return where(a > zero, one / where(a > zero, a, one), zero);
}

// Velocity of i relative to j in the middle of the bond, in the middle of the step.
template <class T> struct BondMotion {
    Vec3<T> half_tangent;  // u dt/2: tangent of half the angle of the mean turn
    Vec3<T> slip;          // v dt, m
    Vec3<T> velocity;      // v
};
template <class T> [[gnu::always_inline]] inline BondMotion<T> motion_of(const Bond<T>& b, T dt) {
    const T half = broadcast<T>(0.5);
    const Vec3<T> u = half_tangent_factor(dot(b.spin, b.spin) * dt * dt) * b.spin;
    const Vec3<T> middle = b.apart - (half * dt) * b.velocity;
    const Vec3<T> v = b.velocity - cross(u, middle);
    return {(half * dt) * u, dt * v, v};
}

// Adds the dampers; k: the stiffness of the components.
template <class T> [[gnu::always_inline]] inline void add_dampers(const Bond<T>& b, const BondMotion<T>& motion,
                                                                  const BondParameters<T>& p, const BondStiffness<T>& k,
                                                                  T dt, BondLoad<T>& load) {
    const T two = broadcast<T>(2.0), half = broadcast<T>(0.5);
    const T mass = inverse_or_zero(b.per_mass), inertia = inverse_or_zero(b.per_inertia);
    const T c_n = two * p.normal_damping * root(k.k_n * mass), c_s = two * p.shear_damping * root(k.k_s * mass);
    const T c_t = two * p.twist_damping * root(k.k_t * inertia), c_b = two * p.bending_damping * root(k.k_b * inertia);
    const T v_n = dot(motion.velocity, load.normal), w_n = dot(b.relative_spin, load.normal);
    const Vec3<T> v_s = motion.velocity - v_n * load.normal, w_b = b.relative_spin - w_n * load.normal;
    const Vec3<T> shear = c_s * v_s, moment = (c_t * w_n) * load.normal + c_b * w_b;
    const Vec3<T> turning = half * cross(b.apart, shear);
    load.force -= (c_n * v_n) * load.normal + shear;
    load.torque_i += turning - moment;
    load.torque_j += turning + moment;
    load.damped = (c_n * v_n * v_n + c_s * dot(v_s, v_s) + c_t * w_n * w_n + c_b * dot(w_b, w_b)) * dt;
}

struct BondEnd {
    double released, damped;  // J
};

// load: of springs and dampers at t.
inline BondEnd end_of(const Bond<double>& b, const BondMotion<double>& motion, const BondParameters<double>& p,
                      const BondStiffness<double>& k, double dt, const BondLoad<double>& load) {
    BondLoad<double> dampers{};
    dampers.normal = load.normal;
    add_dampers(b, motion, p, k, dt, dampers);
    const Vec3d force = load.force - dampers.force;
    const Vec3d spin_i = b.spin + 0.5 * b.relative_spin, spin_j = b.spin - 0.5 * b.relative_spin;
    const double power = dot(force, b.velocity) + dot(load.torque_i - dampers.torque_i, spin_i) +
                         dot(load.torque_j - dampers.torque_j, spin_j);
    return {load.stored + 0.5 * power * dt, 0.25 * dampers.damped};
}

}  // namespace granary
