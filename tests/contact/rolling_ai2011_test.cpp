#include "contact/rolling_ai2011.hpp"
#include <gtest/gtest.h>
#include "contact/law_checks.hpp"
#include "contact/pair_table.hpp"
#include "core/errors.hpp"

using namespace granary;
using namespace granary::testing;

namespace {

using A = RollingConstant<HertzMindlin>;
using C = RollingSpring<HertzMindlin>;
using LinearC = RollingSpring<LinearSpringDashpot>;

HertzMindlin::Parameters<double> hertz(Dice& d) {
    return HertzMindlin::make(d.log_uniform(1e6, 1e11), d.log_uniform(1e6, 1e11), d.uniform(0.1, 1), d.uniform(0, 1));
}
LinearSpringDashpot::Parameters<double> linear(Dice& d) {
    return LinearSpringDashpot::make(d.log_uniform(1e2, 1e7), d.uniform(0, 1), d.uniform(0.1, 1), d.uniform(0, 1));
}
double some_or_none(Dice& d) { return d.below(5) ? d.uniform(0, 1) : 0.0; }

// A contact at rest: pressed by F_n = k_n delta, rolling about y.
constexpr double k_n = 1e4, delta = 1e-4, r_eff = 5e-3, inertia = 2e-8, mu_r = 0.2, eta = 0.3, dt = 1e-5;
const LinearSpringDashpot::Parameters<double> base = LinearSpringDashpot::make(k_n, 0.3, 1.0, 0.5);
Contact<double> rolling(const Vec3d& spin) { return {{0, 0, 1}, delta, {}, r_eff, 1e-3, spin, inertia}; }
constexpr double limit = mu_r * r_eff * k_n * delta, k_r = 2.25 * k_n * mu_r * r_eff * mu_r * r_eff;

}  // namespace

TEST(Rolling, LanesEqualScalar) {
    expect_lanes_equal_scalar(A{}, [](Dice& d) { return A::Parameters<double>{hertz(d), some_or_none(d)}; });
    expect_lanes_equal_scalar(C{}, [](Dice& d) {
        return C::Parameters<double>{hertz(d), some_or_none(d), some_or_none(d)};
    });
    expect_lanes_equal_scalar(LinearC{}, [](Dice& d) {
        return LinearC::Parameters<double>{linear(d), some_or_none(d), some_or_none(d)};
    });
}

TEST(Rolling, PartnersFeelOppositeTorques) {
    expect_antisymmetric(A{}, [](Dice& d) { return A::Parameters<double>{hertz(d), d.uniform(0.01, 1)}; });
    expect_antisymmetric(C{}, [](Dice& d) { return C::Parameters<double>{hertz(d), d.uniform(0.01, 1), 0.3}; });
    expect_antisymmetric(LinearC{}, [](Dice& d) {
        return LinearC::Parameters<double>{linear(d), d.uniform(0.01, 1), 0.3};
    });
}

TEST(Rolling, ConstantTorqueIsAgainstTheSpinInTheTangentPlane) {
    const RollingConstant<LinearSpringDashpot> law{};
    Vec3d none{};
    const Vec3d t = law.rolling_torque(rolling({300, -400, 50}), {base, mu_r}, none, dt);
    EXPECT_NEAR(t.x, -0.6 * limit, 1e-12 * limit);
    EXPECT_NEAR(t.y, 0.8 * limit, 1e-12 * limit);
    EXPECT_EQ(t.z, 0);  // spin about the normal is free
    EXPECT_EQ(none, (Vec3d{}));
}

// So slow that the whole torque would turn it back within a step: a quarter of the spin is taken, of I = 2/7 I_r.
TEST(Rolling, ConstantTorqueFadesNearRest) {
    const RollingConstant<LinearSpringDashpot> law{};
    Vec3d none{};
    const double slow = 1e-3 * limit * dt / inertia;
    EXPECT_NEAR(law.rolling_torque(rolling({0, slow, 0}), {base, mu_r}, none, dt).y, -slow * inertia * 2 / 7 / 4 / dt,
                1e-12 * limit);
    EXPECT_EQ(law.rolling_torque(rolling({0, 1, 0}), {base, mu_r}, none, 0.0), (Vec3d{}));  // no step, no damper
}

TEST(Rolling, SpringAndDamperBelowTheLimit) {
    const LinearC law{};
    Vec3d theta{1e-4, 0, 5e-4};  // the z part is out of the tangent plane
    const Vec3d w{0.02, -0.01, 7};
    const Vec3d t = law.rolling_torque(rolling(w), {base, mu_r, eta}, theta, dt);
    EXPECT_DOUBLE_EQ(theta.x, 1e-4 + 0.02 * dt);
    EXPECT_DOUBLE_EQ(theta.y, -0.01 * dt);
    EXPECT_EQ(theta.z, 0);
    const double c_r = 2 * eta * std::sqrt(inertia * k_r);
    EXPECT_NEAR(t.x, -(k_r * theta.x + c_r * w.x), 1e-12 * std::abs(t.x));
    EXPECT_NEAR(t.y, -(k_r * theta.y + c_r * w.y), 1e-12 * std::abs(t.x));
    EXPECT_EQ(t.z, 0);
}

TEST(Rolling, SpringYieldsAtTheLimit) {
    const LinearC law{};
    Vec3d theta{0, 3 * limit / k_r, 0};
    const Vec3d t = law.rolling_torque(rolling({0, 20, 0}), {base, mu_r, eta}, theta, dt);
    EXPECT_NEAR(t.y, -limit, 1e-14 * limit);
    EXPECT_NEAR(theta.y, limit / k_r, 1e-14 * theta.y);
    Vec3d apart{1, 1, 1};
    Contact<double> gap = rolling({1, 2, 3});
    gap.overlap = -1e-6;
    EXPECT_EQ(law.rolling_torque(gap, {base, mu_r, eta}, apart, dt), (Vec3d{}));
    EXPECT_EQ(apart, (Vec3d{}));
}

TEST(Rolling, NumbersOfAPair) {
    Material a, b;
    a.name = "a", a.density = 1, a.young = 1e7, a.poisson = 0.3, a.restitution = 0.5, a.friction = 0.5;
    b = a, b.name = "b";
    LawSettings s;
    s.rolling = LawSettings::Rolling::spring;
    std::vector<Material> both{a, b};
    EXPECT_THROW(make_table<C>(both, {}, s), InputError);
    a.rolling_friction = 0.1, b.rolling_friction = 0.4, b.rolling_damping = 0.5;
    both = {a, b};
    const auto mixed = make_table<C>(both, {}, s).at(0, 1);
    EXPECT_DOUBLE_EQ(mixed.rolling_friction, 0.2);  // geometric
    EXPECT_DOUBLE_EQ(mixed.rolling_damping, 0.4);   // mean of 0.3, where nothing is said, and 0.5
    PairOverride o;
    o.first = both[1].name, o.second = both[0].name, o.rolling_friction = 0.7, o.rolling_damping = 0.0;
    const auto given = make_table<C>(both, std::vector{o}, s).at(0, 1);
    EXPECT_DOUBLE_EQ(given.rolling_friction, 0.7);
    EXPECT_DOUBLE_EQ(given.rolling_damping, 0.0);
    s.type = LawSettings::Type::kelvin_voigt;
    EXPECT_THROW(make_table<KelvinVoigt>(both, {}, s), InputError);
}
