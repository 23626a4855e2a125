// Bonds in whole runs: the same bits on any number of ranks, through faces, rebuilds, breaks, checkpoints and outlets.
#include <gtest/gtest.h>
#include <boost/serialization/vector.hpp>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>
#include "support/bonded_box.hpp"
#include "plan/start_check.hpp"
#include "support/message_of.hpp"
#include "support/quick.hpp"
#include "support/story.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

BondCounts bonds_of(const Simulation& sim) {
    return sim.forces().bonds.counts(sim.comm(), sim.bodies(), sim.neighbourhood());
}
PieceCounts pieces_of(const Simulation& sim) {
    return sim.forces().bonds.pieces(sim.comm(), sim.bodies(), sim.neighbourhood());
}

struct Fate {
    std::string digest;
    std::uint64_t whole = 0, broken = 0, cut = 0, pieces = 0, in_pieces = 0, single = 0, inside = 0, left = 0;
    std::uint64_t migrations = 0, wraps = 0;
    double energy = 0;
    template <class Archive> void serialize(Archive& a, unsigned) {
        a& digest& whole& broken& cut& pieces& in_pieces& single& inside& left& migrations& wraps& energy;
    }
};

Fate fate_of(Simulation& sim) {
    const BondCounts b = bonds_of(sim);
    const PieceCounts p = pieces_of(sim);
    const Ledger ledger = ledger_of(sim);
    Fate f{digest_of(sim).hex(),
           b.whole,
           b.all_broken(),
           b.cut,
           p.pieces,
           p.in_pieces,
           p.single,
           ledger.inside,
           ledger.all_left(),
           events_of(sim).migrations,
           events_of(sim).wraps};
    if (sim.setup().energy) {
        const EnergyBalance e = energy_balance_of(sim);
        f.energy = e.bonds + e.bond_damping + e.breaks + e.out + e.out_bonds;
    }
    return f;
}

Fate run(const boost::mpi::communicator& comm, Setup setup, int steps) {
    Simulation sim(comm, std::move(setup));
    for (int k = 0; k < steps; ++k) sim.step();
    return fate_of(sim);
}

void expect_same(const Fate& a, const Fate& b) {
    EXPECT_EQ(a.digest, b.digest);
    EXPECT_EQ(a.whole, b.whole);
    EXPECT_EQ(a.broken, b.broken);
    EXPECT_EQ(a.cut, b.cut);
    EXPECT_EQ(a.pieces, b.pieces);
    EXPECT_EQ(a.in_pieces, b.in_pieces);
    EXPECT_EQ(a.single, b.single);
    EXPECT_EQ(a.left, b.left);
    EXPECT_EQ(a.energy, b.energy);
}

const int steps = quick() ? 1000 : 1500;

}  // namespace

