// Runs of polyhedra beside formulas: blocks on slopes, stacks. Longer ones and impacts:
// tests/validation/shapes_test.cpp.
#include <gtest/gtest.h>
#include <cmath>
#include "engine/measures.hpp"
#include "motion/rigid_rotation.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "support/mesh_floor.hpp"
#include "support/alone.hpp"
#include "support/few_balls.hpp"
#include "support/shaken_shapes.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary::shape_polyhedra_test {

using namespace granary::test;

namespace {

ShapeTemplate block(const Vec3d& half) {
    std::vector<Vec3d> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    return make_polyhedron("block", corners);
}

Quaterniond about(const Vec3d& axis, double angle) {
    const Vec3d u = std::sin(0.5 * angle) * axis;
    return {std::cos(0.5 * angle), u.x, u.y, u.z};
}

Setup on_floor(const std::vector<ShapeTemplate>& shapes, const std::vector<NewBody>& bodies, double slope,
               double friction, double dt) {
    Setup s = few_balls(box(0.1), dt, bodies);
    s.shapes = shapes;
    s.materials = {hertz_material("stone", 1e8, 0.3, 2500, 0.3, friction)};
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0)};
    const double g = 9.81, c = 1 / std::sqrt(1 + slope * slope);
    s.gravity = {g * slope * c, 0, -g * c};
    return s;
}

}  // namespace

// A block on a slope stays below the angle of friction, without creeping, and slides above; on a plane and on meshes
// alike. Once it has come to rest it may not move by 1e-6 of its edge.
TEST(ShapePolyhedra, BlockSticksAndSlides) {
    GRANARY_TEST_OF_ONE_RANK();
    const std::vector<ShapeTemplate> shapes{block({4e-3, 3e-3, 2e-3})};
    for (const int floor : {0, 1, 10})
        for (const double angle : {0.0, 10 * M_PI / 180}) {
            const NewBody grain =
                grain_of(shapes, 1, 0, {0, 0, 2e-3}, shapes[0].outer_radius, 2500, about({0, 0, 1}, angle));
            auto s = on_floor(shapes, {grain}, 0.95 * 0.4, 0.4, 2e-6);
            if (floor > 0) s.walls = {mesh_floor(0.03, floor)};
            Simulation sim(alone(), std::move(s));
            for (int k = 0; k < 50000; ++k) sim.step();
            const Vec3d x = sim.bodies().x(0);
            for (int k = 0; k < 100000; ++k) sim.step();
            EXPECT_LT(norm(sim.bodies().x(0) - x), 1e-6 * 8e-3) << floor << " " << angle;

            auto steep = on_floor(shapes, {grain}, 0.5, 0.4, 2e-6);
            if (floor > 0) steep.walls = {mesh_floor(0.03, floor)};
            Simulation sliding(alone(), std::move(steep));
            for (int k = 0; k < 15000; ++k) sliding.step();
            const double expected = 9.81 * (0.5 - 0.4) / std::sqrt(1.25) * 15000 * 2e-6;
            EXPECT_NEAR(sliding.bodies().velocity(0, 0), expected, 0.03 * expected) << floor << " " << angle;
        }
}

// A block of height h and width b tips over its edge where the slope is above b/h, with friction enough. Nearer to it
// than some 3/4 see tests/validation/SHAPES.md.
TEST(ShapePolyhedra, BlockTips) {
    GRANARY_TEST_OF_ONE_RANK();
    const std::vector<ShapeTemplate> shapes{block({2e-3, 3e-3, 4e-3})};
    for (const double slope : {0.36, 0.53}) {
        const NewBody grain = grain_of(shapes, 1, 0, {0, 0, 4e-3}, shapes[0].outer_radius, 2500);
        Simulation sim(alone(), on_floor(shapes, {grain}, slope, 1.0, 2e-6));
        for (int k = 0; k < 100000; ++k) sim.step();
        const double upright = rotate(orientation_of(sim.bodies(), 0), Vec3d{0, 0, 1}).z;
        if (slope < 0.5) EXPECT_GT(upright, 1 - 1e-4);  // the ground gives way
        else EXPECT_LT(upright, 0.9);
    }
}

