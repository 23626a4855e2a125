// Runs in a plane, discs and polygons: formulas, conservation, exact zeros, the same bits on any number of ranks.
#include <gtest/gtest.h>
#include <cmath>
#include "core/elementary.hpp"
#include "engine/measures.hpp"
#include "filling/cluster_copies.hpp"
#include "motion/rigid_rotation.hpp"
#include "shapes/convex_polygon.hpp"
#include "support/alone.hpp"
#include "support/few_balls.hpp"
#include "support/shaken_shapes.hpp"
#include "support/story.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary::plane_runs_test {

using namespace granary::test;

namespace {

constexpr double thickness = 5e-3;
constexpr int normal = 1;  // motion in x and z

ShapeTemplate polygon(const char* name, const std::vector<Vec2d>& corners) {  // (z, x)
    ShapeTemplate t = make_polygon(name, corners, normal);
    set_thickness(t, thickness);
    return t;
}
ShapeTemplate block(double half_x, double half_z) {
    return polygon("block", {{-half_z, -half_x}, {half_z, -half_x}, {half_z, half_x}, {-half_z, half_x}});
}

NewBody disc(Id id, const Vec3d& x, double radius, const Vec3d& v = {}, double spin = 0) {
    NewBody b = make_ball(id, x, radius, 2500, 0, v, thickness);
    b.spin = {0, spin, 0};
    return b;
}
NewBody polygon_of(const std::vector<ShapeTemplate>& shapes, std::uint16_t shape, Id id, const Vec3d& x, double size,
                   double half_angle = 0, const Vec3d& v = {}, double spin = 0) {
    const ShapeTemplate& t = shapes[shape - 1u];
    NewBody b;
    b.id = id, b.position = x, b.radius = size * t.outer_radius, b.velocity = v, b.spin = {0, spin, 0};
    b.mass = 2500 * t.polygon->area() * thickness * size * size, b.inertia = 1, b.rigid_shape = shape;
    b.orientation[0] = elementary::cos(half_angle), b.orientation[2] = elementary::sin(half_angle);
    b.orientation[1] = b.orientation[3] = 0;
    return b;
}

Setup in_the_plane(const std::vector<ShapeTemplate>& shapes, const std::vector<NewBody>& bodies, double friction,
                   double dt) {
    Setup s = few_balls(box(0.1), dt, bodies);
    s.shapes = shapes;
    s.plane = {normal, 0, thickness};
    s.materials = {hertz_material("stone", 1e8, 0.3, 2500, 0.3, friction)};
    return s;
}
Setup on_slope(const std::vector<ShapeTemplate>& shapes, const NewBody& body, double slope, double friction) {
    Setup s = in_the_plane(shapes, {body}, friction, 2e-6);
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0)};
    const double g = 9.81, c = 1 / std::sqrt(1 + slope * slope);
    s.gravity = {g * slope * c, 0, -g * c};
    return s;
}

// Polygons of three forms and discs, in a box that is periodic along x, with all kinds of walls.
Setup busy_plane(std::uint64_t count) {
    Setup s;
    s.domain = {{0, -0.01, 0}, {0.09, 0.01, 0.12}, {true, false, false}};
    s.dt = 1e-5;
    s.plane = {normal, 0, thickness};
    s.materials = {busy_grain()};
    s.gravity = {0.5, 0, -9.81};
    s.shapes = {block(2e-3, 1.5e-3), polygon("triangle", {{-1e-3, -2e-3}, {-1.5e-3, 2e-3}, {2e-3, 0.3e-3}}),
                polygon("six", {{2e-3, 0}, {1e-3, 2e-3}, {-1e-3, 2e-3}, {-2e-3, 0}, {-1e-3, -2e-3}, {1e-3, -2e-3}})};
    s.largest_radius = 2.6e-3, s.skin = 4e-4;
    // A slanted wall as a mesh, extruded.
    const Vec3d a{0.01, -0.02, 0.01}, b{0.03, -0.02, 0.005}, up{0, 0.04, 0};
    const std::vector<Corners> slant{{a, b, b + up}, {a, b + up, a + up}};
    s.walls = {make_wall("floor", Plane{s.domain.lower, {0, 0, 1}}, 0),
               make_wall("roof", Plane{s.domain.upper, {0, 0, -1}}, 0),
               make_wall("table", Rectangle{{0.05, -0.02, 0.02}, {0.015, 0, 0.004}, {0, 0.04, 0}}, 0),
               make_wall("post", Cylinder{{0.08, -0.02, 0.03}, {0.08, 0.02, 0.03}, 0.006}, 0),
               make_wall("slant", Mesh{std::make_shared<TriangleMesh>(slant), nullptr, {}}, 0)};
    std::vector<NewBody> bodies;
    for (Id id = 0; id < count; ++id) {
        const Vec3d x{3e-3 + 6e-3 * static_cast<double>(id % 15), 0, 0.045 + 6e-3 * static_cast<double>(id / 15)};
        const Vec3d v{dice_of(id, 0), 0, dice_of(id, 1) - 1};
        const double spin = 100 * dice_of(id, 2);
        if (id % 4 == 0) bodies.push_back(disc(id, x, 2.2e-3, v, spin));
        else {
            const auto k = static_cast<std::uint16_t>(id % 4);
            bodies.push_back(
                polygon_of(s.shapes, k, id, x, 2.6e-3 / s.shapes[k - 1u].outer_radius, 3 * dice_of(id, 3), v, spin));
        }
    }
    s.start = shares_of(bodies);
    return s;
}

