// A handful of balls, and what each of them does: for tests that compare a run with a formula.
#pragma once
#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>
#include "engine/measures.hpp"
#include "filling/packing.hpp"

namespace granary::test {

inline Material hertz_material(const std::string& name, double young, double poisson, double density,
                               double restitution, double friction) {
    Material m;
    m.name = name, m.young = young, m.poisson = poisson, m.density = density;
    m.restitution = restitution, m.friction = friction;
    return m;
}

inline Material linear_material(const std::string& name, double stiffness, double density, double restitution,
                                double friction) {
    Material m;
    m.name = name, m.stiffness = stiffness, m.density = density, m.restitution = restitution, m.friction = friction;
    return m;
}

// Its partner alone gives the pair's stiffness.
inline Material rigid_wall(double restitution, double friction) {
    Material m;
    m.name = "rigid";
    m.young = std::numeric_limits<double>::infinity();
    m.stiffness = m.young, m.damping = m.young;
    m.restitution = restitution, m.friction = friction;
    m.wall_only = true;
    return m;
}

inline NewBody ball(Id id, const Vec3d& position, double radius, double density, const Vec3d& velocity = {},
                    const Vec3d& spin = {}, std::uint16_t material = 0) {
    NewBody b = make_ball(id, position, radius, density, material, velocity);
    b.spin = spin;
    return b;
}

// Without gravity, walls and materials: the test adds what it wants.
inline Setup few_balls(const Domain& domain, double dt, const std::vector<NewBody>& balls) {
    Setup s;
    s.domain = domain;
    s.dt = dt;
    for (const NewBody& b : balls) s.largest_radius = std::max(s.largest_radius, b.radius);
    s.start = shares_of(balls);
    return s;
}

// A box around the origin.
inline Domain box(double half_edge) {
    return {{-half_edge, -half_edge, -half_edge}, {half_edge, half_edge, half_edge}, {}};
}

// At the time of the last step: velocity and spin synchronised with the position; force and torque of contacts alone.
struct BallState {
    Vec3d x, v, spin, force, torque;
    double radius = 0, mass = 0;
};

inline BallState state_at(const Simulation& sim, Index i) {
    const Bodies& b = sim.bodies();
    return {b.x(i),
            synchronised_velocity(b, i, sim.motion()),
            synchronised_spin(b, i, sim.motion()),
            {b.force(i, 0), b.force(i, 1), b.force(i, 2)},
            {b.torque(i, 0), b.torque(i, 1), b.torque(i, 2)},
            b.radius(i),
            1.0 / b.velocity(i, 3)};
}

// Of a ball of this rank.
inline BallState state_of(const Simulation& sim, Id id) {
    for (const Range& range : sim.bodies().real)
        for (Index i = range.begin; i < range.end; ++i)
            if (sim.bodies().id(i) == id) return state_at(sim, i);
    throw std::runtime_error("ball " + std::to_string(id) + " is not here");
}

inline void run(Simulation& sim, std::uint64_t steps) {
    for (std::uint64_t k = 0; k < steps; ++k) sim.step();
}

// One more step, and the loads on the walls at its end.
inline std::vector<WallLoad> loads_after_a_step(Simulation& sim) {
    sim.step();
    return wall_loads_of(sim);
}

inline Vec3d unit(const Vec3d& a) { return (1.0 / norm(a)) * a; }

// 4/3 E* sqrt(R*), N/m^1.5.
inline double hertz_stiffness(const Material& a, const Material& b, double effective_radius) {
    return 4.0 / 3.0 * effective_young(a, b) * std::sqrt(effective_radius);
}

}  // namespace granary::test
