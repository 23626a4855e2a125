// Balls at rest and rolling on every shape of wall, with the force and torque that the wall feels.
#include <gtest/gtest.h>
#include <cmath>
#include <string>
#include <vector>
#include "support/few_balls.hpp"
#include "support/triangles.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double g = 9.81, radius = 2.5e-3, density = 2500;

enum class Friction { none, some };

Setup ball_at_walls(const NewBody& b, const std::vector<WallShape>& shapes, const Vec3d& gravity,
                    Friction friction = Friction::some, LawSettings::Type type = LawSettings::Type::hertz_mindlin) {
    const double mu = friction == Friction::some ? 0.5 : 0.0;
    Material m = hertz_material("grain", 5e6, 0.3, density, 0.3, mu);
    m.stiffness = 2000, m.damping = 0.2;
    Setup s = few_balls(box(0.1), 1e-5, {b});
    s.gravity = gravity;
    s.law.type = type;
    s.materials = {m, rigid_wall(0.3, mu)};
    for (std::size_t k = 0; k < shapes.size(); ++k)
        s.walls.push_back(make_wall("wall " + std::to_string(k), shapes[k], 1));
    return s;
}

// A frame with no vector along an axis.
const Vec3d c = unit({0.3, -0.4, 0.8}), a = unit(cross(c, {1, 0, 0})), b = cross(c, a), origin{0.013, -0.021, 0.017};
Vec3d place(double x, double y, double z) { return origin + x * a + y * b + z * c; }

struct Held {
    const char* name;
    WallShape shape;
    Vec3d point, normal;  // where the ball lies, unit normal towards the ball
};

std::vector<Held> all_shapes() {
    const double slope = std::atan2(0.02, 0.05);  // of the cone: from radius 10 mm to 30 mm over 50 mm
    return {
        {"plane", Plane{origin, c}, place(0.01, 0.02, 0), c},
        {"rectangle", Rectangle{place(-0.01, -0.01, 0), 0.03 * a, 0.02 * b}, place(0.003, 0.002, 0), c},
        {"rectangle from behind", Rectangle{place(-0.01, -0.01, 0), 0.03 * a, 0.02 * b}, place(0.003, 0.002, 0), -c},
        {"disc", Disc{origin, c, 0.02}, place(0.007, -0.004, 0), c},
        {"annulus", Annulus{origin, c, 0.01, 0.03}, place(-0.015, 0.006, 0), c},
        {"cylinder from inside", Cylinder{place(0, 0, -0.02), place(0, 0, 0.03), 0.02}, place(0.012, 0.016, 0.01),
         -0.6 * a - 0.8 * b},
        {"cone from inside", ConeFrustum{place(0, 0, 0), place(0, 0, 0.05), 0.01, 0.03},
         place(0.6 * 0.02, 0.8 * 0.02, 0.025), -std::cos(slope) * (0.6 * a + 0.8 * b) + std::sin(slope) * c},
    };
}

void expect_at_rest(const Simulation& sim) { EXPECT_LT(norm(state_of(sim, 0).v), 1e-9); }

}  // namespace

TEST(Walls, EachShapeHoldsABall) {
    for (const auto type :
         {LawSettings::Type::hertz_mindlin, LawSettings::Type::linear, LawSettings::Type::kelvin_voigt})
        for (const Held& h : all_shapes()) {
            SCOPED_TRACE(h.name);
            const NewBody ball_above = ball(0, h.point + 1.05 * radius * h.normal, radius, density);  // drops a little
            Simulation sim(boost::mpi::communicator(),
                           ball_at_walls(ball_above, {h.shape}, -g * h.normal, Friction::some, type));
            run(sim, 20000);
            const WallLoad load = loads_after_a_step(sim)[0];
            expect_at_rest(sim);
            const Vec3d weight = -ball_above.mass * g * h.normal;
            EXPECT_LT(norm(load.force - weight), 1e-6 * norm(weight));
            EXPECT_LT(norm(load.torque - cross(h.point, weight)), 1e-6 * norm(h.point) * norm(weight));
            EXPECT_EQ(load.force, -state_of(sim, 0).force);
            const Vec3d off = state_of(sim, 0).x - h.point;
            EXPECT_NEAR(norm(off - dot(off, h.normal) * h.normal), 0, 1e-9);  // straight above its point
            EXPECT_GT(dot(off, h.normal), 0.99 * radius);
        }
}