bool is_zero_bits(double x) { return x == 0; }

}  // namespace

// I = m r^2/2: a = g sin/(1 + 1/2).
TEST(PlaneRuns, DiscRollsDownWithTwoThirds) {
    GRANARY_TEST_OF_ONE_RANK();
    const double slope = 0.3, g = 9.81, r = 5e-3;
    Simulation sim(alone(), on_slope({}, disc(0, {-0.05, 0, r}, r), slope, 0.8));
    const int steps = 50000;
    const double mass = 2500 * M_PI * r * r * thickness;
    EXPECT_NEAR(sim.bodies().mass(0), mass, 1e-12 * mass);
    EXPECT_NEAR(sim.bodies().moving_inertia(0), 0.5 * mass * r * r, 1e-12 * mass * r * r);
    for (int k = 0; k < steps; ++k) sim.step();
    const double expected = 2.0 / 3 * g * slope / std::sqrt(1 + slope * slope) * steps * 2e-6;
    EXPECT_NEAR(sim.bodies().velocity(0, 0), expected, 2e-3 * expected);
    EXPECT_NEAR(sim.bodies().spin(0, 1), expected / r, 2e-3 * expected / r);
}

// A square block stays below the angle of friction and slides above; it tips where the slope is above 1 (45 degrees).
TEST(PlaneRuns, SquareSlidesAndTips) {
    GRANARY_TEST_OF_ONE_RANK();
    const std::vector<ShapeTemplate> shapes{block(3e-3, 3e-3)};
    const NewBody square = polygon_of(shapes, 1, 0, {-0.02, 0, 3e-3}, 1);
    {
        Simulation sim(alone(), on_slope(shapes, square, 0.95 * 0.4, 0.4));
        for (int k = 0; k < 50000; ++k) sim.step();
        const Vec3d x = sim.bodies().x(0);
        for (int k = 0; k < 50000; ++k) sim.step();
        EXPECT_LT(norm(sim.bodies().x(0) - x), 1e-6 * 6e-3);
    }
    {
        Simulation sim(alone(), on_slope(shapes, square, 0.5, 0.4));
        for (int k = 0; k < 15000; ++k) sim.step();
        const double expected = 9.81 * (0.5 - 0.4) / std::sqrt(1.25) * 15000 * 2e-6;
        EXPECT_NEAR(sim.bodies().velocity(0, 0), expected, 0.03 * expected);
    }
    for (const double slope : {0.95, 1.05}) {
        Simulation sim(alone(), on_slope(shapes, square, slope, 1.5));
        for (int k = 0; k < 150000; ++k) sim.step();
        const double upright = rotate(orientation_of(sim.bodies(), 0), Vec3d{0, 0, 1}).z;
        if (slope < 1) EXPECT_GT(upright, 1 - 1e-4);
        else EXPECT_LT(upright, 0.95);
    }
}

