// Every ball that leaves is noted once, at the step at which it is counted, with what it is and when it came in: the
// same list on any number of ranks and with any cuts.
#include <gtest/gtest.h>
#include <algorithm>
#include <boost/serialization/vector.hpp>
#include <cmath>
#include <tuple>
#include "decomposition/exchange.hpp"
#include "support/busy_box.hpp"
#include "support/story.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

struct Outgoing {
    std::vector<double> numbers;  // of one departure after the other
    std::uint64_t left = 0;
    template <class Archive> void serialize(Archive& a, unsigned) { a& numbers& left; }
};

constexpr std::size_t width = 6;

Outgoing run_out(const boost::mpi::communicator& comm, Setup s, int steps) {
    s.outflow = s.entry_times = true;
    Simulation sim(comm, std::move(s));
    Outgoing out;
    std::uint64_t before = 0;
    for (int k = 0; k < steps; ++k) {
        sim.step();
        std::vector<std::vector<Departure>> mine(static_cast<std::size_t>(comm.size()),
                                                 std::vector<Departure>(sim.requests().take_departures()));
        std::vector<Departure> all = exchange_all(comm, mine).items;
        std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
        out.left = ledger_of(sim).left[0];
        EXPECT_EQ(all.size(), out.left - before);  // of this very step
        before = out.left;
        for (const Departure& d : all) {
            EXPECT_EQ(d.step, sim.clock().step());
            EXPECT_EQ(d.time, sim.clock().time());
            EXPECT_EQ(d.outlet, 0);
            EXPECT_NEAR(d.mass, 4.0 / 3.0 * 3.14159265358979 * std::pow(d.radius, 3) * 2500, 1e-12 * d.mass);
            for (const double x : {static_cast<double>(d.step), static_cast<double>(d.id), d.radius, d.mass,
                                   d.entry_time, static_cast<double>(d.material)})
                out.numbers.push_back(x);
        }
    }
    return out;
}

// Without a floor: those that rain in leave, too.
Setup bottomless() {
    Setup s = busy_box();
    s.walls.clear();
    return s;
}

}  // namespace

TEST(Outflow, IsTheSameOnAnyNumberOfRanks) {
    constexpr int steps = 4000;
    const Outgoing alone = on_ranks(1, [](const auto& comm) { return run_out(comm, bottomless(), steps); });
    if (boost::mpi::communicator().rank() == 0) {
        EXPECT_GT(alone.left, 20u);
        EXPECT_EQ(alone.numbers.size(), width * alone.left);
        std::uint64_t rained = 0;
        for (std::size_t k = 0; k < alone.numbers.size(); k += width) {
            const double entry = alone.numbers[k + 4], id = alone.numbers[k + 1];
            // Balls up to 349 are there at the start, the others rain in at steps 200, 800, ...
            const double event = (entry / 2e-5 - 200) / 600;
            EXPECT_NEAR(id < 350 ? entry : event, id < 350 ? 0.0 : std::round(event), 1e-9) << id;
            rained += id >= 350;
        }
        EXPECT_GT(rained, 0u);
    }
    for (const int n : rank_counts()) {
        if (n == 1) continue;
        SCOPED_TRACE(std::to_string(n) + " ranks");
        const Outgoing out = on_ranks(n, [](const auto& comm) {
            auto s = bottomless();
            s.choose_cuts = shaken_cuts;
            return run_out(comm, s, steps);
        });
        EXPECT_EQ(out.numbers, alone.numbers);
    }
}

// A run that does not ask for it carries no times, and is the same run.
TEST(Outflow, TheRunDoesNotFeelIt) {
    const auto digest = [](bool asked) {
        return on_ranks(1, [&](const auto& comm) {
            auto s = busy_box();
            s.outflow = s.entry_times = asked;
            Simulation sim(comm, s);
            for (int k = 0; k < 800; ++k) sim.step();
            EXPECT_EQ(sim.bodies().has(When::entry_times), asked);
            EXPECT_EQ(sim.requests().take_departures().empty(), !asked || ledger_of(sim).left[0] == 0);
            return digest_of(sim).hex();
        });
    };
    EXPECT_EQ(digest(true), digest(false));
}
