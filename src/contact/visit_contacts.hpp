// The contacts of a pair list one by one, for whoever wants to know their forces: probes. Called just before the forces of a step are added,
// it evaluates the law with the same numbers as the step will, on copies of the springs, so a normal step need not keep forces.
#pragma once
#include "contact/contact_between.hpp"
#include "contact/pair_table.hpp"
#include "core/bodies.hpp"
#include "core/pair_list.hpp"

namespace granary {

// Calls f(i, j, force on i in N) for every pair within reach, in the order of the list. Nothing changes.
template <class Law, class F> void visit_contacts(const Bodies& bodies, const PairList& pairs, const Law& law,
                                                  const PairTable<Law>& table, double reach, double dt, F&& f) {
    for (Index i = 0; i < pairs.n_bodies; ++i)
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
            const Index j = pairs.partner_of(slot);
            const Vec3d apart = bodies.x(i) - bodies.x(j);
            const double far = bodies.radius(i) + bodies.radius(j) + reach;
            if (!(dot(apart, apart) < far * far)) continue;
            const Contact<double> contact = contact_between<Law>(bodies, i, j);
            Vec3d xi;
            if constexpr (Law::has_history) xi = {pairs.xi(slot, 0), pairs.xi(slot, 1), pairs.xi(slot, 2)};
            f(i, j, law.force(contact, table.at(bodies.material(i), bodies.material(j)), xi, dt));
        }
}

}  // namespace granary
