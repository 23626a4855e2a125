#include "contact/time_scales.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "contact/collision.hpp"
#include "contact/restitution.hpp"
#include "core/errors.hpp"

namespace granary::time_scales_test {
namespace {

using std::numbers::pi;
using Type = LawSettings::Type;

Material glass() {
    Material m;
    m.name = "glass", m.density = 2500, m.young = 1e7, m.poisson = 0.25;
    m.restitution = 0.5, m.friction = 0.4, m.stiffness = 4000, m.damping = 3;
    return m;
}
Material steel() {
    Material m = glass();
    m.name = "steel", m.density = 7800, m.young = 2e8, m.poisson = 0.3;
    return m;
}
LawSettings law(Type type) {
    LawSettings s;
    s.type = type;
    return s;
}
double ball_mass(double density, double r) { return density * 4.0 / 3 * pi * r * r * r; }

// The deepest overlap of a damped hit over that of an undamped one, by small steps.
double damped(double zeta) {
    double x = 0, v = 1, most = 0;
    for (const double dt = 1e-6; v > 0; most = std::max(most, x)) v -= dt * (x + 2 * zeta * v), x += dt * v;
    return most;
}

TEST(TimeScales, RayleighTimes) {
    const std::vector<Material> materials = {glass(), steel()};
    const std::vector<MaterialUse> uses = {{0.002, false}, {std::nullopt, true}};
    const auto scales = material_scales(materials, uses, law(Type::hertz_mindlin));
    ASSERT_EQ(scales.size(), 1U);  // walls have no Rayleigh time
    EXPECT_EQ(scales[0].material, "glass");
    EXPECT_EQ(scales[0].smallest_radius, 0.002);
    // G = 1e7/2.5 Pa
    EXPECT_NEAR(scales[0].rayleigh_time, pi * 0.002 * std::sqrt(2500 / 4e6) / (0.1631 * 0.25 + 0.8766), 1e-15);
    EXPECT_TRUE(material_scales(materials, uses, law(Type::linear)).empty());
    EXPECT_TRUE(material_scales(materials, uses, law(Type::kelvin_voigt)).empty());
}

TEST(TimeScales, PairsThatMeet) {
    Material a = glass(), b = glass(), c = glass();
    a.name = "a", b.name = "b", c.name = "c";
    c.wall_only = true;
    const std::vector<Material> materials = {c, a, b};
    const auto names = [&](const std::vector<MaterialUse>& uses) {
        std::string s;
        for (const PairScale& p : pair_scales(materials, {}, law(Type::hertz_mindlin), uses, 1))
            s += p.first + (p.at_wall ? "|" : "-") + p.second + " ";
        return s;
    };
    const MaterialUse wall{std::nullopt, true}, balls{0.001, false}, both{0.001, true}, none{};
    EXPECT_EQ(names({wall, balls, balls}), "a|c b|c a-a a-b b-b ");
    EXPECT_EQ(names({wall, balls, none}), "a|c a-a ");
    EXPECT_EQ(names({none, balls, wall}), "a-a a|b ");
    EXPECT_EQ(names({wall, both, none}), "a|c a-a ");  // two balls, the quicker pair, though there are walls, too
    EXPECT_EQ(names({wall, none, none}), "");
}

TEST(TimeScales, EffectiveNumbersOfSmallestBalls) {
    const std::vector<Material> materials = {glass(), steel()};
    const std::vector<MaterialUse> uses = {{0.002, false}, {0.003, true}};
    const auto pairs = pair_scales(materials, {}, law(Type::hertz_mindlin), uses, 1);
    ASSERT_EQ(pairs.size(), 3U);
    const double m1 = ball_mass(2500, 0.002), m2 = ball_mass(7800, 0.003);
    EXPECT_NEAR(pairs[0].effective_radius, 0.001, 1e-18);
    EXPECT_NEAR(pairs[0].effective_mass, m1 / 2, 1e-18);
    EXPECT_NEAR(pairs[1].effective_radius, 0.002 * 0.003 / 0.005, 1e-18);
    EXPECT_NEAR(pairs[1].effective_mass, m1 * m2 / (m1 + m2), 1e-18);
    EXPECT_NEAR(pairs[1].values.young, 1 / (0.9375 / 1e7 + 0.91 / 2e8), 1e-6);
    EXPECT_NEAR(pairs[1].overlap_share, damped(pairs[1].zeta) * pairs[1].overlap / 0.002, 1e-6);  // of its steps

    const std::vector<MaterialUse> at_wall = {{0.002, false}, {std::nullopt, true}};
    const PairScale wall = pair_scales(materials, {}, law(Type::hertz_mindlin), at_wall, 1)[1];
    EXPECT_TRUE(wall.at_wall);
    EXPECT_EQ(wall.effective_radius, 0.002);
    EXPECT_NEAR(wall.effective_mass, m1, 1e-18);

    const std::vector<Material> wall_first = {steel(), glass()};
    const std::vector<MaterialUse> other_way = {at_wall[1], at_wall[0]};
    const PairScale turned = pair_scales(wall_first, {}, law(Type::hertz_mindlin), other_way, 1)[0];
    EXPECT_TRUE(turned.at_wall);
    EXPECT_EQ(turned.first + " " + turned.second, "glass steel");
    EXPECT_EQ(turned.effective_mass, wall.effective_mass);
    EXPECT_EQ(turned.contact_time, wall.contact_time);
}

TEST(TimeScales, OverridesAreUsedAndMistakesTold) {
    const std::vector<Material> materials = {glass()};
    const std::vector<MaterialUse> uses = {{0.002, false}};
    PairOverride o;
    o.first = o.second = "glass", o.restitution = 0.9;
    const std::vector<PairOverride> overrides = {o};
    const PairScale p = pair_scales(materials, overrides, law(Type::hertz_mindlin), uses, 1)[0];
    EXPECT_EQ(p.values.restitution, 0.9);
    std::vector<Material> bad = materials;
    bad[0].restitution.reset();
    EXPECT_THROW(pair_scales(bad, {}, law(Type::hertz_mindlin), uses, 1), InputError);
}

// Everything that is told about a Hertz pair, against the law itself.
TEST(TimeScales, HertzPairAgainstTheLaw) {
    const std::vector<Material> materials = {glass()};
    const std::vector<MaterialUse> uses = {{0.002, false}};
    const double v = 1.5;
    const PairScale p = pair_scales(materials, {}, law(Type::hertz_mindlin), uses, v)[0];

    const auto elastic = HertzMindlin::make(p.values.young, p.values.shear, 1.0, 0.4);
    const testing::Hit hit{p.effective_mass, p.effective_radius, v, p.contact_time / 50000};
    const testing::HitResult result = testing::head_on(HertzMindlin{}, elastic, hit);
    EXPECT_NEAR(result.peak_overlap / p.overlap, 1, 1e-4);   // order of the step
    EXPECT_NEAR(result.duration / p.contact_time, 1, 1e-3);  // the 2.87 is 2.868

    const auto damped = HertzMindlin::make(p.values.young, p.values.shear, 0.5, 0.4);
    const auto force = [&](double overlap, double approach) {
        Vec3d xi{};
        const Contact<double> c{{0, 0, 1}, overlap, {0, 0, -approach}, p.effective_radius, p.effective_mass};
        return HertzMindlin{}.force(c, damped, xi, 1e-9).z;
    };
    const double h = 1e-5 * p.overlap;
    EXPECT_NEAR((force(p.overlap + h, 0) - force(p.overlap - h, 0)) / (2 * h) / p.stiffness, 1, 1e-8);
    EXPECT_NEAR((force(p.overlap, 1) - force(p.overlap, 0)) / p.damping, 1, 1e-12);
    EXPECT_NEAR(p.zeta, std::log(2) / std::hypot(std::log(2), pi), 1e-15);
}

TEST(TimeScales, OverlapOfAHertzHitHoldsItsEnergy) {
    const double m = 3e-5, r = 0.0012, e = 4e6, v = 2.2, delta = hertz_overlap(m, r, e, v);
    EXPECT_NEAR(8.0 / 15 * e * std::sqrt(r) * std::pow(delta, 2.5), m * v * v / 2, 1e-15);
}

TEST(TimeScales, LinearPair) {
    const std::vector<Material> materials = {glass()};
    const std::vector<MaterialUse> uses = {{0.002, false}};
    const PairScale p = pair_scales(materials, {}, law(Type::linear), uses, 2)[0];
    const double k = 2000, m = ball_mass(2500, 0.002) / 2, zeta = std::log(2) / std::hypot(std::log(2), pi);
    EXPECT_EQ(p.stiffness, k);  // 4000 twice in a row
    EXPECT_NEAR(p.zeta, zeta, 1e-15);
    EXPECT_NEAR(p.damping, 2 * zeta * std::sqrt(k * m), 1e-12);
    EXPECT_NEAR(p.contact_time, pi * std::sqrt(m / k), 1e-15);
    EXPECT_NEAR(p.overlap, 2 * std::sqrt(m / k), 1e-15);
    EXPECT_NEAR(p.overlap_share, damped(p.zeta) * p.overlap / 0.002, 1e-6);  // of its steps
    const testing::Hit hit{m, 0.001, 2, p.contact_time / 20000};
    const auto elastic = LinearSpringDashpot::make(k, 0, 1.0, 0.0);
    const testing::HitResult result = testing::head_on(LinearSpringDashpot{}, elastic, hit);
    EXPECT_NEAR(result.duration / p.contact_time, 1, 1e-3);
    EXPECT_NEAR(result.peak_overlap / p.overlap, 1, 1e-3);
}

TEST(TimeScales, KelvinVoigtPairAndOverdamping) {
    std::vector<Material> materials = {glass()};
    const std::vector<MaterialUse> uses = {{0.002, false}};
    const double k = 2000, m = ball_mass(2500, 0.002) / 2, critical = 2 * std::sqrt(k * m);
    const auto with_share = [&](double zeta) {
        materials[0].damping = 2 * zeta * critical;  // halved by two in a row
        return pair_scales(materials, {}, law(Type::kelvin_voigt), uses, 2)[0];
    };
    for (const double zeta : {0.0, 0.3, 0.999}) {
        EXPECT_NEAR(with_share(zeta).zeta, zeta, 1e-12);
        EXPECT_NEAR(with_share(zeta).damping, zeta * critical, 1e-12);
        EXPECT_NEAR(with_share(zeta).contact_time, pi * std::sqrt(m / k), 1e-15);
    }
    EXPECT_NEAR(with_share(1 + 1e-12).contact_time, pi * std::sqrt(m / k), 1e-8);
    EXPECT_NEAR(with_share(5).contact_time, pi * std::sqrt(m / k) / (5 + std::sqrt(24)), 1e-15);
}

TEST(TimeScales, LargestStep) {
    const std::vector<MaterialScale> materials = {{"a", 0, 1e-4}, {"b", 0, 3e-5}};
    std::vector<PairScale> pairs(2);
    pairs[0].contact_time = 1e-3, pairs[1].contact_time = 2e-4;
    EXPECT_DOUBLE_EQ(largest_dt(materials, pairs), 0.4 * 3e-5);
    EXPECT_DOUBLE_EQ(largest_dt({}, pairs), 2e-4 / 8);
    pairs[1].stable_step = 3e-5;
    EXPECT_DOUBLE_EQ(largest_dt({}, pairs), 2e-5);
    EXPECT_TRUE(std::isinf(largest_dt({}, {})));
}

// A swing with a damper that sees the velocity of half a step before, as the leapfrog does it: just below the step it
// dies out or stays, just above it grows.
TEST(TimeScales, StableStepOfADampedSwing) {
    for (const double zeta : {0.0, 0.1, 0.5, 2.0}) {
        const double omega = 30, damping = 2 * zeta * omega, dt = stable_step(omega * omega, damping);
        EXPECT_NEAR(omega * dt, 2 * (std::sqrt(1 + zeta * zeta) - zeta), 1e-12);
        const auto largest = [&](double step) {
            double x = 1, v = 0, most = 0;
            for (int k = 0; k < 2000; ++k) {
                v -= step * (damping * v + omega * omega * x);
                x += step * v;
                if (k > 1000) most = std::max(most, std::abs(x));
            }
            return most;
        };
        EXPECT_LT(largest(0.98 * dt), 20) << zeta;
        EXPECT_GT(largest(1.02 * dt), 1e3) << zeta;
    }
    EXPECT_TRUE(std::isinf(stable_step(0, 0)));
}

// Tangential and rolling springs of a pair, against the numbers of the laws.
TEST(TimeScales, StableStepOfAPair) {
    std::vector<Material> materials = {glass(), steel()};
    materials[1].wall_only = true;
    const std::vector<MaterialUse> uses = {{0.002, false}, {std::nullopt, true}};
    const double m = ball_mass(2500, 0.002), inertia = 0.4 * m * 0.002 * 0.002;
    const auto with_ratio = [&](double ratio, double e, LawSettings::Rolling rolling = LawSettings::Rolling::none) {
        for (Material& a : materials) {
            a.stiffness_ratio = ratio, a.restitution = e;
            a.rolling_friction = 0.3, a.rolling_damping = 0.2;
        }
        LawSettings s = law(Type::linear);
        s.rolling = rolling;
        return pair_scales(materials, {}, s, uses, 2);
    };
    // Two balls: k_n = 2000 N/m, m* = m/2; three contacts' worth of springs at once.
    EXPECT_NEAR(with_ratio(10, 1)[0].stable_step, 2 / std::sqrt(3 * 3.5 * 2e4 / (m / 2)), 1e-12);
    EXPECT_NEAR(with_ratio(10, 1)[1].stable_step, 2 / std::sqrt(3 * 3.5 * 2e4 / m), 1e-12);  // at a wall
    const double c_t = 2 * damping_ratio(0.4) * std::sqrt(2e4 * m / 2);
    EXPECT_NEAR(with_ratio(10, 0.4)[0].stable_step, stable_step(3 * 3.5 * 2e4 / (m / 2), 3 * 3.5 * c_t / (m / 2)),
                1e-12);
    // The usual ratio: no stricter than an eighth of the contact, for hits that are not too dead.
    for (const double e : {0.5, 0.7, 1.0})
        for (const PairScale& p : with_ratio(2.0 / 7, e))
            EXPECT_GT(largest_stable_share * p.stable_step, largest_contact_share * p.contact_time) << e;
    // Rolling springs alone: k_r = 2.25 k_n (mu_r R*)^2 about both balls, damped for I + m r^2 = 7/2 I.
    materials[0].friction = materials[1].friction = 0.0;
    EXPECT_TRUE(std::isinf(with_ratio(10, 0.4)[0].stable_step));
    const double k_r = 2.25 * 2000 * 0.3 * 0.001 * 0.3 * 0.001, c_r = 2 * 0.2 * std::sqrt(k_r * 3.5 * inertia / 2);
    EXPECT_NEAR(with_ratio(10, 0.4, LawSettings::Rolling::spring)[0].stable_step,
                stable_step(3 * k_r * 2 / inertia, 3 * c_r * 2 / inertia), 1e-12);
    // Hertz: the springs of the deepest overlap, of one contact.
    const std::vector<Material> only = {glass()};
    const PairScale hertz = pair_scales(only, {}, law(Type::hertz_mindlin), std::vector{uses[0]}, 2)[0];
    const auto parameters = HertzMindlin::make(hertz.values.young, hertz.values.shear, 0.5, 0.4);
    const double s = std::sqrt(0.001 * hertz.overlap);
    EXPECT_NEAR(hertz.stable_step,
                stable_step(3.5 * parameters.mindlin * s / (m / 2),
                            3.5 * parameters.damping_t * std::sqrt(s * m / 2) / (m / 2)),
                1e-12);
}

}  // namespace
}  // namespace granary::time_scales_test
