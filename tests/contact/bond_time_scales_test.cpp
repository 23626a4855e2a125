#include "contact/bond_time_scales.hpp"
#include <gtest/gtest.h>
#include <string>
#include "contact/bonded.hpp"
#include "support/dice.hpp"

namespace granary::test {
namespace {

class BondTimeScales : public testing::TestWithParam<BondForm> {};
INSTANTIATE_TEST_SUITE_P(Forms, BondTimeScales, testing::Values(BondForm::beam, BondForm::spring),
                         [](const auto& form) {
                             return std::string(form.param == BondForm::beam ? "beam" : "spring");
                         });

constexpr double inertia = 0.4 * Bar::mass * Bar::r * Bar::r;

// How much faster than at the start a swing is after some steps; tiny at the start, so that it stays linear.
double growth(Bonded b, const std::vector<std::pair<Vec3d, Vec3d>>& start, double dt, int steps = 600) {
    for (Index i = 0; i < b.bodies.size; ++i) b.set(i, start[i].first, start[i].second);
    const auto size = [&] {
        double sum = 0;
        for (Index i = 0; i < b.bodies.size; ++i)
            sum = std::max({sum, norm(b.bodies.v(i)), Bar::r * norm(b.bodies.omega(i))});
        return sum;
    };
    const double before = size();
    b.start(dt);
    double most = 0;
    for (int k = 0; k < steps && most < 1e4 * before; ++k) {
        b.step();
        if (k > steps / 2) most = std::max(most, size());
    }
    return most / before;
}

TEST_P(BondTimeScales, OfAPairAreExact) {
    const double tiny = 1e-9;
    for (const double zeta : {0.0, 0.3}) {
        BondType t = Bar::type(GetParam());
        t.normal_damping = t.shear_damping = t.twist_damping = t.bending_damping = zeta;
        t.longest_stretch = 1e9;
        Bonded b(t);
        b.ball({0, 0, 0}, Bar::r, Bar::mass), b.ball({Bar::length, 0, 0}, Bar::r, Bar::mass);
        b.bond(0, 1);
        const BondScale s = bond_scale(t, {Bar::r, Bar::mass, inertia}, Bar::length, 1);
        const auto check = [&](double step, const Vec3d& v, const Vec3d& w_0, const Vec3d& w_1, const char* what) {
            const std::vector<std::pair<Vec3d, Vec3d>> start = {{tiny * v, tiny / Bar::r * w_0},
                                                                {-tiny * v, tiny / Bar::r * w_1}};
            EXPECT_LT(growth(b, start, 0.97 * step), 30) << what << zeta;
            EXPECT_GT(growth(b, start, 1.03 * step), 1e3) << what << zeta;
        };
        check(s.stretch, {1, 0, 0}, {}, {}, "stretch");
        check(s.shear, {0, 1, 0}, {0, 0, 1.5}, {0, 0, 1.5}, "shear");
        check(s.twist, {}, {1, 0, 0}, {-1, 0, 0}, "twist");
        check(s.bending, {}, {0, 1, 0}, {0, -1, 0}, "bending");
        EXPECT_EQ(s.stable_step(), std::min({s.stretch, s.shear, s.twist, s.bending}));
    }
}

// A long chain, two bonds a ball: stable below the step, unstable not far above it.
TEST_P(BondTimeScales, OfAChainAreSafeAndClose) {
    const BondType t = Bar::type(GetParam());
    Bonded b(t);
    Dice dice(3);
    std::vector<std::pair<Vec3d, Vec3d>> start;
    for (int k = 0; k < 30; ++k) {
        b.ball({k * Bar::length, 0, 0}, Bar::r, Bar::mass);
        start.emplace_back(dice.vector(1e-9), dice.vector(1e-9 / Bar::r));
    }
    for (Index k = 0; k + 1 < 30; ++k) b.bond(k, k + 1);
    const double step = bond_scale(t, {Bar::r, Bar::mass, inertia}, Bar::length, 2).stable_step();
    EXPECT_LT(growth(b, start, 0.98 * step, 2000), 50);
    EXPECT_GT(growth(b, start, 1.1 * step, 2000), 1e3);
}

// A cube of 27 balls, six bonds at the one in the middle: safe.
TEST_P(BondTimeScales, OfACubeAreSafe) {
    BondType t = Bar::type(GetParam());
    t.normal_damping = t.shear_damping = t.twist_damping = t.bending_damping = 0.1;
    Bonded b(t);
    Dice dice(5);
    std::vector<std::pair<Vec3d, Vec3d>> start;
    for (int k = 0; k < 27; ++k) {
        b.ball({k % 3 * Bar::length, k / 3 % 3 * Bar::length, k / 9 * Bar::length}, Bar::r, Bar::mass);
        start.emplace_back(dice.vector(1e-9), dice.vector(1e-9 / Bar::r));
    }
    for (Index k = 0; k < 27; ++k) {
        if (k % 3 < 2) b.bond(k, k + 1);
        if (k / 3 % 3 < 2) b.bond(k, k + 3);
        if (k / 9 < 2) b.bond(k, k + 9);
    }
    ASSERT_EQ(b.bonds.size, 54U);
    const double step = bond_scale(t, {Bar::r, Bar::mass, inertia}, Bar::length, 6).stable_step();
    EXPECT_LT(growth(b, start, step, 2000), 50);
    EXPECT_GT(growth(b, start, 2.2 * step, 2000), 1e3);
}

}  // namespace
}  // namespace granary::test