// A concave corner of two walls: each carries the part of the weight that its normal says, if there is no friction to
// share it.
TEST(Walls, CornersOfSiloPartsBringABallToRest) {
    const Vec3d down = unit({0.5, 0, -1});  // leaning, so that the corner is the lowest place
    struct Corner {
        const char* name;
        WallShape first, second;
        Vec3d n_first, n_second;
    };
    const double slope = std::atan2(0.02, 0.03);
    const std::vector<Corner> corners{
        {"floor and bin",
         Disc{{0, 0, 0}, {0, 0, 1}, 0.02},
         Cylinder{{0, 0, 0}, {0, 0, 0.06}, 0.02},
         {0, 0, 1},
         {-1, 0, 0}},
        {"gate and hopper",
         Disc{{0, 0, 0}, {0, 0, 1}, 0.01},
         ConeFrustum{{0, 0, 0}, {0, 0, 0.03}, 0.01, 0.03},
         {0, 0, 1},
         {-std::cos(slope), 0, std::sin(slope)}},
    };
    for (const Friction friction : {Friction::none, Friction::some})
        for (const Corner& corner : corners) {
            SCOPED_TRACE(testing::Message() << corner.name << (friction == Friction::none ? ", smooth" : ", rough"));
            const NewBody thrown = ball(0, {0.002, 0, 0.01}, radius, density, {0.2, 0, 0.1});
            Simulation sim(boost::mpi::communicator(),
                           ball_at_walls(thrown, {corner.first, corner.second}, g * down, friction));
            run(sim, 100000);
            const auto load = loads_after_a_step(sim);
            expect_at_rest(sim);
            EXPECT_EQ(state_of(sim, 0).x.y, 0);
            const Vec3d weight = thrown.mass * g * down;
            EXPECT_LT(norm(load[0].force + load[1].force - weight), 1e-6 * norm(weight));
            EXPECT_LT(norm(load[0].torque + load[1].torque - cross(state_of(sim, 0).x, weight)),
                      1e-6 * norm(weight) * 0.02);
            if (friction == Friction::some) continue;
            // Weight = -(f1 n1 + f2 n2).
            const double det = corner.n_first.x * corner.n_second.z - corner.n_first.z * corner.n_second.x;
            const double f1 = -(weight.x * corner.n_second.z - weight.z * corner.n_second.x) / det;
            const double f2 = -(corner.n_first.x * weight.z - corner.n_first.z * weight.x) / det;
            EXPECT_GT(f1, 0);
            EXPECT_GT(f2, 0);
            EXPECT_LT(norm(load[0].force + f1 * corner.n_first), 1e-6 * norm(weight));
            EXPECT_LT(norm(load[1].force + f2 * corner.n_second), 1e-6 * norm(weight));
        }
}

// A ball that plugs a cone touches it all around; the wall answers at its nearest point alone, now this side, now that.
// The ball stays in the middle to a few g dt^2, and the mean force carries it.
TEST(Walls, BallThatPlugsAConeIsHeldOnTheMean) {
    const double slope = std::atan2(0.02, 0.04);
    const NewBody falling = ball(0, {5e-4, 0, 0.012}, radius, density);
    Simulation sim(boost::mpi::communicator(),
                   ball_at_walls(falling, {ConeFrustum{{0, 0, 0}, {0, 0, 0.04}, 0.001, 0.021}}, {0, 0, -g}));
    run(sim, 50000);
    Vec3d mean{};
    double off_axis = 0;
    for (int k = 0; k < 2000; ++k) {
        mean += loads_after_a_step(sim)[0].force;
        off_axis = std::max(off_axis, std::abs(state_of(sim, 0).x.x));
        ASSERT_EQ(state_of(sim, 0).x.y, 0);
    }
    mean *= 1.0 / 2000;
    EXPECT_LT(off_axis, 100 * g * 1e-5 * 1e-5);
    EXPECT_NEAR(mean.z / (-falling.mass * g), 1, 1e-3);
    // Touching height: the cone's surface at distance r from a point on the axis.
    const double height = radius / std::sin(slope) - 0.001 / std::tan(slope);
    EXPECT_NEAR(state_of(sim, 0).x.z, height, 0.01 * radius);
}

