#include "io/case/case_numbers.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>

namespace granary {
namespace {

TEST(CaseNumbers, HighestSpeed) {
    EXPECT_DOUBLE_EQ(highest_speed(5, 9.81, 0), std::sqrt(2 * 9.81 * 5));
    EXPECT_DOUBLE_EQ(highest_speed(5, 9.81, 2), std::sqrt(4 + 2 * 9.81 * 5));
    EXPECT_DOUBLE_EQ(highest_speed(5, 0, 1.5), 1.5);
}

TEST(CaseNumbers, MemoryAndDisk) {
    EXPECT_DOUBLE_EQ(memory_of(1'000'000).steady, 320e6);
    EXPECT_DOUBLE_EQ(memory_of(1'000'000).peak, 350e6);
    EXPECT_DOUBLE_EQ(memory_of(1'000'000, 100).steady, 420e6);
    EXPECT_DOUBLE_EQ(memory_of(1'000'000, 100).peak, 450e6);
    EXPECT_DOUBLE_EQ(memory_of(1'000'000, 100, 20'000).peak, 453e6);
    EXPECT_DOUBLE_EQ(memory_of_bonds(1e6, 5e5, false).steady, 164e6);
    EXPECT_DOUBLE_EQ(memory_of_bonds(1e6, 5e5, false).peak, 312e6);
    EXPECT_DOUBLE_EQ(memory_of_bonds(1e6, 5e5, true).peak, 536e6);
    EXPECT_DOUBLE_EQ(state_bytes_of_bonds(1e6, 5e5, true), 4 * 48e6 + 20e6);
    EXPECT_GT(memory_of_machine(), 1e8);
    // id 8, 21 reals, material 2; a contact: two ids, class, feature, kind and a spring
    EXPECT_DOUBLE_EQ(state_bytes(1000, 0), 178e3);
    EXPECT_DOUBLE_EQ(state_bytes(1000, springs_of_dense_packing), 178e3 + 144e3);
}

TEST(CaseNumbers, StagesAndWork) {
    const StagePlan fill{"fill", 2, 1e-5, 0, 1000, false};
    EXPECT_EQ(fill.steps(), 200'000U);
    EXPECT_DOUBLE_EQ(fill.ball_steps(), 200'000 * 500.0);
    EXPECT_EQ((StagePlan{"x", 0, 1e-5, 5, 5, false}.steps()), 0U);
    EXPECT_EQ((StagePlan{"x", 1, 0, 5, 5, false}.steps()), 0U);
    EXPECT_EQ((StagePlan{"x", 0.3, 0.1, 5, 5, false}.steps()), 3U);  // 2.9999...
    EXPECT_DOUBLE_EQ(core_hours(3.6e9, 1e6), 1);
    EXPECT_EQ((StagePlan{"x", 0, 1e-5, 5, 5, true, 2}.steps()), 200'000U);  // no limit, but an estimate
    EXPECT_DOUBLE_EQ(wall_seconds(1e9, 1e6, 1, 40), 1000);
    EXPECT_DOUBLE_EQ(wall_seconds(1e9, 1e6, 4, 40), 250 * 1.1);  // of 10 layers one more at the borders
}

TEST(CaseNumbers, Ranks) {
    EXPECT_EQ(most_ranks(0), 1);
    EXPECT_EQ(most_ranks(3), 1);
    EXPECT_EQ(most_ranks(80), 40);
}

// Many layers: ranks alone. Few: threads take what ranks cannot, each a layer at least.
TEST(CaseNumbers, CoresAreSharedByRanksAndThreads) {
    const auto expect = [](int cores, int layers, bool threads, int n_ranks, int n_threads) {
        const RanksAndThreads best = best_shares(cores, layers, threads);
        EXPECT_EQ(best.ranks, n_ranks) << cores << " cores, " << layers << " layers";
        EXPECT_EQ(best.threads, n_threads) << cores << " cores, " << layers << " layers";
    };
    expect(1, 60, true, 1, 1);
    expect(16, 1000, true, 16, 1);
    expect(16, 60, false, 15, 1);  // 4 layers each, and so have 16
    expect(16, 60, true, 8, 2);
    expect(16, 4, true, 1, 4);  // the others have nothing to do
    expect(16, 4, false, 2, 1);
    expect(64, 1, true, 1, 1);
    expect(0, 0, true, 1, 1);
    for (int cores = 1; cores < 300; cores += 7)
        for (int layers = 1; layers < 200; layers += 13) {
            const RanksAndThreads best = best_shares(cores, layers, true);
            ASSERT_LE(best.ranks * best.threads, cores);
            ASSERT_LE(best.ranks, most_ranks(layers));
            ASSERT_LE(best.threads, (layers + best.ranks - 1) / best.ranks);
            ASSERT_LE(best.layers, best_shares(cores, layers, false).layers);
        }
}

}  // namespace
}  // namespace granary
