#include "shapes/ellipsoid_template.hpp"
#include <gtest/gtest.h>
#include <limits>
#include "core/errors.hpp"
#include "ellipsoid_support.hpp"
#include "shapes/elliptical_hertz.hpp"

namespace granary::test {
namespace ellipsoid_template {

// Against sums over slices: the ellipse at height z has the area pi a b w^2 and its mean x^2 is a^2 w^2/4, with
// w^2 = 1 - z^2/c^2; Simpson's rule is exact for these powers.
TEST(EllipsoidTemplate, MassProperties) {
    const Vec3d s{0.3, 0.5, 0.2};
    const ShapeTemplate t = make_ellipsoid("bean", s);
    const auto moments = [](double a, double b, double c) {
        double volume = 0, xx = 0, zz = 0;
        const double pi = std::acos(-1.0);
        const int n = 2000;
        for (int k = 0; k <= n; ++k) {
            const double z = c * (2.0 * k / n - 1), w2 = 1 - z * z / (c * c),
                         weight = (k == 0 || k == n ? 1 : 2 + 2 * (k % 2)) * (2 * c / n) / 3;
            const double area = pi * a * b * w2;
            volume += weight * area, xx += weight * area * a * a * w2 / 4, zz += weight * area * z * z;
        }
        return Vec3d{volume, xx / volume, zz / volume};
    };
    const Vec3d by_z = moments(s.x, s.y, s.z), by_x = moments(s.y, s.z, s.x);
    const double xx = by_z.y, zz = by_z.z, yy = by_x.y;
    EXPECT_NEAR(t.volume, by_z.x, 1e-11 * t.volume);
    EXPECT_NEAR(t.inertia_per_mass.x, yy + zz, 1e-11);
    EXPECT_NEAR(t.inertia_per_mass.y, xx + zz, 1e-11);
    EXPECT_NEAR(t.inertia_per_mass.z, xx + yy, 1e-11);
    EXPECT_EQ(t.outer_radius, 0.5);
    EXPECT_EQ(t.kind, ShapeKind::ellipsoid);
    const PlacedEllipsoid e = place_ellipsoid(t, 2, {1, 0, 0, 0});
    EXPECT_EQ(e.semi_axes, (Vec3d{0.6, 1, 0.4}));
    EXPECT_DOUBLE_EQ(e.sharpest, 0.16);
}

TEST(EllipsoidTemplate, RefusesWhatIsNone) {
    const auto message = [](const Vec3d& s) -> std::string {
        try {
            make_ellipsoid("bean", s);
        } catch (const InputError& e) {
            return e.what();
        }
        return "";
    };
    EXPECT_EQ(message({1, 2, 0}), "shape 'bean': the semi-axes are 1, 2 and 0 m; give three finite lengths above 0");
    EXPECT_NE(message({-1, 2, 1}), "");
    EXPECT_NE(message({1, std::numeric_limits<double>::quiet_NaN(), 1}), "");
    EXPECT_NE(message({1, std::numeric_limits<double>::infinity(), 1}), "");
    EXPECT_NE(message({1e-200, 1e-200, 1e-200}), "");
    EXPECT_EQ(message({1, 101, 1}),
              "shape 'bean': the semi-axes are 1, 101 and 1 m; the largest is 101 times the least, and 100 times is "
              "the limit; make it less slender");
    EXPECT_EQ(message({1, 100, 1}), "");
}

// (4.26) of the book with the integrals of the standard library.
TEST(EllipticalHertz, FactorIsThatOfTheIntegrals) {
    const double pi = std::acos(-1.0);
    for (const double b_a : {0.99, 0.9, 0.7, 0.5, 0.2, 0.1, 0.03}) {
        const double e2 = 1 - b_a * b_a, e = std::sqrt(e2), k = std::comp_ellint_1(e), big_e = std::comp_ellint_2(e);
        const double large = big_e / (b_a * b_a) - k, small = k - big_e;  // R'/R'' is their ratio
        const double factor = pi * pi / (2 * k * k * k * e2) * std::sqrt(large * small);
        const double s = std::sqrt(small / large);
        EXPECT_NEAR(elliptical_factor_exact(s), factor, 1e-11 * factor);
        EXPECT_NEAR(elliptical_factor(s), factor, 4e-4 * factor);  // the table's steps
    }
    EXPECT_EQ(elliptical_factor(1), 1);
    EXPECT_NEAR(elliptical_factor(0.9999), 1, 1e-6);
}

// Principal radii at the end of an axis are b^2/a and c^2/a; two bodies across each other have equal sums of them.
TEST(EllipticalHertz, RadiiOfEllipsoids) {
    const Quaterniond straight{1, 0, 0, 0};
    const PlacedEllipsoid e = place_ellipsoid({2, 3, 4}, straight);
    const double big = 16.0 / 2, small = 9.0 / 2;
    EXPECT_NEAR(hertz_radius(e, 0, {1, 0, 0}), std::sqrt(big * small) * elliptical_factor(std::sqrt(small / big)),
                1e-13);
    EXPECT_NEAR(hertz_radius(e, e, {1, 0, 0}), std::sqrt(big * small) / 2 * elliptical_factor(std::sqrt(small / big)),
                1e-13);
    const double half = std::sqrt(0.5);
    const PlacedEllipsoid turned_by_90 = place_ellipsoid({2, 3, 4}, {half, half, 0, 0});
    EXPECT_NEAR(hertz_radius(e, turned_by_90, {1, 0, 0}), 1 / (1 / big + 1 / small), 1e-13);
    const double r = 1 / (1 / big + 1), q = 1 / (1 / small + 1);
    EXPECT_NEAR(hertz_radius(e, 1, {1, 0, 0}), std::sqrt(r * q) * elliptical_factor(std::sqrt(q / r)), 1e-13);
    // Balls have R_1 R_2/(R_1 + R_2).
    Dice dice(31);
    const PlacedEllipsoid ball = place_ellipsoid({2, 2, 2}, any_rotation(dice)),
                          other = place_ellipsoid({3, 3, 3}, any_rotation(dice));
    EXPECT_NEAR(hertz_radius(ball, other, any_direction(dice)), 1.2, 1e-7);  // roots of rounding in R' - R''
}

}  // namespace ellipsoid_template
}  // namespace granary::test
