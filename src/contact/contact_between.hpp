// One pair of balls as the pair loop sees it, for whoever looks at single contacts: probes, the energy balance.
#pragma once
#include "contact/law.hpp"
#include "core/bodies.hpp"

namespace granary {

// Of i relative to j, also across a gap; without what laws that roll want.
template <class Law> Contact<double> contact_between(const Bodies& bodies, Index i, Index j) {
    const Vec3d apart = bodies.x(i) - bodies.x(j);
    const double r_i = bodies.radius(i), r_j = bodies.radius(j), radii = r_i + r_j;
    const double distance = norm(apart), overlap = radii - distance;
    const Vec3d normal = (1 / distance) * apart;
    Vec3d velocity = bodies.v(i) - bodies.v(j);
    if constexpr (Law::rotates)
        velocity -=
            cross(lever_arm(r_i, overlap) * bodies.omega(i) + lever_arm(r_j, overlap) * bodies.omega(j), normal);
    return {normal, overlap, velocity, r_i * r_j / radii, 1 / (bodies.velocity(i, 3) + bodies.velocity(j, 3))};
}

}  // namespace granary
