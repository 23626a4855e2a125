// What a run counts, on any number of ranks and over a change of its step.
#include <gtest/gtest.h>
#include <boost/serialization/utility.hpp>
#include <boost/serialization/vector.hpp>
#include <cmath>
#include <utility>
#include <vector>
#include "support/few_balls.hpp"
#include "support/given_bodies.hpp"
#include "support/sub_communicators.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double large = 1e-2, small = 1e-5, density = 2500;

// Balls of two sizes, 1 : 1000, in free fall towards an outlet. The large ones stay above it if they are told to.
Setup falling(bool large_ones_stay) {
    std::vector<NewBody> balls;
    for (Id id = 0; id < 30; ++id) {
        const double x = -0.1 + 0.04 * static_cast<double>(id % 6), y = -0.1 + 0.04 * static_cast<double>(id / 6);
        const bool is_large = id % 10 == 0;
        const double radius = is_large ? large : small * (1 + 0.01 * static_cast<double>(id));
        balls.push_back(
            ball(id, {x, y, is_large && large_ones_stay ? 0.2 : 0.003 * static_cast<double>(id)}, radius, density));
    }
    Setup s = few_balls(box(0.3), 1e-4, balls);
    s.gravity = {0, 0, -9.81};
    s.materials = {hertz_material("grain", 5e6, 0.3, density, 0.6, 0.4)};
    s.outlets = {{"hole", {0, 0, -0.05}, {0, 0, 1}}};
    return s;
}

// kg, summed by hand in long double.
double mass_of(const Setup& s, bool large_too) {
    long double sum = 0;
    for (const NewBody& b : all_bodies(s))
        if (large_too || b.radius < 0.5 * large) sum += b.mass;
    return static_cast<double>(sum);
}

}  // namespace

// The mass of small balls is not rounded to a share of the heaviest.
TEST(Ledger, MassOutIsThatOfTheBallsThatLeft) {
    for (const bool large_ones_stay : {true, false}) {
        const granary::Setup setup = falling(large_ones_stay);
        double alone = 0;
        for (const int n : rank_counts()) {
            SCOPED_TRACE(testing::Message() << n << " ranks" << (large_ones_stay ? ", small ones leave" : ""));
            const std::pair<std::uint64_t, double> out = on_ranks(n, [&](const auto& comm) {
                Simulation sim(comm, setup);
                run(sim, 1800);
                const Ledger ledger = ledger_of(sim);
                return std::pair(ledger.left[0], ledger.mass_left[0]);
            });
            EXPECT_EQ(out.first, large_ones_stay ? 27u : 30u);
            const double expected = mass_of(setup, !large_ones_stay);
            EXPECT_NEAR(out.second, expected, 4e-16 * 30 * expected);  // each ball to a rounding of its mass
            if (n == 1) alone = out.second;
            EXPECT_EQ(out.second, alone);
        }
    }
}

// The only sign that a contact may have been missed is not lost where a stage begins.
TEST(Ledger, LateChecksAreCountedOverAChangeOfTheStep) {
    granary::Setup s = few_balls(box(0.3), 1e-4, {ball(0, {0, 0, 0.2}, large, density)});
    s.gravity = {0, 0, -9.81};
    s.materials = {hertz_material("grain", 5e6, 0.3, density, 0.6, 0.4)};
    s.skin = 1e-7;  // a hundredth of the fall of the first twenty steps
    for (const int n : rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        const std::vector<std::uint64_t> late = on_ranks(n, [&](const auto& comm) {
            Simulation sim(comm, s);
            run(sim, 30);
            std::vector<std::uint64_t> seen{events_of(sim).late_checks};
            sim.change_dt(5e-5);
            sim.step();
            seen.push_back(events_of(sim).late_checks);
            return seen;
        });
        ASSERT_EQ(late.size(), 2u);
        EXPECT_GT(late[0], 0u);
        EXPECT_GE(late[1], late[0]);
    }
}
