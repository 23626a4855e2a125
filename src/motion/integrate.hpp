// Leapfrog form of velocity Verlet. The stored velocity and spin belong to t - dt/2, positions and forces to t:
//     v(t + dt/2) = v(t - dt/2) + (F(t)/m + g) dt,    x(t + dt) = x(t) + v(t + dt/2) dt,
// the same for spin and torque. Forces at t + dt thus see the velocity half a step before; outputs and energies use
// the synchronised velocity v(t) = v(t - dt/2) + (F(t)/m + g) dt/2, computed only there.
#pragma once
#include <span>
#include "core/bodies.hpp"
#include "core/position_lattice.hpp"
#include "motion/integrator.hpp"
#include "shapes/shape_template.hpp"

namespace granary {

struct Motion {
    double dt = 0;  // s
    Vec3d gravity;  // m/s^2
    PositionLattice lattice;
    Integrator integrator = Integrator::verlet;
    double last_dt = 0;                       // s, of the step that led here; gear
    std::span<const ShapeTemplate> shapes{};  // of the run
};

// Moves the bodies of these runs by one step; their force and torque are then spent, and zero.
void kick_and_drift(Bodies& bodies, std::span<const Range> runs, const Motion& motion);

// Velocity and spin by half a step of the present force: +0.5 dt synchronises, -0.5 dt starts the leapfrog.
void kick(Bodies& bodies, std::span<const Range> runs, const Vec3d& gravity, double time);

// At the time of the positions, whatever the integrator. The spin of a shape follows its angular momentum and its
// orientation of that time (rigid_rotation.hpp).
Vec3d synchronised_velocity(const Bodies& bodies, Index i, const Motion& motion);
Vec3d synchronised_spin(const Bodies& bodies, Index i, const Motion& motion);

}  // namespace granary
