#include "contact/kelvin_voigt_lazarevic2002.hpp"

#include <gtest/gtest.h>
#include <array>
#include "collision.hpp"
#include "law_checks.hpp"

namespace granary {
namespace {

using namespace testing;
using Parameters = KelvinVoigt::Parameters<double>;

Parameters random_parameters(Dice& dice) {
    return {dice.log_uniform(1e2, 1e9), dice.below(3) ? dice.log_uniform(1e-3, 1e5) : 0.0,
            dice.below(3) ? dice.log_uniform(1e-3, 1e4) : 0.0};
}

// Force along the normal of a contact with this overlap and this speed of parting; a sideways velocity
// must not matter.
double force_along(const KelvinVoigt& law, const Parameters& p, double overlap, double parting) {
    const Vec3d n{0, 0.6, 0.8}, sideways{3, 0, 0};
    Vec3d xi{1, 2, 3};
    const Vec3d f = law.force({n, overlap, parting * n + sideways, 0.1, 28.0}, p, xi, 1e-5);
    EXPECT_EQ(xi, (Vec3d{1, 2, 3}));  // no history: not touched
    EXPECT_NEAR(norm(cross(f, n)), 0.0, 1e-12 * norm(f));
    return dot(f, n);
}

TEST(KelvinVoigt, SpringAndDamperWhileTheyOverlap) {
    const Parameters p{1e7, 2e4, 0.0};
    EXPECT_NEAR(force_along({}, p, 1e-3, 0.0), 1e4, 1e-8);
    EXPECT_NEAR(force_along({}, p, 1e-3, -0.1), 1.2e4, 1e-8);  // approaching: more
    EXPECT_NEAR(force_along({}, p, 1e-3, 0.1), 0.8e4, 1e-8);   // parting: less
    EXPECT_NEAR(force_along({}, p, 1e-3, 1.0), -1e4, 1e-8);    // the damper may pull
    EXPECT_EQ(force_along({.damper_may_pull = false}, p, 1e-3, 1.0), 0.0);
    EXPECT_NEAR(force_along({.damper_may_pull = false}, p, 1e-3, 0.1), 0.8e4, 1e-8);
}

TEST(KelvinVoigt, CohesionPullsOnlyWhilePartingWithinReach) {
    const Parameters p{1e6, 5e3, 100.0};  // reach 1e-4 m
    EXPECT_DOUBLE_EQ(KelvinVoigt::reach(p), 1e-4);
    for (bool may_pull : {true, false}) {  // the switch is about the damper, not about cohesion
        const KelvinVoigt law{.damper_may_pull = may_pull};
        EXPECT_NEAR(force_along(law, p, -0.5e-4, 0.01), -50.0, 1e-10);  // no damper here
        EXPECT_NEAR(force_along(law, p, -0.999e-4, 2.0), -99.9, 1e-10);
        EXPECT_EQ(force_along(law, p, -0.5e-4, -0.01), 0.0);  // approaching: no pull
        EXPECT_EQ(force_along(law, p, -0.5e-4, 0.0), 0.0);
        EXPECT_EQ(force_along(law, p, -1.001e-4, 0.01), 0.0);  // out of reach
        EXPECT_EQ(force_along(law, p, 0.0, 0.01), 0.0);
    }
}

TEST(KelvinVoigt, WithoutCohesionAGapHasNoForce) {
    const Parameters p{1e6, 5e3, 0.0};
    EXPECT_EQ(KelvinVoigt::reach(p), 0.0);
    EXPECT_EQ(KelvinVoigt::reach({}), 0.0);  // the empty row of two walls
    for (double overlap : {0.0, -1e-12, -1.0})
        for (double parting : {-1.0, 0.0, 1.0}) EXPECT_EQ(force_along({}, p, overlap, parting), 0.0);
}

TEST(KelvinVoigt, LanesEqualScalar) {
    expect_lanes_equal_scalar(KelvinVoigt{}, random_parameters);
    expect_lanes_equal_scalar(KelvinVoigt{.damper_may_pull = false}, random_parameters);
}

TEST(KelvinVoigt, Antisymmetric) {
    expect_antisymmetric(KelvinVoigt{}, random_parameters);
    expect_antisymmetric(KelvinVoigt{.damper_may_pull = false}, random_parameters);
}

// The stiffnesses of table 1 of the paper with dampers that can be run: restitution 0.1/0.3/0.5.
TEST(KelvinVoigt, RestitutionOfTheSiloOfThePaper) {
    const double m = 1250 * 4.0 / 3.0 * M_PI * 0.22 * 0.22 * 0.22;
    struct Row {
        double k, c, mass, e;
    };
    for (const Row& row : {Row{1e7, 2.0e4, m / 2, 0.1}, Row{1e7, 1.2e4, m / 2, 0.3}, Row{1e7, 7.2e3, m / 2, 0.5},
                           Row{1e9, 2.8e5, m, 0.1}, Row{1e9, 1.7e5, m, 0.3}, Row{1e9, 1.0e5, m, 0.5}}) {
        const auto hit = head_on(KelvinVoigt{}, {row.k, row.c, 0.0}, {row.mass, 0.11, 1.0, 1e-7});
        EXPECT_NEAR(hit.restitution, row.e, 0.02) << row.c;  // the dampers have two digits
        const double zeta = row.c / (2 * std::sqrt(row.k * row.mass));
        EXPECT_NEAR(hit.restitution, std::exp(-M_PI * zeta / std::sqrt(1 - zeta * zeta)), 1e-3);
    }
}

// A ball that just touches another gets a weight hung on it at once. The spring of cohesion then stretches to
// twice the static gap, so it holds up to N_max/2.
double largest_gap(double weight, const Parameters& p) {
    const double mass = 1.0, period = 2 * M_PI * std::sqrt(mass / p.k), dt = period / 50000;
    Contact<double> c{{0, 0, 1}, 0.0, {0, 0, 0}, 0.1, mass};
    Vec3d xi{};
    double widest = 0;
    for (int step = 0; step < 3 * 50000; ++step) {
        c.velocity.z += (KelvinVoigt{}.force(c, p, xi, dt).z + weight) / mass * dt;
        c.overlap -= c.velocity.z * dt;
        widest = std::fmax(widest, -c.overlap);
    }
    return widest;
}

TEST(KelvinVoigt, SuddenWeightIsHeldUpToHalfTheCohesion) {
    const Parameters p{1e4, 10.0, 50.0};
    const double reach = KelvinVoigt::reach(p);
    EXPECT_NEAR(largest_gap(0.49 * p.n_max, p), 0.98 * reach, 0.005 * reach);  // held, for three periods
    EXPECT_GT(largest_gap(0.51 * p.n_max, p), 2 * reach);                      // torn off
}

}  // namespace
}  // namespace granary
