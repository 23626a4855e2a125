// Whole runs in which pairs of clusters across slabs are resolved by their owner ranks: step by step the list of a flat
// detector, and so the same run.
#include <gtest/gtest.h>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <functional>
#include "decomposition/cluster_pairs.hpp"
#include "engine/measures.hpp"
#include "support/cluster_crowd.hpp"
#include "support/story.hpp"

namespace granary::clusters_by_owners_test {

using namespace granary::test;

namespace {

struct Fate {
    std::string digest;
    std::uint64_t whole = 0, broken = 0, pieces = 0, migrations = 0, wraps = 0, owned = 0, sent = 0, messages = 0;
    double energy = 0;
    template <class Archive> void serialize(Archive& a, unsigned) {
        a& digest& whole& broken& pieces& migrations& wraps& owned& sent& messages& energy;
    }
};

Fate fate_of(Simulation& sim) {
    const BondCounts b = sim.forces().bonds.counts(sim.comm(), sim.bodies(), sim.neighbourhood());
    const OwnerCounts& owners = sim.forces().pairs_by_owners();
    const std::uint64_t mine[] = {owners.pairs, owners.pairs_sent, owners.messages};
    std::uint64_t all[3];
    boost::mpi::all_reduce(sim.comm(), mine, 3, all, std::plus<std::uint64_t>());
    const EnergyBalance e = energy_balance_of(sim);
    return {digest_of(sim).hex(),
            b.whole,
            b.all_broken(),
            sim.forces().bonds.pieces(sim.comm(), sim.bodies(), sim.neighbourhood()).pieces,
            events_of(sim).migrations,
            events_of(sim).wraps,
            all[0],
            all[1],
            all[2],
            e.kinetic + e.bonds + e.bond_damping + e.breaks + e.friction};
}

void expect_same(const Fate& a, const Fate& b) {
    EXPECT_EQ(a.digest, b.digest);
    EXPECT_EQ(a.whole, b.whole);
    EXPECT_EQ(a.broken, b.broken);
    EXPECT_EQ(a.pieces, b.pieces);
    EXPECT_EQ(a.wraps, b.wraps);
    EXPECT_EQ(a.energy, b.energy);
}

using CutRule = std::vector<int> (*)(std::uint64_t, const std::vector<double>&, const std::vector<int>&);

Fate alone(const std::function<Setup()>& make, int steps) {
    return on_ranks(1, [&](const auto& comm) {
        Setup s = make();
        s.detector = Detector::mr;
        Simulation sim(comm, std::move(s));
        for (int k = 0; k < steps; ++k) sim.step();
        return fate_of(sim);
    });
}

// Two runs side by side on the same slabs, one searched flat: every list of every rank is the same.
Fate side_by_side(const std::function<Setup()>& make, int steps, CutRule cuts) {
    const boost::mpi::communicator world;
    const auto with = [&](Detector detector) {
        Setup s = make();
        s.detector = detector, s.choose_cuts = cuts, s.rebalance_every = 0;
        return s;
    };
    Simulation flat(world, with(Detector::mr)), two_level(world, with(Detector::two_level));
    int differ = 0;
    for (int k = 0; k < steps; ++k) {
        flat.step(), two_level.step();
        const PairList &a = flat.forces().pairs, &b = two_level.forces().pairs;
        bool same = a.n_bodies == b.n_bodies && a.size == b.size;
        for (Index i = 0; same && i < a.n_bodies; ++i) same = a.begin(i) == b.begin(i);
        for (Index slot = 0; same && slot < a.size; ++slot) same = a.partner_of(slot) == b.partner_of(slot);
        differ += !same;
    }
    EXPECT_EQ(differ, 0) << "steps with other lists, on rank " << world.rank();
    EXPECT_EQ(flat.forces().pairs_by_owners().pairs, 0u);
    return fate_of(two_level);
}

std::string name_of(std::array<bool, 3> periodic, Crowd scene) {
    std::string name = "scene " + std::to_string(static_cast<int>(scene)) + ", periodic";
    for (const bool p : periodic) name += p ? " 1" : " 0";
    return name;
}

constexpr int steps = 120;

}  // namespace

TEST(ClustersByOwners, EveryListIsThatOfAFlatSearch) {
    const boost::mpi::communicator world;
    for (const auto periodic : {std::array{false, false, false}, std::array{true, false, false},
                                std::array{false, false, true}, std::array{true, true, true}})
        for (const Crowd scene : {Crowd::whole, Crowd::half, Crowd::large}) {
            if (scene == Crowd::half && (periodic[0] || periodic[2])) continue;
            if (scene == Crowd::large && periodic[0] != periodic[2]) continue;
            SCOPED_TRACE(name_of(periodic, scene));
            const auto make = [&] { return crowd(periodic, scene); };
            const Fate one = alone(make, steps);
            EXPECT_GT(one.broken, 30u);
            EXPECT_GT(one.whole, 2000u);
            if (periodic[2]) {
                EXPECT_GT(one.wraps, 0u);
            }
            for (const CutRule cuts : {CutRule(nullptr), CutRule(shaken_cuts), CutRule(one_for_all_cuts)}) {
                if (cuts != nullptr && (scene != Crowd::whole || !periodic[0] || !periodic[2] || world.size() == 1))
                    continue;
                const Fate many = side_by_side(make, steps, cuts);
                expect_same(many, one);
                EXPECT_EQ(one.owned, 0u);
                if (world.size() == 1) {
                    EXPECT_EQ(many.messages, 0u);
                } else if (cuts == nullptr) {
                    EXPECT_GT(many.owned, 10u);
                    EXPECT_GT(many.sent, 100u);
                    EXPECT_GT(many.migrations, 5u);
                }
            }
        }
}

// The bonds that hold are few, pieces are many and small: every rank searches by itself, and says so now and then.
TEST(ClustersByOwners, WhereAllHasBrokenNoPairsAreSent) {
    const boost::mpi::communicator world;
    if (world.size() == 1) GTEST_SKIP() << "needs more than one rank";
    granary::Setup s = bonded_box();
    s.detector = Detector::two_level;
    for (BondType& t : s.bonds) t.tensile_strength = t.shear_strength = 1e-3;
    Simulation sim(world, std::move(s));
    const auto all = [&](std::uint64_t mine) {
        return boost::mpi::all_reduce(world, mine, std::plus<std::uint64_t>());
    };
    const auto messages = [&] { return all(sim.forces().pairs_by_owners().messages); };
    const auto sent = [&] { return all(sim.forces().pairs_by_owners().pairs_sent); };
    EXPECT_GT(messages(), 0u);
    for (int k = 0; k < 400; ++k) sim.step();
    const std::uint64_t before = messages(), sent_before = sent(), rebuilds = events_of(sim).rebuilds;
    EXPECT_LT(sim.forces().bonds.pieces(sim.comm(), sim.bodies(), sim.neighbourhood()).pieces, 20u);
    for (int k = 0; k < 100; ++k) sim.step();
    EXPECT_GT(events_of(sim).rebuilds, rebuilds + 2);
    EXPECT_EQ(sent(), sent_before);
    const std::uint64_t searches = events_of(sim).rebuilds - rebuilds, ranks = static_cast<std::uint64_t>(world.size());
    EXPECT_LE(messages() - before, ranks * (searches / 8 + 1));
}

}  // namespace granary::clusters_by_owners_test
