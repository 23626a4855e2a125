#include "shapes/polyhedron_at_facets.hpp"
#include <gtest/gtest.h>
#include "shapes/polyhedra_at_random.hpp"
#include "shapes/polyhedron_contact.hpp"

namespace granary::test {
namespace {
namespace polyhedron_and_facets {

const Quaterniond straight{1, 0, 0, 0};

// A rectangle of n x n x 2 triangles: origin and two sides.
void add_triangles(std::vector<FlatFacet>& facets, const Vec3d& origin, const Vec3d& u, const Vec3d& v, int n) {
    Vec3d normal = cross(u, v);
    normal = (1 / norm(normal)) * normal;
    for (int x = 0; x < n; ++x)
        for (int y = 0; y < n; ++y) {
            const auto corner = [&](int p, int q) { return origin + ((p + 0.0) / n) * u + ((q + 0.0) / n) * v; };
            FlatFacet f;
            f.normal = (x + y) % 2 ? normal : -normal;
            f.corner = {corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), {}};
            f.number = static_cast<std::uint32_t>(facets.size());
            facets.push_back(f);
            f.corner = {corner(x, y), corner(x, y + 1), corner(x + 1, y + 1), {}};
            f.number = static_cast<std::uint32_t>(facets.size());
            facets.push_back(f);
        }
}

TEST(PolyhedronAtFacets, FloorOf2AndOf200TrianglesAreTheSame) {
    Dice dice(1);
    PolyhedronAtFacets at_facets;
    for (int k = 0; k < 40; ++k) {
        const ConvexPolyhedron body("a", k % 2 ? points_at_random(dice, 12, {1, 0.8, 0.7}) : box_corners(1, 1, 1));
        const Placed at{{0.1, 0.2, 0.49}, k % 2 ? turned_at_random(dice) : turned(straight, Vec3d{0, 0, 0.1 * k}), 1};
        ConvexTouch plane;
        if (!touch_plane(body, at, {}, {0, 0, 1}, plane)) continue;
        for (const int n : {1, 10}) {
            std::vector<FlatFacet> floor;
            add_triangles(floor, {-3, -3, 0}, {6, 0, 0}, {0, 6, 0}, n);
            const auto touches = at_facets.find(body, at, floor);
            ASSERT_EQ(touches.size(), 1u);
            EXPECT_NEAR(touches[0].touch.overlap, plane.overlap, 1e-12);
            EXPECT_NEAR(touches[0].touch.area, plane.area, 1e-12);
            EXPECT_LT(norm(touches[0].touch.point - plane.point), 1e-11);
            EXPECT_LT(norm(touches[0].touch.normal - plane.normal), 1e-12);
        }
    }
}

// On a block's top, jutting out over its edge: the side of the block does not push.
TEST(PolyhedronAtFacets, SideOfABlockIsNoSupport) {
    const ConvexPolyhedron cube("cube", box_corners(1, 1, 1));
    std::vector<FlatFacet> block;
    add_triangles(block, {-3, -3, 0}, {3, 0, 0}, {0, 6, 0}, 3);  // top, ends at x = 0
    add_triangles(block, {0, -3, -3}, {0, 6, 0}, {0, 0, 3}, 3);  // side
    PolyhedronAtFacets at_facets;
    for (const double x : {-0.3, -0.1, 0.1}) {
        const auto touches = at_facets.find(cube, {{x, 0, 0.499}, straight, 1}, block);
        ASSERT_EQ(touches.size(), 1u) << x;
        EXPECT_LT(norm(touches[0].touch.normal - Vec3d{0, 0, 1}), 1e-12);
        EXPECT_NEAR(touches[0].touch.overlap, 0.001, 1e-12);
        EXPECT_NEAR(touches[0].touch.area, 0.5 - x, 1e-12);
    }
    // Against the side, above the floor: the side pushes, and the top does not.
    const auto touches = at_facets.find(cube, {{0.499, 0, -0.2}, straight, 1}, block);
    ASSERT_EQ(touches.size(), 1u);
    EXPECT_LT(norm(touches[0].touch.normal - Vec3d{1, 0, 0}), 1e-12);
}

TEST(PolyhedronAtFacets, ConcaveCornerHasBothFaces) {
    const ConvexPolyhedron cube("cube", box_corners(1, 1, 1));
    std::vector<FlatFacet> corner;
    add_triangles(corner, {0, -3, 0}, {3, 0, 0}, {0, 6, 0}, 4);
    add_triangles(corner, {0, -3, 0}, {0, 6, 0}, {0, 0, 3}, 4);
    PolyhedronAtFacets at_facets;
    const auto touches = at_facets.find(cube, {{0.49, 0, 0.499}, straight, 1}, corner);
    ASSERT_EQ(touches.size(), 2u);
    EXPECT_NEAR(touches[0].touch.overlap, 0.001, 1e-12);
    EXPECT_NEAR(touches[1].touch.overlap, 0.01, 1e-12);
}

}  // namespace polyhedron_and_facets
}  // namespace
}  // namespace granary::test
