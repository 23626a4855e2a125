#include "motion/outlets.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include "support/arranged.hpp"

namespace granary::test {

namespace {

// Balls at these heights; the first and the last are ghosts, the middle one an image.
Bodies column(const std::vector<double>& heights) {
    Bodies b;
    const Index n = static_cast<Index>(heights.size());
    b.reserve(n);
    b.size = n;
    b.owned = {1, n - 1};
    b.real = {{1, n / 2}, {n / 2 + 1, n - 1}};
    for (Index i = 0; i < n; ++i) b.put(i, test::ball(100 + i, {0, 0, heights[i]}, 0.1));
    return b;
}

std::vector<Index> crossed(const OutletWatch& watch) {
    std::vector<Index> places;
    watch.for_each_crossed([&](Index i) { places.push_back(i); });
    return places;
}

void look(OutletWatch& watch, const Bodies& b, std::span<const Outlet> outlets, std::vector<std::uint64_t>& left) {
    watch.look(b, outlets, [&](std::size_t o, Index) { ++left[o]; });
}

const std::vector<Outlet> floor_only{{"floor", {0, 0, 1}, {0, 0, 1}}};

}  // namespace

TEST(Outlets, BallIsCountedOnceAtTheStepItsCentreCrosses) {
    Bodies b = column({5, 5, 1.2, 5, 1.3, 5, 5});
    OutletWatch watch;
    std::vector<std::uint64_t> left{0};
    watch.find(b, floor_only, 0.5);
    look(watch, b, floor_only, left);
    EXPECT_EQ(left[0], 0u);
    b.position(2, 2) = 1.0;  // on the plane: not yet out
    look(watch, b, floor_only, left);
    EXPECT_EQ(left[0], 0u);
    b.position(2, 2) = std::nextafter(1.0, 0.0);
    look(watch, b, floor_only, left);
    EXPECT_EQ(left[0], 1u);
    EXPECT_EQ(crossed(watch), (std::vector<Index>{2}));
    EXPECT_EQ(watch.n_crossed(), 1u);
    look(watch, b, floor_only, left);  // once
    EXPECT_EQ(left[0], 1u);
    b.position(2, 2) = 1.5;  // thrown back: it was out
    look(watch, b, floor_only, left);
    b.position(2, 2) = 0.5;
    look(watch, b, floor_only, left);
    EXPECT_EQ(left[0], 1u);
    b.position(4, 2) = 0.9;
    look(watch, b, floor_only, left);
    EXPECT_EQ(left[0], 2u);
    EXPECT_EQ(crossed(watch), (std::vector<Index>{2, 4}));
    watch.forget();
    EXPECT_EQ(watch.n_crossed(), 0u);
}

TEST(Outlets, GhostsAndImagesAreNotCounted) {
    Bodies b = column({1.1, 1.1, 1.1, 1.1, 1.1, 1.1, 1.1});
    OutletWatch watch;
    std::vector<std::uint64_t> left{0};
    watch.find(b, floor_only, 0.5);
    for (Index i = 0; i < b.size; ++i) b.position(i, 2) = 0.5;
    look(watch, b, floor_only, left);
    EXPECT_EQ(left[0], 4u);
    EXPECT_EQ(crossed(watch), (std::vector<Index>{1, 2, 4, 5}));
}

TEST(Outlets, FirstOutletGetsTheBall) {
    const std::vector<Outlet> outlets{{"floor", {0, 0, 1}, {0, 0, 1}}, {"side", {2, 0, 0}, {-1, 0, 0}}};
    Bodies b = column({5, 1.2, 1.2, 5, 5, 5, 5});
    OutletWatch watch;
    std::vector<std::uint64_t> left{0, 0};
    b.position(4, 0) = 1.9;
    watch.find(b, outlets, 0.5);
    b.position(1, 2) = 0.9, b.position(1, 0) = 2.1;  // beyond both
    b.position(4, 0) = 2.1;
    look(watch, b, outlets, left);
    EXPECT_EQ(left, (std::vector<std::uint64_t>{1, 1}));
}

// A ball beyond the plane already when the watch begins is counted at the first look; one beyond the margin is not
// watched.
TEST(Outlets, MarginIsHowFarABallMayMove) {
    Bodies b = column({5, 0.2, 1.49, 5, 1.51, 5, 5});
    OutletWatch watch;
    std::vector<std::uint64_t> left{0};
    watch.find(b, floor_only, 0.5);
    look(watch, b, floor_only, left);
    EXPECT_EQ(left[0], 1u);
    b.position(2, 2) = b.position(4, 2) = 0.5;
    look(watch, b, floor_only, left);
    EXPECT_EQ(left[0], 2u);
    watch.find(b, {}, 0.5);
    EXPECT_EQ(watch.n_crossed(), 0u);
}

}  // namespace granary::test
