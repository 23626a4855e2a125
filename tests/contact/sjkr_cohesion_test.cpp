#include "contact/sjkr_cohesion.hpp"
#include <gtest/gtest.h>
#include "contact/collision.hpp"
#include "contact/law_checks.hpp"
#include "contact/pair_table.hpp"

namespace granary::sjkr_cohesion_test {

using namespace granary::testing;

namespace {

using Law = Sjkr<HertzMindlin>;
constexpr double young = 5e6, shear = 2e6, density = 2e4, r_eff = 2e-3, mass = 1e-3, pi = std::numbers::pi;

Law::Parameters<double> sticky(double restitution, double k = density) {
    return {HertzMindlin::make(young, shear, restitution, 0.5), k};
}
double pull_at(double overlap, const Law::Parameters<double>& p) {
    Vec3d xi{};
    return -Law{}.force(Contact<double>{{0, 0, 1}, overlap, {}, r_eff, mass}, p, xi, 1e-6).z;
}

}  // namespace

TEST(Sjkr, LanesAndPartners) {
    const auto parameters = [](Dice& d) {
        return Law::Parameters<double>{
            HertzMindlin::make(d.log_uniform(1e6, 1e11), d.log_uniform(1e6, 1e11), d.uniform(0.1, 1), d.uniform(0, 1)),
            d.below(4) ? d.log_uniform(1, 1e6) : 0.0};
    };
    expect_lanes_equal_scalar(Law{}, parameters);
    expect_antisymmetric(Law{}, parameters);
}

TEST(Sjkr, GreatestPullAndRestAreThoseOfTheFormula) {
    const auto p = sticky(0.5);
    const double rest = 9 * pi * pi * density * density * r_eff / (young * young);
    const double pull_off = 16.0 / 3.0 * pi * pi * pi * r_eff * r_eff * density * density * density / (young * young);
    EXPECT_NEAR(pull_at(rest, p), 0, 1e-12 * pull_off);
    EXPECT_NEAR(pull_at(4.0 / 9.0 * rest, p), pull_off, 1e-12 * pull_off);
    double greatest = 0;
    for (double d = 0; d < 2 * rest; d += 1e-3 * rest) greatest = std::fmax(greatest, pull_at(d, p));
    EXPECT_NEAR(greatest, pull_off, 1e-5 * pull_off);
    EXPECT_EQ(pull_at(-1e-9, p), 0);  // no reach
}

// Without damping loading and unloading are one curve: the energy comes back.
TEST(Sjkr, IsConservative) {
    const Hit hit{mass, r_eff, 0.1, 1e-7};
    EXPECT_NEAR(head_on(Law{}, sticky(1.0), hit).restitution, 1, 1e-5);
    EXPECT_GT(head_on(Law{}, sticky(1.0), hit).duration, 1.05 * head_on(Law{}, sticky(1.0, 0.0), hit).duration);
    EXPECT_EQ(head_on(Law{}, sticky(0.5, 2e5), {mass, r_eff, 1e-3, 1e-6}).restitution, 0);  // slow and lossy: it sticks
}

// Friction follows the force that stands against cohesion: held by cohesion alone, two balls rub.
TEST(Sjkr, CohesionIsALoadForFriction) {
    const auto p = sticky(0.5);
    const double rest = 9 * pi * pi * density * density * r_eff / (young * young);
    Vec3d xi{1, 0, 0};
    const Vec3d f = Law{}.force(Contact<double>{{0, 0, 1}, rest, {}, r_eff, mass}, p, xi, 1e-6);
    EXPECT_NEAR(f.x, -0.5 * 4 * pi * r_eff * rest * density, 1e-10 * std::abs(f.x));
}

}  // namespace granary::sjkr_cohesion_test
