// The contacts of a pair list one by one, for whoever wants to know their forces: probes. Called just before the forces of a step are added,
// it evaluates the law with the same numbers as the step will, on copies of the springs, so a normal step need not keep forces.
#pragma once
#include "contact/law.hpp"
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
            const Vec3d d = bodies.x(i) - bodies.x(j);
            const double r_i = bodies.radius(i), r_j = bodies.radius(j), radii = r_i + r_j;
            if (!(dot(d, d) < (radii + reach) * (radii + reach))) continue;
            const double distance = norm(d);
            const Vec3d normal = (1 / distance) * d;
            Vec3d velocity = bodies.v(i) - bodies.v(j);
            if constexpr (Law::rotates)
                velocity -= cross(distance / radii * (r_i * bodies.omega(i) + r_j * bodies.omega(j)), normal);
            const Contact<double> contact{normal, radii - distance, velocity, r_i * r_j / radii,
                                          1 / (bodies.velocity(i, 3) + bodies.velocity(j, 3))};
            Vec3d xi;
            if constexpr (Law::has_history) xi = {pairs.xi(slot, 0), pairs.xi(slot, 1), pairs.xi(slot, 2)};
            f(i, j, law.force(contact, table.at(bodies.material(i), bodies.material(j)), xi, dt));
        }
}

}  // namespace granary
