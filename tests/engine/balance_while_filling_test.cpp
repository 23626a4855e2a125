// Cuts follow a heap that grows under a rain: work stays even among ranks, and the bits stay the same.
#include <gtest/gtest.h>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <algorithm>
#include "support/few_balls.hpp"
#include "support/sub_communicators.hpp"
#include "engine/measures.hpp"

namespace granary::balance_while_filling_test {

using namespace granary::test;

namespace {

constexpr std::uint64_t n_balls = 700, n_steps = 6000, look_every = 250;

// A column of five balls width, periodic in x and y; all balls come in near its top and end up in its lower half.
Setup rain_into_column(std::uint64_t rebalance_every) {
    Setup s;
    s.domain = {{0, 0, 0}, {0.025, 0.025, 0.3}, {true, true, false}};
    s.gravity = {0, 0, -9.81};
    s.dt = 5e-5;
    s.materials = {hertz_material("grain", 2e6, 0.3, 2500, 0.2, 0.5)};
    s.walls.push_back(make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0));
    s.largest_radius = 2.6e-3, s.skin = 8e-4;
    InsertionSpec rain;
    rain.name = "rain", rain.lower = {0, 0, 0.22}, rain.upper = {0.025, 0.025, 0.29};
    rain.spans_period = {true, true, false};
    rain.total = n_balls, rain.per_event = 60, rain.trials_per_event = 600;
    rain.balls = {2.4e-3, 2.6e-3, 2500, 0, {0, 0, -1.5}};
    rain.first_step = 1, rain.interval = 450;
    s.insertions = {rain};
    s.rebalance_every = rebalance_every;
    s.balance.by_time = false;  // on a busy machine times are anything
    return s;
}

struct Growth {
    std::string digest;
    std::uint64_t inside = 0, cut_moves = 0;
    std::vector<double> imbalance;  // at every look in the second half of the run, when the heap is tall
    template <class Archive> void serialize(Archive& a, unsigned) { a& digest& inside& cut_moves& imbalance; }
};

Growth grow(const boost::mpi::communicator& comm, std::uint64_t rebalance_every) {
    Simulation sim(comm, rain_into_column(rebalance_every));
    Growth g;
    for (std::uint64_t k = 1; k <= n_steps; ++k) {
        sim.step();
        if (k % look_every == 0 && k > n_steps / 2) g.imbalance.push_back(imbalance_of(sim));
    }
    g.digest = digest_of(sim).hex(), g.inside = ledger_of(sim).inside, g.cut_moves = events_of(sim).cut_moves;
    return g;
}

struct Seen {
    double worst = 0;
    std::uint64_t looks = 0, inside = 0;
    template <class Archive> void serialize(Archive& a, unsigned) { a& worst& looks& inside; }
};

double largest(const std::vector<double>& values) { return *std::max_element(values.begin(), values.end()); }

}  // namespace

TEST(BalanceWhileFilling, CutsFollowTheHeap) {
    const int ranks = std::min(4, boost::mpi::communicator().size());
    const Growth alone = on_ranks(1, [](const auto& comm) { return grow(comm, 5); });
    EXPECT_EQ(alone.inside, n_balls);
    EXPECT_EQ(largest(alone.imbalance), 1.0);
    if (ranks == 1) return;
    const Growth balanced = on_ranks(ranks, [](const auto& comm) { return grow(comm, 5); });
    const Growth fixed = on_ranks(ranks, [](const auto& comm) { return grow(comm, 0); });
    EXPECT_EQ(balanced.digest, alone.digest);
    EXPECT_EQ(fixed.digest, alone.digest);
    // The heap is some twenty layers high: a layer too many on one of four ranks is a fifth; the rain adds to it.
    EXPECT_GT(balanced.cut_moves, 5u);
    EXPECT_LT(largest(balanced.imbalance), ranks > 3 ? 1.5 : 1.25);
    EXPECT_EQ(fixed.cut_moves, 0u);
    EXPECT_GT(largest(fixed.imbalance), 1.6);  // without it the lower ranks do most of the work
}

// Once the heap is forty layers high the work of four ranks differs by less than 15 %: the largest over the mean of
// what is counted.
TEST(BalanceWhileFilling, FortyLayersOnFourRanks) {
    if (boost::mpi::communicator().size() < 4) GTEST_SKIP() << "needs four ranks";
    const Seen seen = on_ranks(4, [](const auto& comm) {
        auto s = rain_into_column(5);
        s.domain.upper = {0.025, 0.025, 0.42};
        InsertionSpec& rain = s.insertions[0];
        rain.lower.z = 0.34, rain.upper.z = 0.41;
        rain.total = 1700;
        Simulation sim(comm, s);
        Seen g;
        for (std::uint64_t k = 1; k <= 16000; ++k) {
            sim.step();
            if (k % look_every != 0) continue;
            // Filled: a layer with at least ten balls; a full one has about 30.
            std::vector<double> count(sim.neighbourhood().cubes.layers(), 0.0), all(count.size());
            for (const Range& range : sim.bodies().real)
                for (Index i = range.begin; i < range.end; ++i) ++count[digit(sim.bodies().cube(i), 2)];
            boost::mpi::all_reduce(comm, count.data(), static_cast<int>(count.size()), all.data(), std::plus<double>());
            if (std::count_if(all.begin(), all.end(), [](double n) { return n >= 10; }) < 40) continue;
            g.worst = std::max(g.worst, imbalance_of(sim)), ++g.looks;
        }
        g.inside = ledger_of(sim).inside;
        return g;
    });
    EXPECT_EQ(seen.inside, 1700u);
    EXPECT_GE(seen.looks, 8u);
    EXPECT_LT(seen.worst, 1.15);
}

}  // namespace granary::balance_while_filling_test
