#include "contact/hit_scale.hpp"
#include <cmath>
#include <numbers>
#include "core/elementary.hpp"

namespace granary {

double hertz_time(double effective_mass, double effective_radius, double effective_young, double v) {
    return 2.87 *
           elementary::pow(effective_mass * effective_mass / (effective_radius * effective_young * effective_young * v),
                           0.2);
}

double hertz_overlap(double effective_mass, double effective_radius, double effective_young, double v) {
    return elementary::pow(15.0 * effective_mass * v * v / (16.0 * effective_young * std::sqrt(effective_radius)), 0.4);
}

double collision_time(double stiffness, double effective_mass, double zeta) {
    return std::numbers::pi / std::sqrt(stiffness / effective_mass * (1.0 - zeta * zeta));
}

HitScale linear_hit(double stiffness, double damping, double zeta, double effective_mass, double speed) {
    HitScale hit;
    hit.stiffness = hit.secant = stiffness, hit.damping = damping, hit.zeta = zeta;
    hit.overlap = speed * std::sqrt(effective_mass / stiffness);
    hit.contact_time = collision_time(stiffness, effective_mass, 0);
    if (zeta >= 1) hit.contact_time /= zeta + std::sqrt(zeta * zeta - 1);
    hit.contacts_at_once = several_contacts;
    return hit;
}

}  // namespace granary
