// What contacts with an area have beyond those of balls: torsion about the normal, damping of rocking, their own stored
// energy and the dampers that belong to it.
//
// Two points: the pressure of the foundation acts at the centroid of the shared volume, which is the contact point.
// Friction that sticks is spread over the area, wherever the pressure is, and acts at the centroid of the area
// (ContactPatch::middle). If it acted where the pressure does, it would turn a block that stands on a strip about the
// normal as soon as it rolls along the strip, and nothing would make up for that: on slopes near its tipping slope it
// flutters (tests/validation/SHAPES.md).
//
// Torsion: of the same law, as if the tangential spring sat at the radius rho around the centroid of the area, rho^2 =
// 8/9 J/A with the polar second moment J of the area: 0.89 of the stiffness k_t J/A of springs spread over the area.
// With this factor the lever of Coulomb friction under even pressure is exact for a disc, rho = 2/3 sqrt(A/pi), 0.6 %
// too long for a square and 9 % for a strip. The spring theta is an angle about the normal, kept as a vector along it,
// rad. Sliding and torsion are limited each by itself.
//
// Rocking: the springs of the foundation resist it, as the centroid of the shared volume moves. The damper of the
// contact acts at the centroid and does not see it, so a block on a face would rock for ever. With the damper c spread
// over the area the moment is -(c/A) sum over the area of (r x n) ((r x n).w), w the relative spin: strong along a
// strip, weak across it. On a corner it is as small as the area.
//
// Foundation: Hertz F = (E*/L) V with the shared volume V, linear F = (k/A_0) V with the area A_0 of the largest face:
// there the law gets the overlap delta A/A_0 = V/A_0 (overlap_of_law). With the area A of the moment instead of a fixed
// one the linear force had no potential: a block that stood on a strip of its face, leaning, kept on fluttering.
//
// Energy: where the narrow phase says how deep the stored energy is (ConvexTouch::stored_depth), W = F stored_depth
// counts instead of the formula of the law for balls. Where the shared volume grows like the depth h^q (a face q = 1,
// an edge 2, a corner 3), the overlap is h/q and the stored depth h/(q + 1).
//
// Damping: a spring F(h) with energy W(h) and the damper c = beta F sqrt(2 m*/W), beta = damping_ratio(e), gives back e
// at any speed, whatever F is: with u = sqrt(2 W) and dsigma = (F/u) dt a hit at the speed w = dh/dt is
//   du/dsigma = w,  m* dw/dsigma = -u - 2 beta sqrt(m*) w,
// a linear spring and dashpot. For balls it is the damper that the laws have: Hertz W = 2/5 F delta, linear W = 1/2 F
// delta. So they get the mass m* W(ball)/W here:
//            face    edge        corner
//   Hertz    4/5     3/5         8/15
//   linear   A/A_0   3/4 A/A_0   2/3 A/A_0
#pragma once
#include <algorithm>
#include <cmath>
#include "contact/contact_energy.hpp"
#include "contact/law.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

// Is the stiffness made from R* (Hertz), or a number of the material?
template <class Law> inline constexpr bool follows_radius = Law::elastic_moduli;
template <template <class> class Addition, class Base> inline constexpr bool follows_radius<Addition<Base>> =
    follows_radius<Base>;  // cohesion, rolling friction

// m. No area of a size has less than the disc.
inline double torsion_radius(double area, const ContactPatch& patch) {
    const double square = dot(patch.spread[0], patch.spread[0]) + dot(patch.spread[1], patch.spread[1]);
    return std::sqrt(8.0 / 9.0 * std::max(square, area / (2 * 3.14159265358979323846)));
}

// What the relative velocity along the surface is more at the centroid of the area than at the contact point, m/s.
// spin: of i relative to j, rad/s.
inline Vec3d grip_velocity(const Vec3d& normal, const ContactPatch& patch, const Vec3d& spin) {
    return dot(spin, normal) * cross(normal, patch.middle);
}

// Torque on i about the normal by friction that acts there, N m. force: on i, with its normal part.
inline Vec3d grip_torque(const Vec3d& normal, const ContactPatch& patch, const Vec3d& force) {
    return dot(normal, cross(patch.middle, force)) * normal;
}

