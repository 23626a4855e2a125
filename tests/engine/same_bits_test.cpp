// The promise: the same run, bit for bit, on any number of ranks and with any cuts. A few hundred balls are inserted,
// migrate, touch across slab and periodic faces with friction, cross periodic faces and leave; the test asserts that
// all of this happened.
#include <gtest/gtest.h>
#include "support/busy_box.hpp"
#include "support/story.hpp"

using namespace granary;
using namespace granary::test;

TEST(SameBits, OnAnyNumberOfRanks) {
    const ManyStories stories = expect_same_on_any_ranks(busy_box, 3000);
    const Story& alone = stories.of.front();
    EXPECT_EQ(alone.inserted, 350u + 150u);
    EXPECT_EQ(alone.entry_steps, 4u);  // events of 40, 40, 40 and 30 balls
    EXPECT_GT(alone.exit_steps, 15u);
    EXPECT_GT(alone.left, 20u);
    EXPECT_GT(alone.inside, 200u);
    EXPECT_GT(alone.wraps, 100u);
    EXPECT_GT(alone.image_contacts, 5u);
    EXPECT_NE(alone.load, 0.0);
    for (std::size_t k = 1; k < stories.of.size(); ++k) {
        EXPECT_GT(stories.of[k].migrations, 50u);
        EXPECT_GT(stories.of[k].slab_contacts, 5u);
    }
}

TEST(SameBits, WithAnyCuts) {
    const Story alone = on_ranks(1, [](const auto& comm) { return run_story(comm, busy_box(), 1500); });
    for (const int n : rank_counts()) {
        if (n == 1) continue;
        SCOPED_TRACE(std::to_string(n) + " ranks");
        const Story story = on_ranks(n, [](const auto& comm) {
            auto s = busy_box();
            s.choose_cuts = shaken_cuts;
            return run_story(comm, s, 1500);
        });
        expect_same(story, alone);
        EXPECT_GT(story.cut_moves, 50u);
    }
}
