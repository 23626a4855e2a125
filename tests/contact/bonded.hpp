// A few balls and their bonds, placed by hand and moved as a run moves them: kick and drift, turn, forces. Held balls
// have no inverse mass and inertia. Weight is a load, so that it does not move them.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>
#include "contact/bond_forces.hpp"
#include "motion/integrate.hpp"
#include "motion/turn_bodies.hpp"
#include "shapes/quaternion.hpp"

namespace granary::test {

class Bonded {
  public:
    Bodies bodies;
    BondList bonds;
    std::vector<BondType> types;
    BondForces forces;
    Motion motion;
    BondWatch* watch = nullptr;
    std::vector<Vec3d> push, twist;  // loads on every ball, N, N m
    double drag = 0;                 // 1/s, of all velocities and spins

    // A copy would share its arrays.
    Bonded(const Bonded&) = delete;
    Bonded(Bonded&&) = default;
    Bonded& operator=(Bonded&&) = default;
    explicit Bonded(const BondType& type) : Bonded(std::vector{type}) {}
    explicit Bonded(std::vector<BondType> all, Index room = 64) : types(std::move(all)) {
        bodies.add(When::orientations);
        bodies.reserve(room);
        bonds.start(true);
        motion.lattice = PositionLattice(Domain{{-1, -1, -1}, {1, 1, 1}, {}});
    }

    Index ball(const Vec3d& x, double radius, double mass, const Quaterniond& q = {1, 0, 0, 0}) {
        const Index i = bodies.size++;
        NewBody b;
        b.id = i, b.position = motion.lattice.snap(x), b.radius = radius, b.mass = mass;
        b.inertia = 0.4 * mass * radius * radius;
        b.orientation[0] = q.w, b.orientation[1] = q.x, b.orientation[2] = q.y, b.orientation[3] = q.z;
        bodies.put(i, b);
        for (int c = 0; c < 4; ++c) bodies.force(i, c) = bodies.torque(i, c) = 0;
        bodies.owned = {0, bodies.size}, bodies.real = {bodies.owned};
        push.push_back({}), twist.push_back({});
        return i;
    }
    void bond(Index i, Index j, std::size_t type = 0, double factor = 1) {
        const Vec3d d = rotate_back(orientation(i), bodies.x(i) - bodies.x(j));
        const double reference[3] = {d.x, d.y, d.z}, nature[3] = {static_cast<double>(type), factor, 0};
        bonds.add(i, j, 0, reference, nature, nullptr, nullptr);
    }
    void hold(Index i) { bodies.velocity(i, 3) = bodies.spin(i, 3) = 0; }
    void set(Index i, const Vec3d& v, const Vec3d& omega) {
        for (int axis = 0; axis < 3; ++axis)
            bodies.velocity(i, axis) = at(v, axis), bodies.spin(i, axis) = at(omega, axis);
    }

    Quaterniond orientation(Index i) const {
        return {bodies.orientation(i, 0), bodies.orientation(i, 1), bodies.orientation(i, 2), bodies.orientation(i, 3)};
    }
    Vec3d force(Index i) const { return {bodies.force(i, 0), bodies.force(i, 1), bodies.force(i, 2)}; }
    Vec3d torque(Index i) const { return {bodies.torque(i, 0), bodies.torque(i, 1), bodies.torque(i, 2)}; }
    double mass(Index i) const { return bodies.velocity(i, 3) > 0 ? 1 / bodies.velocity(i, 3) : 0; }
    double inertia(Index i) const { return bodies.spin(i, 3) > 0 ? 1 / bodies.spin(i, 3) : 0; }

    void add_forces(double dt) {
        forces.add(bodies, bonds, types, dt, watch);
        for (Index i = 0; i < bodies.size; ++i)
            for (int axis = 0; axis < 3; ++axis)
                bodies.force(i, axis) += at(push[i], axis), bodies.torque(i, axis) += at(twist[i], axis);
    }
    // Velocities were those of the positions; from here on they are half a step behind.
    void start(double dt) {
        motion.dt = dt;
        add_forces(0);
        kick(bodies, bodies.real, {}, -0.5 * dt);
    }
    void step() {
        kick_and_drift(bodies, bodies.real, motion);
        turn(bodies, bodies.real, motion.dt);
        add_forces(motion.dt);
        if (drag > 0)
            for (Index i = 0; i < bodies.size; ++i)
                for (int axis = 0; axis < 3; ++axis)
                    bodies.velocity(i, axis) *= 1 - drag * motion.dt, bodies.spin(i, axis) *= 1 - drag * motion.dt;
    }
    void steps(long n) {
        for (long k = 0; k < n; ++k) step();
    }

    double stored() const {
        double sum = 0;
        for (Index b = 0; b < bonds.size; ++b) sum += bond_energy(bodies, bonds, types, b);
        return sum;
    }
    double kinetic() const {
        double sum = 0;
        for (Index i = 0; i < bodies.size; ++i) {
            const Vec3d v = synchronised_velocity(bodies, i, motion), w = synchronised_spin(bodies, i, motion);
            sum += 0.5 * (mass(i) * dot(v, v) + inertia(i) * dot(w, w));
        }
        return sum;
    }
    // Of the stored velocities: what leapfrog keeps to the last bits.
    Vec3d angular_momentum() const {
        Vec3d sum;
        for (Index i = 0; i < bodies.size; ++i)
            sum += mass(i) * cross(bodies.x(i), bodies.v(i)) + inertia(i) * bodies.omega(i);
        return sum;
    }
};

// A bar of n + 1 touching balls along x, the first one held. E = 1e8 Pa, R_b = r.
struct Bar {
    static constexpr double r = 1e-3, length = 2 * r, mass = 1e-5;
    static constexpr double young = 1e8, shear = 4e7;
    static constexpr double area = std::numbers::pi * r * r, moment = area * r * r / 4;

    static BondType type(BondForm form) {
        BondType t;
        t.form = form, t.young_modulus = young, t.shear_modulus = shear;
        t.longest_stretch = 1;
        return t;
    }
    // Slowest bending swing, as of a rod with its first ball held.
    static double slowest(int n) {
        const double whole = (n + 0.5) * length;
        return 3.516 * std::sqrt(young * moment / (mass / length) / (whole * whole * whole * whole));
    }
    static constexpr double dt = 2e-6;  // well below the quickest swing, 2/sqrt(4 k_s (2/m + L^2/(2 I)))

    static Bonded make(int n, const BondType& type) {
        Bonded b(type);
        for (int k = 0; k <= n; ++k) b.ball({k * length, 0, 0}, r, mass);
        for (int k = 0; k < n; ++k) b.bond(static_cast<Index>(k), static_cast<Index>(k + 1));
        b.hold(0);
        return b;
    }
    // Moves until the load is carried at rest, with critical damping of a swing.
    static void settle(Bonded& b, double omega) {
        b.drag = 2 * omega;
        b.start(dt);
        b.steps(static_cast<long>(16 / omega / dt));
    }
};

}  // namespace granary::test
