#include "contact/bond_list.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "contact/bonded.hpp"

namespace granary::test {
namespace {

TEST(BondList, KeepsWhatItWasGivenWhileItGrows) {
    BondList list;
    for (const bool springs : {false, true}) {
        list.start(springs);
        EXPECT_EQ(list.size, 0U);
        for (Index b = 0; b < 1000; ++b) {
            const double x = b, reference[3] = {x, x + 0.25, x + 0.5}, nature[3] = {b % 7 + 0.0, x + 1, x + 2};
            const double shear[3] = {-x, -x - 1, -x - 2}, moment[3] = {2 * x, 3 * x, 4 * x};
            list.add(b, b + 1, 3 * b, reference, nature, b % 2 ? shear : nullptr, b % 2 ? moment : nullptr);
        }
        ASSERT_EQ(list.size, 1000U);
        for (Index b = 0; b < 1000; ++b) {
            const double x = b;
            EXPECT_EQ(list.lower(b), b);
            EXPECT_EQ(list.upper(b), b + 1);
            EXPECT_EQ(list.slot(b), 3 * b);
            EXPECT_EQ(list.type(b), b % 7);
            EXPECT_EQ(list.factor(b), x + 1);
            EXPECT_EQ(list.made(b), x + 2);
            EXPECT_EQ(list.reference(b, 2), x + 0.5);
            EXPECT_NEAR(list.length(b), std::hypot(x, x + 0.25, x + 0.5), 1e-12 * (x + 1));
            EXPECT_EQ(list.per_length(b), 1 / list.length(b));
            if (springs) {
                EXPECT_EQ(list.shear(b, 1), b % 2 ? -x - 1 : 0);
                EXPECT_EQ(list.moment(b, 2), b % 2 ? 4 * x : 0);
            }
        }
        EXPECT_EQ(list.shear.extent(0) > 0, springs);
    }
    EXPECT_GE(list.bytes(), 1000 * (3 * 4 + 2 + 13 * 8));
    EXPECT_LE(list.bytes(), 1300 * (3 * 4 + 2 + 13 * 8));
    const double* const kept = list.reference.data();  // room is used again
    list.start(true);
    const double zero[3] = {};
    list.add(0, 1, 0, zero, zero, nullptr, nullptr);
    EXPECT_EQ(list.reference.data(), kept);
}

// From one list to the next: what has a direction is seen from the lower body.
TEST(BondList, ABondInAnotherList) {
    BondList from, to;
    from.start(true), to.start(true);
    const double d[3] = {1, -2, 3}, nature[3] = {4, 0.5, 7}, shear[3] = {5, 6, -7}, moment[3] = {-8, 9, 1};
    from.add(2, 9, 33, d, nature, shear, moment);
    to.add_from(from, 0, 3, 5, 12, false);
    to.add_from(from, 0, 3, 6, 13, true);
    for (const Index b : {0U, 1U}) {
        const double sign = b == 0 ? 1 : -1;
        EXPECT_EQ(to.lower(b), 3U);
        EXPECT_EQ(to.upper(b), 5 + b);
        EXPECT_EQ(to.slot(b), 12 + b);
        EXPECT_EQ(to.type(b), 4);
        EXPECT_EQ(to.factor(b), 0.5);
        EXPECT_EQ(to.made(b), 7);
        EXPECT_EQ(to.length(b), from.length(0));
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_EQ(to.reference(b, axis), sign * d[axis]);
            EXPECT_EQ(to.shear(b, axis), sign * shear[axis]);
            EXPECT_EQ(to.moment(b, axis), sign * moment[axis]);
        }
    }
}

// Seven pairs in two batches of lanes, every one pulled; two are weak.
TEST(BondForces, BreaksComeInTheOrderOfTheListAndLeaveTheOthersAlone) {
    for (const BondForm form : {BondForm::beam, BondForm::spring}) {
        BondType type = Bar::type(form);
        type.tensile_strength = 1e5;
        Bonded b(type);
        for (Index k = 0; k < 7; ++k) {
            b.ball({0, 0.01 * k, 0}, Bar::r, Bar::mass), b.ball({Bar::length, 0.01 * k, 0}, Bar::r, Bar::mass);
            b.bond(2 * k, 2 * k + 1, 0, k == 2 || k == 5 ? 0.1 : 1);
        }
        for (Index k = 0; k < 7; ++k) b.bodies.position(2 * k + 1, 0) += 1e-6;  // half the strength
        b.add_forces(1e-9);
        ASSERT_EQ(b.forces.breaks().size(), 2U);
        EXPECT_EQ(b.forces.breaks()[0].bond, 2U);
        EXPECT_EQ(b.forces.breaks()[1].bond, 5U);
        for (Index k = 0; k < 7; ++k) {
            const bool broken = k == 2 || k == 5;
            EXPECT_EQ(b.bonds.is_broken(k), broken);
            const double pull = Bar::young * Bar::area * 1e-6 / Bar::length;
            EXPECT_NEAR(b.force(2 * k).x, broken ? 0 : pull, 1e-6 * pull);
            EXPECT_EQ(b.force(2 * k).x, -b.force(2 * k + 1).x);
        }
    }
}

}  // namespace
}  // namespace granary::test
