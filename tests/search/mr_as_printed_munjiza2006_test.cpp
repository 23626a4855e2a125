// The linked list, in two and in three dimensions, against all pairs, before and after motion.
#include "search/mr_as_printed_munjiza2006.hpp"
#include <gtest/gtest.h>
#include "numbered_balls.hpp"

namespace granary::test {

namespace {

template <int D> void expect_right(const MrAsPrinted<D>& list, const NumberedBalls<D>& balls) {
    std::vector<Couple> couples(3);  // what it held does not matter
    list.search(balls.quads.data(), margin, couples);
    EXPECT_EQ(sorted_pairs(couples), balls.brute_force());
    EXPECT_TRUE(balls.is_order(list.order()));
}

template <int D> void try_all_scenes() {
    for (const std::string name : scene_names) {
        SCOPED_TRACE(name);
        NumberedBalls<D> balls(name, 31);
        MrAsPrinted<D> list(balls.cells(), balls.quads.data(), balls.size());
        expect_right<D>(list, balls);
        list.sort(balls.quads.data());  // at rest
        expect_right<D>(list, balls);
        EXPECT_EQ(list.pointer_moves(), 0u);
        Dice dice(7);
        for (const double by : {0.05, 0.5, smallest_edge, smallest_edge, 0.01}) {  // up to one cell
            SCOPED_TRACE(by);
            balls.move(dice, by);
            list.sort(balls.quads.data());
            expect_right<D>(list, balls);
        }
        EXPECT_EQ(list.steps_back(), 0u);  // the premise held
        if (balls.size() > 50) {
            EXPECT_GT(list.pointer_moves(), 20u);
        }
        for (const int one_in : {10, 2, 1}) {  // and where it does not hold
            balls.scatter(dice, one_in);
            list.sort(balls.quads.data());
            expect_right<D>(list, balls);
        }
        if (balls.size() > 50) {
            EXPECT_GT(list.steps_back(), 20u);
        }
    }
}

}  // namespace

TEST(MrAsPrinted, FindsAllPairsIn2D) { try_all_scenes<2>(); }
TEST(MrAsPrinted, FindsAllPairsIn3D) { try_all_scenes<3>(); }

// (21): the pointers of A together pass a fixed number of boxes for each body, however many bodies there are.
TEST(MrAsPrinted, PointersMoveInProportionToTheBodies) {
    std::vector<double> moves;
    for (const double length : {20.0, 40.0, 60.0}) {
        Dice dice(3);
        std::vector<double> quads;
        const auto n = static_cast<Index>(2 * length * length);
        for (Index b = 0; b < n; ++b)
            quads.insert(quads.end(), {dice.uniform(1, length - 1), dice.uniform(1, length - 1), 0, 0.5});
        const auto cells = MrCells<2>::over({0, 0}, {length, length}, 1);
        MrAsPrinted<2> list(cells, quads.data(), n);
        for (Index b = 0; b < n; ++b)
            for (int axis : {0, 1}) quads[4 * b + axis] += dice.uniform(-1, 1);
        list.sort(quads.data());
        EXPECT_EQ(list.steps_back(), 0u);
        moves.push_back(static_cast<double>(list.pointer_moves()) / n);
    }
    EXPECT_LT(moves[0], 9);
    EXPECT_NEAR(moves[2] / moves[0], 1, 0.1);
    EXPECT_NEAR(moves[2] / moves[1], 1, 0.1);
}

// (25): three co-ordinates and two pointers a body, and the list head; whatever the spacing.
TEST(MrAsPrinted, HoldsFiveIntegersABody) {
    for (const double spacing : {1.0, 200.0}) {
        std::vector<double> quads;
        for (int b = 0; b < 1000; ++b)
            quads.insert(quads.end(), {spacing * (b % 10), spacing * (b / 10 % 10), spacing * (b / 100), 0.5});
        const auto cells = MrCells<3>::over({0, 0, 0}, {2000, 2000, 2000}, 1);
        EXPECT_EQ((MrAsPrinted<3>(cells, quads.data(), 1000).bytes()), 5u * sizeof(Index) * 1001);
    }
    const std::vector<double> quads(40, 0.5);
    const auto cells = MrCells<2>::over({0, 0}, {5, 5}, 1);
    EXPECT_EQ((MrAsPrinted<2>(cells, quads.data(), 10).bytes()), 4u * sizeof(Index) * 11);
}

TEST(MrCells, CountAsEquationFourWithItsCast) {
    const auto cells = MrCells<3>::over({0, -1, 2}, {5.5, 2.2, 2.5}, 1);
    EXPECT_EQ(cells.count, (std::array<std::int32_t, 3>{6, 4, 1}));
    const double x[] = {4.2, 0.5, 2.4};
    EXPECT_EQ(cells.of(x), (Cell<3>{0, 1, 4}));  // z, y, x
    const double below[] = {-0.5, -1.5, 1.5};
    EXPECT_EQ(cells.of(below), (Cell<3>{-1, -1, -1}));
}

}  // namespace granary::test
