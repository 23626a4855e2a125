// The contacts of a pair list one by one, for whoever wants to know their forces: probes. Called just before the forces
// of a step are added, it evaluates the law with the numbers of the step, on copies of the springs, so a normal step
// need not keep forces.
#pragma once
#include "contact/contact_geometry.hpp"
#include "contact/pair_table.hpp"
#include "core/bodies.hpp"
#include "core/pair_list.hpp"

namespace granary {

// One contact between balls, for whoever wants to know how hard (probes).
struct PairSample {
    Index i, j;   // places
    Vec3d force;  // on i, N
};

// Calls f(i, j, force on i in N) for every pair within reach whose lower body is in the range, in the order of the
// list. Nothing changes.
template <class Law, class F> void visit_contacts(const Bodies& bodies, const PairList& pairs, Range range,
                                                  const Law& law, const PairTable<Law>& table, double reach, double dt,
                                                  F&& f) {
    for (Index i = range.begin; i < range.end; ++i)
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
            const Index j = pairs.partner_of(slot);
            if (pairs.is_masked(slot)) continue;
            if (!is_within(bodies.x(i) - bodies.x(j), bodies.radius(i) + bodies.radius(j) + reach)) continue;
            const Contact<double> contact = contact_between<Law>(bodies, i, j);
            Vec3d xi;
            if constexpr (Law::has_history) xi = {pairs.xi(slot, 0), pairs.xi(slot, 1), pairs.xi(slot, 2)};
            f(i, j, law.force(contact, table.at(bodies.material(i), bodies.material(j)), xi, dt));
        }
}

}  // namespace granary
