// A grain that is no ball hits a plane, without friction, gravity and spin: beside the impulse of a rigid body,
//   J = (1 + e) v/(1/m + (r x n).I^-1 (r x n)),
// r from the centre to where it touches. The depth is a small share of the size, so that it hardly turns meanwhile.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cmath>
#include "motion/rigid_rotation.hpp"
#include "shapes/polyhedron_contact.hpp"
#include "support/few_balls.hpp"
#include "support/shaken_shapes.hpp"

namespace granary::test {

inline ShapeTemplate block_of(const Vec3d& half) {
    std::vector<Vec3d> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    return make_polyhedron("block", corners);
}

inline ShapeTemplate tetrahedron_of(double edge) {
    const double a = edge / std::sqrt(8.0);
    return make_polyhedron("tetrahedron", std::vector<Vec3d>{{a, a, a}, {a, -a, -a}, {-a, a, -a}, {-a, -a, a}});
}

inline Quaterniond rotation_about(const Vec3d& axis, double angle) {
    const Vec3d u = (std::sin(0.5 * angle) / norm(axis)) * axis;
    return {std::cos(0.5 * angle), u.x, u.y, u.z};
}

// From its centre to the lowest point; the middle of an edge or face that lies flat.
inline Vec3d lowest_point(const ShapeTemplate& shape, const Quaterniond& q) {
    if (shape.kind == ShapeKind::ellipsoid) {
        const Vec3d n = rotate_back(q, Vec3d{0, 0, -1}), &a = shape.semi_axes;
        const Vec3d scaled{a.x * a.x * n.x, a.y * a.y * n.y, a.z * a.z * n.z};
        return rotate(q, (1 / std::sqrt(dot(scaled, n))) * scaled);
    }
    std::vector<Vec3d> points;
    for (const ClumpBall& b : shape.balls) points.push_back(rotate(q, b.centre) - Vec3d{0, 0, b.radius});
    if (shape.kind == ShapeKind::polyhedron)
        for (const Vec3d& corner : shape.polyhedron->corners()) points.push_back(rotate(q, corner));
    double least = 0, n = 0;
    for (const Vec3d& p : points) least = std::min(least, p.z);
    Vec3d sum;
    for (const Vec3d& p : points)
        if (p.z < least + 1e-9 * shape.outer_radius) sum += p, n += 1;
    return (1 / n) * sum;
}

// How a shape gives way at a depth h into a plane.
struct GivingWay {
    double overlap, energy_by_young, energy_by_stiffness;  // m; J per Pa of E*, J per N/m of a linear law
};
inline GivingWay giving_way(const ShapeTemplate& shape, const Quaterniond& q, double lowest, double h) {
    if (shape.kind == ShapeKind::polyhedron) {
        ConvexTouch touch;
        if (!touch_plane(*shape.polyhedron, {{0, 0, -lowest - h}, q, 1}, {}, {0, 0, 1}, touch))
            throw std::runtime_error("does not touch");
        const double d = touch.overlap, s = touch.stored_depth, length = shape.polyhedron->equivalent_radius();
        const double volume = d * touch.area;
        return {d, volume / length * s, volume / touch.patch.face * s};
    }
    double radius = 0;
    if (shape.kind == ShapeKind::ellipsoid) {
        const Vec3d& a = shape.semi_axes;
        radius = a.x * a.y * a.z / (lowest * lowest);
    }
    for (const ClumpBall& b : shape.balls)
        if (rotate(q, b.centre).z - b.radius == lowest) radius = b.radius;
    return {h, 8.0 / 15 * std::sqrt(radius) * h * h * std::sqrt(h), 0.5 * h * h};
}

struct RigidImpact {
    double restitution;  // that the impulse belongs to
    double momentum;     // angular momentum against r x J, as a share of |J| times the outer radius
};

inline RigidImpact rigid_impact(const ShapeTemplate& shape, const Quaterniond& q, double e, LawSettings::Type law,
                                double depth_share = 1.0 / 10000) {
    const std::vector<ShapeTemplate> shapes{shape};
    const Vec3d n{0, 0, 1}, lowest = lowest_point(shape, q);
    const double v = 1.0, r = shape.outer_radius, h = depth_share * r;
    const NewBody grain = grain_of(shapes, 1, 0, {0, 0, -lowest.z + 1e-3 * h}, r, 1000, q, {0, 0, -v});
    const Vec3d inverse = inverse_moments(shape, r, 1 / grain.mass);
    const double per_mass = 1 / grain.mass + square_by_inertia(q, inverse, cross(lowest, n));
    const GivingWay at = giving_way(shape, q, lowest.z, h);
    const double energy = 0.5 * v * v / per_mass, nu = 0.3;
    Setup s = few_balls(box(0.1), h / v / 600, {grain});
    s.domain.lower.z = -0.02;
    s.shapes = shapes;
    Material m = hertz_material("grain", energy / at.energy_by_young * (1 - nu * nu), nu, 1000, e, 0);
    m.stiffness = energy / at.energy_by_stiffness;
    s.materials = {m, rigid_wall(e, 0)};
    s.law.type = law;
    s.walls = {make_wall("floor", Plane{{}, n}, 1)};
    Simulation sim(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_attach), std::move(s));
    double highest = 0;
    for (int step = 0; step < 200000; ++step) {
        sim.step();
        const double load = norm(wall_loads_of(sim)[0].force);
        highest = std::max(highest, load);
        if (highest > 0 && load == 0) break;
    }
    const Bodies& b = sim.bodies();
    const double impulse = grain.mass * (b.velocity(0, 2) + v);
    return {impulse * per_mass / v - 1,
            norm(b.momentum_of_spin(0) - cross(lowest, impulse * n)) / (std::abs(impulse) * r)};
}

}  // namespace granary::test
