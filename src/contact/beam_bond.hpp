// The beam bond: a Timoshenko beam between two centres, from total displacements and rotations. It has a potential, so
// it cannot drift, and it is right however far the whole turns. Both bodies had the same orientation when it was made.
//
//   e_0 = D_0/L_0, a_i = R(q_i) e_0, a_j = R(q_j) e_0     the beam's axis as each body carries it
//   m = (a_i + a_j)/|a_i + a_j|,  d_s = d - (d.m) m       what is across the mean axis
//   p = q_i q_j* = (w, v)                                 rotation of i relative to j, in space; v.a_i = v.a_j = v_n
//   V = 1/2 k_n (l - L_0)^2 + 1/2 k_s |d_s|^2 + 2 [k_t v_n^2 + k_b (v^2 - v_n^2)]
//   k_n = E A/L_0,  1/k_s = L_0^3/(12 E I) + L_0/(G A),  k_t = G J/L_0,  k_b = E I/L_0
// v is the axis times the sine of half the angle: half the rotation where it is small, and q and -q give the same V.
// For small deformation this is the stiffness matrix of the beam with two nodes, exact for loads at the nodes
// (Przemieniecki 1968, Theory of Matrix Structural Analysis, 5.6), with the whole area in shear. A chain of beams is
// the beam, whatever its length. The ends of one bond must not be turned against each other by half a turn.
//
// Forces are minus its gradient:
//   on i  F = -k_n (l - L_0) n - k_s d_s
//   torque of shear   on i  k_s (d.m)/|a_i + a_j| (a_i x d_s),  on j the same with a_j; sum: -d x F
//   torque of rotation  on i  -2 (w g + g x v),  g = k_t v_n a_i + k_b (v - v_n a_i);  on j the opposite
// Bending moment for the stress: the larger of the two ends, twist that of rotation along n.
#pragma once
#include "contact/bond.hpp"

namespace granary {

template <class T> [[gnu::always_inline]] inline BondStiffness<T> beam_stiffness(const BondBar<T>& bar) {
    const T twelve = broadcast<T>(12.0);
    const T square = bar.length * bar.length;
    // 1/(L_0^3/(12 E I) + L_0/(G A))
    const T k_s = twelve * bar.young_moment * bar.shear_area /
                  (bar.length * (square * bar.shear_area + twelve * bar.young_moment));
    return {bar.young_area * bar.per_length, k_s, bar.shear_moment * bar.per_length, bar.young_moment * bar.per_length};
}

template <class T> [[gnu::always_inline]] inline BondLoad<T> beam_load(const Bond<T>& b, const BondBar<T>& bar,
                                                                       const BondStiffness<T>& k) {
    const T one = broadcast<T>(1.0), two = broadcast<T>(2.0), half = broadcast<T>(0.5);
    BondLoad<T> load;
    load.distance = root(dot(b.apart, b.apart));
    load.normal = (one / load.distance) * b.apart;
    const T stretch = load.distance - bar.length;
    load.tension = k.k_n * stretch;

    const Vec3<T> e = bar.per_length * b.reference;
    const Vec3<T> a_i = rotate(b.q_i, e), a_j = rotate(b.q_j, e), sum = a_i + a_j;
    const T lever = dot(b.apart, sum) / dot(sum, sum);  // (d.m)/|a_i + a_j|
    const Vec3<T> across = b.apart - lever * sum;
    const Vec3<T> shear = k.k_s * across;

    const Quaternion<T> p = b.q_i * conjugate(b.q_j);
    const Vec3<T> v = p.vector();
    const T v_n = dot(v, a_i);
    const Vec3<T> g = k.k_b * v + ((k.k_t - k.k_b) * v_n) * a_i;
    const Vec3<T> turn = two * (p.w * g + cross(g, v));

    load.force = -(load.tension * load.normal + shear);
    load.torque_i = lever * cross(a_i, shear) - turn;
    load.torque_j = lever * cross(a_j, shear) + turn;

    load.shear_squared = dot(shear, shear);
    load.twist = -dot(turn, load.normal);
    const T at_i = dot(load.torque_i, load.normal), at_j = dot(load.torque_j, load.normal);
    load.bending_squared =
        larger(dot(load.torque_i, load.torque_i) - at_i * at_i, dot(load.torque_j, load.torque_j) - at_j * at_j);
    load.stored = half * (load.tension * stretch + dot(shear, across)) + two * dot(g, v);
    load.damped = T{};
    return load;
}

}  // namespace granary
