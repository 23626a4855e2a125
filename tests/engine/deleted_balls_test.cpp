// Balls that leave the domain other than by an outlet, in a run that deletes them: the same run on any number of ranks,
// a ledger that adds up, an energy balance that closes, and the first of them known by ball, place and time.
#include <gtest/gtest.h>
#include <cmath>
#include <string>
#include "core/errors.hpp"
#include "support/busy_box.hpp"
#include "support/few_balls.hpp"
#include "support/message_of.hpp"
#include "support/story.hpp"
#include "engine/measures.hpp"

namespace granary::deleted_balls_test {

using namespace granary::test;

namespace {

// No outlet: what falls beside the floor leaves through the bottom of the domain, some of it in contact with other
// balls.
Setup leaking_box() {
    Setup s = busy_box();
    s.outlets.clear();
    s.delete_outside = true;
    return s;
}

struct Deleted {
    std::uint64_t balls = 0, id = 0, step = 0;
    double mass = 0, time = 0, z = 0, speed = 0, energy = 0;
    friend bool operator==(const Deleted&, const Deleted&) = default;
    template <class Archive> void serialize(Archive& a, unsigned) { a& balls& id& step& mass& time& z& speed& energy; }
};
std::ostream& operator<<(std::ostream& out, const Deleted& d) {
    return out << d.balls << " balls, " << d.mass << " kg, the first " << d.id << " at step " << d.step << ", t "
               << d.time << ", z " << d.z << ", " << d.speed << " m/s; energy " << d.energy;
}

Deleted deleted_by(const boost::mpi::communicator& comm, const Setup& setup, int steps) {
    Simulation sim(comm, setup);
    for (int k = 0; k < steps; ++k) sim.step();
    const Ledger ledger = ledger_of(sim);
    Deleted d{ledger.deleted, 0, 0, ledger.mass_deleted};
    if (const auto& first = sim.counts().first_deleted())
        d.id = first->id, d.step = first->step, d.time = first->time, d.z = first->position.z, d.speed = first->speed;
    if (setup.energy) d.energy = energy_balance_of(sim).residual();
    return d;
}

constexpr double r = 2.5e-3;

}  // namespace

TEST(DeletedBalls, TheSameRunOnAnyRanks) {
    const ManyStories stories = expect_same_on_any_ranks(leaking_box, 3000);
    const Story& one = stories.of.front();
    EXPECT_EQ(one.left, 0u);
    EXPECT_GT(one.inserted - one.inside, 30u);  // 44: it is worth a test
    EXPECT_GT(one.contacts, 100u);
    expect_same_on_any_ranks(
        [] {
            auto s = leaking_box();
            s.choose_cuts = shaken_cuts;
            return s;
        },
        1500);
}

TEST(DeletedBalls, AreCountedAndTheFirstIsKnown) {
    Deleted one;
    for (const int n : rank_counts()) {
        const Deleted d = on_ranks(n, [&](const auto& comm) { return deleted_by(comm, leaking_box(), 2000); });
        if (n == 1) one = d;
        EXPECT_EQ(d, one);
    }
    EXPECT_GT(one.balls, 10u);  // 19
    // Their mass, from radii between 2.4 and 2.6 mm and 2500 kg/m^3.
    const double least = 2500 * 4.0 / 3 * M_PI * std::pow(2.4e-3, 3),
                 most = 2500 * 4.0 / 3 * M_PI * std::pow(2.6e-3, 3);
    EXPECT_GT(one.mass, least * static_cast<double>(one.balls));
    EXPECT_LT(one.mass, most * static_cast<double>(one.balls));
    EXPECT_LT(one.z, 0);  // below the bottom, by no more than it moves from one rebuild to the next
    EXPECT_GT(one.z, -4e-4);
    EXPECT_NEAR(one.time, static_cast<double>(one.step) * 2e-5, 1e-12);
}

// A ball alone takes out what it has: kinetic and potential energy at the place where it leaves. Nothing is left
// unexplained.
TEST(DeletedBalls, TakeTheirEnergyAlong) {
    auto s = few_balls({{0, 0, 0}, {0.06, 0.05, 0.1}, {}}, 2e-5, {ball(3, {0.03, 0.025, 0.02}, r, 2500, {0.2, 0, -1})});
    s.materials = {busy_grain()};
    s.skin = 4e-4, s.gravity = {0, 0, -9.81}, s.energy = true, s.delete_outside = true;
    const boost::mpi::communicator world;
    Simulation sim(world, s);
    const double before = energy_balance_of(sim).kinetic + energy_balance_of(sim).potential;
    for (int k = 0; k < 3000 && ledger_of(sim).deleted == 0; ++k) sim.step();
    ASSERT_EQ(ledger_of(sim).deleted, 1u);
    EXPECT_EQ(ledger_of(sim).inside, 0u);
    EXPECT_EQ(sim.counts().first_deleted()->id, 3u);
    const EnergyBalance e = energy_balance_of(sim);
    EXPECT_EQ(e.kinetic + e.potential, 0);
    EXPECT_NEAR(e.out, before, 1e-9 * std::abs(before));
    EXPECT_NEAR(e.residual(), 0, 1e-9 * e.out_moving);

    // Among others: what cannot be explained stays small against what has changed its form.
    const Deleted d = on_ranks(world.size(), [&](const auto& comm) {
        auto busy = leaking_box();
        busy.energy = true;
        return deleted_by(comm, busy, 1500);
    });
    EXPECT_GT(d.balls, 10u);
    const Deleted one = on_ranks(1, [&](const auto& comm) {
        auto busy = leaking_box();
        busy.energy = true;
        return deleted_by(comm, busy, 1500);
    });
    EXPECT_EQ(d, one);
}

// Whatever is no number or too fast tells of something worse, and stops the run.
TEST(DeletedBalls, BadOnesStillStopTheRun) {
    const boost::mpi::communicator world;
    const auto end = [&](const std::vector<NewBody>& balls) {
        auto s = few_balls({{0, 0, 0}, {0.06, 0.05, 0.1}, {}}, 2e-5, balls);
        s.materials = {busy_grain()};
        s.skin = 4e-4, s.delete_outside = true;
        return message_of<RunError>([&] {
            Simulation sim(world, s);
            for (int k = 0; k < 400; ++k) sim.step();
        });
    };
    const Vec3d place{0.03, 0.025, 0.05};
    EXPECT_EQ(end({ball(1, place, r, 2500), ball(2, place, r, 2500)}).substr(0, 20), "not a number: ball 1");
    EXPECT_EQ(end({ball(1, place, r, 2500, {0, 0, 500})}).substr(0, 16), "too fast: ball 1");
    EXPECT_EQ(end({ball(1, place, r, 2500, {0, 0, 20})}), "nothing was thrown");
}

}  // namespace granary::deleted_balls_test
