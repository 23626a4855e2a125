#include "measure/mesh_bins.hpp"
#include <gtest/gtest.h>
#include <numbers>
#include <numeric>
#include "measure/wall_profile.hpp"
#include "support/dice.hpp"
#include "support/triangles.hpp"

namespace granary::mesh_bins_test {
namespace {

using namespace test;
constexpr double pi = std::numbers::pi;
const Domain box{{-1, -1, -1}, {1, 1, 2}, {}};
const Vec3d up{0, 0, 1}, x_axis{1, 0, 0}, y_axis{0, 1, 0};

WallBins bins_of(const WallShape& shape, std::size_t bins, std::size_t sectors,
                 const std::optional<Vec3d>& axis_point = {}) {
    return {shape, bins, sectors, box, up, x_axis, y_axis, axis_point};
}

// A bin on a cone, with a floor in between and a plate that stands on its axis.
Triangles silo() {
    return funnel({0, 0, 0.3}, 0.6, 0.4, 0.4, 30, 2) + funnel({0, 0, 0}, 0.3, 0.1, 0.4, 30, 3) +
           flat({-0.2, -0.2, 0.31}, {0.4, 0, 0}, {0, 0.4, 0}, 2, 3) +
           flat({-0.1, 0, 0.4}, {0.2, 0, 0}, {0, 0, 0.1}, 1, 1);
}

Triangles quartered(const Triangles& from) {
    Triangles all;
    for (const Corners& t : from) {
        const Vec3d m[3] = {0.5 * (t[0] + t[1]), 0.5 * (t[1] + t[2]), 0.5 * (t[2] + t[0])};
        all.push_back({t[0], m[0], m[2]}), all.push_back({m[0], t[1], m[1]});
        all.push_back({m[2], m[1], t[2]}), all.push_back({m[0], m[1], m[2]});
    }
    return all;
}

double area_of(const Corners& t) { return 0.5 * norm(cross(t[1] - t[0], t[2] - t[0])); }

std::optional<double> radius_of(const Triangles& t, const std::optional<Vec3d>& axis_point = {}) {
    const Mesh mesh = mesh_wall(t);
    return radius_if_round(mesh, axis_of(mesh, up, x_axis, axis_point));
}

}  // namespace

// Every bin gets what small pieces of the triangles, each given whole to the bin of its middle, add up to; all together
// is the mesh.
TEST(MeshBins, AreasAreThoseOfThePieces) {
    Triangles pieces = silo();
    for (int k = 0; k < 5; ++k) pieces = quartered(pieces);
    const Mesh mesh = mesh_wall(silo());
    for (const std::size_t sectors : {1u, 2u, 3u, 7u, 16u}) {
        const WallBins b = bins_of(mesh, 5, sectors, Vec3d{0.03, -0.02, 7.0});
        std::vector<double> summed(b.size(), 0.0);
        for (const Corners& t : pieces) summed[b.of(1.0 / 3 * (t[0] + t[1] + t[2]))] += area_of(t);
        double all = 0;
        for (std::size_t k = 0; k < b.size(); ++k) {
            const double area = b.area(k / sectors, k % sectors);
            EXPECT_NEAR(area, summed[k], 0.04 * mesh.surface->report().area / static_cast<double>(b.size())) << k;
            all += area;
        }
        EXPECT_NEAR(all, mesh.surface->report().area, 1e-12);
    }
}

// A cylinder and its triangles: the same bins, the same directions, areas as the chord to the arc, and the same load of
// the same contacts.
TEST(MeshBins, ACylinderAndItsTriangles) {
    const int sides = 96;
    const WallBins exact = bins_of(Cylinder{{0.1, 0, 0.5}, {0.1, 0, 1.5}, 0.4}, 8, 6),
                   mesh = bins_of(mesh_wall(funnel({0.1, 0, 0.5}, 1, 0.4, 0.4, sides, 5)), 8, 6);
    const double chord = std::sin(pi / sides) / (pi / sides);
    for (std::size_t b = 0; b < 8; ++b) {
        EXPECT_NEAR(mesh.height(b), exact.height(b), 1e-12);
        EXPECT_NEAR(mesh.middle(b), exact.middle(b), 1e-12);
        for (std::size_t s = 0; s < 6; ++s) EXPECT_NEAR(mesh.area(b, s), chord * exact.area(b, s), 1e-12);
    }
    Dice dice(9);
    std::vector<double> at_cylinder(n_profile_sums * 48, 0.0), at_mesh = at_cylinder;
    for (int k = 0; k < 500; ++k) {
        const double a = dice.uniform(0, 2 * pi);
        const Vec3d out{std::cos(a), std::sin(a), 0}, x = Vec3d{0.1, 0, dice.uniform(0.5, 1.5)} + 0.4 * out;
        const WallSample c{0, 0, x, -out, dice.vector(1), 0};
        add_contact(at_cylinder, exact, c), add_contact(at_mesh, mesh, c);
    }
    for (std::size_t k = 0; k < at_mesh.size(); ++k) EXPECT_NEAR(at_mesh[k], at_cylinder[k], 1e-12);
}

TEST(MeshBins, DirectionsOnSlopesAndFloors) {
    const WallBins cone = bins_of(ConeFrustum{{0, 0, 0}, {0, 0, 0.3}, 0.1, 0.4}, 3, 1),
                   mesh = bins_of(mesh_wall(silo()), 3, 1, Vec3d{});
    const double s = std::sqrt(0.5);
    for (const double side : {1.0, -1.0}) {  // from within and from without
        const Vec3d x{0.25, 0, 0.15}, n{-side * s, 0, side * s};
        EXPECT_NEAR(norm(mesh.along(x, n) - cone.along(x)), 0, 1e-12);
        EXPECT_NEAR(norm(mesh.sideways(x, n) - cone.sideways(x)), 0, 1e-12);
        EXPECT_NEAR(norm(mesh.along({0, 0.1, 0.31}, {0, 0, side}) - Vec3d{0, 1, 0}), 0, 1e-12);  // level: outwards
        EXPECT_NEAR(norm(mesh.sideways({0, 0.1, 0.31}, {0, 0, side}) - Vec3d{-1, 0, 0}), 0, 1e-12);
    }
}

TEST(MeshBins, WhatIsRound) {
    const Triangles bin = funnel({0.2, 0.1, 0.3}, 0.6, 0.4, 0.4, 24, 2),
                    cone = funnel({0.2, 0.1, 0}, 0.3, 0.1, 0.4, 24, 3);
    ASSERT_TRUE(radius_of(bin + cone));
    EXPECT_NEAR(*radius_of(bin + cone), 0.4, 1e-12);
    EXPECT_TRUE(radius_of(funnel({0, 0, 0}, 1, 0.4, 0.4, 19, 1)));  // an odd number of sides
    const Mesh mesh = mesh_wall(bin + cone);
    const UprightAxis axis = axis_of(mesh, up, x_axis, {});
    EXPECT_NEAR(norm(axis.origin - Vec3d{0.2, 0.1, 0}), 0, 1e-12);
    EXPECT_NEAR(axis.height, 0.9, 1e-12);
    EXPECT_NEAR(upright_part(mesh, axis).begin, 0.3, 1e-12);  // without its cone
    EXPECT_NEAR(upright_part(mesh, axis).end, 0.9, 1e-12);

    EXPECT_FALSE(radius_of(bin + cone, Vec3d{0.21, 0.1, 0}));  // the axis is elsewhere
    EXPECT_FALSE(radius_of(cone));
    EXPECT_FALSE(radius_of(box_surface({-1, -1, 0}, {1, 1, 3})));                  // its corners lie on a circle
    EXPECT_FALSE(radius_of(funnel({0.2, 0.1, 0.3}, 0.6, 0.1, 0.1, 24, 2) + bin));  // a pipe in it
    Triangles half;
    for (const Corners& t : bin)
        if (t[0].x + t[1].x + t[2].x < 0.6) half.push_back(t);
    EXPECT_FALSE(radius_of(half, Vec3d{0.2, 0.1, 0}));
}

// Lying on its side it is no upright bin; where its pose has put it, its bins follow.
TEST(MeshBins, FollowsItsPose) {
    Mesh mesh = mesh_wall(funnel({0, 0, 0}, 1, 0.4, 0.4, 24, 2));
    mesh.pose.turned = true;
    mesh.pose.row[0] = {1, 0, 0}, mesh.pose.row[1] = {0, 0, -1}, mesh.pose.row[2] = {0, 1, 0};  // z to -y
    mesh.pose.shift = {0, 0, 0.5};
    const WallBins b = bins_of(mesh, 2, 1);
    EXPECT_NEAR(b.height(0), 0.3, 1e-12);
    EXPECT_NEAR(b.height(1), 0.7, 1e-12);
    EXPECT_NEAR(b.area(0) + b.area(1), mesh.surface->report().area, 1e-12);
    EXPECT_FALSE(radius_if_round(mesh, axis_of(mesh, up, x_axis, {})));
}

// A level plate has no height: all of it is in the first bin.
TEST(MeshBins, APlate) {
    const WallBins b = bins_of(mesh_wall(flat({-1, -1, 0.5}, {2, 0, 0}, {0, 2, 0}, 3, 3)), 4, 4);
    EXPECT_EQ(b.of({0.5, 0.5, 0.5}), 0u);
    for (std::size_t s = 0; s < 4; ++s) EXPECT_NEAR(b.area(0, s), 1, 1e-12);
    EXPECT_EQ(b.area(2, 0), 0);
    ProfileLooks looks;
    looks.add(std::vector<double>(n_profile_sums * b.size(), 0.0), b);
    EXPECT_EQ(looks.mean(n_profile_sums * 9), 0);
}

}  // namespace granary::mesh_bins_test
