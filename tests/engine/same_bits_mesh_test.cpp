// Balls in a funnel of triangles, on a hilly floor, beside analytic walls: the same bits on any number of ranks, with
// wild cuts, and by every detector.
#include <gtest/gtest.h>
#include "support/funnel.hpp"
#include "support/story.hpp"

using namespace granary;
using namespace granary::test;

TEST(SameBits, InAFunnelOfTriangles) {
    const ManyStories stories = expect_same_on_any_ranks([] { return funnel_of_triangles(); }, 3000);
    EXPECT_GT(stories.of[0].contacts, 100u);
    EXPECT_NE(stories.of[0].load, 0);
    for (std::size_t k = 1; k < stories.of.size(); ++k) EXPECT_GT(stories.of[k].migrations, 50u);
}

TEST(SameBits, InAFunnelOfTrianglesWithWildCuts) {
    expect_same_on_any_ranks(
        [] {
            auto s = funnel_of_triangles({false, false, true});
            s.walls.erase(s.walls.begin() + 1);  // what falls through the funnel comes in again above
            s.choose_cuts = shaken_cuts;
            return s;
        },
        1500);
}

TEST(SameBits, InAFunnelOfTrianglesByEveryDetector) {
    const auto with = [](Detector detector) {
        return [=] {
            auto s = funnel_of_triangles();
            s.detector = detector;
            return s;
        };
    };
    const auto alone = [&](Detector detector) {
        return on_ranks(1, [&](const auto& comm) { return run_story(comm, with(detector)(), 1500); });
    };
    const Story mr = alone(Detector::mr);
    for (const Detector detector : {Detector::mmr, Detector::fixed_cubes, Detector::all_pairs})
        expect_same(alone(detector), mr);
}

// Both meshes move: the funnel shakes, the hills turn.
TEST(SameBits, InAFunnelOfTrianglesThatMoves) {
    const ManyStories stories = expect_same_on_any_ranks(moving_funnel, 2000);
    EXPECT_GT(stories.of[0].contacts, 100u);
}
