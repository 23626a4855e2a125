#include "contact/bond_list.hpp"
#include <gtest/gtest.h>
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
            if (springs) {
                EXPECT_EQ(list.shear(b, 1), b % 2 ? -x - 1 : 0);
                EXPECT_EQ(list.moment(b, 2), b % 2 ? 4 * x : 0);
            }
        }
        EXPECT_EQ(list.shear.extent(0) > 0, springs);
    }
    EXPECT_GE(list.bytes(), 1000 * (3 * 4 + 2 + 11 * 8));
    EXPECT_LE(list.bytes(), 1300 * (3 * 4 + 2 + 11 * 8));
    const double* const kept = list.reference.data();  // room is used again
    list.start(true);
    const double zero[3] = {};
    list.add(0, 1, 0, zero, zero, nullptr, nullptr);
    EXPECT_EQ(list.reference.data(), kept);
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
