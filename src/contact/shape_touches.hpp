// Contacts of bodies of which at least one is no ball. A narrow phase has turned the candidates into touches
// (engine/shape_contacts.hpp); here they go through the same laws as balls, in the order of the list: by pair (lower
// body, upper body), then by feature.
//   The contact point is one point of space, so the two arms differ by x_i - x_j and angular momentum is kept. Normal
// forces turn shapes, so torques are added for every law, also for one that does not rotate balls.
//   m* is what an impulse along the normal meets, 1/m* = 1/m_i + 1/m_j + (a_i x n).I_i^-1 (a_i x n) + the same of j:
//   with
// it a damper gives the coefficient of restitution that it is made for also off centre. For balls it is m_i m_j/(m_i +
// m_j).
//
//   symbol  code     meaning                                           unit
//   n       normal   from j (upper) to i (lower), unit                 -
//   a_i     arm      from the centre of i to the contact point         m
//   delta   overlap  along n; negative: a gap                          m
#pragma once
#include <algorithm>
#include <span>
#include <vector>
#include "contact/due_forces.hpp"
#include "contact/energy_watch.hpp"
#include "contact/face_contact.hpp"
#include "contact/law.hpp"
#include "contact/pair_table.hpp"
#include "contact/visit_contacts.hpp"
#include "core/bodies.hpp"
#include "core/parallel.hpp"

