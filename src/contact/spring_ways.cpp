#include "contact/spring_ways.hpp"

namespace granary {

void springs_follow_ways(const Bodies& bodies, PairList& pairs, double dt) {
    if (pairs.xi.extent(0) == 0) return;
    const bool rolling = pairs.theta.extent(0) > 0;
    const auto move = [](const Array<double* [3]>& springs, Index slot, const Vec3d& by) {
        springs(slot, 0) += by.x, springs(slot, 1) += by.y, springs(slot, 2) += by.z;
    };
    for (Index i = 0; i < pairs.n_bodies; ++i)
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
            if (!pairs.touches(slot)) continue;
            const Index j = pairs.partner_of(slot);
            // Exchanging i and j negates every number exactly.
            const double r_i = bodies.radius(i), r_j = bodies.radius(j);
            const Vec3d apart = bodies.x(i) - bodies.x(j), turn = bodies.turned(i) - bodies.turned(j);
            const Vec3d way =
                tangential_way(bodies.gone(i) - bodies.gone(j), bodies.turned(i), bodies.turned(j), r_i, r_j, apart);
            const Vec3d velocity =
                bodies.v(i) - bodies.v(j) -
                cross(turn_about_contact(bodies.omega(i), bodies.omega(j), r_i, r_j, norm(apart)), apart);
            move(pairs.xi, slot, way - dt * velocity);
            if (rolling) move(pairs.theta, slot, turn - dt * (bodies.omega(i) - bodies.omega(j)));
        }
}

}  // namespace granary
