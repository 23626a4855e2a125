#include "bench/bench_bonds.hpp"

#include <fmt/format.h>
#include <boost/mpi/collectives.hpp>
#include <chrono>
#include <cmath>
#include <ctime>
#include <functional>
#include <vector>
#include "contact/bond_time_scales.hpp"
#include "engine/measures.hpp"
#include "filling/packing.hpp"

namespace granary {

namespace {

constexpr double r = 2.5e-3, density = 2500, speed = 5;  // m, kg/m^3, m/s

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// Balls that touch, on a lattice of n cells a side.
std::vector<Vec3d> sites(bool fcc, int n) {
    std::vector<Vec3d> places;
    const double cell = fcc ? 2 * std::sqrt(2.0) * r : 2 * r;
    for (int z = 0; z < n; ++z)
        for (int y = 0; y < n; ++y)
            for (int x = 0; x < n; ++x) {
                const Vec3d corner{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
                places.push_back(cell * corner);
                if (!fcc) continue;
                for (const Vec3d& face : {Vec3d{0.5, 0.5, 0}, Vec3d{0.5, 0, 0.5}, Vec3d{0, 0.5, 0.5}})
                    places.push_back(cell * (corner + face));
            }
    return places;
}

// Bonds between neighbours; sites of a cell and of the next ones follow each other closely in the list.
std::vector<ContactRecord> bonds_between(const std::vector<Vec3d>& places, std::size_t reach) {
    std::vector<ContactRecord> bonds;
    const double far = 2.02 * r;
    for (std::size_t a = 0; a < places.size(); ++a)
        for (std::size_t b = a + 1; b < std::min(places.size(), a + reach); ++b) {
            const Vec3d d = places[a] - places[b];
            if (dot(d, d) > far * far) continue;
            bonds.push_back({a, {PartnerClass::body, b, 0, HistoryKind::bond}, {d.x, d.y, d.z}});
            bonds.push_back({a, {PartnerClass::body, b, 0, HistoryKind::bond_nature}, {0, 1, 0}});
        }
    return bonds;
}

}  // namespace

std::string bench_bonds(const boost::mpi::communicator& comm, const BenchBonds& options) {
    const bool fcc = options.lattice == "fcc";
    const double cells = static_cast<double>(options.bonds) / (fcc ? 24 : 3);
    const int n = std::max(2, static_cast<int>(std::lround(std::cbrt(cells) + (fcc ? 0.3 : 0.3))));
    const std::vector<Vec3d> places = sites(fcc, n);
    const auto per_layer = static_cast<std::size_t>((fcc ? 4 : 1) * n * n);
    const double side = (fcc ? 2 * std::sqrt(2.0) : 2.0) * r * n;

    Setup s;
    s.domain = {{-0.5 * side, -0.5 * side, -r}, {1.5 * side, 1.5 * side, 1.5 * side}, {false, false, false}};
    s.delete_outside = true;
    s.gravity = {0, 0, -9.81};
    Material m;
    m.name = "rock", m.density = density, m.young = 1e8, m.poisson = 0.25, m.restitution = 0.5, m.friction = 0.5;
    s.materials = {m};
    s.largest_radius = r, s.skin = 0.2 * r;
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0)};
    BondType bond;
    bond.name = "cement", bond.form = options.form == "spring" ? BondForm::spring : BondForm::beam;
    bond.young_modulus = 1e8, bond.shear_modulus = 4e7;
    bond.normal_damping = bond.shear_damping = bond.twist_damping = bond.bending_damping = options.damping;
    bond.tensile_strength = 1e6, bond.shear_strength = 1e6;
    s.bonds = {bond};
    s.bond_reach = 2 * r * 1.01 * bond.longest_stretch;

    std::vector<NewBody> bodies;
    for (std::size_t k = 0; k < places.size(); ++k) {
        bodies.push_back(make_ball(k, places[k] + Vec3d{0, 0, 1.001 * r}, r, density, 0, {0.3, 0, -speed}));
        bodies.back().cluster = 0;
    }
    const BondScale scale = bond_scale(bond, {r, bodies[0].mass, bodies[0].inertia}, 2 * r, fcc ? 12 : 6);
    s.dt = 0.2 * scale.stable_step();
    std::vector<ContactRecord> bonds = bonds_between(places, 2 * per_layer);
    s.start = shares_of(std::move(bodies), std::move(bonds));
    Simulation sim(comm, std::move(s));
    const auto counts = [&] { return sim.forces().bonds.counts(comm, sim.bodies(), sim.neighbourhood()); };
    const std::uint64_t made = counts().whole;
    for (std::uint64_t k = 0; k < options.warm_up; ++k) sim.step();

    sim.requests().times = {};
    const BondCounts before = counts();
    const std::uint64_t rebuilds = events_of(sim).rebuilds;
    comm.barrier();
    const double cpu_before = cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    for (std::uint64_t k = 0; k < options.steps; ++k) sim.step();
    comm.barrier();
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double cpu = boost::mpi::all_reduce(comm, cpu_seconds() - cpu_before, std::plus<double>());
    const BondCounts after = counts();
    const Measures measures = measures_of(sim);
    const double bond_steps =
        0.5 * static_cast<double>(before.whole + after.whole) * static_cast<double>(options.steps);
    std::string phases;
    for (std::size_t p = 0; p < n_phases; ++p) {
        const double all = boost::mpi::all_reduce(comm, sim.requests().times.seconds[p], std::plus<double>());
        phases += fmt::format("{}\"{}\": {:.2f}", p == 0 ? "" : ", ", phase_names[p], 1e9 * all / bond_steps);
    }
    return fmt::format(
        "{{\"benchmark\": \"bonds\", \"lattice\": \"{}\", \"form\": \"{}\", \"damping\": {}, \"balls\": {}, \"ranks\": "
        "{}, "
        "\"steps\": {}, \"rebuilds\": {}, \"bonds_made\": {}, \"bonds_at_start\": {}, \"bonds_at_end\": {}, "
        "\"bond_steps_per_second\": {:.4g}, \"bond_steps_per_cpu_second\": {:.4g}, \"contacts\": {}, \"candidates\": "
        "{}, "
        "\"ns_per_bond_step\": {{{}}}}}",
        options.lattice, options.form, options.damping, places.size(), comm.size(), options.steps,
        events_of(sim).rebuilds - rebuilds, made, before.whole, after.whole, bond_steps / wall, bond_steps / cpu,
        measures.contacts, measures.candidates, phases);
}

}  // namespace granary
