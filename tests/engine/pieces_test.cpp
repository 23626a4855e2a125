// Pieces with their mass: the same, bit for bit, on any number of ranks, also those that lie across faces.
#include "engine/pieces.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <boost/serialization/vector.hpp>
#include <cmath>
#include <tuple>
#include "decomposition/exchange.hpp"
#include "engine/measures.hpp"
#include "support/bonded_box.hpp"
#include "support/story.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr int width = 4;

struct Pieces {
    std::vector<double> numbers;  // label, bodies, mass, volume of one piece after the other, by label
    std::uint64_t counted = 0, several = 0;
    template <class Archive> void serialize(Archive& a, unsigned) { a& numbers& counted& several; }
};

Pieces pieces_after(const boost::mpi::communicator& comm, Setup s, int steps, Id first_counted = 0) {
    Simulation sim(comm, std::move(s));
    for (int k = 0; k < steps; ++k) sim.step();
    std::vector<Piece> mine;
    for_each_piece(
        sim, [&](Index i) { return sim.bodies().id(i) >= first_counted; }, [&](const Piece& p) { mine.push_back(p); });
    std::vector<Piece> all = gather_everywhere(comm, std::span<const Piece>(mine));
    std::sort(all.begin(), all.end(), [](const Piece& a, const Piece& b) { return a.label < b.label; });
    Pieces p;
    double mass = 0, bodies = 0;
    for (const Piece& one : all) {
        for (const double x : {static_cast<double>(one.label), static_cast<double>(one.bodies), one.mass, one.volume})
            p.numbers.push_back(x);
        p.several += one.bodies > 1, mass += one.mass, bodies += static_cast<double>(one.bodies);
    }
    if (first_counted > 0) return p;
    const Ledger ledger = ledger_of(sim);
    EXPECT_EQ(bodies, static_cast<double>(ledger.inside));
    EXPECT_NEAR(mass, measures_of(sim).mass, 1e-12 * mass);
    const PieceCounts counts = sim.forces().bonds.pieces(comm, sim.bodies(), sim.neighbourhood());
    p.counted = counts.pieces;
    EXPECT_LE(p.several, counts.pieces);  // some may have a body that is on its way out
    if (ledger.all_left() == 0) {
        EXPECT_EQ(p.several, counts.pieces);
    }
    return p;
}

}  // namespace

TEST(Pieces, AreTheSameOnAnyNumberOfRanks) {
    constexpr int steps = 1500;
    const Pieces alone = on_ranks(1, [](const auto& comm) { return pieces_after(comm, bonded_box(), steps); });
    if (boost::mpi::communicator().rank() == 0) {
        EXPECT_GT(alone.several, 50u);
        EXPECT_GT(alone.numbers.size() / width, alone.several + 20);  // some have broken off
    }
    for (const int n : rank_counts()) {
        if (n == 1) continue;
        SCOPED_TRACE(std::to_string(n) + " ranks");
        const Pieces many = on_ranks(n, [](const auto& comm) { return pieces_after(comm, bonded_box(), steps); });
        if (boost::mpi::communicator().rank() == 0) {
            EXPECT_EQ(many.numbers, alone.numbers);
        }
    }
}

// A cube of eight at a corner of a periodic box has its bodies in all corners and is one piece; of a piece only the
// bodies count that are asked for.
TEST(Pieces, AcrossFacesAndInPart) {
    granary::Setup s = bonded_box();
    s.walls.clear(), s.outlets.clear(), s.gravity = {};
    const double r = 2.5e-3;
    Bonded grains;
    const Vec3d corner = s.domain.lower + Vec3d{0, 0, 0.03};
    std::vector<Vec3d> places = small_cube(corner, 2 * r);
    grains.add_cluster(places, r, 1e-4, {}, {});
    for (NewBody& b : grains.bodies)
        for (int axis = 0; axis < 3; ++axis)
            if (s.domain.periodic[axis] && at(b.position, axis) < at(s.domain.lower, axis))
                at(b.position, axis) += at(s.domain.upper, axis) - at(s.domain.lower, axis);
    grains.bodies.push_back(ball(8, corner + Vec3d{0.03, 0.03, 0.03}, r, 2500, {}, {}));
    for (BondType& t : s.bonds) t.tensile_strength = t.shear_strength = 1e12;
    s.start = shares_of(grains.bodies, grains.contacts);
    for (const int n : rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        for (const Id first : {Id{0}, Id{3}}) {
            const Pieces p = on_ranks(n, [&](const auto& comm) { return pieces_after(comm, s, 1, first); });
            if (boost::mpi::communicator().rank() > 0) continue;
            ASSERT_EQ(p.numbers.size(), 2u * width);
            EXPECT_EQ(p.numbers[0], 0);
            EXPECT_EQ(p.numbers[1], 8.0 - static_cast<double>(first));
            EXPECT_NEAR(p.numbers[2], p.numbers[1] * p.numbers[width + 2], 1e-15);
            EXPECT_EQ(p.numbers[width], 8);
            EXPECT_NEAR(equivalent_diameter({8, 1, p.numbers[width + 2], p.numbers[width + 3]}), 2 * r, 1e-12);
        }
    }
}
