// Slices: periods of two cubes, in which a ball and its image may both be candidates of a third one. The same run on
// any number of ranks, with any detector and over stops (resume_test.cpp), and the physics of a domain of twice the
// length in which every ball stands twice.
#include <gtest/gtest.h>
#include <cmath>
#include <map>
#include "support/slice.hpp"
#include "support/given_bodies.hpp"
#include "support/story.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

TEST(NarrowPeriod, SameBitsOnAnyNumberOfRanks) {
    const ManyStories stories = expect_same_on_any_ranks([] { return slice(1); }, 2500);
    EXPECT_GT(stories.of.front().wraps, 50u);
    EXPECT_GT(stories.of.front().image_contacts, 5u);
    EXPECT_GT(stories.of.front().left, 5u);
}

// Two layers along the slab axis: on two ranks one layer each, which meet on both sides; on more, empty ranks.
TEST(NarrowPeriod, SameBitsAlongTheSlabAxis) {
    const ManyStories stories = expect_same_on_any_ranks([] { return slice(2); }, 1500);
    EXPECT_GT(stories.of.front().wraps, 50u);
    for (std::size_t k = 1; k < stories.of.size(); ++k) EXPECT_GT(stories.of[k].slab_contacts, 5u);
}

TEST(NarrowPeriod, SameBitsWithAnyDetector) {
    const auto digest = [](Detector detector) {
        return on_ranks(1, [&](const auto& comm) {
            auto s = slice(1);
            s.detector = detector;
            return run_story(comm, s, 1000).digest;
        });
    };
    const std::string mr = digest(Detector::mr);
    for (const Detector d : {Detector::mmr, Detector::fixed_cubes, Detector::all_pairs, Detector::two_level})
        EXPECT_EQ(digest(d), mr);
}

namespace {

struct Balls {
    std::map<Id, Vec3d> place;
    EnergyBalance energy;
};

Balls run(Setup s, int steps) {
    Simulation sim(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_attach), std::move(s));
    for (int k = 0; k < steps; ++k) sim.step();
    Balls balls;
    for (const Range& r : sim.bodies().real)
        for (Index i = r.begin; i < r.end; ++i) balls.place[sim.bodies().id(i)] = sim.bodies().x(i);
    balls.energy = energy_balance_of(sim);
    return balls;
}

}  // namespace

// Friction, rolling and energies too: a spring that stood at both images would be lost at one of them, and its energy
// counted.
TEST(NarrowPeriod, IsHalfOfADomainOfTwiceTheLength) {
    constexpr int axis = 1;
    constexpr Id far = 100000;
    auto once = slice(axis);
    once.insertions.clear(), once.outlets.clear();
    once.energy = true;
    once.law.rolling = LawSettings::Rolling::spring, once.materials[0].rolling_friction = 0.2;
    const double length = at(once.domain.upper, axis) - at(once.domain.lower, axis);
    auto twice = once;
    at(twice.domain.upper, axis) += length;
    twice.start = given([&](const auto& sink) {
        for (const NewBody& b : all_bodies(once)) {
            sink(b);
            NewBody other = b;
            other.id += far, at(other.position, axis) += length;
            sink(other);
        }
    });
    // Long enough for springs over many rebuilds, too short for rounding to grow.
    const Balls a = run(once, 600), b = run(twice, 600);
    ASSERT_EQ(2 * a.place.size(), b.place.size());
    const auto apart = [&](Vec3d d) {
        at(d, axis) -= length * std::nearbyint(at(d, axis) / length);
        return norm(d);
    };
    for (const auto& [id, x] : a.place) {
        EXPECT_LT(apart(x - b.place.at(id)), 1e-9) << id;
        EXPECT_LT(apart(x - b.place.at(id + far)), 1e-9) << id;
    }
    const auto expect_half = [](double one, double two) { EXPECT_NEAR(2 * one, two, 1e-6 * std::abs(two)); };
    EXPECT_GT(a.energy.friction, 0);
    expect_half(a.energy.kinetic, b.energy.kinetic);
    expect_half(a.energy.friction, b.energy.friction);
    expect_half(a.energy.damped, b.energy.damped);
    expect_half(a.energy.elastic, b.energy.elastic);
    expect_half(a.energy.rolling, b.energy.rolling);
}

TEST(NarrowPeriod, ShorterOnesAreRefusedWithTheReason) {
    auto s = slice(1);
    s.domain.upper.y = 2.1 * 2 * s.largest_radius;  // the skin does not fit any more
    s.insertions.clear();
    s.start = shares_of({make_ball(0, {0.03, 0.005, 0.1}, 2.5e-3, 2500, 0, {})});
    try {
        run(s, 1);
        FAIL() << "a period of one cube and a bit was taken";
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("needs at least two cubes"), std::string::npos) << e.what();
        EXPECT_NE(std::string(e.what()).find("on both sides"), std::string::npos) << e.what();
    }
    s.skin = 0;  // to be chosen: less than else
    s.energy = true;
    EXPECT_FALSE(run(s, 1).place.empty());
}
