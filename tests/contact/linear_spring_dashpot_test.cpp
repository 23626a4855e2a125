#include "contact/linear_spring_dashpot.hpp"

#include <gtest/gtest.h>
#include <algorithm>
#include <array>
#include "collision.hpp"
#include "law_checks.hpp"

namespace granary::linear_spring_dashpot_test {
namespace {

using namespace testing;
using Parameters = LinearSpringDashpot::Parameters<double>;

Parameters random_parameters(Dice& dice) {
    const double e = dice.below(3) ? dice.uniform(0.05, 1.0) : 1.0;
    const double mu = dice.below(3) ? dice.uniform(0.0, 1.0) : 0.0;
    const double ratio = dice.below(4) ? dice.uniform(0.1, 1.0) : 0.0;
    return LinearSpringDashpot::make(dice.log_uniform(1e2, 1e9), ratio, e, mu);
}

double contact_time(double k, double m, double zeta) { return M_PI / std::sqrt(k / m * (1 - zeta * zeta)); }

TEST(LinearSpringDashpot, MakeSetsDampingFromRestitution) {
    const Parameters p = LinearSpringDashpot::make(1e5, 2.0 / 7.0, 0.8, 0.25);
    EXPECT_EQ(p.k_n, 1e5);
    EXPECT_DOUBLE_EQ(p.k_t, 2e5 / 7);
    EXPECT_NEAR(p.zeta_n, 0.07085, 5e-6);
    EXPECT_EQ(p.zeta_t, p.zeta_n);
    EXPECT_EQ(p.friction, 0.25);
}

TEST(LinearSpringDashpot, ForceAgainstClosedForm) {
    const double k_n = 1e5, k_t = 3e4, zeta_n = 0.1, zeta_t = 0.3, m = 0.02, dt = 1e-5;
    const Parameters p{k_n, k_t, zeta_n, zeta_t, 50.0};  // never slides
    const Vec3d v{0.1, -0.4, -0.3};
    Vec3d xi{1e-5, 0, 7e-5};
    const Vec3d f = LinearSpringDashpot{}.force({{0, 0, 1}, 1e-4, v, 0.01, m}, p, xi, dt);
    EXPECT_DOUBLE_EQ(f.z, k_n * 1e-4 + 2 * zeta_n * std::sqrt(k_n * m) * 0.3);
    EXPECT_DOUBLE_EQ(xi.x, 1e-5 + 0.1 * dt);
    EXPECT_DOUBLE_EQ(xi.y, -0.4 * dt);
    EXPECT_EQ(xi.z, 0.0);
    const double c_t = 2 * zeta_t * std::sqrt(k_t * m);
    EXPECT_DOUBLE_EQ(f.x, -(k_t * xi.x + c_t * 0.1));
    EXPECT_DOUBLE_EQ(f.y, -(k_t * xi.y - c_t * 0.4));
}

TEST(LinearSpringDashpot, CoulombLimitAndShortenedSpring) {
    const Parameters p{1e5, 3e4, 0.1, 0.3, 0.2};
    Vec3d xi{-0.03, 0, 0.04};
    const Vec3d f = LinearSpringDashpot{}.force({{0, 1, 0}, 1e-4, {-0.3, 0, 0.4}, 0.01, 0.02}, p, xi, 1e-5);
    EXPECT_NEAR(std::hypot(f.x, f.z), 0.2 * (1e5 * 1e-4), 1e-14 * f.y);  // of the spring, without the damper
    EXPECT_NEAR(xi.x, -f.x / 3e4, 1e-18);
    EXPECT_NEAR(xi.z, -f.z / 3e4, 1e-18);
    EXPECT_GT(f.x, 0.0);
}

TEST(LinearSpringDashpot, WithoutTangentialSpringNothingIsKeptAfterSliding) {
    const Parameters p{1e5, 0.0, 0.1, 0.3, 0.2};
    Vec3d xi{1, 0, 0};
    const Vec3d f = LinearSpringDashpot{}.force({{0, 1, 0}, 1e-4, {-0.3, 0, 0.4}, 0.01, 0.02}, p, xi, 1e-5);
    EXPECT_EQ(f.x, 0.0);
    EXPECT_EQ(f.z, 0.0);
    EXPECT_TRUE(is_finite(xi));
}

TEST(LinearSpringDashpot, PullOnlyWithAttraction) {
    const Parameters p{1e5, 3e4, 0.5, 0.5, 0.2};
    Vec3d xi{}, same{};
    const Contact<double> parting{{1, 0, 0}, 1e-6, {3, 0, 0}, 0.01, 0.02};
    EXPECT_LT(LinearSpringDashpot{}.force(parting, p, xi, 1e-5).x, 0.0);
    EXPECT_EQ(LinearSpringDashpot{.attraction = false}.force(parting, p, same, 1e-5).x, 0.0);
}

TEST(LinearSpringDashpot, LanesEqualScalar) {
    expect_lanes_equal_scalar(LinearSpringDashpot{}, random_parameters);
    expect_lanes_equal_scalar(LinearSpringDashpot{.attraction = false}, random_parameters);
}

TEST(LinearSpringDashpot, Antisymmetric) {
    expect_antisymmetric(LinearSpringDashpot{}, random_parameters);
    expect_antisymmetric(LinearSpringDashpot{.attraction = false}, random_parameters);
}

TEST(LinearSpringDashpot, RestitutionAndContactTime) {
    const double k = 1e4, m = 1e-3;
    for (double e : {0.2, 0.4, 0.6, 0.8, 0.9, 1.0})
        for (double v : {0.01, 1.0, 10.0}) {
            const Parameters p = LinearSpringDashpot::make(k, 2.0 / 7.0, e, 0.3);
            const double t = contact_time(k, m, p.zeta_n);
            const auto hit = head_on(LinearSpringDashpot{}, p, {m, 0.01, v, t / 10000});
            EXPECT_NEAR(hit.restitution, e, 1e-3) << "e " << e << " v " << v;  // first order in dt
            EXPECT_NEAR(hit.duration, t, 1e-3 * t);
        }
}

// Damping to the end of the contact, and to the end of the push: independent integration, validation
// references section 3; the second agrees with the closed form of Schwager & Poeschel.
TEST(LinearSpringDashpot, RestitutionOfDampingRatio) {
    const double k = 1e4, m = 1e-3;
    struct Row {
        double zeta, with, without;
    };
    for (const Row& row : {Row{0.1, 0.7292, 0.7441}, Row{0.3, 0.3723, 0.4510}, Row{0.5, 0.1630, 0.2984},
                           Row{0.7, 0.0460, 0.2103}, Row{0.9, 0.0015, 0.1553}}) {
        const Parameters p{k, 0.0, row.zeta, 0.0, 0.0};
        const Hit hit{m, 0.01, 1.0, contact_time(k, m, row.zeta) / 20000};
        EXPECT_NEAR(head_on(LinearSpringDashpot{}, p, hit).restitution, row.with, 3e-4) << row.zeta;
        const LinearSpringDashpot no_pull{.attraction = false};
        EXPECT_NEAR(head_on(no_pull, p, hit).restitution, row.without, 3e-4) << row.zeta;
        const double w = std::sqrt(1 - row.zeta * row.zeta);
        const double angle = std::atan2(2 * row.zeta * w, w * w - row.zeta * row.zeta);
        EXPECT_NEAR(row.without, std::exp(-row.zeta / w * (M_PI - angle)), 1e-4);
    }
}

}  // namespace
}  // namespace granary::linear_spring_dashpot_test
