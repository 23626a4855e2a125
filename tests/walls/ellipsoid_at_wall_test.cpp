#include "walls/ellipsoid_at_wall.hpp"
#include <gtest/gtest.h>
#include <functional>
#include "support/dice.hpp"
#include "support/triangles.hpp"
#include "walls/mesh_contacts.hpp"

namespace granary::test {
namespace ellipsoid_at_wall {

constexpr double pi = 3.14159265358979323846;

Quaterniond any_turn(Dice& dice) {
    for (;;) {
        const Quaterniond q{dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1), dice.uniform(-1, 1)};
        if (const double l = dot(q, q); l < 1 && l > 0.01) return normalised(q);
    }
}

// A wall as a function of two numbers in [0, 1], to look for its nearest point without any of the code under test.
struct Patch {
    WallShape shape;
    std::function<Vec3d(double, double)> at;
};

Vec3d round(double radius, double turn, double z) {
    return {radius * std::cos(2 * pi * turn), radius * std::sin(2 * pi * turn), z};
}

std::vector<Patch> patches() {
    const Rectangle r{{-2, -1, 0}, {4, 0, 0}, {0, 2, 0}};
    const Annulus a{{0, 0, 0}, {0, 0, 1}, 0.8, 3};
    const Cylinder c{{0, 0, 0}, {0, 0, 3}, 2};
    const ConeFrustum f{{0, 0, 0}, {0, 0, 2}, 0.7, 3};
    const ConeFrustum tip{{0, 0, 0}, {0, 0, 3}, 0, 2};
    const auto cone = [](const ConeFrustum& s) {
        return [s](double u, double v) {
            return round(s.bottom_radius + v * (s.top_radius - s.bottom_radius), u, v * s.top.z);
        };
    };
    return {{r, [r](double u, double v) { return r.corner + u * r.edge_a + v * r.edge_b; }},
            {Disc{{0, 0, 0}, {0, 0, 1}, 3}, [](double u, double v) { return round(3 * v, u, 0); }},
            {a, [a](double u, double v) { return round(a.inner + v * (a.outer - a.inner), u, 0); }},
            {c, [c](double u, double v) { return round(c.radius, u, 3 * v); }},
            {f, cone(f)},
            {tip, cone(tip)}};
}

// Distance of y from the surface by its own definition: h is known, so the distance is the greatest of n.y - h(n).
// Here by plain iteration on the secular equation with bisection, in the body's frame.
double signed_distance(const PlacedEllipsoid& e, const Vec3d& y) {
    const Vec3d b = rotate_back(e.orientation, y), &s = e.semi_axes;
    const double least = std::min({s.x, s.y, s.z});
    const auto level = [&](double t) {
        const auto part = [&](double a, double x) { return a * a * x * x / ((t + a * a) * (t + a * a)); };
        return part(s.x, b.x) + part(s.y, b.y) + part(s.z, b.z) - 1;
    };
    double low = -least * least * (1 - 1e-15), high = norm(b) * std::max({s.x, s.y, s.z}) + 1;
    for (int k = 0; k < 70; ++k) (level(0.5 * (low + high)) > 0 ? low : high) = 0.5 * (low + high);
    const double t = 0.5 * (low + high);
    const Vec3d grad{b.x / (t + s.x * s.x), b.y / (t + s.y * s.y), b.z / (t + s.z * s.z)};
    return t * norm(grad);
}

// The least distance of a patch from the body: a grid, then a pattern search from its best places.
double least_distance(const Patch& p, const PlacedEllipsoid& e, const Vec3d& centre) {
    const auto value = [&](double u, double v) { return signed_distance(e, p.at(u, v) - centre); };
    constexpr int n = 24;
    double best = 1e300, bu = 0, bv = 0;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            if (const double w = value(i / double(n), j / double(n)); w < best)
                best = w, bu = i / double(n), bv = j / double(n);
    for (double step = 1.0 / n; step > 1e-8; step *= 0.5)
        for (bool moved = true; moved;) {
            moved = false;
            for (const auto& [du, dv] :
                 {std::pair{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}}) {
                const double u = bu + step * du, v = std::clamp(bv + step * dv, 0.0, 1.0);
                const double uu = std::holds_alternative<Rectangle>(p.shape) ? std::clamp(u, 0.0, 1.0) : u;
                if (const double w = value(uu, v); w < best - 1e-16) best = w, bu = uu, bv = v, moved = true;
            }
        }
    return best;
}

// The deepest contact is the place of the wall that is deepest in the body, or nearest to it. The depth is kept below
// the least radius of curvature, where that is the common normal.
TEST(EllipsoidAtWall, DeepestPlaceOfEveryShape) {
    Dice dice(5);
    int seen = 0, rims = 0, faces = 0;
    for (const Patch& p : patches())
        for (int k = 0; k < 100; ++k) {
            const Vec3d axes{dice.uniform(0.2, 0.6), dice.uniform(0.2, 0.6), dice.uniform(0.2, 0.6)};
            const PlacedEllipsoid e = place_ellipsoid(axes, any_turn(dice));
            Vec3d centre = p.at(dice.uniform(-0.1, 1.1), dice.uniform(0, 1)) + dice.vector(0.7);
            const double best = least_distance(p, e, centre);
            if (best < -0.8 * e.sharpest || best > 0.3) continue;
            ++seen;
            const EllipsoidWallTouches t = touch_wall(e, centre, p.shape, 0.5);
            double deepest = -1e300;
            bool rim = false;
            for (const EllipsoidWallTouch& at : t) {
                if (at.touch.overlap > deepest) deepest = at.touch.overlap, rim = at.on_rim;
                EXPECT_NEAR(norm(at.touch.normal), 1, 1e-14);
                EXPECT_LT(std::abs(closest(p.shape, at.wall_point).distance), 1e-7);  // on the wall
                EXPECT_NEAR(signed_distance(e, at.wall_point - centre), -at.touch.overlap, 1e-9);
                const Vec3d middle = (at.wall_point - centre) - (0.5 * at.touch.overlap) * at.touch.normal;
                EXPECT_LT(norm(at.touch.point - middle), 1e-8);
            }
            ++(rim ? rims : faces);
            // Each contact lies on the wall at the distance it says (above), so deeper than the search found is right.
            EXPECT_GE(deepest, -best - 1e-8) << "shape " << p.shape.index() << " place " << k << " of " << t.count;
        }
    EXPECT_GT(seen, 200);
    EXPECT_GT(rims, 20);
    EXPECT_GT(faces, 20);
}

struct OnMesh {
    ConvexTouch touch;
    SurfacePoint at;
};
std::vector<OnMesh> touch_mesh(const TriangleMesh& mesh, const PlacedEllipsoid& e, const Vec3d& centre,
                               double reach = 0) {
    std::vector<WallCandidate> near;
    for (std::uint32_t t = 0; t < mesh.size(); ++t) near.push_back({0, 0, t, {}});
    std::vector<OnMesh> found;
    MeshContacts work;
    work.find(mesh, near, centre, e, reach, [&](WallCandidate&, const ConvexTouch& touch, const SurfacePoint& at) {
        found.push_back({touch, at});
    });
    return found;
}

// A floor of 2 triangles and of 800, over faces, edges and corners: one contact, that of the plane.
TEST(EllipsoidAtWall, NetIsAPlane) {
    Dice dice(6);
    for (const int n : {1, 5, 20}) {
        const TriangleMesh mesh(flat({-2, -2, 0}, {4, 0, 0}, {0, 4, 0}, n, n));
        for (int k = 0; k < 40; ++k) {
            const PlacedEllipsoid e = place_ellipsoid({0.6, 0.4, 0.25}, any_turn(dice));
            const Vec3d an = e.a * Vec3d{0, 0, 1};
            const double h = std::sqrt(an.z), side = k % 2 == 0 ? 1 : -1;
            Vec3d centre{dice.uniform(-1, 1), dice.uniform(-1, 1), side * (h - dice.uniform(0.001, 0.08))};
            if (k % 4 == 0) centre.x = side * an.x / h, centre.y = side * an.y / h;  // lowest point over a corner
            if (k % 8 == 0) centre.x += 1e-9;
            const std::vector<OnMesh> found = touch_mesh(mesh, e, centre);
            ASSERT_EQ(found.size(), 1u) << n << ' ' << k;
            EXPECT_LT(norm(found[0].touch.normal - Vec3d{0, 0, side}), 1e-7);
            EXPECT_NEAR(found[0].touch.overlap, h - std::abs(centre.z), 1e-14);
        }
    }
}

// In the edge of a trough two contacts, over a ridge one, in a pipe of facets the two ends of a body that lies across.
TEST(EllipsoidAtWall, MeshesThatAreNotFlat) {
    const Triangles trough =
        flat({-3, 0, 0}, {6, 0, 0}, {0, 3, 3}, 4, 4) + flat({-3, 0, 0}, {6, 0, 0}, {0, -3, 3}, 4, 4);
    const PlacedEllipsoid along = place_ellipsoid({0.8, 0.3, 0.3}, {1, 0, 0, 0});
    const TriangleMesh mesh(trough);
    const std::vector<OnMesh> found = touch_mesh(mesh, along, {0, 0, 0.3 * std::sqrt(2.0) - 0.01});
    ASSERT_EQ(found.size(), 2u);
    for (const OnMesh& f : found) {
        EXPECT_NEAR(f.touch.overlap, 0.01 / std::sqrt(2.0), 1e-14);
        EXPECT_NEAR(f.touch.normal.z, std::sqrt(0.5), 1e-14);
    }
    EXPECT_EQ(touch_mesh(mesh, along, {0, 0, -0.29}).size(), 1u);  // from below: the ridge
    const TriangleMesh pipe(funnel({0, 0, 0}, 4, 1, 1, 36, 3));
    const PlacedEllipsoid across = place_ellipsoid({1.0, 0.3, 0.3}, {1, 0, 0, 0});
    const std::vector<OnMesh> ends = touch_mesh(pipe, across, {0, 0, 2});
    ASSERT_EQ(ends.size(), 2u);
    EXPECT_LT(norm(ends[0].touch.normal + ends[1].touch.normal), 1e-6);
    const EllipsoidWallTouches smooth = touch_wall(across, {0, 0, 2}, Cylinder{{0, 0, 0}, {0, 0, 4}, 0.999}, 0);
    ASSERT_EQ(smooth.count, 2u);
    EXPECT_NEAR(smooth.at[0].touch.overlap, 0.001, 1e-15);
    EXPECT_NEAR(smooth.at[1].touch.overlap, 0.001, 1e-15);
}

// A long body over the outlet of a hopper rests on two places of its rim, a round one above the middle on all of it:
// two opposite ones stand for them.
TEST(EllipsoidAtWall, BridgesAnOutlet) {
    const Annulus floor{{0, 0, 0}, {0, 0, 1}, 0.5, 3};
    const PlacedEllipsoid e = place_ellipsoid({1, 0.2, 0.2}, {1, 0, 0, 0});
    const double height = 0.2 * std::sqrt(1 - 0.25) - 0.001;
    const EllipsoidWallTouches t = touch_wall(e, {0, 0, height}, floor, 0);
    ASSERT_EQ(t.count, 2u);
    EXPECT_LT(norm(t.at[0].wall_point + t.at[1].wall_point), 1e-9);
    EXPECT_NEAR(std::abs(t.at[0].wall_point.x), 0.5, 1e-9);
    EXPECT_GT(t.at[0].touch.overlap, 0);
    const PlacedEllipsoid disc = place_ellipsoid({0.6, 0.6, 0.3}, {1, 0, 0, 0});
    const EllipsoidWallTouches u = touch_wall(disc, {0, 0, 0.3 * std::sqrt(1 - 0.25 / 0.36) - 0.001}, floor, 0);
    ASSERT_EQ(u.count, 2u);
    EXPECT_LT(norm(u.at[0].wall_point + u.at[1].wall_point), 1e-6);
}

}  // namespace ellipsoid_at_wall
}  // namespace granary::test