// Dropped exactly on the axis it stays there: no meridian is preferred, and the cone pushes along its axis, with the
// normal force times the sine of the slope. It comes to rest, spinning down about the axis.
TEST(Walls, BallOnTheAxisOfAConeStaysThere) {
    const double slope = std::atan2(0.02, 0.04);
    const NewBody falling = ball(0, {0, 0, 0.012}, radius, density, {}, {0, 0, 5});
    auto s = ball_at_walls(falling, {ConeFrustum{{0, 0, 0}, {0, 0, 0.04}, 0.001, 0.021}}, {0, 0, -g});
    Simulation sim(boost::mpi::communicator(), s);
    for (int k = 0; k < 30000; ++k) {
        sim.step();
        const BallState b = state_of(sim, 0);
        ASSERT_EQ(b.x.x, 0);
        ASSERT_EQ(b.x.y, 0);
        ASSERT_EQ(b.force.x, 0);
        ASSERT_EQ(b.force.y, 0);
    }
    expect_at_rest(sim);
    EXPECT_NEAR(state_of(sim, 0).spin.z, 0, 1e-6);
    const Vec3d load = loads_after_a_step(sim)[0].force;
    EXPECT_EQ(load.x, 0);
    EXPECT_EQ(load.y, 0);
    EXPECT_NEAR(load.z / (-falling.mass * g), 1, 1e-6);
    // Springs along the slope carry a part of the weight, up or down: the overlap is between those of full friction
    // either way.
    const double overlap = radius - (state_of(sim, 0).x.z + 0.001 / std::tan(slope)) * std::sin(slope);
    const double normal = hertz_stiffness(s.materials[0], s.materials[1], radius) * std::pow(overlap, 1.5);
    EXPECT_LE(normal * (std::sin(slope) - 0.5 * std::cos(slope)), falling.mass * g);
    EXPECT_GE(normal * (std::sin(slope) + 0.5 * std::cos(slope)), falling.mass * g);
}

// A gate in its floor: the seam is not there for a ball that rolls or slides over it, in either direction.
TEST(Walls, SeamOfDiscAndAnnulusIsNotFelt) {
    const Vec3d gravity{0, 0, -g};
    const std::vector<WallShape> floor{Annulus{{0, 0, 0}, {0, 0, 1}, 0.01, 0.08}, Disc{{0, 0, 0}, {0, 0, 1}, 0.01}};
    const Vec3d along = unit({3, 1, 0}), axis = cross({0, 0, 1}, along);
    const double speed = 0.2, overlap = 2.68e-6;
    for (const bool rolls : {true, false})
        for (const double way : {1.0, -1.0}) {  // out of the gate, into the gate
            SCOPED_TRACE(testing::Message() << (rolls ? "rolling " : "sliding ") << (way > 0 ? "outwards" : "inwards"));
            NewBody moving = ball(0, (0.01 - way * 0.005) * along + Vec3d{0, 0, radius - overlap}, radius, density,
                                  way * speed * along);
            if (rolls) moving.spin = way * speed / (radius - overlap) * axis;
            Simulation over(boost::mpi::communicator(), ball_at_walls(moving, floor, gravity));
            Simulation plain(boost::mpi::communicator(), ball_at_walls(moving, {Plane{{0, 0, 0}, {0, 0, 1}}}, gravity));
            int on_ring = 0, on_disc = 0;
            double highest_difference = 0, load_difference = 0;
            for (int k = 0; k < 5000; ++k) {
                const auto load = loads_after_a_step(over);
                const auto one = loads_after_a_step(plain);
                ASSERT_TRUE(load[0].force.z == 0 || load[1].force.z == 0) << k;  // never both
                ++(load[0].force.z != 0 ? on_ring : on_disc);
                load_difference =
                    std::max(load_difference, std::abs(load[0].force.z + load[1].force.z - one[0].force.z));
                highest_difference =
                    std::max(highest_difference, std::abs(state_of(over, 0).x.z - state_of(plain, 0).x.z));
            }
            EXPECT_GT(on_ring, 1000);
            EXPECT_GT(on_disc, 1000);
            EXPECT_LT(highest_difference, 1e-12);
            EXPECT_LT(load_difference, 1e-6 * moving.mass * g);
            // The springs go along: nothing is lost.
            EXPECT_LT(norm(state_of(over, 0).v - state_of(plain, 0).v), 1e-9 * speed);
            EXPECT_LT(radius * norm(state_of(over, 0).spin - state_of(plain, 0).spin), 1e-9 * speed);
        }
}

