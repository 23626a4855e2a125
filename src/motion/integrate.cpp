#include "motion/integrate.hpp"

#include <string>
#include "core/simd.hpp"
#include "shapes/rigid_body.hpp"

namespace granary {

namespace {
const std::string kernel_name = "motion::kick_and_drift";  // made once: no step allocates
}

namespace {

// A quad carries its inverse mass or inertia in the fourth place; a factor of zero there leaves it as it is.
// held: some bodies have no inverse mass; gravity does not move them.
template <bool held> void kick_and_drift_all(Bodies& bodies, std::span<const Range> runs, const Motion& motion) {
    double* const position = bodies.position.data();
    double* const velocity = bodies.velocity.data();
    double* const spin = bodies.spin.data();
    double* const force = bodies.force.data();
    double* const torque = bodies.torque.data();
    const Real4 dt{motion.dt, motion.dt, motion.dt, 0};
    const Real4 g{motion.gravity.x, motion.gravity.y, motion.gravity.z, 0};
    const double c = motion.lattice.shifter();
    const Real4 shifter{c, c, c, 0};
    const Range* const run = runs.data();
    Kokkos::parallel_for(
        kernel_name, Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, runs.size()), [=](std::size_t r) {
            for (std::size_t q = std::size_t{4} * run[r].begin; q < std::size_t{4} * run[r].end; q += 4) {
                const Real4 v_before = load4(velocity + q), w_before = load4(spin + q);
                const Real4 pull = held && v_before[3] == 0 ? Real4{} : g;
                const Real4 v = v_before + (load4(force + q) * broadcast4(v_before[3]) + pull) * dt;
                const Real4 w = w_before + load4(torque + q) * broadcast4(w_before[3]) * dt;
                const Real4 displacement =
                    (v * dt + shifter) - shifter;  // on the lattice of positions, and so is the sum: it is exact
                store4(velocity + q, v);
                store4(spin + q, w);
                store4(position + q, load4(position + q) + displacement);
                store4(force + q, Real4{});
                store4(torque + q, Real4{});
            }
        });
}

}  // namespace

void kick_and_drift(Bodies& bodies, std::span<const Range> runs, const Motion& motion) {
    if (bodies.has(When::held)) kick_and_drift_all<true>(bodies, runs, motion);
    else kick_and_drift_all<false>(bodies, runs, motion);
}

void kick(Bodies& bodies, std::span<const Range> runs, const Vec3d& gravity, double time) {
    for (const Range& range : runs)
        for (Index i = range.begin; i < range.end; ++i)
            for (int axis = 0; axis < 3; ++axis) {
                if (bodies.velocity(i, 3) == 0) continue;  // held
                bodies.velocity(i, axis) += (bodies.force(i, axis) * bodies.velocity(i, 3) + at(gravity, axis)) * time;
                bodies.spin(i, axis) += bodies.torque(i, axis) * bodies.spin(i, 3) * time;
            }
}

Vec3d synchronised_velocity(const Bodies& b, Index i, const Motion& motion) {
    const Vec3d f{b.force(i, 0), b.force(i, 1), b.force(i, 2)};
    if (b.velocity(i, 3) == 0) return b.v(i);  // held
    const Vec3d a = f * b.velocity(i, 3) + motion.gravity;
    if (motion.integrator == Integrator::verlet) return b.v(i) + a * (0.5 * motion.dt);
    const Vec3d predicted{b.acceleration(i, 0), b.acceleration(i, 1), b.acceleration(i, 2)};
    return b.v(i) + (a - predicted) * (5.0 / 12.0 * motion.last_dt);
}

Vec3d synchronised_spin(const Bodies& b, Index i, const Motion& motion) {
    const Vec3d t{b.torque(i, 0), b.torque(i, 1), b.torque(i, 2)};
    if (b.is_shape(i) && b.velocity(i, 3) != 0 && b.shape(i) <= motion.shapes.size())
        return by_inertia(orientation_of(b, i), inverse_moments(b, i, motion.shapes),
                          b.momentum_of_spin(i) + (0.5 * motion.dt) * t);
    if (motion.integrator == Integrator::verlet) return b.omega(i) + t * (b.spin(i, 3) * 0.5 * motion.dt);
    const Vec3d predicted{b.spin_rate(i, 0), b.spin_rate(i, 1), b.spin_rate(i, 2)};
    return b.omega(i) + (t * b.spin(i, 3) - predicted) * (5.0 / 12.0 * motion.last_dt);
}

}  // namespace granary
