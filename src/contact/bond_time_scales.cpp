#include "contact/bond_time_scales.hpp"
#include <algorithm>
#include <cmath>
#include "contact/beam_bond.hpp"
#include "contact/spring_bond_huang2020.hpp"
#include "contact/time_scales.hpp"

namespace granary {

double BondScale::stable_step() const { return std::min({stretch, shear, twist, bending}); }

BondScale bond_scale(const BondType& type, const BondedBody& smallest, double length, double bonds) {
    Bond<double> bond{};
    bond.reference = {length, 0, 0};
    bond.smaller_radius = smallest.radius;
    const BondBar<double> bar = bar_of(bond, parameters_of(type));
    const BondStiffness<double> k = type.form == BondForm::beam ? beam_stiffness(bar) : spring_stiffness(bar);
    const double per_mass = 2 / smallest.mass, per_inertia = 2 / smallest.inertia;
    const auto step = [&](double stiffness, double zeta, double per_damped, double per_moved) {
        const double damper = 2 * zeta * std::sqrt(stiffness / per_damped);
        return stable_step(bonds * stiffness * per_moved, bonds * damper * per_moved);
    };
    return {step(k.k_n, type.normal_damping, per_mass, per_mass),
            step(k.k_s, type.shear_damping, per_mass, per_mass + length * length / 4 * per_inertia),
            step(k.k_t, type.twist_damping, per_inertia, per_inertia),
            step(k.k_b, type.bending_damping, per_inertia, per_inertia)};
}

}  // namespace granary
