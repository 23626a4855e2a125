// Two grains that are no balls hit each other, without friction and gravity: beside the impulse of two rigid bodies,
//   J = (1 + e) v/(1/m_i + 1/m_j + (r_i x n).I_i^-1 (r_i x n) + the same of j).
// At a plane: tests/validation/shapes_test.cpp.
#include <gtest/gtest.h>
#include <cmath>
#include "support/alone.hpp"
#include "support/rigid_impact.hpp"

namespace granary::shape_impacts_test {

using namespace granary::test;

namespace {

// The upper grain comes down on the face of a larger block, of which it hits a place beside the centre.
double restitution_on_a_block(const ShapeTemplate& upper, const Quaterniond& q, double e, LawSettings::Type law) {
    const Vec3d half{5e-3, 4e-3, 3e-3}, n{0, 0, 1}, beside{1e-3, -0.7e-3, 0};
    const std::vector<ShapeTemplate> shapes{upper, block_of(half)};
    const Vec3d lowest = lowest_point(upper, q);
    const double v = 1, r = upper.outer_radius, h = r / 40000;
    const NewBody block = grain_of(shapes, 2, 0, {0, 0, -half.z}, shapes[1].outer_radius, 1000);
    const NewBody grain = grain_of(shapes, 1, 1, beside - lowest + 1e-3 * h * n, r, 1000, q, {0, 0, -v});
    const auto inverse_mass = [&](const ShapeTemplate& s, const NewBody& b, const Quaterniond& at, const Vec3d& arm) {
        const Vec3d inverse = inverse_moments(s, s.outer_radius, 1 / b.mass);
        return 1 / b.mass + square_by_inertia(at, inverse, cross(arm, n));
    };
    const double per_mass = inverse_mass(upper, grain, q, lowest) +
                            inverse_mass(shapes[1], block, {1, 0, 0, 0}, beside + Vec3d{0, 0, half.z});
    const GivingWay at = giving_way(upper, q, lowest.z, h);
    const double energy = 0.5 * v * v / per_mass;
    Setup s = few_balls(box(0.1), h / v / 600, {block, grain});
    s.shapes = shapes;
    Material m = hertz_material("grain", 2 * (1 - 0.3 * 0.3) * energy / at.energy_by_young, 0.3, 1000, e, 0);
    m.stiffness = 2 * energy / at.energy_by_stiffness;  // two in a row
    s.materials = {m};
    s.law.type = law;
    Simulation sim(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_attach), std::move(s));
    bool touched = false;
    for (int step = 0; step < 100000; ++step) {
        sim.step();
        const bool touches = measures_of(sim).contacts > 0;
        if (touched && !touches) break;
        touched = touched || touches;
    }
    return grain.mass * (state_of(sim, 1).v.z + v) * per_mass / v - 1;
}

}  // namespace

TEST(ShapeImpacts, BetweenTwoGrainsGiveBackWhatIsAsked) {
    GRANARY_TEST_OF_ONE_RANK();
    const ShapeTemplate cube = block_of({2e-3, 2e-3, 2e-3}), tetrahedron = tetrahedron_of(6e-3),
                        ellipsoid = ellipsoid_of({4e-3, 3e-3, 2e-3});
    const Quaterniond any = normalised(Quaterniond{0.8, 0.35, -0.25, 0.2}), on_edge = rotation_about({1, 0, 0}, 0.4);
    for (const LawSettings::Type law : {LawSettings::Type::hertz_mindlin, LawSettings::Type::linear})
        for (const double e : {1.0, 0.6, 0.3}) {
            const bool linear = law == LawSettings::Type::linear;
            EXPECT_NEAR(restitution_on_a_block(cube, any, e, law), e, 0.01) << "corner " << linear;
            EXPECT_NEAR(restitution_on_a_block(cube, on_edge, e, law), e, 0.01) << "edge " << linear;
            EXPECT_NEAR(restitution_on_a_block(tetrahedron, any, e, law), e, 0.01) << "tetrahedron " << linear;
            EXPECT_NEAR(restitution_on_a_block(ellipsoid, any, e, law), e, 0.01) << "ellipsoid " << linear;
        }
}

}  // namespace granary::shape_impacts_test
