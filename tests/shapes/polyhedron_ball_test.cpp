// Polyhedra and ellipsoids: beside the maximum of g(n) = n.d - h_polyhedron(n) - h_ellipsoid(n) over all directions.
#include <gtest/gtest.h>
#include <cmath>
#include <vector>
#include "shapes/polyhedra_at_random.hpp"
#include "shapes/polyhedron_ball.hpp"

namespace granary::polyhedron_ball_test {

using namespace granary::test;

namespace {

double g_of(const std::vector<Vec3d>& corners, const PlacedEllipsoid& e, const Vec3d& centre, const Vec3d& n) {
    double outermost = dot(n, corners[0]);
    for (const Vec3d& c : corners) outermost = std::max(outermost, dot(n, c));
    return dot(n, centre) - outermost - std::sqrt(dot(n, e.a * n));
}

// Even directions, and from the best of them uphill with shorter and shorter steps.
double greatest_g(const std::vector<Vec3d>& corners, const PlacedEllipsoid& e, const Vec3d& centre) {
    constexpr int directions = 4000;
    const double golden = M_PI * (3 - std::sqrt(5.0));
    std::vector<std::pair<double, Vec3d>> starts;
    for (int k = 0; k < directions; ++k) {
        const double z = 1 - 2 * (k + 0.5) / directions, r = std::sqrt(1 - z * z);
        const Vec3d n{r * std::cos(golden * k), r * std::sin(golden * k), z};
        starts.push_back({g_of(corners, e, centre, n), n});
    }
    std::sort(starts.begin(), starts.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    double best = starts.front().first;
    Dice dice(7);
    for (int s = 0; s < 3; ++s) {
        auto [g, n] = starts[static_cast<std::size_t>(8 * s)];
        int failed = 0;
        for (double step = 0.05; step > 1e-10;) {
            const Vec3d to = n + step * direction_at_random(dice), next = (1 / norm(to)) * to;
            const double there = g_of(corners, e, centre, next);
            if (there > g) g = there, n = next, failed = 0;
            else if (++failed > 25) step *= 0.6, failed = 0;
        }
        best = std::max(best, g);
    }
    return best;
}

}  // namespace

// Long ones too, apart and overlapping: the gap, or the depth, is that of the common normal.
TEST(PolyhedronEllipsoid, FindsTheCommonNormal) {
    Dice dice(3);
    int apart = 0, deep = 0;
    for (int k = 0; k < 400; ++k) {
        const ConvexPolyhedron body("any", points_at_random(dice, 4 + k % 12, {1.0, 0.7, 0.5}));
        const Placed at{{}, turned_at_random(dice), 1.3};
        const bool needle = k % 2 == 0;
        const Vec3d axes = needle ? Vec3d{2.0, 0.1, 0.1} : Vec3d{0.8, 0.6, 0.4};
        const PlacedEllipsoid e = place_ellipsoid(axes, turned_at_random(dice));
        const auto corners = corners_in_space(body, at);
        // Pushed away until a face, an edge or a corner hardly touches.
        const Vec3d out = direction_at_random(dice);
        double low = 0, high = 5;
        for (int bisect = 0; bisect < 40; ++bisect) {
            const double middle = 0.5 * (low + high);
            ConvexTouch touch;
            const bool near = touch_polyhedron_ellipsoid(body, at, e, middle * out, 0.0, touch);
            (near ? low : high) = middle;
        }
        for (const double more : {0.02, -0.004}) {
            const Vec3d centre = (high + more) * out;
            ConvexTouch touch;
            const bool near = touch_polyhedron_ellipsoid(body, at, e, centre, 0.5, touch);
            const double g = greatest_g(corners, e, centre);
            ASSERT_TRUE(near) << k;
            EXPECT_NEAR(g_of(corners, e, centre, -touch.normal), -touch.overlap, 1e-12) << k << " " << more;
            EXPECT_GE(-touch.overlap, g - 1e-9) << k << " " << more;
            (g > 0 ? apart : deep) += 1;
        }
    }
    EXPECT_GT(apart, 350);
    EXPECT_GT(deep, 350);
}

// The end of a needle passes a sharp edge: it is behind the plane of a face then, and its foot there lies in the face.
TEST(PolyhedronEllipsoid, NeedleBesideASharpEdgeDoesNotTouch) {
    // A wedge of 40 degrees: the upper face z = 0 for x < 0, the edge along y at x = 0.
    const double slope = std::tan(40 * M_PI / 180);
    std::vector<Vec3d> corners;
    for (const double y : {-1.0, 1.0})
        for (const Vec3d& p : {Vec3d{0, y, 0}, Vec3d{-1, y, 0}, Vec3d{-1, y, -slope}}) corners.push_back(p);
    const ConvexPolyhedron wedge("wedge", corners, 1e-10, ConvexPolyhedron::Frame::as_given);
    const Placed at{{}, {1, 0, 0, 0}, 1};
    const Vec3d tip = Vec3d{-0.2, 0, -0.4} - wedge.user_centroid();  // under the upper face, outside the lower one
    // Its axis from the tip to above the upper face, passing the edge.
    const Vec3d along = (1 / std::sqrt(0.6 * 0.6 + 1)) * Vec3d{0.6, 0, 1};
    const double angle = std::atan2(along.x, along.z);
    const PlacedEllipsoid needle =
        place_ellipsoid({0.01, 0.01, 1.0}, {std::cos(0.5 * angle), 0, std::sin(0.5 * angle), 0});
    ConvexTouch touch;
    const bool near = touch_polyhedron_ellipsoid(wedge, at, needle, tip + along, 1e-3, touch);
    EXPECT_FALSE(near) << touch.overlap;
}

}  // namespace granary::polyhedron_ball_test
