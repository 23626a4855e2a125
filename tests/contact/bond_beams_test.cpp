// Bars of bonded balls against beam theory. L = 2 r is the length of a bond, n bonds, the first ball held.
#include <gtest/gtest.h>
#include <string>
#include "contact/bonded.hpp"

namespace granary::test {
namespace {

constexpr double ei = Bar::young * Bar::moment, ga = Bar::shear * Bar::area, l = Bar::length;

class BondedBar : public testing::TestWithParam<BondForm> {};
INSTANTIATE_TEST_SUITE_P(Forms, BondedBar, testing::Values(BondForm::beam, BondForm::spring), [](const auto& form) {
    return std::string(form.param == BondForm::beam ? "beam" : "spring");
});

// Deflection at x of a cantilever with a load at s >= x or below, bending and shear.
double deflection(double p, double s, double x) {
    const double a = std::min(s, x), b = std::max(s, x);
    return p * a * a * (3 * b - a) / (6 * ei) + p * a / ga;
}

TEST_P(BondedBar, TipLoad) {
    const int n = 20;
    const double p = 1e-5;
    Bonded b = Bar::make(n, Bar::type(GetParam()));
    b.push[n] = {0, p, 0};
    Bar::settle(b, Bar::slowest(n));
    EXPECT_NEAR(b.bodies.position(n, 1) / deflection(p, n * l, n * l), 1, 1e-3);
    // The beam is exact at the nodes; the spring bends in the middle of the bond: n^3/3 - n/12 for n^3/3.
    const double lacks = GetParam() == BondForm::beam ? 0 : p * l * l * l / ei * n / 12;
    EXPECT_NEAR((b.bodies.position(n, 1) + lacks) / deflection(p, n * l, n * l), 1, 2e-5);
    EXPECT_NEAR(2 * b.bodies.orientation(n, 3) / (p * n * l * n * l / (2 * ei)), 1, 1e-4);  // slope at the tip
}

TEST_P(BondedBar, OwnWeight) {
    const int n = 20;
    const double weight = 1e-6;  // of a ball, N
    Bonded b = Bar::make(n, Bar::type(GetParam()));
    double lumped = 0;
    for (int k = 1; k <= n; ++k) b.push[k] = {0, -weight, 0}, lumped += deflection(weight, k * l, n * l);
    Bar::settle(b, Bar::slowest(n));
    EXPECT_NEAR(-b.bodies.position(n, 1) / lumped, 1, 1e-3);
    // A rod of length n L + r with the weight spread over it, seen at the last centre.
    const double q = weight / l, whole = n * l + Bar::r, x = n * l;
    const double rod =
        q * x * x * (6 * whole * whole - 4 * whole * x + x * x) / (24 * ei) + q * (whole * x - x * x / 2) / ga;
    EXPECT_NEAR(-b.bodies.position(n, 1) / rod, 1, 2e-3);  // lumps of weight, and of bending in springs
}

TEST_P(BondedBar, AxialStiffness) {
    const int n = 10;
    const double p = 1e-3;
    Bonded b = Bar::make(n, Bar::type(GetParam()));
    b.push[n] = {p, 0, 0};
    Bar::settle(b, std::sqrt(Bar::young * Bar::area / l / Bar::mass) * 1.57 / n);
    EXPECT_NEAR((b.bodies.position(n, 0) - n * l) / (p * n * l / (Bar::young * Bar::area)), 1, 1e-3);
}

TEST_P(BondedBar, TorsionalStiffness) {
    const int n = 10;
    const double t = 1e-6, gj = Bar::shear * 2 * Bar::moment;
    Bonded b = Bar::make(n, Bar::type(GetParam()));
    b.twist[n] = {t, 0, 0};
    Bar::settle(b, std::sqrt(gj / l / (0.4 * Bar::mass * Bar::r * Bar::r)) * 1.57 / n);
    EXPECT_NEAR(2 * b.bodies.orientation(n, 1) / (t * n * l / gj), 1, 1e-3);
}

// omega = 1.8751^2 sqrt(EI/(mu l^4)) with mu = m/(2 r) and l = n 2 r + r.
TEST_P(BondedBar, FirstBendingFrequency) {
    const int n = 20;
    Bonded b = Bar::make(n, Bar::type(GetParam()));
    b.push[n] = {0, 1e-5, 0};
    Bar::settle(b, Bar::slowest(n));
    b.push[n] = {}, b.drag = 0;
    double first = 0, last = 0, before = b.bodies.position(n, 1);
    int crossings = 0;
    for (long k = 1; crossings < 11; ++k) {
        b.step();
        const double y = b.bodies.position(n, 1);
        if ((y > 0) != (before > 0)) {
            last = (k - y / (y - before)) * Bar::dt;
            if (crossings++ == 0) first = last;
        }
        before = y;
    }
    const double whole = n * l + Bar::r;
    const double theory = 3.51602 * std::sqrt(ei / (Bar::mass / l)) / (whole * whole);
    EXPECT_NEAR(10 * std::numbers::pi / (last - first) / theory, 1, 5e-3);
}

// What dampers take is what kinetic energy and strain lose.
TEST_P(BondedBar, EnergyBalanceOfADampedSwing) {
    struct Sums : BondWatch {
        double stored = 0, damped = 0;
        void see(double s, double d, Index) override { stored += s, damped += d; }
        void broke(double, Index) override { FAIL(); }
    } sums;
    BondType type = Bar::type(GetParam());
    type.normal_damping = type.shear_damping = type.twist_damping = type.bending_damping = 0.05;
    Bonded b = Bar::make(4, type);
    b.set(4, {0.3, 0.5, -0.2}, {40, 30, 60});
    const double begin = 0.5 * Bar::mass * 0.38 + 0.5 * 0.4 * Bar::mass * Bar::r * Bar::r * 6100;
    b.start(2e-7);
    b.watch = &sums;
    for (int k = 0; k < 20000; ++k) sums.stored = 0, b.step();
    EXPECT_NEAR((b.kinetic() + sums.stored + sums.damped) / begin, 1, 2e-3);
    EXPECT_NEAR(sums.stored, b.stored(), 1e-12 * begin);
    EXPECT_GT(sums.damped, 0.1 * begin);
}

}  // namespace
}  // namespace granary::test
