// The spring bond of
//   Huang, Ding, Miao, Sang & Jia (2020), Powder Technology, eqs (1)-(7); the parallel bond of Potyondy & Cundall
//   (2004).
// Printed are the increments of a step, summed by the bond and turned with it:
//   (1) dF_n = -k_n A v_n dt   (2) dF_s = -k_s A v_t dt   (3) dM_n = -k_s J w_n dt   (4) dM_s = -k_n I w_t dt
//
//   symbol       code            meaning                                                            unit
//   k_n, k_s     -               E/L_0, G/L_0, per area                                             N/m^3
//   F_s          shear           on i, acts in the middle of the bond, arm l/2 of both bodies       N
//   M            moment          on i: twist M_n along the bond and bending M_s                     N m
//   n_0, n_1     before, normal  direction of the bond at begin and end of the step                 -
//   n_m          middle          (n_0 + n_1)/|n_0 + n_1|, normal of the middle of the step          -
//   u            half_tangent    tangent of half the angle of the mean turn (omega_i + omega_j)/2 dt  -
//
// Chosen here:
//   - (1) is not summed: F_n = k_n A (l - L_0), from the actual length. A sum would drift.
//   - v_t is across n_m, of the displacement d_1 - d_0 - u x (d_0 + d_1), which is zero for a rigid turn of the whole.
//     w_n and w_t are along and across n_m.
//   - Shear and moment turn with the bond: tilt n_0 to n_m, half the turn about n_m, increment, the other half, tilt
//   n_m
//     to n_1. The turn about n_m is what the mean turn is more than the tilt: tan(half of it) = (u.n_m)(n_0.n_m). A
//     rigid turn of the whole turns them exactly (shapes/quaternion.hpp), lengths are kept, and the way back undoes a
//     step.
//   - Stored: 1/2 F^2/k of each component; nothing slides, so it is what the increments have taken up.
// Bending moment for the stress: the one it keeps, that of the middle.
#pragma once
#include "contact/bond.hpp"
#include "contact/where.hpp"

namespace granary {

template <class T> [[gnu::always_inline]] inline BondStiffness<T> spring_stiffness(const BondBar<T>& bar) {
    return {bar.young_area * bar.per_length, bar.shear_area * bar.per_length, bar.shear_moment * bar.per_length,
            bar.young_moment * bar.per_length};
}

namespace spring_bond_detail {

// A vector across `from`, after the shortest turn to `to`; both are of unit length. per: 1/(1 + from.to).
template <class T>
[[gnu::always_inline]] inline Vec3<T> tilted(const Vec3<T>& a, const Vec3<T>& from, const Vec3<T>& to, T per) {
    return a - (dot(to, a) * per) * (from + to);
}

}  // namespace spring_bond_detail

// Moves shear and moment on by dt; 0: they stay, to the last bit.
template <class T> [[gnu::always_inline]] inline void advance_springs(const Bond<T>& b, const BondMotion<T>& motion,
                                                                      const BondStiffness<T>& k, const Vec3<T>& normal,
                                                                      T dt, Vec3<T>& shear, Vec3<T>& moment) {
    using spring_bond_detail::tilted;
    const T one = broadcast<T>(1.0);
    const Vec3<T> d_0 = b.apart - dt * b.velocity;
    const Vec3<T> before = (one / root(dot(d_0, d_0))) * d_0;
    const Vec3<T> sum = before + normal;
    const Vec3<T> middle = (one / root(dot(sum, sum))) * sum;
    const T c = dot(before, middle);
    const T per = one / (one + c);

    // Half the turn about the middle normal: cosine and sine.
    const T tangent = dot(motion.half_tangent, middle) * c;
    const T cosine = one / root(one + tangent * tangent), sine = tangent * cosine;
    const auto half_turn = [&](const Vec3<T>& a) { return cosine * a + sine * cross(middle, a); };

    const Vec3<T> slip = motion.slip - dot(motion.slip, middle) * middle;
    const Vec3<T> turn = dt * b.relative_spin;
    const T twist = dot(turn, middle);
    const Vec3<T> bend = turn - twist * middle;

    const T of_twist = dot(moment, before);
    const Vec3<T> of_bend = moment - of_twist * before, of_shear = shear - dot(shear, before) * before;
    const Vec3<T> s = half_turn(half_turn(tilted(of_shear, before, middle, per)) - k.k_s * slip);
    const Vec3<T> m = half_turn(half_turn(tilted(of_bend, before, middle, per)) - k.k_b * bend);
    const auto moves = broadcast<T>(0.0) < dt;
    const Vec3<T> next_shear = tilted(s, middle, normal, per);
    const Vec3<T> next_moment = tilted(m, middle, normal, per) + (of_twist - k.k_t * twist) * normal;
    shear = where(moves, next_shear, shear);
    moment = where(moves, next_moment, moment);
}

// shear, moment: of the begin of the step, then of its end.
template <class T> [[gnu::always_inline]] inline BondLoad<T> spring_load(const Bond<T>& b, const BondMotion<T>& motion,
                                                                         const BondBar<T>& bar,
                                                                         const BondStiffness<T>& k, Vec3<T>& shear,
                                                                         Vec3<T>& moment, T dt) {
    const T one = broadcast<T>(1.0), half = broadcast<T>(0.5);
    BondLoad<T> load;
    load.distance = root(dot(b.apart, b.apart));
    load.normal = (one / load.distance) * b.apart;
    advance_springs(b, motion, k, load.normal, dt, shear, moment);
    const T stretch = load.distance - bar.length;
    load.tension = k.k_n * stretch;
    load.force = shear - load.tension * load.normal;
    const Vec3<T> turning = half * cross(b.apart, shear);
    load.torque_i = moment - turning;
    load.torque_j = -moment - turning;

    load.twist = dot(moment, load.normal);
    const Vec3<T> bending = moment - load.twist * load.normal;
    load.shear_squared = dot(shear, shear);
    load.bending_squared = dot(bending, bending);
    load.stored =
        half * (load.tension * stretch + load.shear_squared * inverse_or_zero(k.k_s) +
                load.twist * load.twist * inverse_or_zero(k.k_t) + load.bending_squared * inverse_or_zero(k.k_b));
    load.damped = T{};
    return load;
}

}  // namespace granary
