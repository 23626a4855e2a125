#include "core/position_lattice.hpp"
#include <gtest/gtest.h>
#include <bit>
#include <cstdint>
#include "support/dice.hpp"

namespace granary::test {

namespace {

// Of many sizes, about the origin and far from it.
std::vector<Domain> domains() {
    return {{{0, 0, 0}, {1, 1, 1}, {true, true, true}},
            {{-0.013, 2.7e-3, 0}, {0.017, 0.011, 0.4}, {true, true, true}},
            {{-120, -80, -3.3}, {-100, 95, 1024}, {true, true, true}},
            {{1e-4, 1e-4, 1e-4}, {1.1e-3, 1.3e-3, 1.7e-3}, {true, true, true}}};
}

bool is_multiple(double x, double q) { return std::nearbyint(x / q) == x / q; }  // q is a power of two: x/q is exact

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

}  // namespace

TEST(PositionLattice, StepIsAPowerOfTwoFarBelowAnyLength) {
    for (const Domain& d : domains()) {
        const PositionLattice lattice(d);
        int exponent = 0;
        EXPECT_EQ(std::frexp(lattice.step(), &exponent), 0.5);
        double largest = 0;
        for (int axis = 0; axis < 3; ++axis)
            largest = std::max({largest, std::abs(at(d.lower, axis)), std::abs(at(d.upper, axis))});
        EXPECT_LT(lattice.step(), 3e-15 * largest);
        EXPECT_GT(lattice.step(), 0.5e-15 * largest);
    }
}

TEST(PositionLattice, SnapGoesToTheNearestPointAndStays) {
    test::Dice dice(1);
    for (const Domain& d : domains()) {
        const PositionLattice lattice(d);
        for (int n = 0; n < 10000; ++n) {
            const Vec3d x = dice.within(d.lower, d.upper), y = lattice.snap(x);
            for (int axis = 0; axis < 3; ++axis) {
                EXPECT_TRUE(is_multiple(at(y, axis), lattice.step()));
                EXPECT_LE(std::abs(at(y, axis) - at(x, axis)), 0.5 * lattice.step());
                EXPECT_TRUE(same_bits(lattice.snap(at(y, axis)), at(y, axis)));
            }
        }
    }
}

// The reason for it all: over a periodic face and back, and a pair seen from either side.
TEST(PositionLattice, ShiftsAndDifferencesAreExact) {
    test::Dice dice(2);
    for (const Domain& rough : domains()) {
        const PositionLattice lattice(rough);
        const Domain d = lattice.snap(rough);
        EXPECT_EQ(d.periodic, rough.periodic);
        int n_rounded = 0;
        for (int n = 0; n < 10000; ++n) {
            const Vec3d raw_a = dice.within(d.lower, d.upper), raw_b = dice.within(d.lower, d.upper);
            const Vec3d a = lattice.snap(raw_a), b = lattice.snap(raw_b);
            for (int axis = 0; axis < 3; ++axis) {
                const double period = at(d.upper, axis) - at(d.lower, axis);
                const double x = at(a, axis), y = at(b, axis);
                EXPECT_TRUE(same_bits((x + period) - period, x));
                EXPECT_TRUE(same_bits((x - period) + period, x));
                EXPECT_TRUE(same_bits((x + period) - y, x - (y - period)));
                EXPECT_TRUE(same_bits((x - y) + period, (x + period) - y));
                n_rounded += ((at(raw_a, axis) + period) - period) != at(raw_a, axis);
            }
        }
        EXPECT_GT(n_rounded, 1000);  // without the lattice this does not hold
    }
}

TEST(PositionLattice, HoldsALittleOutsideTheDomainToo) {
    const PositionLattice lattice(Domain{{0, 0, 0}, {1.9, 1, 1}, {true, true, true}});
    for (const double x : {-1.9, -0.1, 2.0, 3.7}) {
        EXPECT_TRUE(is_multiple(lattice.snap(x), lattice.step()));
        EXPECT_LE(std::abs(lattice.snap(x) - x), 0.5 * lattice.step());
    }
}

}  // namespace granary::test
