// Polyhedra at round walls.
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include <vector>
#include "shapes/convex_polyhedron.hpp"
#include "walls/polyhedron_at_walls.hpp"

namespace granary::polyhedron_at_walls_test {

namespace {

ShapeTemplate block(const Vec3d& half) {
    std::vector<Vec3d> corners;
    for (int k = 0; k < 8; ++k)
        corners.push_back({k & 1 ? half.x : -half.x, k & 2 ? half.y : -half.y, k & 4 ? half.z : -half.z});
    return make_polyhedron("block", corners);
}

std::vector<ShapeAtWall> touches(const ShapeTemplate& shape, const Placed& at, const WallShape& wall) {
    const std::vector<Wall> walls{make_wall("wall", wall, 0)};
    const std::vector<WallCandidate> near{WallCandidate{}};
    std::vector<ShapeAtWall> found;
    PolyhedronAtWalls(*shape.polyhedron, at).find(near, walls, [&](const ShapeAtWall& c) { found.push_back(c); });
    return found;
}

// What the law makes of a touch, over E*: 4/3 sqrt(R* overlap) overlap along the normal.
struct Load {
    Vec3d force, torque;
};
Load load_of(const std::vector<ShapeAtWall>& found) {
    Load sum;
    for (const ShapeAtWall& c : found) {
        const Vec3d f = 4.0 / 3.0 * std::sqrt(c.effective_radius * c.overlap) * c.overlap * c.normal;
        sum.force += f, sum.torque += cross(c.arm, f);
    }
    return sum;
}

}  // namespace

// A block lies across a post that is thinner than the block is long: no corner is in it. The foundation under its face
// has the depth r - (r - h)/cos(angle). Strips of the post have their corners on the circle: the force lies between
// those of the depth h and of one that is less by the rise of a strip.
TEST(PolyhedronAtWalls, FaceOnThePostOutside) {
    const Vec3d half{4e-3, 3e-3, 2e-3};
    const ShapeTemplate shape = block(half);
    const double length = shape.polyhedron->equivalent_radius(), reach = shape.outer_radius;
    const auto foundation = [&](double r, double h) {
        double sum = 0;
        const double most = h > 0 ? std::acos(1 - h / r) : 0;
        for (int k = 0; k < 2000; ++k) {
            const double a = (k + 0.5) / 2000 * most;
            sum += 2 * (r - (r - h) / std::cos(a)) * std::cos(a) * r * most / 2000 * 2 * half.x / length;
        }
        return sum;
    };
    for (const double r : {1e-3, 5e-3, 50e-3})
        for (const double h : {0.002e-3, 0.01e-3, 0.05e-3}) {
            const Cylinder post{{-0.1, 0, 0}, {0.1, 0, 0}, r};
            const double distance = r + half.z - h, sine = std::min(1.0, reach / distance);
            const double half_strip = sine / (1 + std::sqrt(1 - sine * sine)) / 16;
            const auto found = touches(shape, {{0.002, 0, distance}, {1, 0, 0, 0}, 1}, post);
            ASSERT_EQ(found.size(), 1u) << r << " " << h;
            const Load load = load_of(found);
            EXPECT_LT(load.force.z, 1.001 * foundation(r, h)) << r << " " << h;
            EXPECT_GT(load.force.z, foundation(r, h - 0.51 * r * half_strip * half_strip)) << r << " " << h;
            EXPECT_LT(std::abs(load.force.x) + std::abs(load.force.y), 1e-9 * load.force.z);
            EXPECT_LT(norm(load.torque), 1e-6 * half.x * load.force.z);
        }
}

// The force changes little by little while the block moves and turns over the post, and pushes it away from the post.
TEST(PolyhedronAtWalls, ForceIsContinuousOutside) {
    const ShapeTemplate shape = block({4e-3, 3e-3, 2e-3});
    const ConeFrustum cone{{0, 0, -0.02}, {0, 0, 0.02}, 0.012, 0.002};
    Vec3d before;
    int touching = 0;
    for (int k = 0; k <= 4000; ++k) {
        const double s = k / 4000.0, angle = 0.9 * s;
        const Quaterniond q =
            normalised(Quaterniond{std::cos(0.5 * angle), 0.3 * angle, std::sin(0.5 * angle), 0.1 * s});
        const Vec3d x{0.0098 - 0.001 * s, 0.002 - 0.004 * s, 0.001 + 0.002 * s};
        const Load load = load_of(touches(shape, {x, q, 1}, cone));
        touching += norm(load.force) > 0;
        EXPECT_GE(dot(load.force, Vec3d{1, 0, 0}), 0);
        if (k > 0) {
            EXPECT_LT(norm(load.force - before), 0.03e-6 + 0.05 * norm(load.force)) << k;
        }
        before = load.force;
    }
    EXPECT_GT(touching, 2000);
}

// Inside, what a round wall encloses is convex: corners only.
TEST(PolyhedronAtWalls, CornersInside) {
    const ShapeTemplate shape = block({4e-3, 3e-3, 2e-3});
    const Cylinder pipe{{0, 0, -0.1}, {0, 0, 0.1}, 0.02};
    const double x = std::sqrt(0.02 * 0.02 - 9e-6) - 4e-3;
    EXPECT_TRUE(touches(shape, {{x - 1e-5, 0, 0}, {1, 0, 0, 0}, 1}, pipe).empty());
    EXPECT_EQ(touches(shape, {{x + 1e-5, 0, 0}, {1, 0, 0, 0}, 1}, pipe).size(), 4u);
}

// A face over a ball of a wall: the ball presses on it where it is nearest.
TEST(PolyhedronAtWalls, FaceOverAWallBall) {
    const std::vector<ShapeTemplate> shapes{block({4e-3, 3e-3, 2e-3})};
    PlacedShapes placed;
    placed.prepare(shapes);
    Bodies bodies;
    bodies.add(When::orientations), bodies.add(When::shapes);
    bodies.reserve(1);
    NewBody b;
    b.radius = shapes[0].outer_radius, b.mass = 1e-3, b.inertia = 1, b.rigid_shape = 1;
    b.position = {0, 0, 3e-3 - 1e-5};
    bodies.put(0, b);
    bodies.size = 1, bodies.owned = {0, 1};
    placed.lay_out(bodies);
    ShapeWallGeometry geometry;
    std::vector<ShapeAtWall> found;
    const std::vector<WallBall> balls{WallBall{{1.5e-3, -1e-3, 0}, 1e-3, 0}};
    const std::vector<WallBallCandidate> near{WallBallCandidate{}};
    geometry.find(placed, bodies, 0, {}, {}, near, balls, 0, found);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_NEAR(found[0].overlap, 1e-5, 1e-12);
    EXPECT_NEAR(found[0].normal.z, 1, 1e-12);
    EXPECT_NEAR(found[0].arm.x, 1.5e-3, 1e-9);
}

}  // namespace granary::polyhedron_at_walls_test
