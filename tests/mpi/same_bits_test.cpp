// The promise: the same run, bit for bit, on any number of ranks and with any cuts. A few hundred balls are inserted, migrate, touch
// across slab and periodic faces with friction, cross periodic faces and leave; the test asserts that all of this happened.
#include <gtest/gtest.h>
#include <algorithm>
#include "app/simulation.hpp"
#include "core/packing.hpp"
#include "support/sub_communicators.hpp"

using namespace granary;

namespace {

struct Story {
    std::string digest;
    std::uint64_t inserted = 0, inside = 0, left = 0, migrations = 0, wraps = 0, cut_moves = 0, rebuilds = 0;
    std::uint64_t slab_contacts = 0, image_contacts = 0;
    double energy = 0, load = 0;
    template <class Archive> void serialize(Archive& a, unsigned) {
        a& digest& inserted& inside& left& migrations& wraps& cut_moves& rebuilds& slab_contacts& image_contacts&
            energy& load;
    }
};

Material grain() {
    Material m;
    m.name = "grain", m.density = 2500, m.young = 5e6, m.poisson = 0.3, m.restitution = 0.6, m.friction = 0.5;
    m.stiffness = 2000, m.damping = 0.05, m.cohesion = 0.01;
    return m;
}

// A box, periodic in x and y, with a floor over three quarters of its base and an outlet below it.
Setup busy_box() {
    Setup s;
    s.domain = {{0, 0, 0}, {0.06, 0.05, 0.15}, {true, true, false}};
    s.gravity = {1.5, -1.0, -9.81};
    s.dt = 2e-5;
    s.materials = {grain()};
    s.walls = {make_wall("floor", Rectangle{{0.0, 0.0, 0.03}, {0.045, 0, 0}, {0, 0.05, 0}}, 0)};
    s.outlets = {{"hole", {0, 0, 0.015}, {0, 0, 1}}};
    s.largest_radius = 2.6e-3;
    s.skin = 4e-4;
    RandomLoose packing;
    packing.lower = {0, 0, 0.035}, packing.upper = {0.06, 0.05, 0.11};
    packing.count = 350;
    packing.periodic = {true, true, false};
    packing.balls = {2.4e-3, 2.6e-3, 2500, 0, {0.6, -0.4, -1.5}};
    InsertionSpec rain;
    rain.name = "rain", rain.lower = {0, 0, 0.115}, rain.upper = {0.06, 0.05, 0.145},
    rain.spans_period = {true, true, false};
    rain.total = 150, rain.per_event = 40, rain.trials_per_event = 80, rain.balls = packing.balls;
    rain.first_step = 200, rain.interval = 600, rain.stream = 1;
    packing.stream = 0;
    s.insertions = {rain};
    s.bodies = [packing](const BodySink& sink) { for_each(packing, 7, [&](const NewBody& b) { sink(b, {}); }); };
    return s;
}

Story run(const boost::mpi::communicator& comm, Setup setup, int steps = 3000) {
    Simulation sim(comm, std::move(setup));
    Story story;
    for (int k = 0; k < steps; ++k) {
        sim.measure_walls();
        sim.step();
        if (k % 100 != 99) continue;
        const Measures m = sim.measures();
        story.slab_contacts = std::max(story.slab_contacts, m.slab_contacts);
        story.image_contacts = std::max(story.image_contacts, m.image_contacts);
        story.energy += m.kinetic_energy;
        for (const WallLoad& l : sim.wall_loads()) story.load += l.force.z + l.torque.x;
        sim.ledger();  // throws if it does not add up
    }
    const Ledger ledger = sim.ledger();
    const Events events = sim.events();
    EXPECT_EQ(events.late_checks, 0u);
    story.digest = sim.digest().hex();
    story.inserted = ledger.inserted, story.inside = ledger.inside;
    for (const auto n : ledger.left) story.left += n;
    story.migrations = events.migrations, story.wraps = events.wraps, story.cut_moves = events.cut_moves,
    story.rebuilds = events.rebuilds;
    return story;
}

// Any cuts at all: wild ones, different at every rebuild, with empty ranks.
std::vector<int> shaken(std::uint64_t rebuild, const std::vector<double>& cost, const std::vector<int>& cuts) {
    const int n = static_cast<int>(cost.size()), ranks = static_cast<int>(cuts.size()) - 1;
    std::vector<int> wild(cuts.size());
    for (int r = 1; r < ranks; ++r)
        wild[r] =
            static_cast<int>((rebuild * 7919u + static_cast<unsigned>(r) * 104729u) % static_cast<unsigned>(n + 1));
    wild[0] = 0, wild[ranks] = n;
    std::sort(wild.begin(), wild.end());
    return wild;
}

void expect_same(const Story& a, const Story& b) {
    EXPECT_EQ(a.digest, b.digest);
    EXPECT_EQ(a.inside, b.inside);
    EXPECT_EQ(a.wraps, b.wraps);
    EXPECT_EQ(a.rebuilds, b.rebuilds);
    EXPECT_EQ(a.energy, b.energy);  // sums over layers: the same bits too
    EXPECT_EQ(a.load, b.load);
}

}  // namespace

TEST(SameBits, OnAnyNumberOfRanks) {
    const Story alone = test::on_ranks(1, [](const auto& comm) { return run(comm, busy_box()); });
    EXPECT_EQ(alone.inserted, 350u + 150u);
    EXPECT_GT(alone.left, 20u);
    EXPECT_GT(alone.inside, 200u);
    EXPECT_GT(alone.wraps, 100u);
    EXPECT_GT(alone.image_contacts, 5u);
    EXPECT_NE(alone.load, 0.0);
    for (const int n : test::rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        const Story story = test::on_ranks(n, [](const auto& comm) { return run(comm, busy_box()); });
        expect_same(story, alone);
        if (n == 1) continue;
        EXPECT_GT(story.migrations, 50u);
        EXPECT_GT(story.slab_contacts, 5u);
    }
}

TEST(SameBits, WithAnyCuts) {
    const Story alone = test::on_ranks(1, [](const auto& comm) { return run(comm, busy_box()); });
    for (const int n : test::rank_counts()) {
        if (n == 1) continue;
        SCOPED_TRACE(std::to_string(n) + " ranks");
        const Story story = test::on_ranks(n, [](const auto& comm) {
            auto s = busy_box();
            s.choose_cuts = shaken;
            return run(comm, s);
        });
        expect_same(story, alone);
        EXPECT_GT(story.cut_moves, 50u);
    }
}
