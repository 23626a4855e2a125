// What contacts with an area have beyond those of balls: torsion about the normal, and their own stored energy.
//
// Torsion: of the same law, as if the tangential spring sat at the radius rho = 2/3 sqrt(A/pi) around the contact
// point: that is the lever of Coulomb friction on a disc of area A under even pressure, and its stiffness k_t rho^2 is
// 0.89 of that of springs spread over the disc. The spring theta is an angle about the normal, kept as a vector along
// it, rad. Sliding and torsion are limited each by itself.
//   Energy: where the narrow phase says how deep the stored energy is (ConvexTouch::stored_depth), that counts instead
//   of
// the formula of the law for balls: stored = elastic normal force times stored_depth.
#pragma once
#include <cmath>
#include "contact/contact_energy.hpp"
#include "contact/law.hpp"

namespace granary {

inline double torsion_radius(double area) { return 2.0 / 3.0 * std::sqrt(area / 3.14159265358979323846); }

// At right angles to a unit vector.
inline Vec3d across(const Vec3d& n) {
    const Vec3d a{n.x < 0 ? -n.x : n.x, n.y < 0 ? -n.y : n.y, n.z < 0 ? -n.z : n.z};
    const Vec3d t = a.x <= a.y && a.x <= a.z ? Vec3d{0, n.z, -n.y}
                    : a.y <= a.z             ? Vec3d{-n.z, 0, n.x}
                                             : Vec3d{n.y, -n.x, 0};
    return (1 / norm(t)) * t;
}

// Torque on i about the normal, N m. spin: of i relative to j, rad/s. theta moves on by dt.
template <class Law, class Parameters, class Energy> Vec3d torsion(const Law& law, const Contact<double>& contact,
                                                                   const Parameters& p, const Vec3d& spin, double area,
                                                                   Vec3d& theta, double dt, Energy* energy) {
    const double rho = torsion_radius(area);
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
