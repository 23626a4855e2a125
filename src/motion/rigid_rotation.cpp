#include "motion/rigid_rotation.hpp"

#include "core/parallel.hpp"

namespace granary {

namespace {

void put_orientation(Bodies& b, Index i, const Quaterniond& q) {
    double* const to = &b.orientation(i, 0);
    to[0] = q.w, to[1] = q.x, to[2] = q.y, to[3] = q.z;
}
void put_spin(Bodies& b, Index i, const Vec3d& w) { b.spin(i, 0) = w.x, b.spin(i, 1) = w.y, b.spin(i, 2) = w.z; }
Vec3d torque_of(const Bodies& b, Index i) { return {b.torque(i, 0), b.torque(i, 1), b.torque(i, 2)}; }

const std::string turn_name = "motion::turn_shapes", turn_balls_name = "motion::turn_balls",
                  kick_name = "motion::kick_shapes";

// Ranges side by side.
template <class F>
void for_each_shape(const std::string& name, const Bodies& bodies, std::span<const Range> ranges, const F& f) {
    in_parallel(name, ranges.size(), [&](std::size_t k) {
        for (Index i = ranges[k].begin; i < ranges[k].end; ++i)
            if (bodies.shape(i) != 0) f(i);
    });
}

}  // namespace

FreeTurn turn_freely(const Quaterniond& q, const Vec3d& angular_momentum, const Vec3d& inverse_moments, double dt) {
    const Vec3d own = rotate_back(q, angular_momentum);
    const double half = 0.5 * dt;
    Vec3d w = times(inverse_moments, own);
    w = times(inverse_moments, own - cross(half * w, own));  // of the middle of the step, to the second order
    for (int k = 0; k < most_rotation_iterations; ++k) {
        const Vec3d u = half * w;
        const double to_middle = 1 / (1 + dot(u, u));
        const Vec3d next = times(inverse_moments, to_middle * (own - cross(u, own) + dot(u, own) * u));
        const Vec3d change = next - w;
        w = next;
        if (dot(change, change) <= 1e-32 * dot(w, w)) break;
    }
    const Vec3d u = half * w;
    return {normalised(q * Quaterniond{1, u.x, u.y, u.z}), rotate(q, w)};
}

void turn_shapes(Bodies& bodies, std::span<const Range> ranges, std::span<const ShapeTemplate> shapes, double dt) {
    for_each_shape(turn_name, bodies, ranges, [&](Index i) {
        if (bodies.velocity(i, 3) == 0) {  // held: as it was given
            put_orientation(bodies, i, turned(orientation_of(bodies, i), dt * bodies.omega(i)));
            return;
        }
        const Vec3d torque = torque_of(bodies, i);
        for (int axis = 0; axis < 3; ++axis) bodies.angular_momentum(i, axis) += dt * at(torque, axis);
        const FreeTurn next =
            turn_freely(orientation_of(bodies, i), bodies.momentum_of_spin(i), inverse_moments(bodies, i, shapes), dt);
        put_orientation(bodies, i, next.orientation);
        put_spin(bodies, i, next.spin);
    });
}

void turn_balls(Bodies& bodies, std::span<const Range> ranges, double dt) {
    in_parallel(turn_balls_name, ranges.size(), [&](std::size_t k) {
        for (Index i = ranges[k].begin; i < ranges[k].end; ++i)
            if (bodies.shape(i) == 0)
                put_orientation(bodies, i, turned(orientation_of(bodies, i), dt * bodies.omega(i)));
    });
}

void kick_shapes(Bodies& bodies, std::span<const Range> ranges, std::span<const ShapeTemplate> shapes, double time) {
    for_each_shape(kick_name, bodies, ranges, [&](Index i) {
        if (bodies.velocity(i, 3) == 0) return;
        const Vec3d torque = torque_of(bodies, i);
        for (int axis = 0; axis < 3; ++axis) bodies.angular_momentum(i, axis) += time * at(torque, axis);
        put_spin(bodies, i,
                 by_inertia(orientation_of(bodies, i), inverse_moments(bodies, i, shapes), bodies.momentum_of_spin(i)));
    });
}

void start_turning(Bodies& bodies, Index i, std::span<const ShapeTemplate> shapes) {
    if (bodies.velocity(i, 3) == 0) return;
    const Vec3d inverse = inverse_moments(bodies, i, shapes);
    const Vec3d moments{1 / inverse.x, 1 / inverse.y, 1 / inverse.z};
    const Vec3d momentum = by_inertia(orientation_of(bodies, i), moments, bodies.omega(i));
    for (int axis = 0; axis < 3; ++axis) bodies.angular_momentum(i, axis) = at(momentum, axis);
}

double rotational_energy(const Bodies& bodies, Index i, std::span<const ShapeTemplate> shapes, const Motion& motion) {
    const Vec3d now = bodies.momentum_of_spin(i) + (0.5 * motion.dt) * torque_of(bodies, i);
    return 0.5 * square_by_inertia(orientation_of(bodies, i), inverse_moments(bodies, i, shapes), now);
}

}  // namespace granary
