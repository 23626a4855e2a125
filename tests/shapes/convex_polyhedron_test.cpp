#include "shapes/convex_polyhedron.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include "core/errors.hpp"
#include "shapes/polyhedra_at_random.hpp"

namespace granary::test {
namespace {
namespace polyhedron_template {

std::string refusal(const std::vector<Vec3d>& points) {
    try {
        (void)ConvexPolyhedron("grain", points);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

std::vector<std::array<Vec3d, 3>> triangles_of(const ConvexPolyhedron& body) {
    std::vector<std::array<Vec3d, 3>> triangles;
    for (std::size_t f = 0; f < body.faces().size(); ++f) {
        const auto ring = body.corners_of(f);
        for (std::size_t k = 1; k + 1 < ring.size(); ++k)
            triangles.push_back({body.corners()[ring[0]], body.corners()[ring[k]], body.corners()[ring[k + 1]]});
    }
    return triangles;
}

std::string refusal(const std::vector<std::array<Vec3d, 3>>& triangles) {
    try {
        (void)make_polyhedron_from_triangles("grain", triangles);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(ConvexPolyhedron, BoxHasTheMomentsOfABox) {
    auto corners = box_corners(1, 2, 3);
    for (Vec3d& x : corners) x += Vec3d{5, -7, 11};
    corners.push_back({5.1, -7.2, 11.3});  // inside, in a face, on an edge: no corners
    corners.push_back({5.5, -7, 11});
    corners.push_back({5.5, -6, 11});
    const ConvexPolyhedron box("box", corners);
    EXPECT_EQ(box.corners().size(), 8u);
    EXPECT_EQ(box.faces().size(), 6u);
    EXPECT_EQ(box.edges().size(), 12u);
    EXPECT_NEAR(box.volume(), 6, 1e-13);
    EXPECT_LT(norm(box.user_centroid() - Vec3d{5, -7, 11}), 1e-14);
    EXPECT_LT(norm(box.inertia_per_mass() - (1.0 / 12) * Vec3d{4 + 9, 1 + 9, 1 + 4}), 1e-13);
    EXPECT_NEAR(box.outer_radius(), std::sqrt(14.0) / 2, 1e-14);
    EXPECT_NEAR(box.inner_radius(), 0.5, 1e-14);
    EXPECT_NEAR(4 * std::acos(-1.0) / 3 * std::pow(box.equivalent_radius(), 3), 6, 1e-13);
    for (const auto& edge : box.edges()) EXPECT_LT(edge.from, edge.to);
}

// Moments agree: the axes are those of the user, not what rounding makes of them.
TEST(ConvexPolyhedron, CubeKeepsTheUsersAxes) {
    const double turn = 0.3;
    auto corners = box_corners(1, 1, 1);
    for (Vec3d& x : corners)
        x = {std::cos(turn) * x.x - std::sin(turn) * x.y, std::sin(turn) * x.x + std::cos(turn) * x.y, x.z};
    const ConvexPolyhedron cube("cube", corners);
    EXPECT_EQ(cube.user_axes()[0], (Vec3d{1, 0, 0}));
    EXPECT_EQ(cube.user_axes()[2], (Vec3d{0, 0, 1}));
    EXPECT_NEAR(cube.inertia_per_mass().x, 1.0 / 6, 1e-14);
    auto pillar = box_corners(1, 1, 2);  // two agree: the third axis is found, the others lie next to the user's
    for (Vec3d& x : pillar)
        x = {std::cos(turn) * x.x - std::sin(turn) * x.z, x.y, std::sin(turn) * x.x + std::cos(turn) * x.z};
    const ConvexPolyhedron leaning("pillar", pillar);
    EXPECT_LT(norm(leaning.user_axes()[2] - Vec3d{-std::sin(turn), 0, std::cos(turn)}), 1e-12);
    EXPECT_LT(norm(leaning.user_axes()[1] - Vec3d{0, 1, 0}), 1e-12);
}

// Regular tetrahedron of edge a: volume a^3/(6 sqrt 2), moment a^2/20.
TEST(ConvexPolyhedron, RegularTetrahedron) {
    const ConvexPolyhedron body("t", std::vector<Vec3d>{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}});
    EXPECT_NEAR(body.volume(), 8.0 / 3, 1e-14);
    EXPECT_LT(norm(body.inertia_per_mass() - Vec3d{0.4, 0.4, 0.4}), 1e-14);
    EXPECT_EQ(body.faces().size(), 4u);
}

TEST(ConvexPolyhedron, OrderOfThePointsDoesNotMatter) {
    Dice dice(3);
    for (int k = 0; k < 20; ++k) {
        auto points = points_at_random(dice, 4 + 10 * k, {1, 0.8, 0.5});
        if (k % 2) points.insert(points.end(), points.begin(), points.begin() + 3);
        const ConvexPolyhedron first("a", points);
        for (std::size_t c = points.size(); c > 1; --c)
            std::swap(points[c - 1], points[static_cast<std::size_t>(dice.below(static_cast<int>(c)))]);
        const ConvexPolyhedron second("a", points);
        ASSERT_EQ(first.corners().size(), second.corners().size());
        for (std::size_t c = 0; c < first.corners().size(); ++c) EXPECT_EQ(first.corners()[c], second.corners()[c]);
        ASSERT_EQ(first.faces().size(), second.faces().size());
        for (std::size_t f = 0; f < first.faces().size(); ++f) {
            EXPECT_EQ(first.faces()[f].normal, second.faces()[f].normal);
            EXPECT_TRUE(std::ranges::equal(first.corners_of(f), second.corners_of(f)));
        }
        EXPECT_EQ(first.inertia_per_mass(), second.inertia_per_mass());
    }
}

// Every point inside or on all faces, every edge of two faces, Euler's number, centroid and axes where they should be.
TEST(ConvexPolyhedron, HullsAreClosedAndConvex) {
    Dice dice(5);
    for (int k = 0; k < 60; ++k) {
        std::vector<Vec3d> points;
        if (k % 3 == 0) points = points_at_random(dice, 4 + 3 * k, {1, 1, 0.3});
        else if (k % 3 == 1)  // in a box, of which some are inside
            for (int c = 0; c < 8 + 3 * k; ++c) points.push_back(dice.vector(1));
        else  // on a grid: many in one plane
            for (int c = 0; c < 64; ++c)
                if (!dice.one_in(3)) points.push_back({c % 4 + 0.0, (c / 4) % 4 + 0.0, c / 16 + 0.0});
        const ConvexPolyhedron body("a", points);
        EXPECT_EQ(body.corners().size() + body.faces().size(), body.edges().size() + 2);
        std::size_t sides = 0;
        for (std::size_t f = 0; f < body.faces().size(); ++f) sides += body.corners_of(f).size();
        EXPECT_EQ(sides, 2 * body.edges().size());
        for (const Vec3d& x : points) {
            const Vec3d d = x - body.user_centroid();
            const Vec3d own{dot(d, body.user_axes()[0]), dot(d, body.user_axes()[1]), dot(d, body.user_axes()[2])};
            for (const auto& face : body.faces()) EXPECT_LT(dot(face.normal, own) - face.offset, 1e-9);
        }
        for (int c = 0; c < 20; ++c) {
            const Vec3d n = direction_at_random(dice);
            double most = -1e300;
            for (const Vec3d& x : body.corners()) most = std::max(most, dot(n, x));
            EXPECT_EQ(dot(n, body.corners()[body.support(n, static_cast<std::uint32_t>(c) % 4)]), most);
        }
    }
}

TEST(ConvexPolyhedron, BadShapesAreRefusedWithTheReason) {
    EXPECT_NE(refusal(std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}).find("shape \"grain\": 3 different points"),
              std::string::npos);
    EXPECT_NE(
        refusal(std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 1, 1e-9}}).find("in one plane"),
        std::string::npos);
    EXPECT_NE(refusal(std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}}).find("in one line"),
              std::string::npos);
    EXPECT_NE(refusal(std::vector<Vec3d>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, std::nan("")}}).find("finite"),
              std::string::npos);
    std::vector<Vec3d> prism;
    for (int k = 0; k < 80; ++k)
        prism.push_back({std::cos(k / 2 * 0.157079632679), std::sin(k / 2 * 0.157079632679), k % 2 + 0.0});
    EXPECT_NE(refusal(prism).find("a face has 40 corners; at most 30"), std::string::npos);
}

TEST(ConvexPolyhedron, TrianglesMustBeClosedAndConvex) {
    const ConvexPolyhedron box("box", box_corners(1, 2, 3));
    auto triangles = triangles_of(box);
    for (auto& t : triangles)  // as a file of floats has them, any way round
        for (Vec3d& x : t) x = {static_cast<float>(x.x), static_cast<float>(x.y), static_cast<float>(x.z)};
    std::swap(triangles[0][0], triangles[0][1]);
    EXPECT_NEAR(make_polyhedron_from_triangles("box", triangles).volume, 6, 1e-6);
    auto open = triangles;
    open.pop_back();
    EXPECT_NE(refusal(open).find("its surface is open"), std::string::npos);
    // An L: the box with a corner pushed in keeps its hull's corners but one.
    auto dented = triangles;
    const Vec3d corner{0.5, 1, 1.5};
    for (auto& t : dented)
        for (Vec3d& x : t)
            if (norm(x - corner) < 1e-6) x = {0.1, 0.1, 0.1};
    EXPECT_NE(refusal(dented).find("not convex"), std::string::npos);
}

}  // namespace polyhedron_template
}  // namespace
}  // namespace granary::test
