// What a run tells at its end: all that must be the same on any number of ranks, and how much of everything happened.
#pragma once
#include <gtest/gtest.h>
#include <algorithm>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <cstdint>
#include <string>
#include <vector>
#include "engine/measures.hpp"
#include "support/sub_communicators.hpp"

namespace granary::test {

struct Story {
    std::string digest;
    std::uint64_t inserted = 0, inside = 0, left = 0, migrations = 0, wraps = 0, cut_moves = 0, rebuilds = 0;
    std::uint64_t contacts = 0, slab_contacts = 0,
                  image_contacts = 0;               // the most at any look; the last two with springs
    std::uint64_t empty_ranks = 0;                  // the most at any look
    std::uint64_t entry_steps = 0, exit_steps = 0;  // steps at which balls came in, or left
    double energy = 0, load = 0;                    // sums over all looks
    std::vector<double> balances;                   // with Setup::energy: what went where, look by look
    template <class Archive> void serialize(Archive& a, unsigned) {
        a& digest& inserted& inside& left& migrations& wraps& cut_moves& rebuilds& contacts& slab_contacts&
            image_contacts& empty_ranks& entry_steps& exit_steps& energy& load& balances;
    }
};

// Looks every hundred steps, and at the end; at the ledger after every step.
inline Story run_story(const boost::mpi::communicator& comm, Setup setup, int steps) {
    Simulation sim(comm, std::move(setup));
    Story story;
    Ledger before = ledger_of(sim);
    for (int k = 0; k < steps; ++k) {
        sim.step();
        const Ledger now = ledger_of(sim);  // throws if it does not add up
        EXPECT_TRUE(now.adds_up());
        EXPECT_GE(now.inserted, before.inserted);
        for (std::size_t o = 0; o < now.left.size(); ++o) EXPECT_GE(now.left[o], before.left[o]);
        story.entry_steps += now.inserted > before.inserted;
        story.exit_steps += now.left > before.left;
        before = now;
        if (k % 100 != 99) continue;
        const Measures m = measures_of(sim);
        story.contacts = std::max(story.contacts, m.contacts);
        story.slab_contacts = std::max(story.slab_contacts, m.slab_contacts);
        story.image_contacts = std::max(story.image_contacts, m.image_contacts);
        story.energy += m.kinetic_energy;
        for (const WallLoad& l : wall_loads_of(sim)) story.load += l.force.z + l.torque.x;
        if (sim.setup().energy) {
            const EnergyBalance e = energy_balance_of(sim);
            story.balances.insert(story.balances.end(), {e.elastic, e.walls, e.stiffening, e.damped, e.friction,
                                                         e.rolling, e.bonds, e.bond_damping, e.breaks, e.out});
        }
        std::uint64_t empty = 0;
        for (int r = 0; r < comm.size(); ++r) empty += sim.neighbourhood().slabs.empty(r);
        story.empty_ranks = std::max(story.empty_ranks, empty);
    }
    const Ledger ledger = ledger_of(sim);
    const Events events = events_of(sim);
    EXPECT_EQ(events.late_checks, 0u);
    story.digest = digest_of(sim).hex();
    story.inserted = ledger.inserted, story.inside = ledger.inside;
    for (const auto n : ledger.left) story.left += n;
    story.migrations = events.migrations, story.wraps = events.wraps, story.cut_moves = events.cut_moves;
    story.rebuilds = events.rebuilds;
    return story;
}

inline void expect_same(const Story& a, const Story& b) {
    EXPECT_EQ(a.digest, b.digest);
    EXPECT_EQ(a.inserted, b.inserted);
    EXPECT_EQ(a.inside, b.inside);
    EXPECT_EQ(a.left, b.left);
    EXPECT_EQ(a.entry_steps, b.entry_steps);
    EXPECT_EQ(a.exit_steps, b.exit_steps);
    EXPECT_EQ(a.wraps, b.wraps);
    EXPECT_EQ(a.rebuilds, b.rebuilds);
    EXPECT_EQ(a.contacts, b.contacts);
    EXPECT_EQ(a.energy, b.energy);  // sums over layers: the same bits too
    EXPECT_EQ(a.load, b.load);
    EXPECT_EQ(a.balances, b.balances);
}

// make() gives the setup; the run alone on one rank is the measure of all others. The stories by number of ranks.
struct ManyStories {
    std::vector<int> ranks;
    std::vector<Story> of;
};
template <class Make> ManyStories expect_same_on_any_ranks(Make&& make, int steps) {
    ManyStories stories;
    for (const int n : rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        stories.ranks.push_back(n);
        stories.of.push_back(on_ranks(n, [&](const auto& comm) { return run_story(comm, make(), steps); }));
        expect_same(stories.of.back(), stories.of.front());
    }
    return stories;
}

// Any cuts at all: wild ones, different at every rebuild, with empty ranks.
inline std::vector<int> shaken_cuts(std::uint64_t rebuild, const std::vector<double>& cost,
                                    const std::vector<int>& cuts) {
    const int n = static_cast<int>(cost.size()), ranks = static_cast<int>(cuts.size()) - 1;
    std::vector<int> wild(cuts.size());
    for (int r = 1; r < ranks; ++r)
        wild[r] =
            static_cast<int>((rebuild * 7919u + static_cast<unsigned>(r) * 104729u) % static_cast<unsigned>(n + 1));
    wild[0] = 0, wild[ranks] = n;
    std::sort(wild.begin(), wild.end());
    return wild;
}

// All layers on one rank, another one at every rebuild: the others are empty.
inline std::vector<int> one_for_all_cuts(std::uint64_t rebuild, const std::vector<double>& cost,
                                         const std::vector<int>& cuts) {
    const std::size_t ranks = cuts.size() - 1, owner = rebuild % ranks;
    std::vector<int> lonely(cuts.size(), 0);
    std::fill(lonely.begin() + static_cast<std::ptrdiff_t>(owner) + 1, lonely.end(), static_cast<int>(cost.size()));
    return lonely;
}

}  // namespace granary::test
