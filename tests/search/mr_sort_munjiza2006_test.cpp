#include "search/mr_sort_munjiza2006.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <set>
#include "support/dice.hpp"

namespace granary::test {

namespace {

constexpr int edge = 6;  // cubes along each axis

// Old places with their cubes and ids, as a rank holds them: real bodies in order, images and ghosts (which have no new
// cube) between them, newcomers behind.
struct Sorting {
    std::vector<Cube> old_cube, new_cube;
    std::vector<Id> id;
    std::vector<Range> sorted;
    Range newcomers;

    std::vector<Index> by_mr() const {
        RoomVector<Index> order{1, 2, 3};  // what it held does not matter
        const SortTask task{old_cube.data(), new_cube.data(), id.data(), sorted, newcomers};
        mr_sort(task, order);
        expect_same_in_pieces(task, order);
        return {order.begin(), order.end()};
    }
    // Cut anywhere, also within a range and so that pieces are empty.
    void expect_same_in_pieces(const SortTask& task, const RoomVector<Index>& order) const {
        const auto n = static_cast<Index>(id.size());
        for (const std::vector<Index>& ends : {std::vector<Index>{n / 2},
                                               {n / 3, n / 3, n / 2 + 1},
                                               {0, n / 7, n},
                                               {n / 9, n / 8, n / 7, n / 6, n / 5, n / 4}}) {
            RoomVector<Index> in_pieces{7};
            mr_sort_in_pieces(task, ends, in_pieces);
            EXPECT_EQ(in_pieces, order) << ends.size() + 1 << " pieces";
        }
    }
    std::vector<Index> by_comparison() const {
        std::vector<Index> order;
        for (Index i = 0; i < id.size(); ++i)
            if (new_cube[i] != no_cube) order.push_back(i);
        std::sort(order.begin(), order.end(),
                  [&](Index a, Index b) { return std::pair(new_cube[a], id[a]) < std::pair(new_cube[b], id[b]); });
        return order;
    }
    std::set<Cube> offsets() const {
        std::set<Cube> found;
        for (const Range& range : sorted)
            for (Index i = range.begin; i < range.end; ++i)
                if (new_cube[i] != no_cube) found.insert(new_cube[i] - old_cube[i]);
        return found;
    }
};

Cube any_cube(test::Dice& dice) { return pack(dice.below(edge), dice.below(edge), dice.below(edge)); }

Sorting at_rest(int n_real, int n_newcomers, test::Dice& dice) {
    std::vector<std::pair<Cube, Id>> bodies(n_real);
    for (auto& [cube, id] : bodies) cube = any_cube(dice), id = dice.bits() >> 1;
    std::sort(bodies.begin(), bodies.end());
    Sorting s;
    const auto put = [&](Cube cube, Cube to, Id id) {
        s.old_cube.push_back(cube), s.new_cube.push_back(to), s.id.push_back(id);
    };
    for (const auto& [cube, id] : bodies) {
        if (s.sorted.empty() || dice.one_in(9)) {
            for (int gap = dice.below(4); gap > 0; --gap) put(no_cube, no_cube, dice.bits());
            const Index here = static_cast<Index>(s.id.size());
            s.sorted.push_back({here, here});
        }
        put(cube, cube, id);
        s.sorted.back().end = static_cast<Index>(s.id.size());
    }
    s.newcomers.begin = static_cast<Index>(s.id.size());
    for (int n = 0; n < n_newcomers; ++n) put(no_cube, dice.one_in(7) ? no_cube : any_cube(dice), dice.bits() >> 1);
    s.newcomers.end = static_cast<Index>(s.id.size());
    return s;
}

// f(cube) is where a body of that cube goes.
template <class F> void move(Sorting& s, F&& f) {
    for (const Range& range : s.sorted)
        for (Index i = range.begin; i < range.end; ++i) s.new_cube[i] = f(s.old_cube[i]);
}

// At most one cube along each axis; over a periodic face, a step from the last to the first.
Cube neighbour(Cube c, bool periodic, test::Dice& dice) {
    int k[3];
    for (int axis = 0; axis < 3; ++axis) {
        k[axis] = digit(c, axis) + dice.below(3) - 1;
        k[axis] = periodic ? (k[axis] + edge) % edge : std::clamp(k[axis], 0, edge - 1);
    }
    return pack(k[0], k[1], k[2]);
}

class MrSort : public testing::TestWithParam<int> {};  // number of bodies

}  // namespace

TEST_P(MrSort, NobodyMoves) {
    test::Dice dice(1);
    const Sorting s = at_rest(GetParam(), 0, dice);
    EXPECT_EQ(s.by_mr(), s.by_comparison());
}

TEST_P(MrSort, CoherentMotion) {
    test::Dice dice(2);
    Sorting s = at_rest(GetParam(), 0, dice);
    move(s, [&](Cube c) { return dice.one_in(2) ? c : neighbour(c, false, dice); });
    if (GetParam() > 1000) {
        EXPECT_EQ(s.offsets().size(), 27u);
    }
    EXPECT_EQ(s.by_mr(), s.by_comparison());
}

TEST_P(MrSort, EverybodyMoves) {
    test::Dice dice(3);
    Sorting s = at_rest(GetParam(), 0, dice);
    move(s, [&](Cube c) { return c + cube_step[0] - cube_step[2]; });  // together
    EXPECT_EQ(s.by_mr(), s.by_comparison());
    EXPECT_LE(s.offsets().size(), 1u);
    move(s, [&](Cube c) {  // each somewhere else
        for (;;)
            if (const Cube to = neighbour(c, false, dice); to != c) return to;
    });
    EXPECT_EQ(s.offsets().count(0), 0u);
    EXPECT_EQ(s.by_mr(), s.by_comparison());
}

TEST_P(MrSort, StepsOverPeriodicFaces) {
    test::Dice dice(4);
    Sorting s = at_rest(GetParam(), 0, dice);
    move(s, [&](Cube c) { return neighbour(c, true, dice); });
    if (GetParam() > 1000) {
        EXPECT_GT(s.offsets().size(), 100u);  // of 125
    }
    EXPECT_EQ(s.by_mr(), s.by_comparison());
}

// More offsets than there can be streams.
TEST_P(MrSort, WildMotion) {
    test::Dice dice(5);
    Sorting s = at_rest(GetParam(), 0, dice);
    move(s, [&](Cube) { return any_cube(dice); });
    if (GetParam() > 1000) {
        EXPECT_GT(s.offsets().size(), 400u);
    }
    EXPECT_EQ(s.by_mr(), s.by_comparison());
}

TEST_P(MrSort, Newcomers) {
    test::Dice dice(6);
    Sorting s = at_rest(GetParam(), GetParam() / 3 + 2, dice);
    EXPECT_EQ(s.by_mr(), s.by_comparison());
    move(s, [&](Cube c) { return neighbour(c, true, dice); });
    EXPECT_EQ(s.by_mr(), s.by_comparison());
    for (const Range& range : s.sorted)
        std::fill(&s.new_cube[range.begin], &s.new_cube[range.begin] + range.size(), no_cube);
    EXPECT_EQ(s.by_mr(), s.by_comparison());  // newcomers alone
}

TEST_P(MrSort, Removals) {
    test::Dice dice(7);
    Sorting s = at_rest(GetParam(), 0, dice);
    move(s, [&](Cube c) { return dice.one_in(3) ? no_cube : c; });
    EXPECT_EQ(s.by_mr(), s.by_comparison());
    move(s, [&](Cube c) { return dice.one_in(3) ? no_cube : neighbour(c, true, dice); });
    EXPECT_EQ(s.by_mr(), s.by_comparison());
    move(s, [&](Cube) { return no_cube; });
    EXPECT_TRUE(s.by_mr().empty());
}

TEST_P(MrSort, EverythingAtOnceManyTimes) {
    for (std::uint64_t seed = 100; seed < 130; ++seed) {
        test::Dice dice(seed);
        Sorting s = at_rest(GetParam(), dice.below(20), dice);
        const int calm = 1 + dice.below(40);
        move(s, [&](Cube c) {
            if (dice.one_in(15)) return no_cube;
            if (dice.one_in(15)) return any_cube(dice);
            return dice.one_in(calm) ? neighbour(c, true, dice) : c;
        });
        EXPECT_EQ(s.by_mr(), s.by_comparison()) << "seed " << seed;
    }
}

INSTANTIATE_TEST_SUITE_P(Bodies, MrSort, testing::Values(0, 1, 2, 30, 3000));

// Bodies of one cube stand by their ids, however they came together.
TEST(MrSortOrder, IdsDecideWithinACube) {
    const Cube a = pack(1, 1, 1), b = pack(2, 1, 1), meet = pack(1, 2, 1);
    Sorting s;
    s.old_cube = {a, a, b, b, meet, meet, no_cube};
    s.new_cube.assign(7, meet);
    s.id = {2, 9, 1, 8, 5, 7, 6};
    s.sorted = {{0, 6}};
    s.newcomers = {6, 7};
    EXPECT_EQ(s.by_mr(), (std::vector<Index>{2, 0, 4, 6, 5, 3, 1}));
}

}  // namespace granary::test
