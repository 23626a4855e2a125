#include "walls/mesh_grid.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include "support/dice.hpp"
#include "support/triangles.hpp"

namespace granary::test {
namespace {

// All that is near is found, by brute force; gives the mean number of triangles looked at for one that is near.
double expect_all_found(const TriangleMesh& mesh, double reach, int trials, std::uint64_t seed) {
    const MeshGrid grid(mesh, reach);
    Dice dice(seed);
    double looked_at = 0, near = 0;
    const Vec3d room{2 * reach, 2 * reach, 2 * reach};
    for (int k = 0; k < trials; ++k) {
        const Vec3d x = dice.within(mesh.lower() - room, mesh.upper() + room);
        const auto found = grid.near(x);
        EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
        EXPECT_TRUE(std::adjacent_find(found.begin(), found.end()) == found.end());
        looked_at += static_cast<double>(found.size());
        for (std::uint32_t t = 0; t < mesh.size(); ++t) {
            if (closest(mesh.frame(t), x).distance >= reach) continue;
            ++near;
            EXPECT_TRUE(std::binary_search(found.begin(), found.end(), t));
        }
    }
    EXPECT_GT(near, 0);
    return looked_at / near;
}

}  // namespace

TEST(MeshGrid, FindsEveryTriangleWithinReach) {
    const TriangleMesh fine(funnel({0.1, 0.2, 0.3}, 1, 0.3, 0.5, 60, 20)), coarse(box_surface({-1, -2, 0}, {3, 1, 1}));
    EXPECT_LT(expect_all_found(fine, 0.02, 3000, 1), 20);
    EXPECT_LT(expect_all_found(fine, 0.3, 300, 2), 20);
    EXPECT_LT(expect_all_found(coarse, 0.05, 3000, 3), 20);
    EXPECT_LT(expect_all_found(coarse, 5, 300, 4), 20);
}

// On faces of the cubes themselves, and beyond them.
TEST(MeshGrid, EdgesOfTheCubesAndBeyond) {
    const TriangleMesh mesh(flat({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, 4, 4));
    const double reach = 0.25;
    const MeshGrid grid(mesh, reach);
    for (int k = -20; k <= 20; ++k) {
        const Vec3d x{0.5, 0.5, 0.5 * k * grid.edge()};
        const auto found = grid.near(x);
        for (std::uint32_t t = 0; t < mesh.size(); ++t)
            EXPECT_TRUE(closest(mesh.frame(t), x).distance >= reach ||
                        std::binary_search(found.begin(), found.end(), t));
    }
    EXPECT_TRUE(grid.near({0.5, 0.5, 10}).empty());
    EXPECT_TRUE(grid.near({-10, 0.5, 0}).empty());
    EXPECT_TRUE(grid.near({1e300, -1e300, 0}).empty());
}

// Memory goes with the triangles: two small pieces a kilometre apart cost no more than close together.
TEST(MeshGrid, EmptySpaceCostsNothing) {
    const auto entries = [](double apart) {
        const Triangles two =
            box_surface({0, 0, 0}, {1, 1, 1}) + box_surface({apart, apart, 0}, {apart + 1, apart + 1, 1});
        return static_cast<double>(MeshGrid(TriangleMesh(two), 0.01).n_entries());
    };
    EXPECT_NEAR(entries(1000) / entries(3), 1, 0.05);
    // One huge triangle beside small balls: cubes grow rather than fill the memory.
    const MeshGrid huge(TriangleMesh(Triangles{{Vec3d{0, 0, 0}, Vec3d{100, 0, 0}, Vec3d{0, 100, 3}}}), 1e-4);
    EXPECT_LT(huge.n_entries(), 1.5e7);
}

// 100 000 triangles: what a ball looks at does not grow with the mesh.
TEST(MeshGrid, HundredThousandTriangles) {
    const TriangleMesh mesh(funnel({}, 2, 0.5, 0.5, 500, 100));
    ASSERT_EQ(mesh.size(), 100000u);
    const double reach = 0.012;
    const MeshGrid grid(mesh, reach);
    EXPECT_LT(static_cast<double>(grid.n_entries()), 40.0 * mesh.size());
    EXPECT_LT(static_cast<double>(grid.bytes()), 60e6);
    std::size_t most = 0;
    Dice dice(7);
    for (int k = 0; k < 100000; ++k) most = std::max(most, grid.near(dice.within(mesh.lower(), mesh.upper())).size());
    EXPECT_LT(most, 200u);
    EXPECT_TRUE(grid.near({0, 0, 1}).empty());  // in the middle of the bin
}

}  // namespace granary::test
