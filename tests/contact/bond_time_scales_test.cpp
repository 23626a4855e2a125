#include "contact/bond_time_scales.hpp"
#include <gtest/gtest.h>
#include <string>
#include <utility>
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

using Start = std::vector<std::pair<Vec3d, Vec3d>>;

// How much faster than at the start a swing becomes; tiny at the start, so that it stays linear.
double growth(Bonded&& b, const Start& start, double dt, int steps = 600) {
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
    for (int k = 0; k < steps && most < 1e4 * before; ++k) b.step(), most = std::max(most, size());
    return most / before;
}

// Two balls of which the named swing is the quickest: stable a little below the step, unstable a little above it.
TEST_P(BondTimeScales, OfAPairAreExact) {
    struct Swing {
        const char* name;
        double BondScale::*step;
        double BondType::*damping;
        double radius_factor, shear_modulus, mass_factor, inertia_factor;
        Vec3d v, w_0, w_1;
    };
    const Swing swings[] = {
        {"stretch", &BondScale::stretch, &BondType::normal_damping, 1, 4e7, 1, 100, {1, 0, 0}, {}, {}},
        {"shear", &BondScale::shear, &BondType::shear_damping, 0.5, 4e7, 1, 0.3, {0, 1, 0}, {0, 0, 3}, {0, 0, 3}},
        {"twist", &BondScale::twist, &BondType::twist_damping, 3, 1e8, 1e3, 1, {}, {1, 0, 0}, {-1, 0, 0}},
        {"bending", &BondScale::bending, &BondType::bending_damping, 3, 4e7, 1e3, 1, {}, {0, 1, 0}, {0, -1, 0}}};
    for (const Swing& s : swings)
        for (const double zeta : {0.0, 0.3}) {
            BondType t = Bar::type(GetParam());
            t.radius_factor = s.radius_factor, t.shear_modulus = s.shear_modulus, t.*s.damping = zeta;
            const double mass = s.mass_factor * Bar::mass, turning = s.inertia_factor * inertia, tiny = 1e-7;
            const auto make = [&] {
                Bonded b(t);
                b.ball({0, 0, 0}, Bar::r, mass), b.ball({Bar::length, 0, 0}, Bar::r, mass);
                b.bodies.spin(0, 3) = b.bodies.spin(1, 3) = 1 / turning;
                b.bond(0, 1);
                return b;
            };
            const BondScale scale = bond_scale(t, {Bar::r, mass, turning}, Bar::length, 1);
            const double step = scale.*s.step;
            EXPECT_EQ(step, scale.stable_step()) << s.name;
            const Start start = {{tiny * s.v, tiny / Bar::r * s.w_0}, {-tiny * s.v, tiny / Bar::r * s.w_1}};
            EXPECT_LT(growth(make(), start, 0.97 * step), 30) << s.name << zeta;
            EXPECT_GT(growth(make(), start, 1.03 * step), 1e3) << s.name << zeta;
        }
}

// A long chain, two bonds a ball: stable below the step, unstable not far above it.
TEST_P(BondTimeScales, OfAChainAreSafeAndClose) {
    const BondType t = Bar::type(GetParam());
    Dice dice(3);
    Start start;
    for (int k = 0; k < 30; ++k) start.emplace_back(dice.vector(1e-7), dice.vector(1e-7 / Bar::r));
    const auto make = [&] {
        Bonded b(t);
        for (int k = 0; k < 30; ++k) b.ball({k * Bar::length, 0, 0}, Bar::r, Bar::mass);
        for (Index k = 0; k + 1 < 30; ++k) b.bond(k, k + 1);
        return b;
    };
    const double step = bond_scale(t, {Bar::r, Bar::mass, inertia}, Bar::length, 2).stable_step();
    EXPECT_LT(growth(make(), start, 0.98 * step, 2000), 50);
    EXPECT_GT(growth(make(), start, 1.22 * step, 2000), 1e3);
}

// A cube of 27 balls, six bonds at the one in the middle: safe.
TEST_P(BondTimeScales, OfACubeAreSafe) {
    BondType t = Bar::type(GetParam());
    t.normal_damping = t.shear_damping = t.twist_damping = t.bending_damping = 0.1;
    Dice dice(5);
    Start start;
    for (int k = 0; k < 27; ++k) start.emplace_back(dice.vector(1e-7), dice.vector(1e-7 / Bar::r));
    const auto make = [&] {
        Bonded b(t);
        for (int k = 0; k < 27; ++k)
            b.ball({k % 3 * Bar::length, k / 3 % 3 * Bar::length, k / 9 * Bar::length}, Bar::r, Bar::mass);
        for (Index k = 0; k < 27; ++k) {
            if (k % 3 < 2) b.bond(k, k + 1);
            if (k / 3 % 3 < 2) b.bond(k, k + 3);
            if (k / 9 < 2) b.bond(k, k + 9);
        }
        return b;
    };
    ASSERT_EQ(make().bonds.size, 54U);
    const double step = bond_scale(t, {Bar::r, Bar::mass, inertia}, Bar::length, 6).stable_step();
    EXPECT_LT(growth(make(), start, step, 2000), 50);
    EXPECT_GT(growth(make(), start, 2.2 * step, 2000), 1e3);
}

}  // namespace
}  // namespace granary::test
