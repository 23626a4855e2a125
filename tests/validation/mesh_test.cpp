// Balls on meshes beside the same balls on the walls that the meshes stand for.
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include <vector>
#include "support/few_balls.hpp"
#include "support/triangles.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double g = 9.81, radius = 2.5e-3, density = 2500;

Setup ball_at_walls(const NewBody& b, const std::vector<WallShape>& shapes, const Vec3d& gravity, double mu = 0.3,
                    LawSettings::Type type = LawSettings::Type::hertz_mindlin) {
    Material m = hertz_material("grain", 5e6, 0.3, density, 0.5, mu);
    m.stiffness = 2000, m.damping = 0.2;
    Setup s = few_balls(box(0.2), 1e-5, {b});
    s.gravity = gravity;
    s.law.type = type;
    s.materials = {m, rigid_wall(0.5, mu)};
    for (std::size_t k = 0; k < shapes.size(); ++k)
        s.walls.push_back(make_wall("wall " + std::to_string(k), shapes[k], 1));
    return s;
}

struct Difference {
    double place = 0, velocity = 0, spin = 0;  // m, m/s, rad/s times radius: the largest at any step
    double way = 0;                            // m, that the ball has gone
    double fastest = 0;                        // m/s, of the one
};

Difference compare(const Setup& one, const Setup& other, int steps) {
    Simulation a(boost::mpi::communicator(), one), b(boost::mpi::communicator(), other);
    Difference d;
    const Vec3d start = state_of(a, 0).x;
    for (int k = 0; k < steps; ++k) {
        a.step(), b.step();
        const BallState p = state_of(a, 0), q = state_of(b, 0);
        d.place = std::max(d.place, norm(p.x - q.x)), d.fastest = std::max(d.fastest, norm(p.v));
        d.velocity = std::max(d.velocity, norm(p.v - q.v));
        d.spin = std::max(d.spin, radius * norm(p.spin - q.spin));
    }
    d.way = norm(state_of(a, 0).x - start);
    return d;
}

}  // namespace

