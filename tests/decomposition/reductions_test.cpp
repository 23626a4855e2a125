#include "decomposition/reductions.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include "cuts.hpp"

namespace granary::test {

namespace {

// Numbers of very different size and either sign: a sum in another order has other bits.
double number(int layer, int k) { return (layer % 2 ? -1 : 1) * std::pow(10.0, (7 * layer + 3 * k) % 20) / 3; }

std::vector<double> of_my_layers(const Slabs& slabs, int rank, int width) {
    std::vector<double> mine;
    for (int layer = slabs.first(rank); layer < slabs.end(rank); ++layer)
        for (int k = 0; k < width; ++k) mine.push_back(number(layer, k));
    return mine;
}

}  // namespace

TEST(Reductions, TravellingMaxOverAllRanks) {
    const boost::mpi::communicator world;
    const int me = world.rank(), last = world.size() - 1;
    TravellingMax travelling(world);
    EXPECT_FALSE(travelling.under_way());
    for (int round = 0; round < 5; ++round) {
        travelling.start(
            {static_cast<double>(me + round), static_cast<double>(round - me), me == round % (last + 1) ? 7.0 : 0.0});
        EXPECT_TRUE(travelling.under_way());
        if (round % 2 == 1) {  // a run that stops waits, and the answer is still to be taken
            EXPECT_EQ(travelling.wait()[0], last + round);
            EXPECT_TRUE(travelling.under_way());
        }
        const auto [first, second, third] = travelling.take();
        EXPECT_FALSE(travelling.under_way());
        EXPECT_EQ(first, last + round);
        EXPECT_EQ(second, round);
        EXPECT_EQ(third, 7);
    }
    const double infinity = std::numeric_limits<double>::infinity();
    travelling.start({me == last ? infinity : 1.0, 0.0, 0.0});
    EXPECT_EQ(travelling.take()[0], infinity);
    travelling.put({1, 2, 3});  // of an earlier run
    EXPECT_TRUE(travelling.under_way());
    EXPECT_EQ(travelling.take(), (TravellingMax::Numbers{1, 2, 3}));
    EXPECT_FALSE(travelling.under_way());
}

TEST(Reductions, TravellingMaxMayBeLeftUnread) {
    const boost::mpi::communicator world;
    {
        TravellingMax travelling(world);
        travelling.start({1, 2, 0});
    }
    TravellingMax next(world);
    next.start({3.0 + world.rank(), 4, 0});
    EXPECT_EQ(next.take()[0], 3.0 + world.size() - 1);
}

TEST(Reductions, LayersOfAllRanks) {
    const boost::mpi::communicator world;
    for (const int layers : {1, 3, 11})
        for (const auto& cuts : test::cuts_of(layers, world.size()))
            for (const int width : {1, 4}) {
                const Slabs slabs(cuts, false);
                const std::vector<double> all =
                    gather_layers(world, slabs, of_my_layers(slabs, world.rank(), width), width);
                EXPECT_EQ(all, of_my_layers(Slabs({0, layers}, false), 0, width));
                EXPECT_EQ(layers_of(slabs, world.rank(), all, width), of_my_layers(slabs, world.rank(), width));
                EXPECT_TRUE(layers_of(slabs, world.rank(), all, width + 1).empty());
            }
}

// The same bits whatever the cuts: those of a sum from the lowest layer up.
TEST(Reductions, SumsDoNotKnowTheRanks) {
    const boost::mpi::communicator world;
    bool order_matters = false;
    for (const int layers : {1, 3, 11, 40})
        for (const auto& cuts : test::cuts_of(layers, world.size()))
            for (const int width : {1, 4}) {
                const Slabs slabs(cuts, false);
                const std::vector<double> sums =
                    sum_over_layers(world, slabs, of_my_layers(slabs, world.rank(), width), width);
                ASSERT_EQ(sums.size(), static_cast<std::size_t>(width));
                for (int k = 0; k < width; ++k) {
                    double up = 0, down = 0;
                    for (int layer = 0; layer < layers; ++layer) up += number(layer, k);
                    for (int layer = layers; layer-- > 0;) down += number(layer, k);
                    EXPECT_EQ(sums[k], up);
                    order_matters |= up != down;
                }
            }
    EXPECT_TRUE(order_matters);
}

TEST(Reductions, FirstText) {
    const boost::mpi::communicator world;
    const int me = world.rank(), last = world.size() - 1;
    EXPECT_EQ(first_text(world, ""), "");
    EXPECT_EQ(first_text(world, me == last ? "last" : ""), "last");
    EXPECT_EQ(first_text(world, std::string(static_cast<std::size_t>(me) + 1, 'x')), "x");
    EXPECT_EQ(first_text(world, me == 0 ? "" : "others"), last == 0 ? "" : "others");
}

}  // namespace granary::test
