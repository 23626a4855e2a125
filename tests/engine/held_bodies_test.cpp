// Held bodies: at rest, or moved by a motion, on any number of ranks.
#include <gtest/gtest.h>
#include <boost/serialization/vector.hpp>
#include <cmath>
#include <vector>
#include "support/bonded_box.hpp"
#include "support/quick.hpp"
#include "support/story.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

BondCounts bonds_with_held(const Simulation& sim) {
    return sim.forces().bonds.counts(sim.comm(), sim.bodies(), sim.neighbourhood());
}

}  // namespace

// Held at one end, pulled at the other by a motion: the bond carries exactly its stiffness times the stretch.
TEST(HeldBodies, StayAndAreMoved) {
    for (const int n : rank_counts()) {
        const std::vector<double> seen = on_ranks(n, [](const auto& comm) {
            granary::Setup s = empty_space(0.064);
            s.gravity = {0, 0, -9.81};
            BondType t = strong_bond();
            t.normal_damping = 0.5;
            s.bonds = {t};
            WallMotion pull;
            pull.type = WallMotion::Type::translate, pull.along = {0, 0, 0.001}, pull.duration = 0.01;
            pull.start = 0;
            s.motions = {pull};
            s.holds = {{}, {0}};
            Bonded pair;
            pair.add_cluster({{0.03, 0.03, 0.03}, {0.03, 0.03, 0.035}}, 2.5e-3, 1e-4, {}, {});
            pair.bodies[0].held = 1, pair.bodies[1].held = 2;
            for (NewBody& b : pair.bodies) b.velocity = {0.1, 0.2, 0.3}, b.spin = {1, 2, 3};  // held ones have none
            s.start = shares_of(pair.bodies, pair.contacts);
            Simulation sim(comm, std::move(s));
            for (int k = 0; k < 10'000; ++k) sim.step();
            std::vector<double> mine(4, 0), all(4);
            for (const Range& range : sim.bodies().real)
                for (Index i = range.begin; i < range.end; ++i) {
                    mine[2 * sim.bodies().id(i)] = sim.bodies().x(i).z;
                    mine[2 * sim.bodies().id(i) + 1] = sim.bodies().force(i, 2);
                }
            boost::mpi::all_reduce(comm, mine.data(), 4, all.data(), std::plus<double>());
            EXPECT_NEAR(measures_of(sim).mass, 2 * pair.bodies[0].mass, 1e-12);
            return all;
        });
        EXPECT_NEAR(seen[0], 0.03, 1e-15);  // on the lattice of positions
        EXPECT_NEAR(seen[2], 0.03501, 1e-12);
        const double r_b = 0.8 * 2.5e-3, k_n = 5e6 * M_PI * r_b * r_b / 0.005;
        EXPECT_NEAR(seen[1], k_n * 1e-5, 1e-6 * k_n * 1e-5);
        EXPECT_NEAR(seen[3], -k_n * 1e-5, 1e-6 * k_n * 1e-5);
    }
}

// Two held balls whose bond broke are no contact, though they are moved into each other. Of overlapping ones the
// overlap of the break is kept, for a run that frees one.
TEST(HeldBodies, DoNotTouchAfterABreak) {
    for (const double distance : {0.005, 0.0049}) {
        const boost::mpi::communicator self(MPI_COMM_SELF, boost::mpi::comm_duplicate);
        granary::Setup s = empty_space(0.064);
        BondType t = strong_bond();
        t.tensile_strength = 1e3;
        s.bonds = {t};
        s.energy = true;
        WallMotion swing;
        swing.type = WallMotion::Type::vibrate, swing.along = {0, 0, 1e-4}, swing.angular = 0, swing.start = 0;
        swing.frequency = 500, swing.duration = 1;
        s.motions = {swing};
        s.holds = {{}, {0}};
        Bonded pair;
        pair.add_cluster({{0.03, 0.03, 0.03}, {0.03, 0.03, 0.03 + distance}}, 2.5e-3, 1e-4, {}, {});
        pair.bodies[0].held = 1, pair.bodies[1].held = 2;
        s.start = shares_of(pair.bodies, pair.contacts);
        Simulation sim(self, std::move(s));
        double closest = 1;
        for (int k = 0; k < 1000; ++k) {
            sim.step();
            EXPECT_EQ(energy_balance_of(sim).elastic, 0);
            for (Index i = 0; i < sim.bodies().size; ++i)
                if (sim.bodies().id(i) == 1) closest = std::min(closest, sim.bodies().x(i).z - 0.03);
        }
        EXPECT_EQ(bonds_with_held(sim).all_broken(), 1U);
        EXPECT_LT(closest, distance - 5e-5);
        EXPECT_EQ(sim.forces().bonds.offsets.size(), distance < 0.005 ? 1U : 0U);
    }
}

// Turned by several turns about an axis beside an edge of the periodic box: held bodies go round it as elsewhere.
TEST(HeldBodies, TurnThroughPeriodicFaces) {
    for (const int n : rank_counts()) {
        const std::vector<double> seen = on_ranks(n, [](const auto& comm) {
            granary::Setup s = empty_space(0.064);
            BondType t = strong_bond();
            t.tensile_strength = t.shear_strength = 1e5;
            s.bonds = {t};
            WallMotion turn;
            turn.type = WallMotion::Type::rotate, turn.duration = 1, turn.point = {0.063, 0.03, 0.062};
            turn.axis = {0, 1, 0}, turn.angular = 2000, turn.start = 0;
            s.motions = {turn};
            s.holds = {{0}};
            Bonded pair;
            pair.add_cluster({{0.002, 0.03, 0.062}, {0.007, 0.03, 0.062}}, 2.5e-3, 1e-4, {}, {});
            for (NewBody& b : pair.bodies) b.held = 1;
            s.start = shares_of(pair.bodies, pair.contacts);
            Simulation sim(comm, std::move(s));
            for (int k = 0; k < 4000; ++k) sim.step();
            return std::vector<double>{static_cast<double>(bonds_with_held(sim).whole),
                                       static_cast<double>(events_of(sim).wraps)};
        });
        EXPECT_EQ(seen[0], 1);
        EXPECT_GT(seen[1], 5);
    }
}

// What moves held bodies brings the energy of the bonds between them, and what dampers take: pulled, then turned, so
// that forces and torques work. The balance closes on any number of ranks.
TEST(HeldBodies, WorkOnHeldBodiesIsInTheBalance) {
    for (const int n : rank_counts()) {
        const std::vector<double> seen = on_ranks(n, [](const auto& comm) {
            granary::Setup s = empty_space(0.064);
            BondType t = strong_bond();
            t.normal_damping = t.shear_damping = t.twist_damping = t.bending_damping = 0.2;
            s.bonds = {t};
            s.energy = true;
            WallMotion turn;
            turn.type = WallMotion::Type::rotate, turn.duration = 0.01, turn.point = {0.03, 0.028, 0.03};
            turn.axis = {0, 0.6, 0.8}, turn.angular = 20, turn.ramp = 0.001, turn.start = 0;
            s.motions = {turn};
            s.holds = {{}, {0}};
            Bonded bar;
            bar.add_cluster({{0.03, 0.03, 0.03}, {0.03, 0.03, 0.035}, {0.03, 0.03, 0.04}}, 2.5e-3, 1e-4, {}, {});
            bar.bodies[0].held = 1, bar.bodies[2].held = 2;
            s.start = shares_of(bar.bodies, bar.contacts);
            Simulation sim(comm, std::move(s));
            for (int k = 0; k < 1500; ++k) sim.step();
            const EnergyBalance e = energy_balance_of(sim);
            return std::vector<double>{e.walls, e.bonds, e.bond_damping, e.residual(), e.kinetic};
        });
        EXPECT_GT(seen[1], 0.1 * seen[0]);
        EXPECT_GT(seen[2], 0);
        EXPECT_LT(std::abs(seen[3]), 2e-3 * seen[0]) << seen[0] << " " << seen[1] << " " << seen[2];
    }
}