TEST(PlaneRuns, TwoPolygonsConserveMomentum) {
    GRANARY_TEST_OF_ONE_RANK();
    const std::vector<ShapeTemplate> shapes{block(3e-3, 2e-3),
                                            polygon("triangle", {{-1e-3, -2e-3}, {-1.5e-3, 2e-3}, {2e-3, 0.3e-3}})};
    auto s = in_the_plane(shapes,
                          {polygon_of(shapes, 1, 0, {-6e-3, 0, 0.5e-3}, 1, 0.2, {1, 0, 0.1}, 40),
                           polygon_of(shapes, 2, 1, {6e-3, 0, 0}, 1.2, 1.0, {-0.5, 0, 0}, -90)},
                          0.5, 5e-7);
    s.energy = true;
    Simulation sim(alone(), std::move(s));
    const auto momenta = [&] {
        const Bodies& b = sim.bodies();
        Vec3d linear, angular;
        for (Index i = 0; i < 2; ++i) {
            linear += b.mass(i) * b.v(i);
            angular += b.momentum_of_spin(i) + cross(b.x(i) - 0.5 * sim.setup().dt * b.v(i), b.mass(i) * b.v(i));
        }
        return std::pair{linear, angular};
    };
    const auto [before, spin_before] = momenta();
    const double spin = sim.bodies().spin(0, 1);
    for (int k = 0; k < 40000; ++k) sim.step();
    const auto [after, spin_after] = momenta();
    EXPECT_GT(std::abs(sim.bodies().spin(0, 1) - spin), 1);  // they did hit
    EXPECT_LT(norm(after - before), 1e-13 * norm(before));
    EXPECT_LT(norm(spin_after - spin_before), 1e-8 * norm(spin_before));
    const EnergyBalance e = energy_balance_of(sim);
    EXPECT_LT(std::abs(e.residual()), 1e-3 * (e.damped + e.friction));
}

// Between floor and roof: the open rims of thin walls are no potential (shapes/README.md).
TEST(PlaneRuns, EnergyBalanceCloses) {
    GRANARY_TEST_OF_ONE_RANK();
    auto s = busy_plane(120);
    s.energy = true, s.dt = 2.5e-6;
    s.walls.resize(2);
    Simulation sim(alone(), std::move(s));
    for (int k = 0; k < 30000; ++k) sim.step();
    const EnergyBalance e = energy_balance_of(sim);
    EXPECT_GT(e.damped + e.friction, 0.3 * (e.kinetic + e.damped + e.friction));
    EXPECT_LT(std::abs(e.residual()), 0.01 * (e.damped + e.friction));
    RecordProperty("residual_over_lost", std::to_string(e.residual() / (e.damped + e.friction)));
}

// One translation and two rotations: zero, bit for bit, whatever happens; the other axes of the plane too.
TEST(PlaneRuns, NothingLeavesThePlane) {
    GRANARY_TEST_OF_ONE_RANK();
    Simulation sim(alone(), busy_plane(180));
    std::uint64_t contacts = 0;
    for (int k = 0; k < 4000; ++k) {
        sim.step();
        const Bodies& b = sim.bodies();
        for (Index i = b.owned.begin; i < b.owned.end; ++i) {
            bool still = is_zero_bits(b.position(i, 1)) && is_zero_bits(b.velocity(i, 1));
            for (const int axis : {0, 2})
                still &= is_zero_bits(b.spin(i, axis)) && is_zero_bits(b.angular_momentum(i, axis)) &&
                         is_zero_bits(b.orientation(i, 1 + axis));
            ASSERT_TRUE(still) << "step " << k << " body " << b.id(i);
        }
        if (k % 500 == 0) contacts += measures_of(sim).contacts;
    }
    EXPECT_GT(contacts, 100u);
}

TEST(PlaneRuns, SameBitsOnAnyNumberOfRanks) {
    const auto make = [] {
        auto s = busy_plane(180);
        s.energy = true;
        s.choose_cuts = shaken_cuts;
        return s;
    };
    const ManyStories stories = expect_same_on_any_ranks(make, 3000);
    EXPECT_GT(stories.of.front().contacts, 25u);
    EXPECT_GT(stories.of.front().wraps, 3u);
    EXPECT_NE(stories.of.front().load, 0);
    for (std::size_t k = 1; k < stories.of.size(); ++k) EXPECT_GT(stories.of[k].migrations, 10u);
}

TEST(PlaneRuns, OrientationsAreDrawnAboutTheNormal) {
    double least = 1, most = -1;
    for (Id id = 0; id < 1000; ++id) {
        NewBody b;
        b.id = id;
        turn_at_random_about(normal, b, 7);
        EXPECT_EQ(b.orientation[1], 0);
        EXPECT_EQ(b.orientation[3], 0);
        EXPECT_NEAR(b.orientation[0] * b.orientation[0] + b.orientation[2] * b.orientation[2], 1, 1e-15);
        least = std::min(least, b.orientation[0]), most = std::max(most, b.orientation[0]);
    }
    EXPECT_LT(least, -0.99);
    EXPECT_GT(most, 0.99);
}

}  // namespace granary::plane_runs_test
