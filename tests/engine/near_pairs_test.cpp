// The list of near pairs of shapes (engine/shape_pairs.hpp): it leaves out what is not looked at anyway.
#include <gtest/gtest.h>
#include "engine/measures.hpp"
#include "support/alone.hpp"
#include "support/few_balls.hpp"
#include "support/needles.hpp"
#include "support/sub_communicators.hpp"

namespace granary::near_pairs_test {

using namespace granary::test;

namespace {

struct End {
    std::string digest;
    std::uint64_t contacts = 0, candidates = 0, near = 0, times = 0, rebuilds = 0;
    double most_bytes = 0;
    template <class Archive> void serialize(Archive& a, unsigned) {
        a& digest& contacts& candidates& near& times& rebuilds& most_bytes;
    }
};

End end_of(const boost::mpi::communicator& comm, Setup setup, int steps) {
    Simulation sim(comm, std::move(setup));
    End end;
    for (int k = 0; k < steps; ++k) {
        sim.step();
        if (k % 50 == 0) end.contacts = std::max(end.contacts, measures_of(sim).contacts);
    }
    const ShapePairs& pairs = sim.forces().shapes.pairs();
    end.digest = digest_of(sim).hex();
    end.candidates = pairs.n_all(), end.near = pairs.near().size(), end.times = pairs.times_made();
    end.rebuilds = events_of(sim).rebuilds;
    end.most_bytes = static_cast<double>(pairs.bytes());
    return end;
}

}  // namespace

// Needles that spin by much more than the list allows between two rebuilds: to the last bit what comes out when all
// candidates are looked at in every step, on any number of ranks.
TEST(NearPairs, SameBitsAsWithoutThem) {
    const int steps = 300;
    const End all = on_ranks(1, [&](const auto& comm) { return end_of(comm, shaken_needles(-1), steps); });
    EXPECT_GT(all.contacts, 100u);
    EXPECT_EQ(all.near, all.candidates);
    for (const double margin : {1.0, 4.0})
        for (const int n : rank_counts()) {
            SCOPED_TRACE(testing::Message() << n << " ranks, margin " << margin);
            const End end = on_ranks(n, [&](const auto& comm) { return end_of(comm, shaken_needles(margin), steps); });
            EXPECT_EQ(end.digest, all.digest);
            EXPECT_EQ(end.contacts, all.contacts);
            if (n > 1) continue;
            EXPECT_EQ(end.candidates, all.candidates);
            EXPECT_LT(3 * end.near, end.candidates);
            EXPECT_GT(end.times, 2 * end.rebuilds);  // made anew between rebuilds
        }
    // On all ranks without the list.
    EXPECT_EQ(on_ranks(boost::mpi::communicator().size(),
                       [&](const auto& comm) { return end_of(comm, shaken_needles(-1), steps); })
                  .digest,
              all.digest);
}

// A candidate of needles takes 4 bytes: springs stand beside touches only.
TEST(NearPairs, CandidatesAreSmall) {
    GRANARY_TEST_OF_ONE_RANK();
    Simulation sim({MPI_COMM_SELF, boost::mpi::comm_attach}, shaken_needles(1));
    const ShapePairs& pairs = sim.forces().shapes.pairs();
    const double n = static_cast<double>(sim.bodies().size);
    ASSERT_GT(pairs.n_all(), 30 * ledger_of(sim).inside);
    EXPECT_LT(static_cast<double>(pairs.bytes()), 1.3 * 4 * static_cast<double>(pairs.n_all()) +
                                                      24.0 * static_cast<double>(pairs.near().size()) + 100 * n + 4096);
    EXPECT_LT(sim.forces().pairs.xi.extent(0), 4096u);  // of the few pairs of balls
}

}  // namespace granary::near_pairs_test
