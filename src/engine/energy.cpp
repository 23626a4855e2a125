// Energy balance of a run: the forces with somebody watching, and what there is now.
#include <boost/mpi/collectives.hpp>
#include "engine/simulation.hpp"
#include "contact/contact_between.hpp"
#include "contact/contact_energy.hpp"

namespace granary {

namespace {

// Whoever watches contacts while forces are made: writes down what each of them stores and loses. layer_of(i): layer of a real body.
template <class IsReal, class LayerOf> struct EnergyWatch {
    static constexpr bool watches = true;
    EnergyBook& book;
    IsReal is_real;
    LayerOf layer_of;

    // Four contacts of which `filled` count, between bodies i and their partners: counted where i is real.
    void see(const ContactEnergy<Real4>& e, const std::array<std::size_t, 4>& quad_of_i, Index filled) {
        for (Index lane = 0; lane < filled; ++lane) {
            const Index i = static_cast<Index>(quad_of_i[lane] / 4);
            if (!is_real(i)) continue;
            book.add(layer_of(i), e.damping[lane], e.friction[lane], e.rolling[lane], e.stiffening[lane],
                     e.stored[lane]);
        }
    }
    void see(const ContactEnergy<double>& e, Index i) {
        if (is_real(i)) book.add(layer_of(i), e.damping, e.friction, e.rolling, e.stiffening, e.stored);
    }
    void see_at_wall(const ContactEnergy<double>& e, Index i, std::uint32_t wall) {
        see(e, i);
        book.add_at_wall(layer_of(i), wall, e.stored);
    }
    void wall_works(Index i, double energy) { book.add(layer_of(i), EnergyBook::walls, energy); }
};
template <class IsReal, class LayerOf> EnergyWatch(EnergyBook&, IsReal, LayerOf) -> EnergyWatch<IsReal, LayerOf>;

}  // namespace

void Simulation::pair_forces_watched(double dt) {
    EnergyWatch watch{energy_, [&](Index i) { return is_real(i); }, [&](Index i) { return layer_of(i); }};
    std::visit(
        [&]<class Law>(const LawSet<Law>& set) {
            pair_forces_.add(bodies_, pairs_, set.law, set.table, reach_, dt, watch);
            for (const auto& [i, slot] : pair_forces_.parted()) {  // their dampers end with them
                const Index j = pairs_.partner_of(slot);
                watch.see(energy_of(set.law, contact_between<Law>(bodies_, i, j),
                                    set.table.at(bodies_.material(i), bodies_.material(j)), Vec3d{}, Vec3d{}, dt),
                          i);
            }
        },
        law_);
}

void Simulation::wall_forces_watched(double dt) {
    const auto layer = [&](Index i) { return layer_of(i); };
    EnergyWatch watch{energy_, [&](Index i) { return is_real(i); }, layer};
    std::visit(
        [&](const auto& set) {
            wall_contacts_.add_forces(bodies_, walls_.walls(), set.law, set.table, reach_, dt, loads_.now(), layer,
                                      walls_.twists(), walls_.ways(), watch);
        },
        law_);
}

void Simulation::wall_ball_forces_watched(double dt) {
    const auto layer = [&](Index i) { return layer_of(i); };
    EnergyWatch watch{energy_, [&](Index i) { return is_real(i); }, layer};
    std::visit(
        [&](const auto& set) {
            wall_ball_contacts_.add_forces(bodies_, wall_balls_.balls(), walls_.walls(), set.law, set.table, reach_, dt,
                                           loads_.now(), layer, samples_are_new_ ? &wall_samples_ : nullptr, watch);
        },
        law_);
}

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