// On a slope friction and rolling friction hold a ball after some micrometres. A seam on this way changes nothing, be
// it between two rectangles, or a rectangle and triangles.
TEST(Walls, BallThatIsHeldOnASlopeIsHeldAcrossASeam) {
    const Vec3d gravity = g * unit({0.1, 0, -1});
    const Triangles right = flat({0, -0.02, 0}, {0.02, 0, 0}, {0, 0.04, 0}, 3, 3);
    const Rectangle left{{-0.02, -0.02, 0}, {0.02, 0, 0}, {0, 0.04, 0}};
    struct Floor {
        const char* name;
        std::vector<WallShape> shapes;
    };
    const std::vector<Floor> floors{{"one", {Rectangle{{-0.02, -0.02, 0}, {0.04, 0, 0}, {0, 0.04, 0}}}},
                                    {"two", {left, Rectangle{{0, -0.02, 0}, {0.02, 0, 0}, {0, 0.04, 0}}}},
                                    {"with triangles", {left, mesh_wall(right)}}};
    double way_on_one = 0;
    for (const Floor& floor : floors) {
        SCOPED_TRACE(floor.name);
        const double start = way_on_one == 0 ? -0.01 : -0.6 * way_on_one;  // the seam lies behind 60 % of the way
        granary::Setup s = ball_at_walls(ball(0, {start, 0, radius - 2.68e-6}, radius, density), floor.shapes, gravity,
                                         Friction::some, LawSettings::Type::linear);
        s.law.rolling = LawSettings::Rolling::spring;
        for (Material& m : s.materials) m.rolling_friction = 0.3;
        Simulation sim(boost::mpi::communicator(), s);
        run(sim, 50000);
        expect_at_rest(sim);
        const double way = state_of(sim, 0).x.x - start;
        if (way_on_one == 0) way_on_one = way;
        EXPECT_GT(way, 1e-7);
        EXPECT_NEAR(way, way_on_one, 1e-6 * way_on_one);
        EXPECT_GT(state_of(sim, 0).x.x, floor.shapes.size() == 1 ? -1.0 : 0.0);  // it has gone over the seam
    }
}

// A wall ends at its rim: a ball that rolls off a rectangle tips over the edge and falls.
TEST(Walls, RimOfARectangleIsAnEdge) {
    const NewBody rolling = ball(0, {-0.01, 0, radius}, radius, density, {0.05, 0, 0}, {0, 0.05 / radius, 0});
    Simulation sim(boost::mpi::communicator(),
                   ball_at_walls(rolling, {Rectangle{{-0.05, -0.02, 0}, {0.05, 0, 0}, {0, 0.04, 0}}}, {0, 0, -g}));
    double lowest_distance = 1;
    while (state_of(sim, 0).x.z > -0.05) {
        sim.step();
        const Vec3d x = state_of(sim, 0).x;
        if (x.x > 0) lowest_distance = std::min(lowest_distance, std::hypot(x.x, x.z));  // from the edge
        ASSERT_LT(sim.clock().time(), 1.0);
    }
    EXPECT_GT(lowest_distance, 0.99 * radius);
    EXPECT_GT(state_of(sim, 0).x.x, radius);
    EXPECT_EQ(state_of(sim, 0).force, (Vec3d{}));
}
