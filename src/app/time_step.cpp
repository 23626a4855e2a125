#include "app/time_step.hpp"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <cmath>
#include <limits>
#include <numbers>
#include "contact/restitution.hpp"

namespace granary {

namespace {

constexpr double none = std::numeric_limits<double>::infinity();

std::vector<double> smallest_radii(const Simulation& sim) {  // by material
    std::vector<double> mine(sim.setup().materials.size(), none), all(mine.size());
    const Bodies& b = sim.bodies();
    for (const Range& run : b.real)
        for (Index i = run.begin; i < run.end; ++i) mine[b.material(i)] = std::min(mine[b.material(i)], b.radius(i));
    for (const InsertionSpec& s : sim.setup().insertions)
        mine[s.balls.material] = std::min(mine[s.balls.material], s.balls.radius_min);
    boost::mpi::all_reduce(sim.comm(), mine.data(), static_cast<int>(mine.size()), all.data(),
                           boost::mpi::minimum<double>());
    return all;
}

double shortest_rayleigh_time(std::span<const Material> materials, std::span<const double> radius) {
    double shortest = none;
    for (std::size_t k = 0; k < materials.size(); ++k)
        if (radius[k] < none) shortest = std::min(shortest, rayleigh_time(materials[k], radius[k]));
    return shortest;
}

double shortest_contact(const Setup& s, std::span<const double> radius) {
    const std::vector<PairValues> values = resolve_pairs(s.materials, s.pairs, s.law);
    const std::size_t n = s.materials.size();
    const auto mass = [&](std::size_t k) {
        return radius[k] < none ? 4.0 / 3.0 * std::numbers::pi * std::pow(radius[k], 3) * s.materials[k].density : none;
    };
    double shortest = none;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < n; ++j) {
            const PairValues& v = values[i * n + j];
            if (mass(i) == none || !(v.stiffness > 0)) continue;
            const double m = mass(j) < none ? mass(i) * mass(j) / (mass(i) + mass(j)) : mass(i);
            const double zeta = s.law.type == LawSettings::Type::linear ? damping_ratio(v.restitution)
                                                                        : v.damping / (2 * std::sqrt(v.stiffness * m));
            if (zeta < 1) shortest = std::min(shortest, collision_time(v.stiffness, m, zeta));
            else shortest = std::min(shortest, m / v.damping);  // no rebound: the time in which the damper stops a ball
        }
    return shortest;
}

}  // namespace

TimeScale shortest_time(const Simulation& sim) {
    const Setup& s = sim.setup();
    const std::vector<double> radius = smallest_radii(sim);
    if (s.law.type == LawSettings::Type::hertz_mindlin)
        return {"Rayleigh time", shortest_rayleigh_time(s.materials, radius), 0.3};
    return {"shortest contact", shortest_contact(s, radius), 0.1};
}

}  // namespace granary
