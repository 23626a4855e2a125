// Runs with grains that are no balls: the same bits on any number of ranks.
#include <gtest/gtest.h>
#include "engine/measures.hpp"
#include "support/shaken_shapes.hpp"
#include "support/story.hpp"

namespace granary::shapes_same_bits_test {

using namespace granary::test;

TEST(ShapesSameBits, BetweenWallsWithWildCuts) {
    const auto make = [] {
        Setup s = shapes_between_walls();
        s.choose_cuts = shaken_cuts;
        return s;
    };
    const ManyStories stories = expect_same_on_any_ranks(make, 600);
    EXPECT_GT(stories.of.front().contacts, 50u);
    EXPECT_GT(stories.of.front().wraps, 10u);
    EXPECT_NE(stories.of.front().load, 0);
    for (std::size_t k = 1; k < stories.of.size(); ++k) EXPECT_GT(stories.of[k].migrations, 10u);
}

TEST(ShapesSameBits, PeriodicSlabAxis) {
    const auto make = [] {
        Setup s = shaken_shapes({{0, 0, 0}, {0.045, 0.04, 0.06}, {true, true, true}}, 250);
        s.energy = true;
        return s;
    };
    const ManyStories stories = expect_same_on_any_ranks(make, 500);
    EXPECT_GT(stories.of.front().contacts, 20u);
    EXPECT_GT(stories.of.front().slab_contacts, 2u);  // with itself, over the face
    EXPECT_GT(stories.of.front().wraps, 20u);
}

TEST(ShapesSameBits, EveryDetector) {
    std::string digest;
    for (const Detector d : {Detector::mr, Detector::mmr, Detector::fixed_cubes, Detector::all_pairs}) {
        Setup s = shapes_between_walls();
        s.detector = d;
        Simulation sim(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_attach), std::move(s));
        for (int k = 0; k < 200; ++k) sim.step();
        const std::string now = digest_of(sim).hex();
        if (digest.empty()) digest = now;
        EXPECT_EQ(now, digest);
    }
}

}  // namespace granary::shapes_same_bits_test
