// What can be said about the state of a run: ledger, energies, loads, contacts, digest. Free functions of a const
// simulation. Sums run over layers in order, so they are the same on any number of ranks. Collective where it is said;
// all ranks then get the same.
#pragma once
#include <cstdint>
#include <vector>
#include "core/contact_record.hpp"
#include "core/digest.hpp"
#include "engine/energy_sums.hpp"
#include "engine/ledger.hpp"
#include "engine/simulation.hpp"
#include "walls/wall_loads.hpp"

namespace granary {

// Things that happened so far, over all ranks: tests and reports want to know.
struct Events {
    std::uint64_t rebuilds = 0, migrations = 0, wraps = 0, cut_moves = 0, late_checks = 0;
};

struct Measures {
    double kinetic_energy = 0;       // J, translation and rotation, synchronised velocities
    double mass = 0;                 // kg, inside
    double mass_times_diameter = 0;  // kg m, sum over the balls inside
    Vec3d momentum;                  // kg m/s
    // Deepest overlap as a share of the smaller radius, 0 if nothing touches: over ball-ball contacts, and at each wall
    // (its wall balls).
    double pair_overlap = 0;
    std::vector<double> wall_overlap;
    std::uint64_t contacts = 0, candidates = 0;           // pairs of balls that overlap; that are in the list
    std::uint64_t slab_contacts = 0, image_contacts = 0;  // with a spring, across a slab face or a periodic face x, y

    std::size_t deepest_wall() const;  // number of the wall with the deepest overlap; wants a wall
    double largest_overlap() const;
};

Ledger ledger_of(const Simulation& sim);                 // collective; throws RunError if it does not add up
Events events_of(const Simulation& sim);                 // collective
Measures measures_of(const Simulation& sim);             // collective
EnergyBalance energy_balance_of(const Simulation& sim);  // collective; of a setup with energy
Digest digest_of(const Simulation& sim);                 // collective; in the user's axes
double imbalance_of(
    const Simulation& sim);  // collective; counted work of the last list: largest of a rank over the mean
std::vector<WallLoad> wall_loads_of(const Simulation& sim);  // collective; of the present step, one a wall
// Means over the steps since Requests::restart_means, or the loads of the present step if there was none; wants
// Setup::mean_loads. Collective.
std::vector<MeanLoad> mean_loads_of(const Simulation& sim);

// The same bodies, but `real` leaves out those that have crossed an outlet and wait for the next rebuild to go: what is
// inside, as the ledger counts it.
Bodies bodies_inside(const Simulation& sim);
// This rank's records of contact history, each contact once over all ranks, in canonical form.
std::vector<ContactRecord> contacts_of(const Simulation& sim);
std::vector<ContactRecord> contacts_inside(
    const Simulation& sim);  // collective; without those of bodies that have crossed an outlet
// Contacts of each real body with balls and walls, by index: overlaps, not pairs that only pull each other over a gap.
// Wants noted contacts.
std::vector<std::uint16_t> contact_numbers_of(const Simulation& sim);
double friction_between(const Simulation& sim, std::size_t material_a,
                        std::size_t material_b);  // Coulomb coefficient; 0 if the law has none

// Gives every real body the band f(its position); wants Setup::bands. The run does not feel it.
template <class F> void set_bands(const Simulation& sim, F&& f) {
    const Bodies& bodies = sim.bodies();
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i) bodies.band(i) = f(bodies.x(i));
}

}  // namespace granary
