#include "motion/gear_predictor_corrector.hpp"

#include "core/parallel.hpp"
#include "core/simd.hpp"

namespace granary {

namespace {

const std::string correct_and_predict_name = "motion::correct_and_predict";

struct Steps {
    Real4 correct_x, correct_v, per_last;  // last_dt^2/12, 5/12 last_dt, 1/last_dt
    Real4 dt, half_square, sixth_cube;     // of the next step
    explicit Steps(const Motion& m) {
        const auto three = [](double a) {
            return Real4{a, a, a, 0};
        };  // the fourth place is mass, inertia or radius: it stays
        correct_x = three(m.last_dt * m.last_dt / 12), correct_v = three(5.0 / 12.0 * m.last_dt);
        per_last = three(1 / m.last_dt);
        dt = three(m.dt), half_square = three(m.dt * m.dt / 2), sixth_cube = three(m.dt * m.dt * m.dt / 6);
    }
};

}  // namespace

void correct_and_predict(Bodies& bodies, std::span<const Range> runs, const Motion& motion) {
    double* const position = bodies.position.data();
    double* const velocity = bodies.velocity.data();
    double* const spin = bodies.spin.data();
    double* const force = bodies.force.data();
    double* const torque = bodies.torque.data();
    double* const acceleration = bodies.acceleration.data();
    double* const jerk = bodies.jerk.data();
    double* const spin_rate = bodies.spin_rate.data();
    double* const spin_jerk = bodies.spin_jerk.data();
    double* const displacement_of = bodies.displacement.data();
    double* const turn_of = bodies.rotation.data();
    const Steps step(motion);
    const Real4 g{motion.gravity.x, motion.gravity.y, motion.gravity.z, 0};
    const double c = motion.lattice.shifter();
    const Real4 shifter{c, c, c, 0};
    in_parallel(correct_and_predict_name, runs.size(), [=](std::size_t r) {
        for (std::size_t q = std::size_t{4} * runs[r].begin; q < std::size_t{4} * runs[r].end; q += 4) {
            const Real4 v_predicted = load4(velocity + q), w_predicted = load4(spin + q);
            const Real4 a = load4(force + q) * broadcast4(v_predicted[3]) + g;
            const Real4 e = a - load4(acceleration + q);
            const Real4 v = v_predicted + step.correct_v * e;
            const Real4 b = load4(jerk + q) + step.per_last * e;
            const Real4 displacement = step.correct_x * e + step.dt * v + step.half_square * a + step.sixth_cube * b;
            store4(position + q,
                   load4(position + q) + ((displacement + shifter) - shifter));  // on the lattice of positions: exact
            store4(displacement_of + q, displacement);
            store4(velocity + q, v + step.dt * a + step.half_square * b);
            store4(acceleration + q, a + step.dt * b);
            store4(jerk + q, b);

            const Real4 alpha = load4(torque + q) * broadcast4(w_predicted[3]);
            const Real4 e_w = alpha - load4(spin_rate + q);
            const Real4 w = w_predicted + step.correct_v * e_w;
            const Real4 beta = load4(spin_jerk + q) + step.per_last * e_w;
            store4(turn_of + q, step.correct_x * e_w + step.dt * w + step.half_square * alpha + step.sixth_cube * beta);
            store4(spin + q, w + step.dt * alpha + step.half_square * beta);
            store4(spin_rate + q, alpha + step.dt * beta);
            store4(spin_jerk + q, beta);
            store4(force + q, Real4{});
            store4(torque + q, Real4{});
        }
    });
}

void start_derivatives(Bodies& bodies, std::span<const Range> runs, const Motion& motion) {
    for (const Range& range : runs)
        for (Index i = range.begin; i < range.end; ++i)
            for (int axis = 0; axis < 4; ++axis) {
                const double g = axis < 3 ? at(motion.gravity, axis) : 0;
                bodies.acceleration(i, axis) = axis < 3 ? bodies.force(i, axis) * bodies.velocity(i, 3) + g : 0;
                bodies.spin_rate(i, axis) = axis < 3 ? bodies.torque(i, axis) * bodies.spin(i, 3) : 0;
                bodies.jerk(i, axis) = bodies.spin_jerk(i, axis) = 0;
            }
}

}  // namespace granary
