#include "walls/polyhedron_at_walls.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "shapes/polyhedron_contact.hpp"
#include "support/dice.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary::test {
namespace {
namespace polyhedron_walls {

const Quaterniond straight{1, 0, 0, 0};

ConvexPolyhedron cube() {
    std::vector<Vec3d> p;
    for (int k = 0; k < 8; ++k) p.push_back({k & 1 ? 0.5 : -0.5, k & 2 ? 0.5 : -0.5, k & 4 ? 0.5 : -0.5});
    return ConvexPolyhedron("cube", p);
}

TEST(PolyhedronAtWalls, FlatWallsAgree) {
    const ConvexPolyhedron body = cube();
    const Placed at{{0.1, 0.2, 0.49}, turned(straight, Vec3d{0.02, 0.01, 0.3}), 1};
    PolyhedronAtWalls walls;
    const auto plane = walls.find(body, at, Plane{{0, 0, 0}, {0, 0, 1}});
    ASSERT_EQ(plane.size(), 1u);
    const ConvexTouch floor = plane[0].touch;
    const WallShape shapes[] = {Rectangle{{-3, -3, 0}, {6, 0, 0}, {0, 6, 0}}, Disc{{0, 0, 0}, {0, 0, -1}, 3},
                                Annulus{{5, 0, 0}, {0, 0, 1}, 1, 9}};
    for (const WallShape& shape : shapes) {
        const auto touches = walls.find(body, at, shape);
        ASSERT_EQ(touches.size(), 1u);
        EXPECT_NEAR(touches[0].touch.overlap, floor.overlap, 1e-12);
        EXPECT_NEAR(touches[0].touch.area, floor.area, 1e-12);
        EXPECT_LT(norm(touches[0].touch.point - floor.point), 1e-11);
        EXPECT_LT(norm(touches[0].touch.normal - floor.normal), 1e-12);
    }
    // From below a thin wall pushes down; the plane is a half-space.
    const Placed beneath{{0, 0, -0.49}, straight, 1};
    const auto touches = walls.find(body, beneath, shapes[0]);
    ASSERT_EQ(touches.size(), 1u);
    EXPECT_LT(norm(touches[0].touch.normal - Vec3d{0, 0, -1}), 1e-12);
    // Over the hole of a ring: half of it.
    const auto half = walls.find(body, {{0, 0, 0.49}, straight, 1}, Annulus{{-10, 0, 0}, {0, 0, 1}, 10, 20});
    ASSERT_EQ(half.size(), 1u);
    EXPECT_NEAR(half[0].touch.area, 0.5, 0.056);  // corners of the polygon are 10 (1/cos 6 deg - 1) too far out
}

// A cube in a pipe rests on two edges. Wherever it lies around the axis, force and point turn with it.
TEST(PolyhedronAtWalls, PipeIsRound) {
    const ConvexPolyhedron body = cube();
    const Cylinder pipe{{-4, 0, 0}, {4, 0, 0}, 5};
    PolyhedronAtWalls walls;
    const double centre = std::sqrt(25 - 0.25) - 0.5 + 0.02;  // edges 0.02 deep
    double overlap = 0, arm = 0;
    for (int k = 0; k < 20; ++k) {
        const double angle = 0.31 * k;
        const Vec3d out{0, std::sin(angle), -std::cos(angle)};
        const Quaterniond q{std::cos(angle / 2), std::sin(angle / 2), 0, 0};
        const auto touches = walls.find(body, {centre * out, q, 1}, pipe);
        ASSERT_EQ(touches.size(), 1u);
        const ConvexTouch& t = touches[0].touch;
        EXPECT_LT(norm(t.normal + out), 1e-9);
        EXPECT_LT(norm(cross(t.point, out)), 1e-9);
        if (k > 0) {
            EXPECT_NEAR(t.overlap, overlap, 1e-9);
            EXPECT_NEAR(dot(t.point, out), arm, 1e-9);
        }
        overlap = t.overlap, arm = dot(t.point, out);
    }
    EXPECT_GT(overlap, 1e-3);
    EXPECT_TRUE(walls.find(body, {{0, 0, 4.2}, straight, 1}, pipe).empty());
    // Outside.
    const auto outside = walls.find(body, {{0, 0, 5.49}, straight, 1}, pipe);
    ASSERT_EQ(outside.size(), 1u);
    EXPECT_LT(norm(outside[0].touch.normal - Vec3d{0, 0, 1}), 1e-9);
    EXPECT_LT(norm(cross(outside[0].touch.point, Vec3d{0, 0, 1})), 1e-9);
}

TEST(PolyhedronAtWalls, ConePushesAcrossItsSlope) {
    const ConvexPolyhedron body = cube();
    const ConeFrustum cone{{0, 0, 0}, {0, 0, 4}, 1, 5};  // 45 degrees
    PolyhedronAtWalls walls;
    const auto touches = walls.find(body, {{3.0 - 0.95, 0, 2.0}, straight, 1}, cone);  // its edge is 0.05/sqrt 2 deep
    ASSERT_EQ(touches.size(), 1u);
    EXPECT_LT(norm(touches[0].touch.normal - std::sqrt(0.5) * Vec3d{-1, 0, 1}), 1e-2);
}

// Two triangles and 200 of a mesh are the same floor, also when it has moved.
TEST(PolyhedronAtWalls, MeshFloors) {
    const ConvexPolyhedron body = cube();
    PolyhedronAtWalls walls;
    ConvexTouch first;
    for (const int n : {1, 10}) {
        std::vector<Corners> triangles;
        for (int x = 0; x < n; ++x)
            for (int y = 0; y < n; ++y) {
                const auto p = [&](int u, int v) { return Vec3d{-2 + 4.0 * u / n, -2 + 4.0 * v / n, 0}; };
                triangles.push_back({p(x, y), p(x + 1, y), p(x + 1, y + 1)});
                triangles.push_back({p(x, y), p(x + 1, y + 1), p(x, y + 1)});
            }
        Mesh mesh;
        mesh.surface = std::make_shared<const TriangleMesh>(triangles);
        mesh.pose.shift = {0, 0, 1};
        std::vector<std::uint32_t> all;
        for (std::uint32_t t = 0; t < mesh.surface->size(); ++t) all.push_back(t);
        const auto touches =
            walls.find(body, {{0.1, 0.2, 1.49}, turned(straight, Vec3d{0.01, 0.02, 0.3}), 1}, mesh, all);
        ASSERT_EQ(touches.size(), 1u);
        if (n == 1) first = touches[0].touch;
        EXPECT_NEAR(touches[0].touch.overlap, first.overlap, 1e-13);
        EXPECT_LT(norm(touches[0].touch.point - first.point), 1e-11);
        EXPECT_NEAR(touches[0].touch.area, first.area, 1e-12);
    }
}

}  // namespace polyhedron_walls
}  // namespace
}  // namespace granary::test
