#include "walls/ellipsoid_at_wall.hpp"
#include <gtest/gtest.h>
#include <functional>
#include "support/dice.hpp"

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

}  // namespace ellipsoid_at_wall
}  // namespace granary::test
