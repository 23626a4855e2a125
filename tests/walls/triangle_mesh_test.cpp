#include "walls/triangle_mesh.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <limits>
#include <set>
#include "core/errors.hpp"
#include "support/message_of.hpp"
#include "support/triangles.hpp"

namespace granary::test {
namespace {

const Triangles cube = box_surface({0, 0, 0}, {1, 1, 1});

std::size_t n_patches(const TriangleMesh& mesh) {
    std::set<std::uint32_t> found;
    for (std::uint32_t t = 0; t < mesh.size(); ++t) found.insert(mesh.patch_of(t));
    return found.size();
}

}  // namespace

TEST(TriangleMesh, CornersAreWeldedAndEdgesShared) {
    const TriangleMesh mesh(cube);
    const MeshReport& r = mesh.report();
    EXPECT_EQ(r.read, 12u);
    EXPECT_EQ(r.triangles, 12u);
    EXPECT_EQ(r.corners, 8u);
    EXPECT_EQ(r.edges, 18u);
    EXPECT_EQ(r.open_edges + r.crowded_edges + r.opposed_edges + r.degenerate + r.duplicate, 0u);
    EXPECT_EQ(r.parts, 1u);
    EXPECT_NEAR(r.area, 6, 1e-12);
    EXPECT_EQ(r.lower, (Vec3d{0, 0, 0}));
    EXPECT_EQ(r.upper, (Vec3d{1, 1, 1}));
    EXPECT_TRUE(remarks_on(r).empty());
    EXPECT_EQ(n_patches(mesh), 6u);  // a cube has six sides
    for (std::uint32_t t = 0; t < mesh.size(); ++t)
        for (int k = 0; k < 3; ++k) {
            const auto two = mesh.at_edge(mesh.edges_of(t)[static_cast<std::size_t>(k)]);
            EXPECT_EQ(two.size(), 2u);
            EXPECT_TRUE(std::find(two.begin(), two.end(), t) != two.end());
            const auto around = mesh.at_corner(mesh.corners_of(t)[static_cast<std::size_t>(k)]);
            EXPECT_TRUE(std::is_sorted(around.begin(), around.end()));
            EXPECT_TRUE(std::find(around.begin(), around.end(), t) != around.end());
        }
}

TEST(TriangleMesh, NearlyEqualCornersAreOne) {
    Triangles rounded = cube;  // as single precision would leave it, far from the origin
    for (std::size_t k = 0; k < rounded.size(); ++k)
        for (Vec3d& p : rounded[k]) p.x += 5e-8 * static_cast<double>(k % 3);
    const TriangleMesh mesh(rounded);
    EXPECT_EQ(mesh.report().corners, 8u);
    EXPECT_EQ(mesh.report().open_edges, 0u);
    rounded[3][0].x += 1e-5;  // a real gap
    EXPECT_GT(TriangleMesh(rounded).report().open_edges, 0u);
}

TEST(TriangleMesh, WhatIsWrongIsCountedAndTold) {
    Triangles bad = cube;
    bad.insert(bad.begin() + 4, {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{1, 0, 0}});    // no area
    bad.insert(bad.begin() + 6, {Vec3d{0, 0, 0}, Vec3d{0.5, 0, 0}, Vec3d{1, 0, 0}});  // a line
    bad.push_back({cube[2][1], cube[2][2], cube[2][0]});                              // again, begun elsewhere
    bad.push_back({cube[5][1], cube[5][0], cube[5][2]});                              // again, the other way round
    const TriangleMesh mesh(bad);
    const MeshReport& r = mesh.report();
    EXPECT_EQ(r.read, 16u);
    EXPECT_EQ(r.degenerate, 2u);
    EXPECT_EQ(r.first_degenerate, 5u);
    EXPECT_EQ(r.duplicate, 2u);
    EXPECT_EQ(r.first_duplicate, 15u);
    EXPECT_EQ(mesh.size(), 12u);
    EXPECT_EQ(remarks_on(r), (std::vector<std::string>{
                                 "2 triangles are without area, the first is number 5: left out",
                                 "2 triangles repeat an earlier one, the first is number 15: left out",
                             }));
}

// What is left out counts for nothing else: neither for the box nor for corners, nor for the distance at which corners
// are one.
TEST(TriangleMesh, WhatIsLeftOutHasNoSize) {
    const TriangleMesh whole(cube);
    Triangles far = cube;
    far.insert(far.begin(), {Vec3d{0, 0, 0}, Vec3d{5e4, 0, 0}, Vec3d{1e5, 0, 0}});   // a spike
    far.insert(far.begin() + 3, {Vec3d{2, 2, 2}, Vec3d{2, 2, 2}, Vec3d{-7, 2, 2}});  // a needle
    far.push_back({Vec3d{3, 0, 0}, Vec3d{3 + 5e-8, 0, 0}, Vec3d{3, 5e-8, 0}});       // less than the welding distance
    far.push_back({Vec3d{0.5, 0.5, 0.5}, Vec3d{0.5, 0.5, 0.5}, Vec3d{0.5, 0.5, 0.5 + 1e-12}});
    far.push_back(box_surface({0, 0, 0}, {1, 1, 1}).front());  // again
    const TriangleMesh mesh(far);
    EXPECT_EQ(mesh.report().degenerate, 4u);
    EXPECT_EQ(mesh.report().first_degenerate, 1u);
    EXPECT_EQ(mesh.report().duplicate, 1u);
    EXPECT_EQ(mesh.report().corners, 8u);
    EXPECT_EQ(mesh.report().open_edges, 0u);
    EXPECT_EQ(mesh.lower(), whole.lower());
    EXPECT_EQ(mesh.upper(), whole.upper());
    EXPECT_LT(mesh.weld(), 4 * whole.weld());
    for (std::uint32_t t = 0; t < whole.size(); ++t) EXPECT_EQ(mesh.corners_of(t), whole.corners_of(t));
}

TEST(TriangleMesh, OpenCrowdedAndOpposedEdges) {
    Triangles open = cube;
    open.erase(open.begin() + 2, open.begin() + 4);  // without the lid
    EXPECT_EQ(TriangleMesh(open).report().open_edges, 4u);
    EXPECT_TRUE(remarks_on(TriangleMesh(open).report()).empty());  // holes are no fault of a wall

    const TriangleMesh ribbed(flat({0, 0, 0}, {1, 0, 0}, {0, 2, 0}, 1, 2) +
                              flat({0, 1, 0}, {1, 0, 0}, {0, 0, 1}, 1, 1));
    EXPECT_EQ(ribbed.report().crowded_edges, 1u);
    EXPECT_EQ(remarks_on(ribbed.report()),
              (std::vector<std::string>{
                  "more than two triangles meet at 1 edge, one at (0.5, 1, 0) m: all of them act on the "
                  "balls, but a surface should be simple"}));

    Triangles turned = cube;
    std::swap(turned[0][0], turned[0][1]);
    const TriangleMesh mesh(turned);
    EXPECT_EQ(mesh.report().opposed_edges, 3u);
    EXPECT_EQ(remarks_on(mesh.report()),
              (std::vector<std::string>{"neighbouring triangles have opposite orientation at 3 edges: harmless, "
                                        "since a wall has two sides"}));
    EXPECT_EQ(n_patches(mesh), 6u);  // the sides of the cube are flat all the same

    const Triangles apart = cube + box_surface({3, 0, 0}, {4, 1, 1});
    EXPECT_EQ(TriangleMesh(apart).report().parts, 2u);
}

TEST(TriangleMesh, PipesAreSmoothAndBendsAreNot) {
    EXPECT_EQ(n_patches(TriangleMesh(funnel({}, 1, 0.3, 0.3, 64, 4))), 1u);
    EXPECT_EQ(n_patches(TriangleMesh(funnel({}, 1, 0.3, 0.3, 18, 4))), 1u);
    EXPECT_EQ(n_patches(TriangleMesh(funnel({}, 1, 0.3, 0.3, 12, 4))), 12u);
    // A silo: pipe and cone of 45 degrees.
    const Triangles silo = funnel({0, 0, 0}, 0.2, 0.1, 0.3, 64, 2) + funnel({0, 0, 0.2}, 1, 0.3, 0.3, 64, 4);
    EXPECT_EQ(n_patches(TriangleMesh(silo)), 2u);
    EXPECT_EQ(TriangleMesh(silo).report().open_edges, 128u);  // above and below
}

TEST(TriangleMesh, OpenRims) {
    const TriangleMesh sheet_of_four(flat({0, 0, 0}, {2, 0, 0}, {0, 1, 0}, 2, 1));
    int open = 0, closed = 0;
    for (std::uint32_t t = 0; t < sheet_of_four.size(); ++t)
        for (const Region r : {Region::edge_0, Region::edge_1, Region::edge_2})
            ++(sheet_of_four.on_open_rim(t, r) ? open : closed);
    EXPECT_EQ(open, 6);
    EXPECT_EQ(closed, 6);
    EXPECT_TRUE(sheet_of_four.on_open_rim(0, Region::corner_0));
    EXPECT_FALSE(sheet_of_four.on_open_rim(0, Region::face));
    EXPECT_FALSE(TriangleMesh(cube).on_open_rim(0, Region::corner_0));
}

TEST(TriangleMesh, NothingAndNonsenseAreRefused) {
    const auto refused = [](const Triangles& t) { return message_of<InputError>([&] { TriangleMesh mesh(t); }); };
    EXPECT_EQ(refused({}), "there is no triangle in it");
    EXPECT_EQ(refused({{Vec3d{1, 1, 1}, Vec3d{1, 1, 1}, Vec3d{1, 1, 1}}}), "none of its 1 triangles has an area");
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_EQ(refused(cube + Triangles{{Vec3d{0, nan, 0}, Vec3d{1, 0, 0}, Vec3d{0, 1, 0}}}),
              "triangle 13 has a corner at (0, nan, 0)");
}

}  // namespace granary::test
