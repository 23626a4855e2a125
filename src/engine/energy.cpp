// Energy balance of a run: what there is now, and what comes and goes with balls. Contacts: book_watch.hpp.
#include <boost/mpi/collectives.hpp>
#include "engine/simulation.hpp"

namespace granary {

Simulation::BodyEnergy Simulation::energy_of_body(Index i) const {
    const double mass = 1 / bodies_.velocity(i, 3), inertia = 1 / bodies_.spin(i, 3);
    const Vec3d v = synchronised_velocity(bodies_, i, motion_), w = synchronised_spin(bodies_, i, motion_);
    return {0.5 * mass * dot(v, v), 0.5 * inertia * dot(w, w), -mass * dot(setup_.gravity, bodies_.x(i))};
}

// Balls that leave at this rebuild take their energy along. They have been moved, and their forces are spent.
void Simulation::note_leaving_energy() {
    outlets_.for_each_crossed([&](Index i) { note_leaving_energy(i); });
}

void Simulation::note_leaving_energy(Index i) {
    if (!setup_.energy) return;
    const BodyEnergy e = energy_of_body(i);
    energy_.add(layer_of(i), EnergyBook::out, e.going + e.turning + e.height);
    energy_.add(layer_of(i), EnergyBook::out_moving, e.going + e.turning);
}

void Simulation::note_entering_energy(const NewBody& b) {
    if (!setup_.energy || mine_.rebuilds == 0) return;  // at the very start all is counted at once
    const Vec3d v = b.velocity + setup_.gravity * (0.5 * setup_.dt);
    energy_.add(
        static_cast<std::size_t>(digit(cubes_.of(b.position), 2) - slabs_.first(comm_.rank())), EnergyBook::in,
        0.5 * b.mass * dot(v, v) + 0.5 * b.inertia * dot(b.spin, b.spin) - b.mass * dot(setup_.gravity, b.position));
}

EnergyBalance Simulation::energy() const {
    constexpr int width = 5;
    const std::size_t n_layers = layer_begin_.size() - 1;
    std::vector<double> mine(width * n_layers, 0.0);
    std::vector<char> out(bodies_.size,
                          0);  // has crossed an outlet and waits for the rebuild that notes what it takes along
    outlets_.for_each_crossed([&](Index i) { out[i] = 1; });
    for (const Range& run : bodies_.real)
        for (Index i = run.begin; i < run.end; ++i) {
            double* const m = mine.data() + width * layer_of(i);
            const BodyEnergy e = energy_of_body(i);
            if (out[i] != 0) m[3] += e.going + e.turning + e.height, m[4] += e.going + e.turning;
            else m[0] += e.going, m[1] += e.turning, m[2] += e.height;
        }
    const std::vector<double> now = sum_over_layers(comm_, slabs_, mine, width);
    const std::vector<double> sum = sum_over_layers(comm_, slabs_, energy_.layers(), EnergyBook::width);
    EnergyBalance e;
    e.kinetic = now[0] + now[1], e.potential = now[2], e.elastic = sum[EnergyBook::elastic];
    e.in = energy_at_start_ + sum[EnergyBook::in];
    e.walls = sum[EnergyBook::walls], e.stiffening = sum[EnergyBook::stiffening];
    e.damped = sum[EnergyBook::damped], e.friction = sum[EnergyBook::friction], e.rolling = sum[EnergyBook::rolling];
    e.out = sum[EnergyBook::out] + now[3], e.out_moving = sum[EnergyBook::out_moving] + now[4];
    return e;
}

}  // namespace granary
