// Runs with grains that are no balls: the same bits on any number of ranks.
#include <gtest/gtest.h>
#include "engine/measures.hpp"
#include "support/bonded_box.hpp"
#include "support/shaken_shapes.hpp"
#include "support/story.hpp"

namespace granary::shapes_same_bits_test {

using namespace granary::test;

TEST(ShapesSameBits, BetweenWallsWithWildCuts) {
    const auto make = [] {
        auto s = shapes_between_walls();
        s.choose_cuts = shaken_cuts;
        return s;
    };
    const ManyStories stories = expect_same_on_any_ranks(make, 600);
    EXPECT_GT(stories.of.front().contacts, 40u);
    EXPECT_GT(stories.of.front().wraps, 10u);
    EXPECT_NE(stories.of.front().load, 0);
    for (std::size_t k = 1; k < stories.of.size(); ++k) EXPECT_GT(stories.of[k].migrations, 10u);
}

TEST(ShapesSameBits, PeriodicSlabAxis) {
    const auto make = [] {
        auto s = shaken_shapes({{0, 0, 0}, {0.045, 0.04, 0.06}, {true, true, true}}, 200);
        s.energy = true;
        return s;
    };
    const ManyStories stories = expect_same_on_any_ranks(make, 500);
    EXPECT_GT(stories.of.front().contacts, 20u);
    EXPECT_GT(stories.of.front().slab_contacts, 2u);  // with itself, over the face
    EXPECT_GT(stories.of.front().wraps, 20u);
}

// Clusters of bonded balls and shapes by turns: they fall on a floor, clusters break, some leave through an outlet.
TEST(ShapesSameBits, BesideClustersThatBreak) {
    const auto make = [] {
        auto s = bonded_box();
        s.shapes = shaken_shapes({{0, 0, 0}, {0.03, 0.03, 0.03}, {}}, 1).shapes;
        s.largest_radius = 4.6e-3;
        s.choose_cuts = shaken_cuts;
        Bonded grains;
        int n = 0;
        for (double z = 0.045; z < 0.14; z += 0.0135)
            for (double y = 0.0075; y < 0.048; y += 0.0125)
                for (double x = 0.0075; x < 0.055; x += 0.015, ++n) {
                    const Vec3d at{x + 0.001 * (n % 3), y, z}, v{0.5 - 0.1 * (n % 7), 0.4 * (n % 5 - 2), -1.2};
                    const Id id = grains.bodies.size();
                    if (n % 2 == 0)
                        grains.add_cluster(small_cube(at, 0.97 * 5e-3), 2.5e-3, 1e-4, v, {30.0 * (n % 3), -20, 0}, 0);
                    else
                        grains.bodies.push_back(grain_of(s.shapes, static_cast<std::uint16_t>(1 + n / 2 % 5), id, at,
                                                         4.6e-3, 2500, any_orientation(id), v, {0, 50, 20}));
                }
        s.start = shares_of(grains.bodies, grains.contacts);
        return s;
    };
    const ManyStories stories = expect_same_on_any_ranks(make, 1500);
    EXPECT_GT(stories.of.front().contacts, 40u);
    EXPECT_GT(stories.of.front().left, 0u);
    for (std::size_t k = 1; k < stories.of.size(); ++k) EXPECT_GT(stories.of[k].migrations, 10u);
}

TEST(ShapesSameBits, EveryDetector) {
    std::string digest;
    for (const Detector d : {Detector::mr, Detector::mmr, Detector::fixed_cubes, Detector::all_pairs}) {
        auto s = shapes_between_walls();
        s.detector = d;
        Simulation sim(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_attach), std::move(s));
        for (int k = 0; k < 200; ++k) sim.step();
        const std::string now = digest_of(sim).hex();
        if (digest.empty()) digest = now;
        EXPECT_EQ(now, digest);
    }
}

}  // namespace granary::shapes_same_bits_test
