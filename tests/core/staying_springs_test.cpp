// Springs set aside at a rebuild, in memory that is lent, and found by the old indices of both bodies.
#include "core/staying_springs.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <bit>
#include <map>
#include "support/dice.hpp"

namespace granary::test {
namespace {

using Numbers = std::array<std::uint64_t, 3>;
Numbers bits(const double* xi) {
    return {std::bit_cast<std::uint64_t>(xi[0]), std::bit_cast<std::uint64_t>(xi[1]),
            std::bit_cast<std::uint64_t>(xi[2])};
}

struct Scene {
    PairList pairs;
    std::vector<char> stays;
};

Scene scene(Index n, bool rolling) {
    Dice dice(5);
    Scene s;
    s.stays.resize(n);
    for (char& c : s.stays) c = !dice.one_in(6);
    s.pairs.start(n);
    for (Index i = 0; i < n; ++i) {
        s.pairs.begin(i) = s.pairs.size;
        s.pairs.make_room(8);
        for (Index j = i + 1; j < n && j < i + 9; ++j)
            if (dice.one_in(2)) s.pairs.partner(s.pairs.size++) = j | (dice.one_in(4) ? 0 : PairList::touching);
    }
    s.pairs.finish(true);
    if (rolling) s.pairs.add_rolling_springs();
    for (Index slot = 0; slot < s.pairs.size; ++slot)
        s.pairs.for_each_history([&](HistoryKind, const Array<double* [3]>& numbers) {
            if (dice.one_in(7)) return;  // zero
            const Vec3d xi = dice.vector(1);
            numbers(slot, 0) = xi.x, numbers(slot, 1) = xi.y, numbers(slot, 2) = dice.one_in(3) ? -0.0 : xi.z;
        });
    return s;
}

void expect_all_found(const Scene& s, const StayingSprings& springs) {
    Index n_touching = 0;
    for (Index i = 0; i < s.pairs.n_bodies; ++i) {
        std::map<Index, Index> slot_of;
        for (Index slot = s.pairs.begin(i); slot < s.pairs.begin(i + 1); ++slot)
            slot_of[s.pairs.partner_of(slot)] = slot;
        for (Index j = i + 1; j < s.pairs.n_bodies && j < i + 10; ++j) {
            std::map<HistoryKind, Numbers> wanted, turned, found, from_j;
            const auto at = slot_of.find(j);
            const bool kept = at != slot_of.end() && s.stays[i] != 0 && s.stays[j] != 0 && s.pairs.touches(at->second);
            n_touching += kept ? 1 : 0;
            if (kept)
                s.pairs.for_each_history([&](HistoryKind kind, const Array<double* [3]>& numbers) {
                    const double* xi = &numbers(at->second, 0);
                    const double negative[3] = {-xi[0], -xi[1], -xi[2]};
                    if (!is_zero(xi)) wanted[kind] = bits(xi), turned[kind] = bits(negative);
                });
            springs.for_each(i, j, [&](HistoryKind kind, const double* xi) { found[kind] = bits(xi); });
            springs.for_each(j, i, [&](HistoryKind kind, const double* xi) { from_j[kind] = bits(xi); });
            ASSERT_EQ(found, wanted) << i << " " << j;
            ASSERT_EQ(from_j, turned) << i << " " << j;
        }
    }
    EXPECT_EQ(springs.size(), n_touching);
}

}  // namespace

// More of them than one portion holds, with and without rolling springs.
TEST(StayingSprings, AreFoundFromBothSides) {
    for (const bool rolling : {false, true}) {
        const Scene s = scene(6000, rolling);
        StayingSprings springs;
        for (const std::size_t pieces : {1, 2, 7}) {
            springs.take(s.pairs, s.stays, pieces);
            expect_all_found(s, springs);
        }
        springs.clear();
        EXPECT_EQ(springs.size(), 0u);
        springs.for_each(0, 1, [](HistoryKind, const double*) { FAIL() << "cleared"; });
    }
}

// In three columns that are lent; what finds no room there comes from the heap, and all of it is given back.
TEST(StayingSprings, StandInLentMemory) {
    const Scene s = scene(20000, false);
    for (const Index lent : {0u, 4000u, 20000u}) {
        LentRoom room;
        const Quads a("a", 20000), b("b", 20000), c("c", 20000);
        room.lend(a, lent), room.lend(b, lent), room.lend(c, lent);
        StayingSprings springs(&room);
        springs.take(s.pairs, s.stays);
        expect_all_found(s, springs);
        const std::size_t needed = std::size_t{28} * springs.size();
        EXPECT_LE(room.from_heap(), needed + 400000 - std::min<std::size_t>(needed, 96 * lent));
        if (lent == 20000u) {
            EXPECT_EQ(room.from_heap(), 0u);
        }
        if (lent > 0) {
            EXPECT_THROW(room.give_back(), InternalError);
        }
        springs.clear();
        EXPECT_EQ(room.from_heap(), 0u);
        room.give_back();
    }
}

// The lender may get larger columns meanwhile: what was lent stays.
TEST(LentRoom, OutlivesTheColumn) {
    LentRoom room;
    {
        const Quads column("column", 1000);
        room.lend(column, 1000);
    }
    RoomVector<std::uint64_t> numbers(&room);
    numbers.reserve(1000);
    for (std::uint64_t k = 0; k < 1000; ++k) numbers.push_back(k);
    const Quads another("another", 1000);
    for (std::uint64_t k = 0; k < 1000; ++k) ASSERT_EQ(numbers[k], k);
    EXPECT_EQ(room.from_heap(), 0u);
    for (std::uint64_t k = 1000; k < 100000; ++k) numbers.push_back(k);  // beyond what was lent
    for (std::uint64_t k = 0; k < 100000; ++k) ASSERT_EQ(numbers[k], k);
    EXPECT_GE(room.from_heap(), 800000u);
    RoomVector<std::uint64_t>(&room).swap(numbers);
    room.give_back();
}

// What is given back before the end is taken anew, in any order, and never twice.
TEST(LentRoom, IsTakenAnew) {
    LentRoom room;
    const Quads column("column", 1000);  // 32 000 bytes
    room.lend(column, 1000);
    RoomVector<std::uint64_t> first(1000, 1, &room), second(1000, 2, &room), third(1000, 3, &room);
    RoomVector<std::uint64_t>(&room).swap(first);
    RoomVector<std::uint64_t> a(400, 4, &room), b(600, 5, &room);  // fill its place
    EXPECT_EQ(room.from_heap(), 0u);
    RoomVector<std::uint64_t>(&room).swap(second);
    RoomVector<std::uint64_t>(&room).swap(b);
    RoomVector<std::uint64_t>(&room).swap(third);
    RoomVector<std::uint64_t> c(600, 6, &room), d(1000, 7, &room), e(1000, 8, &room);
    EXPECT_EQ(room.from_heap(), 0u);
    const auto holds = [](const RoomVector<std::uint64_t>& v, std::uint64_t n) {
        return std::all_of(v.begin(), v.end(), [n](std::uint64_t x) { return x == n; });
    };
    EXPECT_TRUE(holds(a, 4) && holds(c, 6) && holds(d, 7) && holds(e, 8));
    for (RoomVector<std::uint64_t>* v : {&a, &c, &d, &e}) RoomVector<std::uint64_t>(&room).swap(*v);
    room.give_back();
}

}  // namespace granary::test
