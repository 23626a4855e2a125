// Ready-made solids, surfaces to look at, and how quick contacts of shapes are.
#include "shapes/shape_surface.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include "shapes/clump.hpp"
#include "shapes/contact_scale.hpp"
#include "shapes/convex_polyhedron.hpp"
#include "shapes/ellipsoid_template.hpp"
#include "shapes/solids.hpp"

namespace granary::shape_surface_test {
namespace {

// Volume and area by the divergence theorem; corners must go round as normals say.
std::pair<double, double> volume_and_area(const ShapeSurface& s) {
    double six = 0, area = 0;
    std::size_t begin = 0;
    for (const std::uint32_t end : s.ends) {
        const Vec3d& a = s.points[s.corners[begin]];
        for (std::size_t k = begin + 1; k + 1 < end; ++k) {
            const Vec3d &b = s.points[s.corners[k]], &c = s.points[s.corners[k + 1]];
            six += dot(a, cross(b, c)), area += 0.5 * norm(cross(b - a, c - a));
            EXPECT_GT(dot(cross(b - a, c - a), s.normals[s.corners[begin]]), 0);
        }
        begin = end;
    }
    return {six / 6, area};
}

TEST(Solids, RegularOnesHaveTheirEdgesAndVolumes) {
    const double golden = 0.5 * (1 + std::sqrt(5.0));
    const std::pair<RegularSolid, double> volumes[] = {{RegularSolid::tetrahedron, 1 / (6 * std::sqrt(2.0))},
                                                       {RegularSolid::cube, 1},
                                                       {RegularSolid::octahedron, std::sqrt(2.0) / 3},
                                                       {RegularSolid::dodecahedron, (15 + 7 * std::sqrt(5.0)) / 4},
                                                       {RegularSolid::icosahedron, 5 * golden * golden / 6}};
    for (const auto& [solid, volume] : volumes) {
        const ShapeTemplate t = make_polyhedron("solid", corners_of(solid, 2.0));
        EXPECT_NEAR(t.volume, 8 * volume, 1e-12 * 8 * volume);
        EXPECT_NEAR(volume_and_area(surface_of(t, {})).first, t.volume, 1e-12 * t.volume);
    }
    EXPECT_EQ(make_polyhedron("d", corners_of(RegularSolid::dodecahedron, 1)).polyhedron->faces().size(), 12u);
    EXPECT_EQ(make_polyhedron("p", prism_corners(6, 1, 2)).polyhedron->faces().size(), 8u);
    EXPECT_NEAR(make_polyhedron("p", prism_corners(6, 1, 2)).volume, 3 * std::sqrt(3.0), 1e-12);
}

TEST(ShapeSurface, EllipsoidsAreInscribedAndConverge) {
    const ShapeTemplate t = make_ellipsoid("e", {3, 2, 1});
    double before = 1;
    for (const int detail : {0, 1, 2, 3}) {
        const ShapeSurface s = surface_of(t, {detail, 0});
        EXPECT_EQ(s.points.size(), 10u * (1u << 2 * detail) + 2);
        EXPECT_EQ(s.ends.size(), 20u * (1u << 2 * detail));
        for (const Vec3d& p : s.points) EXPECT_NEAR(p.x * p.x / 9 + p.y * p.y / 4 + p.z * p.z, 1, 1e-14);
        const double lack = 1 - volume_and_area(s).first / t.volume;
        EXPECT_GT(lack, 0);
        EXPECT_LT(lack, before / (detail == 0 ? 1 : 3));  // of second order in the edge: 4 in the limit
        before = lack;
    }
}

TEST(ShapeSurface, ClumpsLackOnlyWhatIsHidden) {
    const std::vector<ClumpBall> apart{{{-2, 0, 0}, 1}, {{2, 0, 0}, 1}}, joined{{{-0.5, 0, 0}, 1}, {{0.5, 0, 0}, 1}};
    EXPECT_EQ(surface_of(make_clump("a", apart), {2, 1}).ends.size(), 160u);
    const ShapeSurface s = surface_of(make_clump("j", joined), {2, 1});
    EXPECT_LT(s.ends.size(), 160u);
    EXPECT_GT(s.ends.size(), 100u);
    // No cell has all corners deep inside the other ball.
    std::size_t begin = 0;
    for (const std::uint32_t end : s.ends) {
        double out = -1;
        for (std::size_t k = begin; k < end; ++k) {
            const Vec3d& p = s.points[s.corners[k]];
            out = std::max(out, std::min(norm(p - Vec3d{-0.5, 0, 0}), norm(p - Vec3d{0.5, 0, 0})) - 1);
        }
        EXPECT_GT(out, -1e-12);
        begin = end;
    }
}

TEST(ContactScale, OfABallIsTheBall) {
    const ShapeTemplate ball = make_ellipsoid("ball", {0.01, 0.01, 0.01});
    EXPECT_NEAR(least_mass_share(ball), 1, 1e-12);
    EXPECT_NEAR(stand_in_radius(ball), 0.01, 1e-14);
    EXPECT_NEAR(equivalent_radius(ball), 0.01, 1e-14);
}

TEST(ContactScale, ACornerOfACubeMeetsAQuarterOfItsMass) {
    // r = (1, 1, 1) h at a corner, n = (1, 0, 0): |r x n|^2 = 2 h^2, I/m = 2/3 h^2, so 1/(1 + 3). Along a tangent such
    // as (0, 1, -1)/sqrt 2, |r x t|^2 = 3 h^2: 1/(1 + 4.5), and 7/2 of it is 0.64.
    const ShapeTemplate cube = make_polyhedron("cube", corners_of(RegularSolid::cube, 0.02));
    EXPECT_NEAR(least_mass_share(cube), 0.25, 1e-9);
    EXPECT_LT(stand_in_radius(cube), 0.01);
    EXPECT_EQ(smallest_length(cube), cube.polyhedron->inner_radius());
    EXPECT_NEAR(smallest_length(cube), 0.01, 1e-12);
}

TEST(ContactScale, ShrinksWithTheShape) {
    const ShapeTemplate one = make_ellipsoid("one", {0.03, 0.02, 0.01}),
                        half = make_ellipsoid("h", {0.015, 0.01, 0.005});
    EXPECT_NEAR(stand_in_radius(half), 0.5 * stand_in_radius(one), 1e-12);
    EXPECT_LE(stand_in_radius(one), 0.01);
    EXPECT_NEAR(largest_curvature_radius(one), 0.06, 1e-12);  // a b/c
}

TEST(Quaternion, RotationToAxesTakesThemThere) {
    for (const Quaterniond q : {Quaterniond{1, 2, 3, 4}, {0.1, -1, 0.2, 0.3}, {0, 0, 1, 0.01}, {1, 0, 0, 0}}) {
        const Quaterniond u = normalised(q);
        const Quaterniond back =
            rotation_to(rotate(u, Vec3d{1, 0, 0}), rotate(u, Vec3d{0, 1, 0}), rotate(u, Vec3d{0, 0, 1}));
        EXPECT_NEAR(std::abs(dot(u, back)), 1, 1e-14);
    }
}

}  // namespace
}  // namespace granary::shape_surface_test
