#include "core/pair_list.hpp"
#include <gtest/gtest.h>

namespace granary::test::pair_list_test {

namespace {

// Body i has the partners i + 1 .. i + n(i).
template <class F> void fill(PairList& list, Index bodies, F&& n, bool with_history) {
    list.start(bodies);
    for (Index i = 0; i < bodies; ++i) {
        list.begin(i) = list.size;
        list.make_room(n(i));
        for (Index k = 1; k <= n(i); ++k) list.partner(list.size++) = i + k;
    }
    list.finish(with_history);
}

void expect_filled(const PairList& list, Index bodies, Index each) {
    ASSERT_EQ(list.n_bodies, bodies);
    ASSERT_EQ(list.size, bodies * each);
    for (Index i = 0; i < bodies; ++i) {
        ASSERT_EQ(list.begin(i), i * each);
        for (Index k = 0; k < each; ++k) ASSERT_EQ(list.partner(i * each + k), i + k + 1);
    }
    ASSERT_EQ(list.begin(bodies), list.size);
}

}  // namespace

TEST(PairList, HoldsRunsOfPartnersHoweverItGrows) {
    PairList list;
    fill(
        list, 3000, [](Index) { return 11u; }, true);
    expect_filled(list, 3000, 11);
    fill(
        list, 10, [](Index) { return 2u; }, true);
    expect_filled(list, 10, 2);
    fill(
        list, 9000, [](Index) { return 20u; }, true);
    expect_filled(list, 9000, 20);
}

TEST(PairList, LoadsOfFourMayRunPastTheEnd) {
    for (Index n = 0; n < 40; ++n) {
        PairList list;
        fill(
            list, n, [](Index i) { return i % 3; }, true);
        ASSERT_GE(list.partner.extent(0), std::size_t{list.size} + PairList::padding);
        for (Index k = 0; k < PairList::padding; ++k) EXPECT_EQ(list.partner(list.size + k), 0u);  // a valid place
    }
    PairList list;  // what a longer list left behind is no valid place any more
    fill(
        list, 100, [](Index) { return 5u; }, true);
    fill(
        list, 7, [](Index) { return 1u; }, true);
    for (Index k = 0; k < PairList::padding; ++k) EXPECT_EQ(list.partner(7 + k), 0u);
}

TEST(PairList, SpringsOfANewListAreZero) {
    PairList list;
    fill(
        list, 100, [](Index) { return 4u; }, true);
    for (Index slot = 0; slot < list.size; ++slot)
        for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(list.xi(slot, axis), 0.0), list.xi(slot, axis) = 3.0;
    fill(
        list, 80, [](Index) { return 5u; }, true);
    for (Index slot = 0; slot < list.size; ++slot)
        for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(list.xi(slot, axis), 0.0);
}

TEST(PairList, TouchingIsABitOfThePartner) {
    PairList list;
    fill(
        list, 5, [](Index) { return 1u; }, true);
    EXPECT_FALSE(list.touches(2));
    list.partner(2) |= PairList::touching;
    EXPECT_TRUE(list.touches(2));
    EXPECT_EQ(list.partner_of(2), 3u);
    EXPECT_FALSE(list.touches(1));
    EXPECT_EQ(PairList::place, 0x3fffffffu);
}

TEST(PairList, MemoryIsWhatTheHeaderSays) {
    PairList with, without;
    fill(
        with, 100000, [](Index) { return 8u; }, true);
    fill(
        without, 100000, [](Index) { return 8u; }, false);
    EXPECT_EQ(without.xi.size(), 0u);
    // 4 bytes a body and a candidate, 24 more for the springs; a tenth and an eighth are room to grow.
    EXPECT_GE(without.bytes(), 4u * (100000 + 800000));
    EXPECT_LE(without.bytes(), 4u * (110000 + 900000 + 4096));
    EXPECT_GE(with.bytes() - without.bytes(), 24u * 800000);
    EXPECT_LE(with.bytes() - without.bytes(), 24u * (900000 + 2048));
}

TEST(PairList, NoBodies) {
    PairList list;
    fill(
        list, 0, [](Index) { return 0u; }, true);
    EXPECT_EQ(list.size, 0u);
    EXPECT_EQ(list.begin(0), 0u);
}

}  // namespace granary::test::pair_list_test