// Without friction only the damper of the face can end it: the contact point of a cube that rocks has no speed along
// the normal.
TEST(ShapePolyhedra, RockingDies) {
    GRANARY_TEST_OF_ONE_RANK();
    const double half = 2e-3;
    const std::vector<ShapeTemplate> shapes{block({half, half, half})};
    const NewBody cube =
        grain_of(shapes, 1, 0, {0, 0, half - 4e-8}, shapes[0].outer_radius, 2500, {1, 0, 0, 0}, {}, {0.02, 0.01, 0});
    auto s = on_floor(shapes, {cube}, 0, 0, 2e-6);
    s.materials[0].young = 1e7;
    Simulation sim(alone(), std::move(s));
    const double before = norm(sim.bodies().momentum_of_spin(0));
    double highest = 0;
    for (int k = 0; k < 10000; ++k) {
        sim.step();
        if (k > 9000) highest = std::max(highest, norm(sim.bodies().momentum_of_spin(0)));
    }
    EXPECT_LT(highest, 1e-3 * before);
}

// The linear law presses with (k/A_0) h, so that its force has a potential: a block whose weight a strip of its face
// carries comes to rest: its rocking halves every 0.025 s. With k V/A, A the area of the moment, it kept on fluttering.
TEST(ShapePolyhedra, BlockStandsOnAStripUnderTheLinearLaw) {
    GRANARY_TEST_OF_ONE_RANK();
    const std::vector<ShapeTemplate> shapes{block({2e-3, 3e-3, 4e-3})};
    const NewBody grain = grain_of(shapes, 1, 0, {0, 0, 4e-3}, shapes[0].outer_radius, 2500);
    auto s = on_floor(shapes, {grain}, 0.35, 1.0, 2e-6);
    s.materials = {linear_material("stone", 2e5, 2500, 0.3, 1.0)};
    s.law.type = LawSettings::Type::linear;
    Simulation sim(alone(), std::move(s));
    double at_first = 0, at_last = 0;
    for (int k = 0; k < 100000; ++k) {
        sim.step();
        double& fastest = k < 10000 ? at_first : at_last;
        if (k < 10000 || k >= 90000) fastest = std::max(fastest, norm(sim.bodies().omega(0)));
    }
    EXPECT_GT(at_first, 0.1);
    EXPECT_LT(at_last, 0.01 * at_first);
    EXPECT_GT(rotate(orientation_of(sim.bodies(), 0), Vec3d{0, 0, 1}).z, 1 - 1e-6);
}

// On its largest face it is as stiff as the material says.
TEST(ShapePolyhedra, LinearLawOnTheLargestFace) {
    GRANARY_TEST_OF_ONE_RANK();
    const Vec3d half{4e-3, 3e-3, 2e-3};
    const std::vector<ShapeTemplate> shapes{block(half)};
    const double k = 1e4;
    for (const bool flat : {true, false}) {
        const double height = flat ? half.z : half.y, share = flat ? 1.0 : half.z / half.y;
        const NewBody grain = grain_of(shapes, 1, 0, {0, 0, height}, shapes[0].outer_radius, 2500,
                                       flat ? Quaterniond{1, 0, 0, 0} : about({1, 0, 0}, M_PI / 2));
        auto s = on_floor(shapes, {grain}, 0, 0.5, 5e-6);
        s.materials = {linear_material("stone", 2 * k, 2500, 0.2, 0.5)};
        s.law.type = LawSettings::Type::linear;
        Simulation sim(alone(), std::move(s));
        for (int step = 0; step < 20000; ++step) sim.step();
        EXPECT_NEAR((height - sim.bodies().x(0).z) * k * share / (grain.mass * 9.81), 1, 1e-6) << flat;
    }
}

// Ten cubes stand.
TEST(ShapePolyhedra, TenCubesStand) {
    GRANARY_TEST_OF_ONE_RANK();
    const double half = 2e-3;
    const std::vector<ShapeTemplate> shapes{block({half, half, half})};
    std::vector<NewBody> cubes;
    for (Id k = 0; k < 10; ++k)
        cubes.push_back(
            grain_of(shapes, 1, k, {0, 0, half + 2 * half * static_cast<double>(k)}, shapes[0].outer_radius, 2500));
    Simulation sim(alone(), on_floor(shapes, cubes, 0, 0.4, 4e-6));
    for (int k = 0; k < 50000; ++k) sim.step();
    std::vector<Vec3d> before(10);
    for (Index i = 0; i < 10; ++i) before[sim.bodies().id(i)] = sim.bodies().x(i);
    for (int k = 0; k < 50000; ++k) sim.step();
    for (Index i = 0; i < 10; ++i) {
        const Vec3d moved = sim.bodies().x(i) - before[sim.bodies().id(i)];
        EXPECT_LT(norm(moved), 1e-6 * half) << sim.bodies().id(i);
        EXPECT_GT(rotate(orientation_of(sim.bodies(), i), Vec3d{0, 0, 1}).z, 1 - 1e-6);
    }
    EXPECT_LT(measures_of(sim).kinetic_energy, 1e-15);
}

}  // namespace granary::shape_polyhedra_test
