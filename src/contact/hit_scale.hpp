// How quick a contact is, as its law says it: what the choice of a time step looks at (time_scales.hpp).
#pragma once

namespace granary {

// The hardest hit of two partners, taken as elastic: met at the highest speed that is expected.
struct HitScale {
    double overlap = 0;       // deepest, m
    double stiffness = 0;     // k: dF/d(overlap) there, N/m; that of the law if it is linear
    double damping = 0;       // c: dF/d(speed) there, N s/m
    double zeta = 0;          // share of critical damping
    double contact_time = 0;  // s
    double k_t = 0, c_t = 0;  // tangential spring and damper there, N/m, N s/m
    double secant = 0;        // normal force over overlap there, N/m; rolling springs follow it
    double contacts_at_once =
        1;  // for which the tangential and the rolling spring of a ball count, see several_contacts
};

// Linear springs are as stiff in a bed at rest as in the hardest hit, so there a ball has several of them at once: with
// n contacts all balls turning the same way give 10/21 n times the A and B of a pair (time_scales.hpp). Taken is 3,
// some six contacts.
inline constexpr double several_contacts = 3;

// Duration of an elastic Hertz contact met at speed v > 0, s: 2.87 (m*^2/(R* E*^2 v))^(1/5). Infinite moduli give zero.
double hertz_time(double effective_mass, double effective_radius, double effective_young, double v);

// Deepest overlap of an elastic Hertz hit, m: (15 m* v^2/(16 E* sqrt(R*)))^(2/5), from 8/15 E* sqrt(R*) delta^(5/2)
// = m* v^2/2.
double hertz_overlap(double effective_mass, double effective_radius, double effective_young, double v);

// Duration of a linear contact, s, 0 <= zeta < 1.
double collision_time(double stiffness, double effective_mass, double zeta);

// Of a linear spring and damper. An overdamped pair (zeta >= 1) has no hit; its time is shortened by zeta + sqrt(zeta^2
// - 1), which is continuous at zeta = 1 and follows its quickest motion. Tangential numbers are left zero.
HitScale linear_hit(double stiffness, double damping, double zeta, double effective_mass, double speed);

}  // namespace granary
