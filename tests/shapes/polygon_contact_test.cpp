#include "shapes/polygon_contact.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "bench/shapes/polygon_pairs.hpp"
#include "core/errors.hpp"
#include "shapes/contact_scale.hpp"

namespace granary::polygon_contact_test {

namespace {

constexpr int normal = 1;

ConvexPolygon square(double half) {
    const Vec2d corners[] = {{-half, -half}, {half, -half}, {half, half}, {-half, half}};
    return {"square", corners, normal};
}

Vec3d at_uv(double u, double v) { return in_space({u, v}, normal); }

double along(const Vec2d& a, const Vec2d& n) { return a.x * n.x + a.y * n.y; }

// Least overlap over the edges of both: above 0 they overlap.
double least_overlap(const PolygonPair& p) {
    double least = 1e300;
    for (const auto& [of, other] : {std::pair{&p.i, &p.j}, std::pair{&p.j, &p.i}})
        for (std::size_t k = 0; k < of->corner.size(); ++k) {
            const Vec2d &a = of->corner[k], &b = of->corner[(k + 1) % of->corner.size()];
            const double l = std::sqrt((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y));
            const Vec2d n{(b.y - a.y) / l, (a.x - b.x) / l};
            double low = 1e300;
            for (const Vec2d& c : other->corner) low = std::min(low, along(c, n));
            least = std::min(least, along(a, n) - low);
        }
    return least;
}

struct Touched {
    PlaneState state;
    ConvexTouch touch;
    Vec3d plane;
};
Touched touched(const ConvexPolygon& a, const Placed& i, const ConvexPolygon& b, const Placed& j, Vec3d plane = {}) {
    Touched t{PlaneState::none, {}, plane};
    t.state = touch_polygons(a, i, b, j, 2e-3, 1e3, t.plane, t.touch);
    return t;
}

std::string message_of(const std::vector<Vec2d>& corners) {
    try {
        ConvexPolygon("slab", corners, normal);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

}  // namespace

TEST(ConvexPolygon, AreaCentroidAndMoment) {
    const Vec2d corners[] = {{5, 3}, {1, 1}, {5, 1}, {3, 2}};  // a right triangle; the last is on an edge
    const ConvexPolygon p("triangle", corners, normal);
    ASSERT_EQ(p.corners().size(), 3u);
    EXPECT_DOUBLE_EQ(p.area(), 4);
    EXPECT_NEAR(p.corners()[0].x, 1 - 11.0 / 3, 1e-14);
    EXPECT_NEAR(p.corners()[0].y, 1 - 5.0 / 3, 1e-14);
    EXPECT_NEAR(p.polar_per_mass(), (16 + 4) / 18.0, 1e-14);  // of a right triangle (b^2 + h^2)/18
    EXPECT_NEAR(p.equivalent_radius(), std::sqrt(4 / std::numbers::pi), 1e-15);
    const ShapeTemplate t = make_polygon("triangle", corners, normal);
    EXPECT_EQ(t.inertia_per_mass.y, p.polar_per_mass());
    EXPECT_EQ(equivalent_radius(t), p.equivalent_radius());
    EXPECT_EQ(t.polyhedron->corners().size(), 6u);
}

TEST(ConvexPolygon, Messages) {
    EXPECT_NE(message_of({{0, 0}, {1, 0}}).find("\"slab\": a polygon of 2 corners"), std::string::npos);
    EXPECT_NE(message_of({{0, 0}, {1, 1}, {2, 2}}).find("its area is zero"), std::string::npos);
    EXPECT_NE(message_of({{0, 0}, {4, 0}, {0, 4}, {1, 1}}).find("is not convex: corner 4"), std::string::npos);
}

// Two squares side by side: mean depth, area, and a force of (E*/L) S t.
TEST(PolygonContact, SquareOnSquare) {
    const ConvexPolygon a = square(1), b = square(2);
    const double depth = 0.01, t = 2e-3, length = a.equivalent_radius() + b.equivalent_radius();
    const Touched found = touched(a, {{}, {1, 0, 0, 0}, 1}, b, {at_uv(-3 + depth, 0.5), {1, 0, 0, 0}, 1});
    ASSERT_EQ(found.state, PlaneState::real);
    EXPECT_NEAR(norm(found.touch.normal - at_uv(1, 0)), 0, 1e-14);
    EXPECT_NEAR(found.touch.overlap, depth, 1e-13);
    EXPECT_NEAR(found.touch.area, 2 * t, 1e-13);
    EXPECT_NEAR(found.touch.stored_depth, 0.5 * depth, 1e-13);
    EXPECT_NEAR(norm(found.touch.point - at_uv(-1 + 0.5 * depth, 0)), 0, 1e-13);
    const double hertz = 4.0 / 3 * std::sqrt(found.touch.effective_radius * depth) * depth;
    EXPECT_NEAR(hertz, 2 * depth * t / length, 1e-12 * t);
}

// A corner: the normal is that of the face, the depth sum that of a triangle.
TEST(PolygonContact, CornerInFace) {
    const ConvexPolygon a = square(1), b = square(3);
    const double h = 0.05, half = 0.125 * std::numbers::pi;  // half of 45 degrees
    const Quaterniond q{std::cos(half), 0, std::sin(half), 0};
    const Touched found =
        touched(a, {at_uv(0, std::sqrt(2.0) - h), q, 1}, b, {at_uv(0, -3), {1, 0, 0, 0}, 1}, at_uv(0, 1));
    ASSERT_EQ(found.state, PlaneState::real);
    EXPECT_NEAR(norm(found.touch.normal - at_uv(0, 1)), 0, 1e-13);
    EXPECT_NEAR(found.touch.overlap, 0.5 * h, 1e-13);
    EXPECT_NEAR(found.touch.area, 2 * h * 2e-3, 1e-14);
    EXPECT_NEAR(found.touch.stored_depth, h / 3, 1e-13);  // int h^2/2 dw = h^3/3, S = h^2
}

// Real where no edge separates them, apart along a plane that separates them else; -dS/dx is the normal times the
// chord.
TEST(PolygonContact, RandomPairs) {
    int real = 0, apart = 0;
    for (const PolygonPair& p : random_polygon_pairs(10000, 5)) {
        const ConvexPolygon a("a", p.i.corner, normal), b("b", p.j.corner, normal);
        const Placed i{at_uv(p.i.centroid.x, p.i.centroid.y), {1, 0, 0, 0}, 1};
        const Placed j{at_uv(p.j.centroid.x, p.j.centroid.y), {1, 0, 0, 0}, 1};
        const Touched found = touched(a, i, b, j);
        const double least = least_overlap(p);
        if (std::abs(least) < 1e-9) continue;
        ASSERT_EQ(found.state == PlaneState::real, least > 0);
        if (least < 0) {
            ++apart;
            EXPECT_GT(-found.touch.overlap, 0);
            continue;
        }
        ++real;
        if (found.touch.overlap > 0.05 * a.outer_radius()) continue;
        const double e = 1e-6;
        const auto area = [&](double u, double v) {
            Placed moved = i;
            moved.centre += at_uv(u, v);
            const Touched t = touched(a, moved, b, j, found.plane);
            return t.state == PlaneState::real ? t.touch.area * t.touch.overlap / 2e-3 : 0.0;
        };
        const Vec3d gradient = at_uv((area(e, 0) - area(-e, 0)) / (2 * e), (area(0, e) - area(0, -e)) / (2 * e));
        EXPECT_LT(norm(gradient + (found.touch.area / 2e-3) * found.touch.normal), 1e-4 * a.outer_radius());
    }
    EXPECT_GT(real, 500);
    EXPECT_GT(apart, 3000);
}

// A disc over an edge, beyond a corner, and with its centre inside.
TEST(PolygonContact, Disc) {
    const ConvexPolygon a = square(1);
    const Placed at{{}, {1, 0, 0, 0}, 2};  // a square of 4 x 4
    ConvexTouch touch;
    ASSERT_TRUE(touch_polygon_disc(a, at, at_uv(0.3, 2.45), 0.5, 0, touch));
    EXPECT_NEAR(touch.overlap, 0.05, 1e-14);
    EXPECT_NEAR(norm(touch.normal - at_uv(0, -1)), 0, 1e-14);
    EXPECT_NEAR(norm(touch.point - at_uv(0.3, 1.975)), 0, 1e-14);
    EXPECT_EQ(touch.effective_radius, 0.5);
    EXPECT_FALSE(touch_polygon_disc(a, at, at_uv(2.36, 2.36), 0.5, 0, touch));
    ASSERT_TRUE(touch_polygon_disc(a, at, at_uv(2.3, 2.4), 0.51, 0, touch));
    EXPECT_NEAR(touch.overlap, 0.01, 1e-14);
    EXPECT_NEAR(norm(touch.normal - at_uv(-0.6, -0.8)), 0, 1e-14);
    ASSERT_TRUE(touch_polygon_disc(a, at, at_uv(1.9, 0), 0.5, 0, touch));
    EXPECT_NEAR(touch.overlap, 0.6, 1e-14);
    EXPECT_NEAR(norm(touch.normal - at_uv(-1, 0)), 0, 1e-14);
}

}  // namespace granary::polygon_contact_test
