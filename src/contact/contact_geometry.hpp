// The geometry of a contact, once for all loops: forces of pairs (four at a time, T = Real4), walls and wall balls,
// probes, energy, overlaps. Two cases, each with its own rounding, which is part of every run's bits:
//   two balls, both moving                 exchanging i and j negates every vector exactly
//   a ball at a surface (wall, wall ball)  seen from the ball; the surface is at rest or moves as a rigid body
// Arms are those of law.hpp: r - overlap/2.
//
//   symbol     code      meaning                                             unit
//   x_i - x_j  apart     from the partner's centre to that of i              m
//   n          normal    apart/|apart|                                       -
//   delta      overlap   r_i + r_j - |apart|; negative: a gap                m
//   a          arm       lever arm of a ball about its centre                m
#pragma once
#include <algorithm>
#include "contact/law.hpp"
#include "core/bodies.hpp"

namespace granary {

// ---- Two balls -----------------------------------------------------------------------------------------------------

// Are the centres nearer than `far`? The sum of the radii: they overlap; with the reach of the law: they act on each
// other.
inline bool is_within(const Vec3d& apart, double far) { return dot(apart, apart) < far * far; }

template <class T> struct Touch {
    Vec3<T> normal;  // unit, from j to i
    T overlap;
    T distance;  // of the centres
};

// radii: r_i + r_j. Also across a gap.
template <class T> [[gnu::always_inline]] inline Touch<T> touch_of(const Vec3<T>& apart, T radii) {
    const T distance = root(dot(apart, apart));
    const T to_unit = broadcast<T>(1.0) / distance;
    return {to_unit * apart, radii - distance, distance};
}

// Velocity of i relative to j at the contact. velocity: of the centres; levered_spin: a_i omega_i + a_j omega_j.
template <class T> [[gnu::always_inline]] inline Vec3<T> velocity_at_contact(const Vec3<T>& velocity,
                                                                             const Vec3<T>& levered_spin,
                                                                             const Vec3<T>& normal) {
    return velocity - cross(levered_spin, normal);
}

inline double effective_radius(double r_i, double r_j) { return r_i * r_j / (r_i + r_j); }

// R* and m* with one division, for the loop of forces: in the last bit R* may differ from effective_radius.
template <class T> struct Effective { T radius, mass; };
template <class T> [[gnu::always_inline]] inline Effective<T> effective_of_pair(T r_i, T r_j, T radii, T per_mass) {
    const T both = broadcast<T>(1.0) / (radii * per_mass);  // per_mass: 1/m_i + 1/m_j
    const T per_radii = both * per_mass;
    return {r_i * r_j * per_radii, both * radii};
}

// 1/(I + m r^2) of one ball, from 1/I and 1/m: what rolling about the contact resists with.
inline double per_rolling_inertia(double radius, double per_mass, double per_inertia) {
    return per_mass == 0 ? 0.0 : per_inertia * per_mass / (per_mass + radius * radius * per_inertia);  // 0: held
}

// One pair for whoever looks at single contacts (probes, the energy balance): of i relative to j, also across a gap;
// without what laws that roll want.
template <class Law> Contact<double> contact_between(const Bodies& bodies, Index i, Index j) {
    const double r_i = bodies.radius(i), r_j = bodies.radius(j);
    const Touch<double> touch = touch_of(bodies.x(i) - bodies.x(j), r_i + r_j);
    Vec3d velocity = bodies.v(i) - bodies.v(j);
    if constexpr (Law::rotates)
        velocity = velocity_at_contact(
            velocity, lever_arm(r_i, touch.overlap) * bodies.omega(i) + lever_arm(r_j, touch.overlap) * bodies.omega(j),
            touch.normal);
    return {touch.normal, touch.overlap, velocity, effective_radius(r_i, r_j),
            1 / (bodies.velocity(i, 3) + bodies.velocity(j, 3))};
}

// Does a pair overlap? The mark in the list is set for all within the reach of the law, which for cohesion is a gap.
inline bool balls_overlap(const Bodies& b, Index i, Index j) {
    return is_within(b.x(i) - b.x(j), b.radius(i) + b.radius(j));
}

// How deep two balls overlap, as a share of the smaller radius; negative: they are apart.
inline double overlap_share(const Vec3d& apart, double r_i, double r_j) {
    return (r_i + r_j - norm(apart)) / std::min(r_i, r_j);
}
inline double overlap_share(const Bodies& b, Index i, Index j) {
    return overlap_share(b.x(i) - b.x(j), b.radius(i), b.radius(j));
}

// ---- A ball at a surface -------------------------------------------------------------------------------------------

// From the centre of the ball to the contact.
inline Vec3d arm_to_surface(double radius, double overlap, const Vec3d& normal) {
    return -lever_arm(radius, overlap) * normal;
}

// Velocity of the ball at the contact, relative to a surface at rest.
template <class Law> Vec3d velocity_at_surface(const Bodies& bodies, Index i, const Vec3d& arm) {
    Vec3d velocity = bodies.v(i);
    if constexpr (Law::rotates) velocity += cross(bodies.omega(i), arm);
    return velocity;
}

// The surface has no mass: that of the contact is the ball's. reduced_radius: R*, r at a wall, that of two balls at a
// wall ball.
inline Contact<double> contact_at_surface(const Bodies& bodies, Index i, const Vec3d& normal, double overlap,
                                          const Vec3d& velocity, double reduced_radius) {
    return {normal, overlap, velocity, reduced_radius, 1.0 / bodies.velocity(i, 3)};
}

// I + m r^2 of the ball; mass: that of the contact.
inline double rolling_inertia_at_surface(const Bodies& bodies, Index i, double mass) {
    const double r = bodies.radius(i);
    return 1.0 / bodies.spin(i, 3) + r * r * mass;
}

// ---- Displacements of a step, for springs under a predictor-corrector (spring_displacements.hpp) --------------------

// Of a pair, from the rotations (or spins) of its balls: what the tangential motion at the contact is the cross product
// of with x_i - x_j, that is (a_i of_i + a_j of_j)/d with the distance d. Exchanging i and j gives the same, bit for
// bit.
inline Vec3d rotation_about_contact(const Vec3d& of_i, const Vec3d& of_j, double r_i, double r_j, double distance) {
    return 0.5 * ((of_i + of_j) + ((r_i - r_j) / distance) * (of_i - of_j));
}

// Tangential displacement s. moved: centre of i relative to that of j in this step; rotation_i, rotation_j: of the
// balls, zero of a partner at rest; apart: x_i - x_j at the end of the step. Levers and tangent plane are those of the
// middle of the step.
inline Vec3d tangential_displacement(const Vec3d& moved, const Vec3d& rotation_i, const Vec3d& rotation_j, double r_i,
                                     double r_j, const Vec3d& apart) {
    const Vec3d between = apart - 0.5 * moved;
    const Vec3d s = moved - cross(rotation_about_contact(rotation_i, rotation_j, r_i, r_j, norm(between)), between);
    return s - (dot(s, between) / dot(between, between)) * between;
}

}  // namespace granary