// Thrown on a plane, the ball bounces, slides, begins to roll, spins about the normal: on a plane and on its
// triangulation, over dozens of edges and, in one case, along an edge and through corners.
TEST(MeshWalls, PlaneAndItsTriangulationAreTheSame) {
    const Vec3d c = unit({0.3, -0.4, 0.8}), a = unit(cross(c, {1, 0, 0})), b = cross(c, a),
                origin{0.003, -0.002, 0.001};
    struct Frame {
        Vec3d origin, a, b, c;
    };
    for (const Frame& f : {Frame{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, Frame{origin, a, b, c}}) {
        const WallShape plane = Plane{f.origin, f.c};
        for (const int n : {7, 60, 400}) {
            // Triangles of 24, 2.8 and 0.4 mm under a ball of 2.5 mm.
            const WallShape mesh = mesh_wall(flat(f.origin - 0.085 * f.a - 0.085 * f.b, 0.17 * f.a, 0.17 * f.b, n, n));
            for (const bool along_an_edge : {false, true}) {
                SCOPED_TRACE(testing::Message() << n << " squares a side" << (along_an_edge ? ", along an edge" : ""));
                // The lines of the net lie at -0.085 + k 0.17/n; with n = 7 and 60 one of them is taken.
                const double line = -0.085 + 0.17 / n * std::round(0.5 * n + 0.1);
                const Vec3d start =
                    f.origin + (along_an_edge ? line : -0.0123) * f.b - 0.03 * f.a + 1.02 * radius * f.c;
                const Vec3d v = along_an_edge ? 0.5 * f.a - 0.1 * f.c : 0.5 * f.a + 0.2 * f.b - 0.1 * f.c;
                const NewBody thrown = ball(0, start, radius, density, v, 30.0 * f.c - 20.0 * f.a);
                const Difference d =
                    compare(ball_at_walls(thrown, {plane}, -g * f.c), ball_at_walls(thrown, {mesh}, -g * f.c), 10000);
                EXPECT_GT(d.way, 0.03);
                EXPECT_LT(d.place, 1e-10);
                EXPECT_LT(d.velocity, 1e-8);
                EXPECT_LT(d.spin, 1e-8);
            }
        }
    }
}

TEST(MeshWalls, SameForTheOtherLaws) {
    const WallShape mesh = mesh_wall(flat({-0.085, -0.085, 0}, {0.17, 0, 0}, {0, 0.17, 0}, 60, 60));
    const NewBody thrown = ball(0, {-0.03, -0.0123, 1.02 * radius}, radius, density, {0.5, 0.2, -0.1}, {-20, 0, 30});
    for (const auto type : {LawSettings::Type::linear, LawSettings::Type::kelvin_voigt}) {
        const Difference d = compare(ball_at_walls(thrown, {Plane{{0, 0, 0}, {0, 0, 1}}}, {0, 0, -g}, 0.3, type),
                                     ball_at_walls(thrown, {mesh}, {0, 0, -g}, 0.3, type), 5000);
        EXPECT_GT(d.way, 0.015);
        EXPECT_LT(d.place, 1e-10);
    }
}

// A ball at rest on an incline is held by its spring, on the edge between two triangles too.
TEST(MeshWalls, SpringHoldsABallOnAnIncline) {
    const double slope = 0.25;  // below friction 0.3
    const Vec3d gravity{g * std::sin(slope), 0, -g * std::cos(slope)};
    const WallShape mesh = mesh_wall(flat({-0.085, -0.085, 0}, {0.17, 0, 0}, {0, 0.17, 0}, 17, 17));
    // The line x = -0.085 + 9 * 0.01. Rolling friction is not there: the ball would roll. A second wall stops its spin
    // from the side.
    NewBody resting = ball(0, {0.005, 0.001, radius - 1e-6}, radius, density);
    resting.inertia *= 1e9;  // too heavy to turn
    Simulation sim(boost::mpi::communicator(), ball_at_walls(resting, {mesh}, gravity));
    run(sim, 20000);
    const Vec3d then = state_of(sim, 0).x;
    EXPECT_LT(std::abs(then.x - 0.005), 2e-6);
    run(sim, 20000);
    EXPECT_LT(norm(state_of(sim, 0).x - then), 1e-9);  // no creep
    EXPECT_NEAR(norm(state_of(sim, 0).force + resting.mass * gravity), 0, 1e-6 * resting.mass * g);
}

// A bin with a floor: in the corner the ball rests on both, each carries what its normal says.
TEST(MeshWalls, ConcaveCornerCarriesWithBothFaces) {
    const WallShape mesh = mesh_wall(flat({-0.05, -0.05, 0}, {0.1, 0, 0}, {0, 0.1, 0}, 9, 9) +
                                     flat({0.05, -0.05, 0}, {0, 0.1, 0}, {0, 0, 0.1}, 9, 9));
    const Vec3d down = unit({0.5, 0, -1});
    const NewBody dropped = ball(0, {0.04, 0.001, 0.01}, radius, density);
    Simulation sim(boost::mpi::communicator(), ball_at_walls(dropped, {mesh}, g * down, 0.0));
    Simulation with_planes(
        boost::mpi::communicator(),
        ball_at_walls(dropped, {Plane{{0, 0, 0}, {0, 0, 1}}, Plane{{0.05, 0, 0}, {-1, 0, 0}}}, g * down, 0.0));
    run(sim, 100000), run(with_planes, 100000);
    const BallState b = state_of(sim, 0);
    EXPECT_LT(norm(b.v), 1e-9);
    EXPECT_LT(norm(b.x - state_of(with_planes, 0).x), 1e-10);
    EXPECT_LT(norm(loads_after_a_step(sim)[0].force - dropped.mass * g * down), 1e-6 * dropped.mass * g);
}

// A ball that tips over the edge of a table does so as at the edge of a rectangle.
TEST(MeshWalls, ConvexEdgeAndOpenRimAreEdges) {
    const NewBody rolling = ball(0, {-0.01, 0.0003, radius}, radius, density, {0.05, 0, 0}, {0, 0.05 / radius, 0});
    const WallShape table = Rectangle{{-0.06, -0.03, 0}, {0.06, 0, 0}, {0, 0.06, 0}};
    const WallShape side = Rectangle{{0, -0.03, 0}, {0, 0, -0.06}, {0, 0.06, 0}};
    const Triangles top = flat({-0.06, -0.03, 0}, {0.06, 0, 0}, {0, 0.06, 0}, 7, 11);
    const Triangles flank = flat({0, -0.03, 0}, {0, 0, -0.06}, {0, 0.06, 0}, 7, 11);
    for (const auto& [walls, mesh] :
         {std::pair{std::vector{table}, top}, std::pair{std::vector{table, side}, top + flank}}) {
        const Difference d = compare(ball_at_walls(rolling, walls, {0, 0, -g}),
                                     ball_at_walls(rolling, {mesh_wall(mesh)}, {0, 0, -g}), 40000);
        EXPECT_GT(d.way, 0.03);
        // The spring goes along over the edge of the mesh, but begins anew at another wall: some overlap, 1e-6 m, of
        // way.
        EXPECT_LT(d.place, walls.size() == 1 ? 1e-10 : 2e-5);
    }
}

// A floor that is half a mesh and half a rectangle: the seam is not felt, wherever the ball comes from.
TEST(MeshWalls, SeamWithAnAnalyticWall) {
    const WallShape left = mesh_wall(flat({-0.05, -0.05, 0}, {0.05, 0, 0}, {0, 0.1, 0}, 6, 13));
    const WallShape right = Rectangle{{0, -0.05, 0}, {0.05, 0, 0}, {0, 0.1, 0}};
    for (const auto& walls : {std::vector{left, right}, std::vector{right, left}})
        for (const double way : {1.0, -1.0}) {
            const NewBody rolling = ball(0, {-0.01 * way, 0.002, radius - 2.68e-6}, radius, density, {0.2 * way, 0, 0},
                                         {0, 0.2 * way / (radius - 2.68e-6), 0});
            const Difference d = compare(ball_at_walls(rolling, {Plane{{0, 0, 0}, {0, 0, 1}}}, {0, 0, -g}),
                                         ball_at_walls(rolling, walls, {0, 0, -g}), 10000);
            EXPECT_GT(d.way, 0.015);
            EXPECT_LT(d.place, 1e-10);
        }
    // A gate of its own in a hopper of facets: in their corner the ball touches both. It swings
    // along the rim, from facet to facet, so only what is across to it is in balance.
    const WallShape hopper = mesh_wall(funnel({0, 0, 0}, 0.03, 0.01, 0.03, 64, 3));
    const NewBody in_corner = ball(0, {0.0075, 0.0001, 0.004}, radius, density);
    Simulation sim(boost::mpi::communicator(),
                   ball_at_walls(in_corner, {hopper, Disc{{0, 0, 0}, {0, 0, 1}, 0.01}}, {0.4 * g, 0, -g}, 0.3));
    run(sim, 60000);
    const auto load = loads_after_a_step(sim);
    EXPECT_GT(norm(load[0].force), 0.2 * in_corner.mass * g);
    EXPECT_GT(norm(load[1].force), 0.2 * in_corner.mass * g);
    const Vec3d both = load[0].force + load[1].force;
    EXPECT_NEAR(both.x, 0.4 * in_corner.mass * g, 0.01 * in_corner.mass * g);
    EXPECT_NEAR(both.z, -in_corner.mass * g, 0.01 * in_corner.mass * g);
}

// Swinging in a pipe: the more facets the nearer to the cylinder. The largest has 10 000.
//   Facets that are long beside the contact: at every edge the normal turns by 2 pi / n at once, so the velocity is off
//   by up to v 2 pi / n. (Measured: 0.94 and 0.98 of that with 40 and 200.) Where the ball is then depends on how its
//   hops fall upon the swing: with 30, 40 and 50 facets it is off by 1.1, 0.19 and 0.52 mm. So the velocity is judged.
//   Facets no longer than the contact, 2 sqrt(r delta) = 0.16 mm: the steps are smoothed, and the error goes with the
//   square of their length.
TEST(MeshWalls, FacettedPipeConvergesToTheCylinder) {
    const double big = 0.03;
    const NewBody swinging =
        ball(0, {-0.02, -std::sqrt(std::pow(big - radius, 2) - 4e-4), 0.002}, radius, density, {0, 0, 0.02});
    const auto setup = [&](const WallShape& wall) { return ball_at_walls(swinging, {wall}, {0, -g, 0}); };
    const auto exact = setup(Cylinder{{0, 0, -0.05}, {0, 0, 0.05}, big});
    std::vector<Difference> errors;
    for (const int sides : {40, 200, 1000}) {
        // Facets of the same area as the pipe: corners a little outside.
        const double angle = std::numbers::pi / sides, outer = big / std::sqrt(std::sin(2 * angle) / (2 * angle));
        const WallShape mesh = mesh_wall(funnel({0, 0, -0.05}, 0.1, outer, outer, sides, 5));
        errors.push_back(compare(exact, setup(mesh), 10000));
        EXPECT_GT(errors.back().way, 0.02);
        EXPECT_LT(errors.back().velocity, errors.back().fastest * 2 * angle) << sides;
    }
    EXPECT_LT(errors[2].velocity, 0.04 * errors[1].velocity);  // (200 / 1000)^2
    EXPECT_LT(errors[2].place, 2e-6);
    ::testing::Test::RecordProperty(
        "errors", fmt::format("{} {} {}", errors[0].velocity, errors[1].velocity, errors[2].velocity));
}

// A plate of triangles that moves does what the plate does: lifted, tilted, turned about its normal with a ball upon
// it.
TEST(MeshWalls, MovingMeshIsTheMovingWall) {
    WallMotion lift, tilt, spin;
    lift.name = "lift", lift.along = {0.05, -0.03, 0.2};
    tilt.name = "tilt", tilt.type = WallMotion::Type::swing, tilt.point = {0.01, 0, -0.01}, tilt.axis = {0, 1, 0};
    tilt.angular = 0.15, tilt.frequency = 4;
    spin.name = "spin", spin.type = WallMotion::Type::rotate, spin.point = {0.02, 0.01, 0}, spin.axis = {0, 0, 1};
    spin.angular = 6;
    const NewBody dropped = ball(0, {0.003, 0.002, 1.05 * radius}, radius, density, {0.1, 0, 0}, {5, 0, 8});
    for (const WallMotion& motion : {lift, tilt, spin}) {
        SCOPED_TRACE(motion.name);
        const auto with = [&](const WallShape& shape) {
            auto s = ball_at_walls(dropped, {shape}, {0, 0, -g});
            s.walls[0].motion = 0;
            s.motions = {motion};
            return s;
        };
        const Difference d =
            compare(with(Rectangle{{-0.06, -0.06, 0}, {0.12, 0, 0}, {0, 0.12, 0}}),
                    with(mesh_wall(flat({-0.06, -0.06, 0}, {0.12, 0, 0}, {0, 0.12, 0}, 31, 29))), 10000);
        EXPECT_GT(d.way, 0.005);
        EXPECT_LT(d.place, 1e-10);
        EXPECT_LT(d.velocity, 1e-8);
    }
}