namespace granary {

struct ShapeTouch {
    Index lower = 0, upper = 0;  // the two bodies
    Index pair = 0;              // place in the list of candidate pairs
    std::uint16_t feature = 0;   // parts that touch, as the lower body sees it (core/contact_record.hpp)
    bool acts = false;           // the law did at the last evaluation
    bool remembers = false;      // the next search starts from memory, also across a gap
    Vec3d memory, xi, theta;     // what stays from step to step: a normal, the springs of sliding and of torsion
    Vec3d normal, arm;           // of this step
    double overlap = 0;
    double effective_radius = 0, effective_mass = 0;
    double area = 0, stored_depth = 0;  // as ConvexTouch has them
    ContactPatch patch{};
    double least_radius = 1;  // m, the smaller one's: overlaps are told as a share of it
};

// As the law takes it.
template <class Law> Contact<double> contact_of(const Bodies& b, const ShapeTouch& t) {
    const Vec3d arm_j = t.arm + (b.x(t.lower) - b.x(t.upper));
    const Vec3d velocity =
        (b.v(t.lower) + cross(b.omega(t.lower), t.arm)) - (b.v(t.upper) + cross(b.omega(t.upper), arm_j));
    const Vec3d grip = grip_velocity(t.normal, t.patch, b.omega(t.lower) - b.omega(t.upper));
    return {t.normal, overlap_of_law<Law>(t), velocity + grip, t.effective_radius,
            mass_of_damper<Law>(t.effective_mass, t)};
}

// The touches of a range, of bodies that are worked on side by side as in pair_forces.hpp: those across its end, and
// the others. No two in one line of the cache.
struct alignas(128) ShapeTouchRange {
    enum class Part { across, within };
    LayeredRange range;  // the lower bodies
    DueForces due;
    EnergyNotes notes;  // of the last layer
};

namespace shape_detail {

template <class Law, class Watch>
void add_touches(ShapeTouchRange& of, Bodies& bodies, std::span<ShapeTouch> touches, ShapeTouchRange::Part part,
                 const Law& law, const PairTable<Law>& table, double reach, double dt, [[maybe_unused]] Watch watch) {
    const bool across = part == ShapeTouchRange::Part::across;
    const auto first_of = [&](Index body) {
        return std::lower_bound(touches.begin(), touches.end(), body,
                                [](const ShapeTouch& t, Index b) { return t.lower < b; });
    };
    const auto end = first_of(of.range.bodies.end);
    for (auto next = first_of(across ? of.range.last_layer : of.range.bodies.begin); next != end; ++next) {
        ShapeTouch& t = *next;
        if ((t.upper >= of.range.bodies.end) != across) continue;
        [[maybe_unused]] const auto place = static_cast<Index>(next - touches.begin());
        const bool acted = t.acts;
        t.acts = t.overlap > -reach;
        if (!t.acts) {
            if constexpr (Watch::watches)
                if (acted)
                    watch.see_pair(
                        law.energy(contact_of<Law>(bodies, t),
                                   table.at(bodies.material(t.lower), bodies.material(t.upper)), Vec3d{}, Vec3d{}, dt),
                        t.lower, place);  // dampers end with it
            t.xi = t.theta = {};
            continue;
        }
        const Contact<double> contact = contact_of<Law>(bodies, t);
        const auto parameters = table.at(bodies.material(t.lower), bodies.material(t.upper));
        [[maybe_unused]] const Vec3d before = t.xi;
        const Vec3d force = law.force(contact, parameters, t.xi, dt);
        ContactEnergy<double> energy;
        if constexpr (Watch::watches) {
            energy = law.energy(contact, parameters, before, t.xi, dt);
            if (t.stored_depth > 0) energy.stored += more_stored(law, contact, parameters, t.stored_depth);
        }
        const Vec3d arm_j = t.arm + (bodies.x(t.lower) - bodies.x(t.upper));
        Vec3d torque_i = cross(t.arm, force), torque_j = cross(arm_j, force);
        if constexpr (Law::has_history)
            if (t.area > 0) {
                const Vec3d spin = bodies.omega(t.lower) - bodies.omega(t.upper);
                auto* const to = Watch::watches ? &energy : nullptr;
                const double rho = torsion_radius(t.area, t.patch);
                const Vec3d twist = grip_torque(t.normal, t.patch, force) +
                                    torsion(law, contact, parameters, spin, rho, t.theta, dt, to) +
                                    rocking_damper(law, contact, parameters, spin, t.patch, dt, to);
                torque_i += twist, torque_j += twist;
            }
        if constexpr (Watch::watches) watch.see_pair(energy, t.lower, place);
        if (across) of.due.put(t.lower, force, torque_i);
        for (int axis = 0; axis < 3; ++axis) {
            if (!across)
                bodies.force(t.lower, axis) += at(force, axis), bodies.torque(t.lower, axis) += at(torque_i, axis);
            bodies.force(t.upper, axis) -= at(force, axis), bodies.torque(t.upper, axis) -= at(torque_j, axis);
        }
    }
}

}  // namespace shape_detail

// touches: of all bodies. watch: null for nobody.
template <class Law> void add_shape_touches(ShapeTouchRange& of, Bodies& bodies, std::span<ShapeTouch> touches,
                                            ShapeTouchRange::Part part, const Law& law, const PairTable<Law>& table,
                                            double reach, double dt, EnergyWatch* watch) {
    if (watch == nullptr) shape_detail::add_touches(of, bodies, touches, part, law, table, reach, dt, NobodyWatches{});
    else
        shape_detail::add_touches(of, bodies, touches, part, law, table, reach, dt,
                                  Watched{*watch, &of.notes, of.range.last_layer});
    if (part == ShapeTouchRange::Part::across) return;
    of.due.give(bodies);
    if (watch != nullptr) of.notes.show(*watch);
}

// For probes, before the forces are added (visit_contacts.hpp).
template <class Law> void sample_shape_touches(const Bodies& bodies, std::span<const ShapeTouch> touches,
                                               const Law& law, const PairTable<Law>& table, double reach, double dt,
                                               std::vector<PairSample>& samples) {
    for (const ShapeTouch& t : touches) {
        if (!(t.overlap > -reach)) continue;
        Vec3d xi = t.xi;
        samples.push_back({t.lower, t.upper,
                           law.force(contact_of<Law>(bodies, t),
                                     table.at(bodies.material(t.lower), bodies.material(t.upper)), xi, dt)});
    }
}

}  // namespace granary
