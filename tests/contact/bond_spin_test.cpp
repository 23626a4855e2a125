// Bonded balls that spin freely in space keep energy and angular momentum, and nothing breaks.
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include "contact/bonded.hpp"

namespace granary::test {
namespace {

class BondedSpin : public testing::TestWithParam<BondForm> {};
INSTANTIATE_TEST_SUITE_P(Forms, BondedSpin, testing::Values(BondForm::beam, BondForm::spring), [](const auto& form) {
    return std::string(form.param == BondForm::beam ? "beam" : "spring");
});

struct Kept {
    double energy;    // at the start, J
    double swing;     // largest less smallest energy of the last tenth, J
    double drift;     // mean of the last tenth less that of the first, J
    double momentum;  // largest change of angular momentum, as a share
    std::size_t broken;
};

// All balls move as a rigid body that turns with omega about the centre of mass.
Kept spun(Bonded&& b, const Vec3d& omega, double turns, double dt) {
    Vec3d centre;
    for (Index i = 0; i < b.bodies.size; ++i) centre += (1.0 / b.bodies.size) * b.bodies.x(i);
    for (Index i = 0; i < b.bodies.size; ++i) b.set(i, cross(omega, b.bodies.x(i) - centre), omega);
    b.start(dt);
    const long n = static_cast<long>(turns * 2 * std::numbers::pi / norm(omega) / dt), tenth = n / 10;
    const Vec3d momentum = b.angular_momentum();
    Kept kept{};
    double first = 0, last = 0, low = 1e300, high = 0;
    for (long k = 0; k < n; ++k) {
        b.step();
        if (k == 0) kept.energy = b.kinetic() + b.stored();
        kept.broken += b.forces.breaks().size();
        if (k >= tenth && k < n - tenth) continue;
        const double e = b.kinetic() + b.stored();
        (k < tenth ? first : last) += e / static_cast<double>(tenth);
        if (k >= n - tenth) low = std::min(low, e), high = std::max(high, e);
        kept.momentum = std::max(kept.momentum, norm(b.angular_momentum() - momentum) / norm(momentum));
    }
    kept.swing = high - low, kept.drift = last - first;
    return kept;
}

BondType strong(BondForm form) {
    BondType t = Bar::type(form);
    t.tensile_strength = t.shear_strength = 1e8, t.longest_stretch = 0.1;
    return t;
}

template <class F> void expect_kept(F&& make, const Vec3d& omega, double turns, double dt) {
    const Kept coarse = spun(make(), omega, turns, dt), fine = spun(make(), omega, turns, dt / 2);
    for (const Kept& k : {coarse, fine}) {
        EXPECT_EQ(k.broken, 0U);
        EXPECT_LT(k.momentum, 1e-9);
        EXPECT_LT(k.swing, 1e-2 * k.energy);
        EXPECT_LT(std::abs(k.drift), 0.02 * k.swing + 1e-10 * k.energy);
    }
    EXPECT_NEAR(coarse.swing / fine.swing, 4, 0.8);
}

TEST_P(BondedSpin, Pair) {
    const auto make = [] {
        Bonded b(strong(GetParam()));
        b.ball({0, 0, 0}, Bar::r, Bar::mass), b.ball({Bar::length, 0, 0}, 0.8 * Bar::r, 0.6 * Bar::mass);
        b.bond(0, 1);
        return b;
    };
    expect_kept(make, {0, 900, 5000}, 100, 2e-6);
}

TEST_P(BondedSpin, Cluster) {
    const auto make = [] {
        Bonded b(strong(GetParam()));
        for (int k = 0; k < 8; ++k)
            b.ball({Bar::length * (k & 1), Bar::length * (k >> 1 & 1), Bar::length * (k >> 2)}, Bar::r, Bar::mass,
                   turned(Quaterniond{1, 0, 0, 0}, Vec3d{0.4, 1.1, -0.3}));
        for (Index i = 0; i < 8; ++i)
            for (const Index bit : {1U, 2U, 4U})
                if ((i & bit) == 0) b.bond(i, i | bit);
        return b;
    };
    expect_kept(make, {3000, -1500, 4000}, 100, 2e-6);
}

// Dampers do not brake a rigid turn. The pair starts with the stretch of its centrifugal force.
TEST_P(BondedSpin, DampersDoNotBrakeARigidTurn) {
    BondType t = strong(GetParam());
    t.normal_damping = t.shear_damping = t.twist_damping = t.bending_damping = 0.3;
    Bonded b(t);
    b.ball({0, 0, 0}, Bar::r, Bar::mass), b.ball({Bar::length, 0, 0}, Bar::r, Bar::mass);
    b.bond(0, 1);
    const Kept k = spun(std::move(b), {0, 0, 2000}, 100, 2e-6);
    EXPECT_LT(std::abs(k.drift), 1e-4 * k.energy);  // the swing of the start dies out
    EXPECT_LT(k.swing, 1e-9 * k.energy);
    EXPECT_LT(k.momentum, 1e-9);
}

}  // namespace
}  // namespace granary::test
