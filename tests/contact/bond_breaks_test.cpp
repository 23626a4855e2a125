// When and why bonds break.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include "contact/bond_stress.hpp"
#include "contact/bonded.hpp"

namespace granary::test {
namespace {

constexpr double l = Bar::length, r = Bar::r, strength = 1e5;

class BondBreaks : public testing::TestWithParam<BondForm> {};
INSTANTIATE_TEST_SUITE_P(Forms, BondBreaks, testing::Values(BondForm::beam, BondForm::spring), [](const auto& form) {
    return std::string(form.param == BondForm::beam ? "beam" : "spring");
});

struct End {
    BondBreak broken;
    Vec3d force, torque;  // on the lower body, one step before
    double strain;        // J, then
};

// Two held balls, the second moved with a velocity and a spin until their bond breaks, or not.
std::optional<End> moved_until_broken(Bonded& b, const Vec3d& v, const Vec3d& omega, int most = 20000) {
    b.hold(0), b.hold(1);
    b.set(1, v, omega);
    End end{};
    for (int k = 0; k < most; ++k) {
        end.force = b.force(0), end.torque = b.torque(0), end.strain = b.stored();
        b.step();
        if (b.forces.breaks().empty()) continue;
        end.broken = b.forces.breaks()[0];
        EXPECT_TRUE(b.bonds.is_broken(0));
        EXPECT_EQ(norm(b.force(0)) + norm(b.torque(1)), 0);  // none in the step of the break
        b.step();
        EXPECT_TRUE(b.forces.breaks().empty());
        EXPECT_EQ(norm(b.force(0)), 0);
        return end;
    }
    return std::nullopt;
}
Bonded pair_of(const BondType& type, double factor = 1) {
    Bonded b(type);
    b.ball({0, 0, 0}, r, Bar::mass), b.ball({l, 0, 0}, r, Bar::mass);
    b.bond(0, 1, 0, factor);
    b.start(1e-6);
    return b;
}

TEST_P(BondBreaks, InTensionAtItsStrength) {
    BondType t = Bar::type(GetParam());
    t.tensile_strength = strength;
    for (const double factor : {1.0, 0.4}) {
        Bonded b = pair_of(t, factor);
        const auto end = moved_until_broken(b, {1e-3, 0, 0}, {});
        ASSERT_TRUE(end);
        EXPECT_EQ(end->broken.cause, BreakCause::tension);
        EXPECT_NEAR(end->force.x / (factor * strength * Bar::area), 1, 5e-3);
        EXPECT_NEAR(end->broken.energy / end->strain, 1, 5e-3);
        EXPECT_NEAR(end->broken.energy * 2 * Bar::young / l / Bar::area / (factor * factor * strength * strength), 1,
                    5e-3);
    }
    Bonded pressed = pair_of(t);
    EXPECT_FALSE(moved_until_broken(pressed, {-1e-3, 0, 0}, {}, 5000));
}

// A bar that bends: the bond at the clamp breaks at M R/I = sigma_c. The beam knows the moment at its end, the spring
// the one in its middle.
TEST_P(BondBreaks, InBendingAtItsStrength) {
    const int n = 5;
    BondType t = Bar::type(GetParam());
    t.tensile_strength = 1e4;
    Bonded b = Bar::make(n, t);
    const double arm = GetParam() == BondForm::beam ? n * l : (n - 0.5) * l;
    const double expected = 1e4 * Bar::moment / r / arm, omega = Bar::slowest(n);
    b.drag = 2 * omega;
    b.start(Bar::dt);
    double p = 0;
    while (b.forces.breaks().empty() && p < 2 * expected) {
        p += expected * omega * Bar::dt / 500;
        b.push[n] = {0, p, 0};
        b.step();
    }
    ASSERT_EQ(b.forces.breaks().size(), 1U);
    EXPECT_EQ(b.forces.breaks()[0].bond, 0U);
    EXPECT_EQ(b.forces.breaks()[0].cause, BreakCause::bending);
    EXPECT_NEAR(p / expected, 1, 5e-3);
}

TEST_P(BondBreaks, InShearAndTwistAtItsStrength) {
    BondType t = Bar::type(GetParam());
    t.shear_strength = strength;
    Bonded b = pair_of(t);
    const auto sheared = moved_until_broken(b, {0, 1e-3, 0}, {});
    ASSERT_TRUE(sheared);
    EXPECT_EQ(sheared->broken.cause, BreakCause::shear);
    EXPECT_NEAR(sheared->force.y / (strength * Bar::area), 1, 5e-3);
    b = pair_of(t);
    const auto twisted = moved_until_broken(b, {}, {0.7, 0, 0});
    ASSERT_TRUE(twisted);
    EXPECT_EQ(twisted->broken.cause, BreakCause::shear);
    EXPECT_NEAR(twisted->torque.x * r / (2 * Bar::moment * strength), 1, 5e-3);
    t.moment_share = 0.5;  // half the moment counts
    b = pair_of(t);
    EXPECT_NEAR(moved_until_broken(b, {}, {0.7, 0, 0})->torque.x * r / (2 * Bar::moment * 2 * strength), 1, 5e-3);
}

TEST_P(BondBreaks, UnderPressureTheShearStrengthIsLarger) {
    BondType t = Bar::type(GetParam());
    t.shear_strength = 1e4, t.friction = 0.6;
    Bonded b = pair_of(t);
    const double pressed = 2e-7;  // m; so small that the way across does not change the length
    b.bodies.position(1, 0) -= pressed;
    const auto end = moved_until_broken(b, {0, 1e-4, 0}, {});
    ASSERT_TRUE(end);
    EXPECT_EQ(end->broken.cause, BreakCause::shear);
    const double pressure = Bar::young * pressed / l;
    EXPECT_NEAR(end->force.y / ((1e4 + 0.6 * pressure) * Bar::area), 1, 5e-3);
}

TEST_P(BondBreaks, EllipseOfBothStresses) {
    BondType t = Bar::type(GetParam());
    t.tensile_strength = t.shear_strength = strength, t.moment_share = 0;
    const auto stress_at = [&](BondCriterion criterion, const Vec3d& v, BreakCause cause) {
        t.criterion = criterion;
        Bonded b = pair_of(t);
        const auto end = moved_until_broken(b, v, {});
        EXPECT_EQ(end->broken.cause, cause);
        return std::pair(end->force.x / (strength * Bar::area), end->force.y / (strength * Bar::area));
    };
    const auto [x, y] = stress_at(BondCriterion::elliptic, {1e-3, 2e-3, 0}, BreakCause::tension);
    EXPECT_NEAR(x * x + y * y, 1, 1e-2);
    EXPECT_GT(y, 0.2);
    const auto [u, v] = stress_at(BondCriterion::elliptic, {0.1e-3, 2e-3, 0}, BreakCause::shear);
    EXPECT_NEAR(u * u + v * v, 1, 1e-2);
    EXPECT_NEAR(stress_at(BondCriterion::separate, {1e-3, 2e-3, 0}, BreakCause::tension).first, 1, 1e-2);
}

TEST_P(BondBreaks, BeyondItsReach) {
    BondType t = Bar::type(GetParam());
    t.longest_stretch = 0.001;
    Bonded b = pair_of(t);
    const auto end = moved_until_broken(b, {1e-2, 0, 0}, {});
    ASSERT_TRUE(end);
    EXPECT_EQ(end->broken.cause, BreakCause::reach);
    EXPECT_NEAR(end->force.x / (Bar::young * Bar::area * 0.001), 1, 1e-2);
}

TEST_P(BondBreaks, NothingBreaksWithoutTime) {
    BondType t = Bar::type(GetParam());
    t.tensile_strength = 1;
    Bonded b(t);
    b.ball({0, 0, 0}, r, Bar::mass), b.ball({l, 0, 0}, r, Bar::mass);
    b.bond(0, 1);
    b.bodies.position(1, 0) += 1e-4;
    b.add_forces(0);
    EXPECT_TRUE(b.forces.breaks().empty());
    EXPECT_GT(b.force(0).x, 0);
    std::vector<BondShare> shares;
    bond_shares(b.bodies, b.bonds, b.types, shares);
    ASSERT_EQ(shares.size(), 1U);
    EXPECT_NEAR(shares[0].sigma, Bar::young * 1e-4 / l, 1e-6 * shares[0].sigma);
    EXPECT_EQ(shares[0].tau, 0);
    b.add_forces(1e-9);
    EXPECT_EQ(b.forces.breaks().size(), 1U);
    shares.clear();
    bond_shares(b.bodies, b.bonds, b.types, shares);
    EXPECT_TRUE(shares.empty());
}

TEST_P(BondBreaks, AreSeenByTheEnergyBalance) {
    struct Sums : BondWatch {
        double broken = 0;
        int whole = 0, breaks = 0;
        void see(double stored, double, Index) override { whole += stored > 0; }
        void broke(double energy, Index lower) override { broken += energy, breaks += lower == 0 ? 1 : 100; }
    } sums;
    BondType t = Bar::type(GetParam());
    t.tensile_strength = strength;
    Bonded b = pair_of(t);
    b.watch = &sums;
    const auto end = moved_until_broken(b, {1e-3, 0, 0}, {});
    ASSERT_TRUE(end);
    EXPECT_EQ(sums.breaks, 1);
    EXPECT_EQ(sums.broken, end->broken.energy);
    EXPECT_GT(sums.whole, 100);
}

// The quick test without roots lets nothing through that breaks, and stops hardly any that does not.
TEST(BondStress, QuickTestMissesNothing) {
    std::mt19937 dice(11);
    std::uniform_real_distribution<double> some(-1.3, 1.3), least(-1e-9, 1e-9);
    int broken = 0, alarms = 0;
    for (int k = 0; k < 200'000; ++k) {
        BondType t = Bar::type(BondForm::beam);
        t.tensile_strength = k % 5 == 0 ? INFINITY : strength, t.shear_strength = k % 7 == 0 ? INFINITY : 2 * strength;
        t.friction = 0.3 * (k % 2), t.moment_share = 0.5 * (k % 3);
        t.criterion = k % 4 == 0 ? BondCriterion::elliptic : BondCriterion::separate;
        const BondParameters<double> p = parameters_of(t);
        Bond<double> bond{};
        bond.reference = {l, 0, 0}, bond.smaller_radius = r * (1.1 + 0.1 * some(dice));
        const BondBar<double> bar = bar_of(bond, p);
        const double factor = 1 + 0.3 * some(dice), force = strength * bar.area, moment = force * bar.radius;
        BondLoad<double> load{};
        load.distance = l, load.tension = force * some(dice), load.twist = 0.7 * moment * some(dice);
        load.bending_squared = std::pow(0.3 * moment * some(dice), 2);
        load.shear_squared = std::pow(force * some(dice), 2);
        if (k % 3 == 0) {  // all of it in one component, and as near to the limit as numbers are
            load.twist = load.bending_squared = load.shear_squared = 0;
            load.tension = factor * force * (1 + (k % 2 == 0 ? 1e-6 : 1e-13) * least(dice));
        }
        const bool elliptic = t.criterion == BondCriterion::elliptic;
        const BondStress<double> stress = stress_of(load, bar, p, factor);
        const bool breaks = breaks_at(stress, load, bar, p, elliptic), may = may_break(load, bar, p, factor, elliptic);
        EXPECT_TRUE(may || !breaks) << k;
        const double share = std::max(stress.sigma / stress.sigma_c, stress.tau / stress.tau_c);
        if (may && !elliptic) {
            EXPECT_GT(share, 1 - 1e-5) << k;
        }
        broken += breaks, alarms += may && !breaks && !elliptic;
    }
    EXPECT_GT(broken, 50'000);
    EXPECT_LT(alarms, broken);
    BondLoad<double> apart{};
    apart.distance = 2.1 * l;
    Bond<double> bond{};
    bond.reference = {l, 0, 0}, bond.smaller_radius = r;
    const BondParameters<double> p = parameters_of(Bar::type(BondForm::beam));
    EXPECT_TRUE(may_break(apart, bar_of(bond, p), p, 1.0, false));
}

struct EnergyOfBonds : BondWatch {
    double stored = 0, damped = 0, broken = 0;
    void see(double s, double d, Index) override { stored += s, damped += d; }
    void broke(double energy, Index) override { broken += energy; }
};

// Two free balls fly apart until their bond breaks, and a little longer. Released is what they have lost, though the
// force of the last moment has not been given: a share of 1/n, had it been stretched in n steps. A spring along the
// line has no error in time at all, since the mean of two forces is exact and nothing pulls at begin and end.
TEST_P(BondBreaks, ReleaseWhatTheBallsHaveLost) {
    BondType t = Bar::type(GetParam());
    t.tensile_strength = 1.4e5;  // half of what they could reach
    for (const double dt : {4e-7, 1e-7}) {
        EnergyOfBonds sums;
        Bonded b(t);
        b.ball({0, 0, 0}, r, Bar::mass), b.ball({l, 0, 0}, r, Bar::mass);
        b.bond(0, 1);
        b.set(0, {-0.5, 0, 0}, {}), b.set(1, {0.5, 0, 0}, {});
        const double begin = b.kinetic();
        b.start(dt);
        b.watch = &sums;
        b.steps(static_cast<long>(8e-6 / dt));
        ASSERT_TRUE(b.bonds.is_broken(0));
        EXPECT_GT(sums.broken, 0.2 * begin);
        EXPECT_NEAR(b.kinetic() + sums.broken, begin, 1e-7 * begin);  // positions are rounded to a lattice
    }
}

// All components and dampers at once: what is left is the error of the leapfrog, of second order.
TEST_P(BondBreaks, EnergyBalanceOverABreak) {
    BondType t = Bar::type(GetParam());
    t.tensile_strength = 4e5, t.shear_strength = 4e5;
    t.normal_damping = t.shear_damping = t.twist_damping = t.bending_damping = 0.05;
    const auto residual = [&](double dt) {
        EnergyOfBonds sums;
        Bonded b(t);
        b.ball({0, 0, 0}, r, Bar::mass), b.ball({l, 0, 0}, r, Bar::mass);
        b.bond(0, 1);
        b.set(0, {-0.3, 0.2, 0}, {900, -300, 0}), b.set(1, {0.4, -0.1, 0.1}, {-700, 200, 500});
        const double begin = b.kinetic();
        b.start(dt);
        b.watch = &sums;
        b.steps(static_cast<long>(2e-5 / dt));
        EXPECT_TRUE(b.bonds.is_broken(0));
        EXPECT_GT(sums.broken, 0.05 * begin);
        return std::abs(b.kinetic() + sums.broken + sums.damped - begin) / sums.broken;
    };
    EXPECT_LT(residual(4e-7), 2e-2);
    EXPECT_LT(residual(5e-8), 2e-3);
}

}  // namespace
}  // namespace granary::test
