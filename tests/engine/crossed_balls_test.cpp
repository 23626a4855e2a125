// Between the step at which a ball crosses an outlet and the rebuild that takes it out of the arrays it is outside:
// ledger, frames, states and digests leave it out, and the spring of its contact with a ball that is still inside.
#include <gtest/gtest.h>
#include <boost/serialization/vector.hpp>
#include <cmath>
#include <functional>
#include <vector>
#include "support/few_balls.hpp"
#include "support/sub_communicators.hpp"
#include "decomposition/digest_over_ranks.hpp"
#include "engine/measures.hpp"

namespace granary::crossed_balls_test {

using namespace granary::test;

namespace {

constexpr double radius = 5e-3;

// Balls 0 and 1 are in touch with friction, and ball 0 is about to pass the outlet at z = 0; ball 2 stays far away.
Setup pair_at_an_outlet() {
    Setup s = few_balls(box(0.05), 1e-5,
                        {ball(0, {0, 0, 1e-4}, radius, 2500, {0, 0, -1}, {50, 0, 0}),
                         ball(1, {0, 0, 1e-4 + 1.99 * radius}, radius, 2500, {0, 0, -1}, {40, 0, 0}),
                         ball(2, {0.02, 0.02, 0.03}, radius, 2500)});
    s.materials = {hertz_material("grain", 5e6, 0.3, 2500, 0.6, 0.4)};
    s.outlets = {{"hole", {0, 0, 0}, {0, 0, 1}}};
    s.skin = 2e-3;
    return s;
}

struct Seen {
    std::uint64_t in_arrays = 0, inside = 0, springs = 0, springs_inside = 0, left = 0, rebuilds = 0;
    bool same_digest = false;  // with the crossed ball and without
    template <class Archive> void serialize(Archive& a, unsigned) {
        a& in_arrays& inside& springs& springs_inside& left& rebuilds& same_digest;
    }
};

Seen see(const Simulation& sim) {
    const std::uint64_t mine[4] = {sim.bodies().n_real(), bodies_inside(sim).n_real(), contacts_of(sim).size(),
                                   contacts_inside(sim).size()};
    std::uint64_t all[4];
    boost::mpi::all_reduce(sim.comm(), mine, 4, all, std::plus<std::uint64_t>());
    const Digest with = digest_of(sim.comm(), sim.bodies(), contacts_of(sim));
    return {all[0],
            all[1],
            all[2],
            all[3],
            ledger_of(sim).left[0],
            events_of(sim).rebuilds,
            with.hex() == digest_of(sim).hex()};
}

TEST(CrossedBalls, AreOutsideBeforeTheyLeaveTheArrays) {
    for (const int n : rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        const std::vector<Seen> seen = on_ranks(n, [&](const auto& comm) {
            Simulation sim(comm, pair_at_an_outlet());
            run(sim, 5);
            std::vector<Seen> s{see(sim)};
            while (ledger_of(sim).left[0] == 0 && sim.clock().step() < 100) sim.step();
            s.push_back(see(sim));
            sim.ask_for_rebuild();
            sim.step();
            s.push_back(see(sim));
            return s;
        });
        const Seen &before = seen[0], &at = seen[1], &after = seen[2];
        EXPECT_EQ(before.in_arrays, 3u);
        EXPECT_EQ(before.inside, 3u);
        EXPECT_EQ(before.springs_inside, 1u);
        EXPECT_TRUE(before.same_digest);

        ASSERT_EQ(at.left, 1u);
        ASSERT_EQ(at.rebuilds, before.rebuilds)
            << "the ball must still be in the arrays for this test to mean anything";
        EXPECT_EQ(at.in_arrays, 3u);
        EXPECT_EQ(at.inside, 2u);
        EXPECT_EQ(at.springs, 1u);
        EXPECT_EQ(at.springs_inside, 0u);
        EXPECT_FALSE(at.same_digest);

        EXPECT_EQ(after.in_arrays, 2u);
        EXPECT_EQ(after.inside, 2u);
        EXPECT_TRUE(after.same_digest);
    }
}

// One kinetic energy, whoever is asked, and a balance that closes at every step: with the ball in the arrays and
// without.
TEST(CrossedBalls, TakeTheirEnergyAlongAtOnce) {
    for (const int n : rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        const std::vector<double> seen = on_ranks(n, [&](const auto& comm) {
            auto s = pair_at_an_outlet();
            s.energy = true, s.gravity = {0, 0, -9.81};
            Simulation sim(comm, s);
            std::vector<double> numbers;
            for (int k = 0; k < 40; ++k) {
                sim.step();
                if (k == 25) sim.ask_for_rebuild();
                const EnergyBalance e = energy_balance_of(sim);
                for (const double x : {static_cast<double>(ledger_of(sim).left[0]), e.kinetic,
                                       measures_of(sim).kinetic_energy, e.out, e.residual(), e.in})
                    numbers.push_back(x);
            }
            return numbers;
        });
        double jump = 0;
        for (std::size_t k = 6; k < seen.size(); k += 6) {
            EXPECT_EQ(seen[k + 1], seen[k + 2]) << k / 6;
            EXPECT_EQ(seen[k + 3] == 0, seen[k] == 0) << k / 6;
            EXPECT_LT(std::abs(seen[k + 4] - seen[k - 2]), 5e-3 * seen[k + 5]) << k / 6;
            if (seen[k] > seen[k - 6]) jump = seen[k - 5] - seen[k + 1];
        }
        EXPECT_GT(jump, 0.2 * seen[1]);
    }
}

}  // namespace

}  // namespace granary::crossed_balls_test
