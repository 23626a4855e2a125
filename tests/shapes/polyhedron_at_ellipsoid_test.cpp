#include "shapes/polyhedron_at_ellipsoid.hpp"
#include <gtest/gtest.h>
#include "shapes/polyhedra_at_random.hpp"

namespace granary::test {
namespace {
namespace polyhedron_and_ellipsoid {

// Distance of a point in front of the polyhedron from all of its features.
double distance_of_point(const ConvexPolyhedron& a, const Placed& at, const Vec3d& x) {
    const auto A = corners_in_space(a, at);
    double least = 1e300;
    for (const auto& e : a.edges())
        least = std::min(least, distance_of_segments(A[e.from], A[e.to], x, x + Vec3d{1e-12, 0, 0}));
    for (std::size_t f = 0; f < a.faces().size(); ++f) {
        const Vec3d n = rotate(at.orientation, a.faces()[f].normal);
        const auto ring = a.corners_of(f);
        const double height = dot(n, x - A[ring[0]]);
        bool inside = height >= 0;
        for (std::size_t k = 0; k < ring.size(); ++k)
            inside &= dot(cross(A[ring[(k + 1) % ring.size()]] - A[ring[k]], x - A[ring[k]]), n) >= 0;
        if (inside) least = std::min(least, height);
    }
    return least;
}

TEST(PolyhedronAtEllipsoid, BallFeelsTheNearestPoint) {
    Dice dice(1);
    int touching = 0;
    for (int k = 0; k < 500; ++k) {
        const ConvexPolyhedron a("a", points_at_random(dice, 4 + dice.below(30), {1, 0.8, 0.6}));
        const Placed i{dice.vector(1), turned_at_random(dice), dice.uniform(0.5, 2)};
        const Vec3d centre = i.centre + (i.size * dice.uniform(1.05, 1.4)) * direction_at_random(dice);
        const double radius = 0.5 * i.size, distance = distance_of_point(a, i, centre);
        ConvexTouch touch;
        const bool touches = touch_polyhedron_ball(a, i, centre, radius, touch);
        EXPECT_EQ(touches, distance < radius);
        EXPECT_NEAR(touch.overlap, radius - distance, 1e-9);
        if (!touches) continue;
        ++touching;
        EXPECT_NEAR(touch.effective_radius, radius, 1e-12);
        EXPECT_LT(norm(i.centre + touch.point - (0.5 * (distance + radius)) * touch.normal - centre), 1e-9);
        const ConvexTouch other = seen_from_partner(touch, centre - i.centre);
        EXPECT_LT(norm(centre + other.point - (i.centre + touch.point)), 1e-12);
    }
    EXPECT_GT(touching, 100);
}

// The plane found separates or has the ellipsoid and the polyhedron on its two sides to within the overlap: the overlap
// is that along the normal over all corners; and a polyhedron that is moved back by it just touches.
TEST(PolyhedronAtEllipsoid, OverlapIsThatAlongTheNormal) {
    Dice dice(2);
    for (int k = 0; k < 500; ++k) {
        const ConvexPolyhedron a("a", points_at_random(dice, 4 + dice.below(30), {1, 0.8, 0.6}));
        const Placed i{dice.vector(1), turned_at_random(dice), 1};
        const Vec3d axes{dice.uniform(0.2, 1), dice.uniform(0.2, 1), dice.uniform(0.2, 1)};
        const Placed j{i.centre + dice.uniform(1, 1.8) * direction_at_random(dice), turned_at_random(dice), 1};
        ConvexTouch touch;
        const bool touches = touch_polyhedron_ellipsoid(a, i, axes, j, touch);
        const Vec3d n = rotate_back(j.orientation, touch.normal);
        const double h =
            std::sqrt(axes.x * axes.x * n.x * n.x + axes.y * axes.y * n.y * n.y + axes.z * axes.z * n.z * n.z);
        const auto A = corners_in_space(a, i);
        double low = 1e300;
        for (const Vec3d& x : A) low = std::min(low, dot(touch.normal, x - j.centre));
        EXPECT_NEAR(touch.overlap, h - low, 1e-12);
        EXPECT_NEAR(touch.effective_radius, axes.x * axes.y * axes.z / (h * h), 1e-12);
        if (touches) continue;
        // Apart by that plane, so no point of the polyhedron is in the ellipsoid; a little larger by the gap, it may
        // touch.
        EXPECT_GT(low, h);
    }
}

}  // namespace polyhedron_and_ellipsoid
}  // namespace
}  // namespace granary::test
