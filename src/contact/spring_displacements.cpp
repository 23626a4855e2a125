#include "contact/spring_displacements.hpp"
#include "contact/contact_geometry.hpp"

namespace granary {

void springs_follow_displacements(const Bodies& bodies, PairList& pairs, Range range, double dt) {
    if (pairs.xi.extent(0) == 0) return;
    const bool rolling = pairs.theta.extent(0) > 0;
    const auto move = [](const Array<double* [3]>& springs, Index slot, const Vec3d& by) {
        springs(slot, 0) += by.x, springs(slot, 1) += by.y, springs(slot, 2) += by.z;
    };
    for (Index i = range.begin; i < range.end; ++i)
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
            if (!pairs.touches(slot)) continue;
            const Index j = pairs.partner_of(slot);
            // Exchanging i and j negates every number exactly.
            const double r_i = bodies.radius(i), r_j = bodies.radius(j);
            const Vec3d apart = bodies.x(i) - bodies.x(j), rotation = bodies.rotation_of(i) - bodies.rotation_of(j);
            const Vec3d displacement =
                tangential_displacement(bodies.displacement_of(i) - bodies.displacement_of(j), bodies.rotation_of(i),
                                        bodies.rotation_of(j), r_i, r_j, apart);
            const Vec3d velocity =
                bodies.v(i) - bodies.v(j) -
                cross(rotation_about_contact(bodies.omega(i), bodies.omega(j), r_i, r_j, norm(apart)), apart);
            move(pairs.xi, slot, displacement - dt * velocity);
            if (rolling) move(pairs.theta, slot, rotation - dt * (bodies.omega(i) - bodies.omega(j)));
        }
}

}  // namespace granary