// At right angles to a unit vector.
inline Vec3d across(const Vec3d& n) {
    const Vec3d a{n.x < 0 ? -n.x : n.x, n.y < 0 ? -n.y : n.y, n.z < 0 ? -n.z : n.z};
    const Vec3d t = a.x <= a.y && a.x <= a.z ? Vec3d{0, n.z, -n.y}
                    : a.y <= a.z             ? Vec3d{-n.z, 0, n.x}
                                             : Vec3d{n.y, -n.x, 0};
    return (1 / norm(t)) * t;
}

// Torque on i about the normal, N m. spin: of i relative to j, rad/s. rho: torsion_radius. theta moves on by dt.
template <class Law, class Parameters, class Energy> Vec3d torsion(const Law& law, const Contact<double>& contact,
                                                                   const Parameters& p, const Vec3d& spin, double rho,
                                                                   Vec3d& theta, double dt, Energy* energy) {
    const Vec3d &n = contact.normal, t = across(n), normal_velocity = dot(contact.velocity, n) * n;
    Contact<double> turning = contact;
    turning.velocity = normal_velocity + (rho * dot(spin, n)) * t;
    Vec3d xi = (rho * dot(theta, n)) * t;
    const Vec3d before = xi, force = law.force(turning, p, xi, dt);
    theta = (dot(xi, t) / rho) * n;
    if (energy != nullptr) {
        Contact<double> straight = contact;
        straight.velocity = normal_velocity;
        const auto both = law.energy(turning, p, before, xi, dt), rest = law.energy(straight, p, Vec3d{}, Vec3d{}, dt);
        energy->damping += both.damping - rest.damping, energy->friction += both.friction - rest.friction;
        energy->stiffening += both.stiffening - rest.stiffening, energy->stored += both.stored - rest.stored;
    }
    return (rho * dot(force, t)) * n;
}

// N s/m, of the law along the normal.
template <class Law, class Parameters>
double normal_damper(const Law& law, const Contact<double>& contact, const Parameters& p) {
    if constexpr (requires { law.coefficients(contact, p); }) return law.coefficients(contact, p).c_n;
    else if constexpr (requires { normal_damper(law.base, contact, p.base); })
        return normal_damper(law.base, contact, p.base);
    else return 0;
}

// Torque on i across the normal, N m. spin: of i relative to j, rad/s.
template <class Law, class Parameters, class Energy>
Vec3d rocking_damper(const Law& law, const Contact<double>& contact, const Parameters& p, const Vec3d& spin,
                     const ContactPatch& patch, double dt, Energy* energy) {
    const double c = normal_damper(law, contact, p);
    Vec3d torque;
    for (const Vec3d& s : patch.spread) {
        const Vec3d lever = cross(s, contact.normal);
        const double speed = dot(lever, spin);
        if (energy != nullptr) energy->damping += c * speed * speed * dt;
        torque -= (c * speed) * lever;
    }
    return torque;
}

// The overlap that the law is told, m. touch: a touch of shapes (ShapeTouch, ShapeAtWall).
template <class Law, class Touch> double overlap_of_law(const Touch& touch) {
    if constexpr (!follows_radius<Law>)
        if (touch.stored_depth > 0 && touch.patch.face > 0) return touch.overlap * (touch.area / touch.patch.face);
    return touch.overlap;
}

// The mass with which the dampers of the law give back its e, kg.
template <class Law, class Touch> double mass_of_damper(double effective_mass, const Touch& touch) {
    if (!(touch.overlap > 0 && touch.stored_depth > 0)) return effective_mass;
    // From a face to a corner; other values are rounding, or bodies deep inside each other.
    const double s = std::clamp(touch.stored_depth, 0.5 * touch.overlap, 0.75 * touch.overlap);
    return effective_mass * ((follows_radius<Law> ? 0.4 : 0.5) * overlap_of_law<Law>(touch) / s);
}

// What the normal spring stores beyond the formula of the law.
template <class Law, class Parameters>
double more_stored(const Law& law, const Contact<double>& contact, const Parameters& p, double stored_depth) {
    Contact<double> still = contact;
    still.velocity = {};
    Vec3d none{};
    const double force = dot(law.force(still, p, none, 0.0), contact.normal);
    return force * stored_depth - law.energy(still, p, Vec3d{}, Vec3d{}, 0.0).stored;
}

}  // namespace granary
