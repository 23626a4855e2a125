// Grains that are no balls at meshes that move and at walls of balls; springs of clumps whose contact goes from one
// ball to the next.
#include <gtest/gtest.h>
#include <cmath>
#include "engine/measures.hpp"
#include "support/alone.hpp"
#include "support/bonded_box.hpp"
#include "support/few_balls.hpp"
#include "support/shapes_at_walls.hpp"
#include "support/story.hpp"

namespace granary::shapes_at_walls_test {

using namespace granary::test;

namespace {

ShapeTemplate block(const Vec3d& half) {
    std::vector<Vec3d> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    return make_polyhedron("block", corners);
}

std::vector<ShapeTemplate> three_kinds() {
    return {ellipsoid_of({4e-3, 3e-3, 2e-3}),
            make_clump("tripod",
                       std::vector<ClumpBall>{{{0, 0, 0}, 2e-3}, {{4e-3, 0, 0}, 2e-3}, {{2e-3, 3.4e-3, 0}, 2e-3}}),
            block({4e-3, 3e-3, 2e-3})};
}

Vec3d tilted_gravity(double slope) {
    const double c = 9.81 / std::sqrt(1 + slope * slope);
    return {slope * c, 0, -c};
}

}  // namespace

TEST(ShapesAtWalls, SameBitsInAFunnelThatMoves) {
    const auto make = [] {
        auto s = shapes_in_a_moving_funnel();
        s.choose_cuts = shaken_cuts;
        return s;
    };
    const ManyStories stories = expect_same_on_any_ranks(make, 2000);
    EXPECT_GT(stories.of.front().contacts, 10u);
    EXPECT_NE(stories.of.front().load, 0);
    for (std::size_t k = 1; k < stories.of.size(); ++k) EXPECT_GT(stories.of[k].migrations, 10u);
}

TEST(ShapesAtWalls, SameBitsOnANetOfBalls) {
    const auto make = [] {
        auto s = shapes_on_a_net();
        s.choose_cuts = shaken_cuts;
        return s;
    };
    const ManyStories stories = expect_same_on_any_ranks(make, 3000);
    EXPECT_GT(stories.of.front().contacts, 5u);
    EXPECT_NE(stories.of.front().load, 0);
}

// A grain on a mesh that travels, or turns, goes with it as on a flat wall that moves in the same way, and does not
// slip on a slope below the angle of friction.
TEST(ShapesAtWalls, RidesOnAMeshThatMoves) {
    GRANARY_TEST_OF_ONE_RANK();
    for (const bool turns : {false, true})
        for (std::uint16_t kind = 1; kind <= 3; ++kind) {
            Vec3d on_plane;
            for (const bool mesh : {false, true}) {
                SCOPED_TRACE(testing::Message() << "kind " << kind << " turns " << turns << " mesh " << mesh);
                const auto shapes = three_kinds();
                const double speed = 0.05, rate = 5, from_axis = 0.01;
                NewBody grain = grain_of(shapes, kind, 0, {turns ? from_axis : 0.0, 0, 2e-3 - 1e-6},
                                         shapes[kind - 1u].outer_radius, 2500);
                grain.velocity = turns ? Vec3d{0, rate * from_axis, 0} : Vec3d{0, speed, 0};
                if (turns) grain.spin = {0, 0, rate};
                auto s = few_balls(box(0.06), 5e-6, {grain});
                s.domain.lower.z = -0.01;
                s.shapes = shapes;
                s.materials = {hertz_material("grain", 1e7, 0.3, 2500, 0.3, 0.5)};
                s.gravity = tilted_gravity(turns ? 0.0 : 0.4);
                WallMotion motion;
                motion.name = "belt";
                if (turns) motion.type = WallMotion::Type::rotate, motion.axis = {0, 0, 1}, motion.angular = rate;
                else motion.along = {0, speed, 0};
                s.motions = {motion};
                s.walls = {
                    make_wall("floor",
                              mesh ? WallShape(mesh_wall(flat({-0.05, -0.05, 0}, {0.1, 0, 0}, {0, 0.1, 0}, 17, 19)))
                                   : WallShape(Rectangle{{-0.05, -0.05, 0}, {0.1, 0, 0}, {0, 0.1, 0}}),
                              0)};
                s.walls[0].motion = 0;
                Simulation sim(alone(), std::move(s));
                const auto where = [&] {  // seen from the belt
                    const Vec3d x = sim.bodies().x(0);
                    const double t = sim.clock().time();
                    if (!turns) return x - Vec3d{0, speed * t, 0};
                    const double c = std::cos(rate * t), d = std::sin(rate * t);
                    return Vec3d{c * x.x + d * x.y, -d * x.x + c * x.y, x.z};
                };
                const int steps = turns ? 60000 : 30000;
                for (int k = 0; k < steps / 3; ++k) sim.step();
                const Vec3d before = where();
                for (int k = 0; k < steps; ++k) sim.step();
                EXPECT_LT(norm(where() - before), kind == 1 ? 3e-4 : 2e-6);                // the ellipsoid still rocks
                EXPECT_GT(sim.clock().time() * (turns ? rate * from_axis : speed), 5e-3);  // it has gone a long way
                if (mesh) {
                    EXPECT_LT(norm(where() - on_plane), 1e-6);
                }
                on_plane = where();
            }
        }
}

// On the balls of a sloping wall grains find a place and stay there.
TEST(ShapesAtWalls, RestsOnWallBalls) {
    GRANARY_TEST_OF_ONE_RANK();
    const auto shapes = three_kinds();
    for (std::uint16_t kind = 1; kind <= 3; ++kind) {
        SCOPED_TRACE(kind);
        auto s =
            few_balls(box(0.05), 5e-6, {grain_of(shapes, kind, 0, {0, 0, 5e-3}, shapes[kind - 1u].outer_radius, 2500)});
        s.domain.lower.z = -0.01;
        s.shapes = shapes;
        s.materials = {hertz_material("grain", 1e7, 0.3, 2500, 0.2, 0.6)};
        s.gravity = tilted_gravity(0.3);
        s.walls = {make_wall("net", Rectangle{{-0.04, -0.04, 0}, {0.08, 0, 0}, {0, 0.08, 0}}, 0)};
        s.walls_of_balls = {1};
        for (int i = -12; i <= 12; ++i)
            for (int j = -12; j <= 12; ++j)
                s.wall_balls.push_back(
                    {{2.5e-3 * i, 2.5e-3 * j, 0}, 1.6e-3, static_cast<std::uint32_t>(s.wall_balls.size()), 0, 0});
        Simulation sim(alone(), std::move(s));
        for (int k = 0; k < 60000; ++k) sim.step();
        const Vec3d before = sim.bodies().x(0);
        EXPECT_GT(before.z, 1.6e-3);
        for (int k = 0; k < 40000; ++k) sim.step();
        EXPECT_LT(norm(sim.bodies().x(0) - before), 1e-7);
        const Vec3d load = wall_loads_of(sim)[0].force, weight = sim.bodies().mass(0) * sim.setup().gravity;
        EXPECT_LT(norm(load - weight), 1e-3 * norm(weight));
    }
}

// A ball rolls down two rails, which are one clump of 82 balls that overlap. It goes over 30 of them on each side
// without slip: friction lasts while the contact goes from ball to ball.
TEST(ShapesAtWalls, RollsAlongARowOfBallsWithoutSlip) {
    GRANARY_TEST_OF_ONE_RANK();
    const double r = 2e-3, big = 5e-3, apart = 2.5e-3, slope = 0.2;
    std::vector<ClumpBall> row;
    for (int k = 0; k <= 40; ++k)
        for (const double y : {-apart, apart}) row.push_back({{0.25e-3 * k, y, 0}, r});
    const ShapeTemplate rails = make_clump("rails", row);
    const double height = std::sqrt((r + big) * (r + big) - apart * apart), lever = big * height / (r + big);
    NewBody bed = grain_of({rails}, 1, 0, {0, 0, 0}, rails.outer_radius, 2500, rails.as_given);
    bed.held = 1;
    auto s = few_balls(box(0.05), 5e-6, {bed, ball(1, {-4e-3, 0, height - 1e-6}, big, 2500)});
    s.shapes = {rails};
    s.holds = {{}};
    s.materials = {hertz_material("grain", 1e7, 0.3, 2500, 0.3, 0.5)};
    s.gravity = tilted_gravity(slope);
    Simulation sim(alone(), std::move(s));
    const auto roller = [&] { return sim.bodies().id(0) == 1 ? Index{0} : Index{1}; };  // a rebuild may change it
    while (sim.bodies().x(roller()).x < 3.5e-3 && sim.clock().step() < 100000) sim.step();
    const Index i = roller();
    const double v = sim.bodies().velocity(i, 0), time = sim.clock().time();
    EXPECT_NEAR(sim.bodies().spin(i, 1) * lever, v, 1e-3 * v);
    const double expected = sim.setup().gravity.x / (1 + 0.4 * big * big / (lever * lever)) * time;
    EXPECT_NEAR(v, expected, 0.08 * expected);  // bumps take some
}

}  // namespace granary::shapes_at_walls_test
