// Energy balance of a run: what bodies bring in and take along, and what there is now.
#include "engine/measures.hpp"
#include "motion/rigid_rotation.hpp"

namespace granary {

namespace {

struct BodyEnergy {
    double going, turning, height;  // J
};

BodyEnergy energy_of_body(const Simulation& sim, Index i) {
    const Bodies& b = sim.bodies();
    const double mass = b.moving_mass(i), inertia = b.moving_inertia(i);  // a held body: what moves it brings it
    const Vec3d v = synchronised_velocity(b, i, sim.motion()), w = synchronised_spin(b, i, sim.motion());
    const double turning =
        b.is_shape(i) ? rotational_energy(b, i, sim.setup().shapes, sim.motion()) : 0.5 * inertia * dot(w, w);
    return {0.5 * mass * dot(v, v), turning, -mass * dot(sim.setup().gravity, b.x(i))};
}

}  // namespace

// Balls that leave at this rebuild take their energy along. They have been moved, and their forces are spent.
void Simulation::note_leaving_energy(Index i) {
    if (!setup_.energy) return;
    const BodyEnergy e = energy_of_body(*this, i);
    forces_.energy.add(hood_.layer_of(bodies_, i), EnergySums::out, e.going + e.turning + e.height);
    forces_.energy.add(hood_.layer_of(bodies_, i), EnergySums::out_moving, e.going + e.turning);
}

void Simulation::note_entering_energy(const NewBody& b) {
    if (!setup_.energy || hood_.rebuilds == 0) return;  // at the very start all is counted at once
    const Vec3d v = b.velocity + setup_.gravity * (0.5 * setup_.dt);
    double turning = 0.5 * b.inertia * dot(b.spin, b.spin);
    if (b.rigid_shape != 0) {
        const Vec3d per = inverse_moments(setup_.shapes[b.rigid_shape - std::size_t{1}], b.radius, 1 / b.mass);
        const double* q = b.orientation;
        turning =
            0.5 * square_by_inertia(Quaterniond{q[0], q[1], q[2], q[3]}, {1 / per.x, 1 / per.y, 1 / per.z}, b.spin);
    }
    forces_.energy.add(static_cast<std::size_t>(digit(hood_.cubes.of(b.position), 2) - hood_.slabs.first(comm_.rank())),
                       EnergySums::in, 0.5 * b.mass * dot(v, v) + turning - b.mass * dot(setup_.gravity, b.position));
}

// What moves held bodies works against the force and torque on them: half a step with the velocity that led here, and
// once they have that of the next step, half a step with it, as the leapfrog does with free bodies.
void Simulation::note_work_of_holds() {
    if (!setup_.energy) return;
    for (const Index i : driven_) {
        const Vec3d force{bodies_.force(i, 0), bodies_.force(i, 1), bodies_.force(i, 2)};
        const Vec3d torque{bodies_.torque(i, 0), bodies_.torque(i, 1), bodies_.torque(i, 2)};
        forces_.energy.add(hood_.layer_of(bodies_, i), EnergySums::walls,
                           -0.5 * setup_.dt * (dot(force, bodies_.v(i)) + dot(torque, bodies_.omega(i))));
    }
}

EnergyBalance energy_balance_of(const Simulation& sim) {
    EnergyBalance e;
    constexpr int width = 5;
    const Neighbourhood& hood = sim.neighbourhood();
    const Bodies& bodies = sim.bodies();
    std::vector<double> mine(width * hood.n_layers(), 0.0);
    // Those that have crossed an outlet wait for the rebuild that notes what they take along.
    const std::vector<char> out = sim.counts().marks_of_crossed(bodies);
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i) {
            double* const m = mine.data() + width * hood.layer_of(bodies, i);
            const BodyEnergy of = energy_of_body(sim, i);
            if (out[i] != 0) m[3] += of.going + of.turning + of.height, m[4] += of.going + of.turning;
            else m[0] += of.going, m[1] += of.turning, m[2] += of.height;
        }
    const std::vector<double> now = sum_over_layers(sim.comm(), hood.slabs, mine, width);
    if (sim.forces().bonds.possible()) {
        const std::vector<double> bonds =
            sum_over_layers(sim.comm(), hood.slabs, sim.forces().bonds.energy(), BondedPairs::energy_width);
        e.bonds = bonds[BondedPairs::stored], e.bond_damping = bonds[BondedPairs::damped];
        e.breaks = bonds[BondedPairs::broken], e.out_bonds = bonds[BondedPairs::gone];
    }
    const std::vector<double> sum =
        sum_over_layers(sim.comm(), hood.slabs, sim.forces().energy.layers(), EnergySums::width);
    e.kinetic = now[0] + now[1], e.potential = now[2], e.elastic = sum[EnergySums::elastic];
    e.in = sim.forces().energy_at_start + sum[EnergySums::in];
    e.walls = sum[EnergySums::walls], e.stiffening = sum[EnergySums::stiffening];
    e.damped = sum[EnergySums::damped], e.friction = sum[EnergySums::friction], e.rolling = sum[EnergySums::rolling];
    e.out = sum[EnergySums::out] + now[3], e.out_moving = sum[EnergySums::out_moving] + now[4];
    return e;
}

}  // namespace granary
