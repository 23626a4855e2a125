#include "io/log/warnings.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "core/saved_state.hpp"

namespace granary {
namespace {

TEST(Warnings, SaidOnceCountedListed) {
    Warnings w;
    EXPECT_TRUE(w.empty());
    EXPECT_EQ(w.text(), "");
    EXPECT_TRUE(w.add("a ball was late", 0.5));
    EXPECT_FALSE(w.add("a ball was late", 0.6));
    EXPECT_TRUE(w.add("another thing", 0.6));
    EXPECT_FALSE(w.add("a ball was late", 0.7));
    ASSERT_EQ(w.list().size(), 2U);
    EXPECT_EQ(w.list()[0].count, 3U);
    EXPECT_EQ(w.list()[0].first_time, 0.5);
    EXPECT_EQ(w.text(),
              "warning: a ball was late (3 times, first at t = 0.5 s)\n"
              "warning: another thing (once, at t = 0.6 s)\n");
}

TEST(Warnings, OfACheckpointAreWhole) {
    Warnings w;
    w.add("a ball was late", 0.5, 3, "%");
    SavedState saved;
    StateSaver save(saved);
    w.run_state(save);
    const SavedState good = saved;
    const auto taken = [&] {
        Warnings again;
        StateLoader load(saved);
        again.run_state(load);
        return again.text();
    };
    EXPECT_EQ(taken(), w.text());
    saved.reals.at("warnings.numbers").pop_back();
    EXPECT_THROW(taken(), InputError);
    saved = good;
    saved.integers.at("warnings.counts").push_back(1);
    EXPECT_THROW(taken(), InputError);
    saved = good;
    saved.texts.at("warnings.units").clear();
    EXPECT_THROW(taken(), InputError);
}

TEST(Warnings, TheWorstIsKept) {
    Warnings w;
    EXPECT_TRUE(w.add("too fast", 1, -3, "m/s"));
    EXPECT_EQ(w.text(), "warning: too fast (once, at t = 1 s, at worst -3 m/s)\n");
    w.add("too fast", 2, 7, "m/s");
    w.add("too fast", 3, 7, "m/s");
    w.add("too fast", 4, 5, "m/s");
    EXPECT_EQ(w.text(), "warning: too fast (4 times, first at t = 1 s, at worst 7 m/s at t = 2 s)\n");
}

TEST(Warnings, Overlap) {
    Warnings w;
    EXPECT_FALSE(warn_of_overlap(w, 0.02, 0.1));
    EXPECT_FALSE(warn_of_overlap(w, std::nan(""), 0.1));
    EXPECT_TRUE(w.empty());
    EXPECT_TRUE(warn_of_overlap(w, 0.021, 0.2));
    EXPECT_FALSE(warn_of_overlap(w, 0.034, 0.3));
    EXPECT_EQ(
        w.text(),
        "warning: balls overlap by more than 2 % of a radius; use a stiffer material, with a smaller step (2 times, "
        "first at t = 0.2 s, at worst 3.4 % at t = 0.3 s)\n");
    EXPECT_TRUE(warn_of_overlap(w, 0.95, 0.4, "floor"));
    EXPECT_EQ(w.list().back().text,
              "balls overlap with the wall \"floor\" by more than 2 % of a radius; use a stiffer material, with a "
              "smaller step");
}

}  // namespace
}  // namespace granary