TEST(Bonds, ChainDriftsThroughAllFacesAndKeepsItsBonds) {
    for (const BondForm form : {BondForm::beam, BondForm::spring}) {
        std::vector<Fate> fates;
        for (const int n : rank_counts()) {
            fates.push_back(on_ranks(n, [&](const auto& comm) {
                granary::Setup s = empty_space(0.032);
                s.bonds = {strong_bond(form)};
                s.dt = 1e-5;
                s.skin = 1e-3;
                Bonded chain;
                chain.add_cluster({{0.004, 0.01, 0.016}, {0.009, 0.01, 0.016}, {0.0125, 0.0135, 0.016}}, 2.5e-3, 1e-4,
                                  {1.1, 0.7, -1.6}, {40, 25, -10});
                EXPECT_EQ(chain.contacts.size(), 4u);
                s.start = shares_of(chain.bodies, chain.contacts);
                return run(comm, std::move(s), 100'000);
            }));
            EXPECT_EQ(fates.back().whole, 2u);
            EXPECT_EQ(fates.back().broken, 0u);
            EXPECT_EQ(fates.back().pieces, 1u);
            EXPECT_GT(fates.back().wraps, 100u);
            if (n > 1) {
                EXPECT_GT(fates.back().migrations, 100u);
            }
            expect_same(fates.back(), fates.front());
        }
    }
}

TEST(Bonds, GrainsThatBreakAreTheSameOnAnyNumberOfRanks) {
    std::vector<Fate> fates;
    for (const int n : rank_counts()) {
        SCOPED_TRACE(n);
        fates.push_back(on_ranks(n, [](const auto& comm) {
            granary::Setup s = bonded_box();
            s.energy = true;
            return run(comm, std::move(s), steps);
        }));
        expect_same(fates.back(), fates.front());
    }
    EXPECT_GT(fates.front().broken, 100u);
    EXPECT_GT(fates.front().whole, 100u);
    EXPECT_GT(fates.front().single, 10u);
    EXPECT_GT(fates.front().wraps, 10u);
}

TEST(Bonds, CutsMayMoveWildly) {
    const Fate still = on_ranks(1, [](const auto& comm) { return run(comm, bonded_box(), steps / 2); });
    const Fate shaken = on_ranks(rank_counts().back(), [](const auto& comm) {
        granary::Setup s = bonded_box();
        s.choose_cuts = shaken_cuts;
        return run(comm, std::move(s), steps / 2);
    });
    expect_same(shaken, still);
}

// While grains break: labels, and with them the units of the search in two levels, change from rebuild to rebuild.
TEST(Bonds, EveryDetectorGivesTheSameRun) {
    const auto with = [](Detector detector) {
        return [=](const auto& comm) {
            granary::Setup s = bonded_box();
            s.detector = detector;
            return run(comm, std::move(s), quick() ? 600 : 900);
        };
    };
    const Fate mr = on_ranks(1, with(Detector::mr));
    EXPECT_GT(mr.broken, 50u);
    EXPECT_GT(mr.pieces, 20u);
    for (const Detector detector :
         {Detector::mr, Detector::mmr, Detector::fixed_cubes, Detector::all_pairs, Detector::two_level}) {
        if (quick() && detector != Detector::fixed_cubes && detector != Detector::two_level) continue;
        SCOPED_TRACE("detector " + std::to_string(static_cast<int>(detector)));
        expect_same(on_ranks(rank_counts().back(), with(detector)), mr);
    }
}

// Balls leave one by one; what they were bonded to goes on without them.
TEST(Bonds, OutletsTakeElementsOneByOne) {
    std::vector<Fate> fates;
    for (const int n : rank_counts()) {
        fates.push_back(on_ranks(n, [](const auto& comm) {
            granary::Setup s = bonded_box(1e6);
            s.walls.clear();
            s.energy = true;
            return run(comm, std::move(s), 4500);
        }));
        expect_same(fates.back(), fates.front());
    }
    EXPECT_GT(fates.front().left, 100u);
    EXPECT_GT(fates.front().cut, 100u);
    EXPECT_EQ(fates.front().broken, 0u);
}

// Pairs that swing leave ball by ball, through an outlet or out of the domain, and some cross a periodic face in the
// same step. What their bonds hold when they are cut leaves with them.
TEST(Bonds, StrainOfBondsThatAreCutLeavesTheBalance) {
    for (const bool outlet : {true, false}) {
        std::vector<double> residuals;
        for (const int n : rank_counts()) {
            residuals.push_back(on_ranks(n, [&](const auto& comm) {
                granary::Setup s = empty_space(0.064);
                s.domain.periodic = {true, true, false};
                s.delete_outside = true;
                s.energy = true;
                s.dt = 1e-6;
                if (outlet) s.outlets = {{"hole", {0, 0, 0.02}, {0, 0, 1}}};
                s.bonds[0].longest_stretch = 0.2;
                s.bond_reach = 1e-3;
                Bonded pairs;
                const double z = outlet ? 0.02 : 0.0;
                for (int k = 0; k < 40; ++k) {
                    const Vec3d x{0.002 + 0.0062 * (k % 10), 0.005 + 0.012 * (k / 10), z + 0.003 + 0.0001 * k};
                    pairs.add_cluster({x, x + Vec3d{0.0005, 0, 0.005}}, 2.5e-3, 1e-4, {1.5, 0, -3}, {});
                    for (int side : {0, 1}) {
                        pairs.bodies[2 * k + side].velocity += Vec3d{0, 0, side == 0 ? -2.0 : 2.0};
                        pairs.bodies[2 * k + side].spin = {0, 200, side == 0 ? 100.0 : -100.0};
                    }
                }
                s.start = shares_of(pairs.bodies, pairs.contacts);
                Simulation sim(comm, std::move(s));
                for (int k = 0; k < 16'000; ++k) sim.step();
                EXPECT_EQ(ledger_of(sim).inside, 0u);
                const BondCounts counts = bonds_of(sim);
                EXPECT_EQ(counts.cut, 40u);
                EXPECT_EQ(counts.all_broken(), 0u);
                const EnergyBalance e = energy_balance_of(sim);
                EXPECT_GT(e.out_bonds, 0.03 * e.in);
                EXPECT_EQ(e.out, e.out_moving);  // no weight
                return e.residual() / e.in;
            }));
            EXPECT_EQ(residuals.back(), residuals.front());
        }
        EXPECT_LT(std::abs(residuals.front()), 1e-3);
    }
}

// Balls that overlap by 6 % of a diameter, held by bonds; all bonds are cut at rest.
TEST(Bonds, OverlappedClusterWhoseBondsAreCutStaysAtRest) {
    granary::Setup s = empty_space(0.05);
    s.bonds = {strong_bond()};
    Bonded grain;
    grain.add_cluster(small_cube({0.025, 0.025, 0.025}, 0.94 * 5e-3), 2.5e-3, 0, {}, {});
    s.start = shares_of(grain.bodies, grain.contacts);
    const boost::mpi::communicator world;
    Simulation whole(world, s);
    for (int k = 0; k < 50; ++k) whole.step();
    EXPECT_LT(measures_of(whole).kinetic_energy, 1e-20);
    EXPECT_EQ(bonds_of(whole).whole, 12u);
    // So weak that the least tension breaks them, at once: nothing moves and nothing is stretched, so pull a little.
    s.bonds[0].tensile_strength = s.bonds[0].shear_strength = 1e-9;
    Bonded pulled;
    pulled.add_cluster(small_cube({0.025, 0.025, 0.025}, 0.94 * 5e-3), 2.5e-3, 0, {}, {});
    for (ContactRecord& c : pulled.contacts)
        if (c.partner.kind() == HistoryKind::bond)
            for (double& x : c.xi) x *= 1 - 1e-12;
    s.start = shares_of(pulled.bodies, pulled.contacts);
    Simulation cut(world, s);
    for (int k = 0; k < 2000; ++k) cut.step();
    EXPECT_EQ(bonds_of(cut).whole, 0u);
    EXPECT_EQ(bonds_of(cut).all_broken(), 12u);
    EXPECT_EQ(pieces_of(cut).single, 8u);
    EXPECT_EQ(pieces_of(cut).pieces, 0u);
    EXPECT_LT(measures_of(cut).kinetic_energy, 1e-20);
    cut.ask_for_rebuild();
    for (int k = 0; k < 1000; ++k) cut.step();  // offsets are carried over a rebuild
    EXPECT_LT(measures_of(cut).kinetic_energy, 1e-20);
}

// A run does not begin with a bond that the list of pairs does not reach.
TEST(Bonds, OneThatIsLongerThanReachIsSaid) {
    granary::Setup s = empty_space(0.064);
    s.bond_reach = 2e-4;
    Bonded pairs;
    pairs.add_cluster({{0.03, 0.03, 0.03}, {0.03, 0.03, 0.035}}, 2.5e-3, 1e-4, {}, {});
    pairs.add_cluster({{0.01, 0.01, 0.03}, {0.01, 0.01, 0.0363}}, 2.5e-3, 2e-3, {}, {});
    s.start = shares_of(pairs.bodies, pairs.contacts);
    const boost::mpi::communicator world;
    const Simulation sim(world, s);
    EXPECT_EQ(message_of<InputError>([&] { check_start(sim, 2); }),
              "1 of 2 bonds join balls that are farther apart than bonds reach, 0.0002 m between their surfaces "
              "(expected shorter bonds, or a larger longest_stretch of [[bonds]])");
    EXPECT_EQ(message_of<InputError>([&] { check_start(sim, 1); }), "nothing was thrown");
}

// A chain across all ranks that breaks in the middle: two labels, the least ids, wherever the bodies are.
TEST(Bonds, PiecesAreLabelledByTheirLeastId) {
    for (const int n : rank_counts()) {
        const std::vector<Id> labels = on_ranks(n, [](const auto& comm) {
            granary::Setup s = empty_space(0.128);
            s.bonds = {strong_bond(), weak_bond()};
            Bonded chain;
            std::vector<Vec3d> places;
            for (int k = 0; k < 24; ++k) places.push_back({0.06, 0.06, 0.003 + 0.005 * k});
            chain.add_cluster(places, 2.5e-3, 1e-4, {}, {});
            for (ContactRecord& c : chain.contacts) {  // the bond between 11 and 12 is weak and stretched
                if (c.body != 11) continue;
                if (c.partner.kind() == HistoryKind::bond_nature) c.xi[0] = 1;
                else c.xi[2] *= 0.95;
            }
            s.start = shares_of(chain.bodies, chain.contacts);
            Simulation sim(comm, std::move(s));
            EXPECT_EQ(pieces_of(sim).pieces, 1u);
            for (int k = 0; k < 3; ++k) sim.step();
            EXPECT_EQ(bonds_of(sim).all_broken(), 1u);
            EXPECT_EQ(pieces_of(sim).pieces, 2u);
            sim.ask_for_rebuild();
            sim.step();
            std::vector<Id> label(24, 0), all(24);
            for (const Range& range : sim.bodies().real)
                for (Index i = range.begin; i < range.end; ++i) label[sim.bodies().id(i)] = sim.bodies().cluster(i);
            boost::mpi::all_reduce(comm, label.data(), 24, all.data(), std::plus<Id>());
            return all;
        });
        for (Id k = 0; k < 24; ++k) EXPECT_EQ(labels[k], k < 12 ? 0u : 12u) << k;
    }
}
