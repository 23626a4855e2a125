// Contacts of pairs with an offset: a bond broke while its bodies overlapped, and the overlap of that moment counts as
// none until they part (bond_list.hpp). Without it a cluster made of overlapping balls would fly apart when its bonds
// break.
//   delta = r_i + r_j - |x_i - x_j| - offset     what the law sees as overlap
// Lever arms and the velocity at the contact are those of the true geometry: the force acts in the middle of the true
// overlap, and the arms add up to the distance of the centres, so that angular momentum is kept. Springs are those of
// the pair's slot in the pair list; so is the mark of touching, which is set while the law acts: when the contact
// closes or opens by the reduced overlap, its springs start anew. These pairs are masked, so no other loop touches
// them. They are few: one at a time, in the order of the list.
#pragma once
#include <span>
#include <vector>
#include "contact/bond_list.hpp"
#include "contact/contact_geometry.hpp"
#include "contact/energy_watch.hpp"
#include "contact/pair_table.hpp"
#include "contact/visit_contacts.hpp"
#include "core/pair_list.hpp"

namespace granary {

// Nothing would move. Their offset waits for a run that frees one of them.
inline bool both_are_held(const Bodies& bodies, Index i, Index j) {
    return bodies.has(When::held) && bodies.held(i) != 0 && bodies.held(j) != 0;
}

// The contact of two bodies, the overlap reduced.
template <class Law> Contact<double> contact_with_offset(const Bodies& bodies, const OffsetPair& pair) {
    Contact<double> contact = contact_between<Law>(bodies, pair.lower, pair.upper);
    contact.overlap -= pair.offset;
    if constexpr (gives_rolling_torque<Law>) {
        const auto per_inertia = [&](Index i) {
            return per_rolling_inertia(bodies.radius(i), bodies.velocity(i, 3), bodies.spin(i, 3));
        };
        contact.spin = bodies.omega(pair.lower) - bodies.omega(pair.upper);
        contact.rolling_inertia = 1 / (per_inertia(pair.lower) + per_inertia(pair.upper));
    }
    return contact;
}

template <class Law, class Watch> void add_offset_pairs(Bodies& bodies, PairList& pairs,
                                                        std::span<const OffsetPair> list, const Law& law,
                                                        const PairTable<Law>& table, double reach, double dt,
                                                        std::vector<Index>& parted, [[maybe_unused]] Watch watch) {
    for (Index k = 0; k < list.size(); ++k) {
        const OffsetPair& pair = list[k];
        const Index i = pair.lower, j = pair.upper, slot = pair.slot;
        if (both_are_held(bodies, i, j)) continue;
        if (!balls_overlap(bodies, i, j)) parted.push_back(k);
        Contact<double> contact = contact_with_offset<Law>(bodies, pair);
        const auto parameters = table.at(bodies.material(i), bodies.material(j));
        const bool acts = contact.overlap > -reach, acted = pairs.touches(slot);
        if (acts != acted) {
            pairs.partner(slot) ^= PairList::touching;
            for (int axis = 0; axis < 3; ++axis) {
                if constexpr (Law::has_history) pairs.xi(slot, axis) = 0;
                if constexpr (keeps_rolling_spring<Law>) pairs.theta(slot, axis) = 0;
            }
        }
        if (!acts) {
            if constexpr (Watch::watches)
                if (acted) watch.see(law.energy(contact, parameters, Vec3d{}, Vec3d{}, dt), i);  // dampers end with it
            continue;
        }
        Vec3d xi;
        if constexpr (Law::has_history) xi = {pairs.xi(slot, 0), pairs.xi(slot, 1), pairs.xi(slot, 2)};
        [[maybe_unused]] const Vec3d xi_before = xi;
        const Vec3d force = law.force(contact, parameters, xi, dt);
        if constexpr (Law::has_history)
            for (int axis = 0; axis < 3; ++axis) pairs.xi(slot, axis) = at(xi, axis);
        [[maybe_unused]] auto energy = [&] {
            if constexpr (Watch::watches) return law.energy(contact, parameters, xi_before, xi, dt);
            else return 0;
        }();
        Vec3d rolling;
        if constexpr (gives_rolling_torque<Law>) {
            Vec3d theta;
            if constexpr (keeps_rolling_spring<Law>)
                theta = {pairs.theta(slot, 0), pairs.theta(slot, 1), pairs.theta(slot, 2)};
            [[maybe_unused]] const Vec3d theta_before = theta;
            rolling = law.rolling_torque(contact, parameters, theta, dt);
            if constexpr (Watch::watches)
                law.add_rolling_energy(contact, parameters, rolling, theta_before, theta, dt, energy);
            if constexpr (keeps_rolling_spring<Law>)
                for (int axis = 0; axis < 3; ++axis) pairs.theta(slot, axis) = at(theta, axis);
        }
        if constexpr (Watch::watches) watch.see(energy, i);
        const double overlap = contact.overlap + pair.offset;
        const Vec3d turning = cross(contact.normal, force);
        const double arm_i = lever_arm(bodies.radius(i), overlap), arm_j = lever_arm(bodies.radius(j), overlap);
        for (int axis = 0; axis < 3; ++axis) {
            bodies.force(i, axis) += at(force, axis), bodies.force(j, axis) -= at(force, axis);
            if constexpr (Law::rotates) {
                bodies.torque(i, axis) += at(rolling, axis) - arm_i * at(turning, axis);
                bodies.torque(j, axis) -= at(rolling, axis) + arm_j * at(turning, axis);
            }
        }
    }
}

// For probes, see visit_contacts.hpp.
template <class Law>
void sample_offset_pairs(const Bodies& bodies, const PairList& pairs, std::span<const OffsetPair> list, const Law& law,
                         const PairTable<Law>& table, double reach, double dt, std::vector<PairSample>& samples) {
    for (const OffsetPair& pair : list) {
        if (both_are_held(bodies, pair.lower, pair.upper)) continue;
        const Contact<double> contact = contact_with_offset<Law>(bodies, pair);
        if (!(contact.overlap > -reach)) continue;
        Vec3d xi;
        if constexpr (Law::has_history)
            if (pairs.touches(pair.slot)) xi = {pairs.xi(pair.slot, 0), pairs.xi(pair.slot, 1), pairs.xi(pair.slot, 2)};
        samples.push_back(
            {pair.lower, pair.upper,
             law.force(contact, table.at(bodies.material(pair.lower), bodies.material(pair.upper)), xi, dt)});
    }
}

}  // namespace granary
