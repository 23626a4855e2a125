#include "plan/census.hpp"

#include <boost/mpi/collectives.hpp>
#include <functional>
#include <numbers>
#include "core/exact_sum.hpp"
#include "plan/bond_plan.hpp"
#include "plan/case_setup.hpp"
#include "shapes/contact_scale.hpp"

namespace granary {

namespace {

constexpr double not_known = std::numeric_limits<double>::infinity();

double volume_of_ball(double r) { return 4.0 / 3.0 * std::numbers::pi * r * r * r; }

// Sums over all bodies that are the same on any number of ranks.
double sum_over_ranks(const boost::mpi::communicator& comm, const ExactSum& mine) {
    ExactSum all;
    boost::mpi::all_reduce(comm, mine.digits.data(), ExactSum::n_digits, all.digits.data(), std::plus<std::uint64_t>());
    return all.value();
}

}  // namespace

Census census(const boost::mpi::communicator& comm, const Case& c, const Setup& setup) {
    Census n;
    n.smallest.assign(setup.materials.size(), not_known);
    n.lower = {not_known, not_known, not_known}, n.upper = -1.0 * n.lower;
    n.shapes.assign(setup.shapes.size(), 0.0);
    std::vector<double> quick;  // over the radius of the sphere around it, by shape
    for (const ShapeTemplate& t : setup.shapes) quick.push_back(stand_in_radius(t) / t.outer_radius);
    ExactSum masses, volumes;
    setup.start.for_bodies(comm, [&](std::span<const NewBody> slice) {
        for (const NewBody& b : slice) {
            const bool ball = b.rigid_shape == 0;
            n.see(b.material, ball ? b.radius : b.radius * quick[b.rigid_shape - 1u], b.radius, b.radius);
            ++n.count, masses.add(b.mass);
            volumes.add(ball && !setup.plane.given() ? volume_of_ball(b.radius)
                                                     : b.mass / setup.materials[b.material].density);
            if (!ball) ++n.shapes[b.rigid_shape - 1u];
            n.units += b.cluster == no_cluster || b.cluster == b.id ? 1 : 0;  // the label is the least id
            n.speed = std::max(n.speed, norm(b.velocity));
            for (int k = 0; k < 3; ++k) {
                at(n.lower, k) = std::min(at(n.lower, k), at(b.position, k));
                at(n.upper, k) = std::max(at(n.upper, k), at(b.position, k));
            }
        }
    });
    n.count = boost::mpi::all_reduce(comm, n.count, std::plus<double>());  // whole numbers
    n.units = boost::mpi::all_reduce(comm, n.units, std::plus<double>());
    for (double& shape : n.shapes) shape = boost::mpi::all_reduce(comm, shape, std::plus<double>());
    n.mass = sum_over_ranks(comm, masses), n.volume = sum_over_ranks(comm, volumes);
    const auto least = [&](double x) { return boost::mpi::all_reduce(comm, x, boost::mpi::minimum<double>()); };
    for (double& r : n.smallest) r = least(r);
    n.radius_min = least(n.radius_min), n.radius_max = -least(-n.radius_max), n.speed = -least(-n.speed);
    for (int k = 0; k < 3; ++k) at(n.lower, k) = least(at(n.lower, k)), at(n.upper, k) = -least(-at(n.upper, k));
    n.start_count = n.count, n.start_mass = n.mass, n.start_volume = n.volume;
    const auto add = [&](const BallKind& kind, const std::string& name, double count,
                         const std::optional<double>& mass) {
        const auto [smallest, largest] = body_radii(kind);
        const bool shaped = kind.grains.rigid_shape != 0;
        for (const std::uint16_t m : materials_of(kind))
            n.see(m, smallest, shaped ? kind.radius_min : smallest, largest);
        const double grains = mass && mean_mass(kind) > 0 ? *mass / mean_mass(kind) : count;
        n.units += grains;
        if (shaped) {
            n.shapes[kind.grains.rigid_shape - 1u] += grains * (kind.grains.radius > 0 ? kind.grains.share : 1);
        }
        n.count += count * mean_bodies(kind), n.mass += mass.value_or(count * mean_mass(kind));
        n.volume += !kind.grains.any() ? mass.value_or(count * mean_mass(kind)) / mean_density(kind)
                                       : count * mean_solid_volume(kind);
        n.speed = std::max(n.speed, norm(kind.velocity));
        n.sizes.push_back({name, sizes_of(kind)});
        const BondsAtStart bonded = bonds_of(setup, kind, grains);
        n.clusters += bonded.clusters, n.bonds += bonded.bonds;
    };
    for (const InsertSpec& i : c.insert)
        add(ball_kind(c, i), i.name.empty() ? "insert" : i.name, n_balls(i, c), i.mass);
    for (const StageSpec& s : c.stages)
        if (s.type == StageType::fill) add(ball_kind(c, s), s.name, n_balls(s, c), s.mass);
    return n;
}

}  // namespace granary
