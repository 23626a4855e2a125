// The same run on any number of ranks, in the corners: a rank that is its own neighbour, two that meet on both sides,
// more ranks than layers, empty ranks, every law, several materials, an empty system.
#include <gtest/gtest.h>
#include <boost/serialization/vector.hpp>
#include "core/random.hpp"
#include "support/busy_box.hpp"
#include "support/few_balls.hpp"
#include "support/given_bodies.hpp"
#include "support/story.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

// A dense gas with friction; velocities of about 2 m/s in all directions.
Setup gas(const Domain& domain, std::uint64_t count) {
    RandomLoose packing;
    packing.lower = domain.lower, packing.upper = domain.upper, packing.count = count;
    packing.periodic = domain.periodic;
    packing.balls = {2.4e-3, 2.6e-3, 2500, 0, {}};
    Setup s;
    s.domain = domain;
    s.dt = 2e-5;
    s.materials = {busy_grain()};
    s.largest_radius = 2.6e-3, s.skin = 4e-4;
    s.start = given([&](const auto& sink) {
        for_each(packing, 5, [&](const NewBody& b) {
            NewBody moving = b;
            for (int axis = 0; axis < 3; ++axis)
                at(moving.velocity, axis) =
                    4 * uniform(RandomKey{9, Purpose::loose_packing, 0, b.id, 0}, static_cast<std::uint32_t>(axis)) - 2;
            sink(moving);
        });
    });
    return s;
}

// Walls on both ends of an axis without period.
void add_end_walls(Setup& s, int axis) {
    Vec3d normal{};
    at(normal, axis) = 1;
    s.walls.push_back(make_wall("lower", Plane{s.domain.lower, normal}, 0));
    s.walls.push_back(make_wall("upper", Plane{s.domain.upper, -normal}, 0));
}

// Between floor and ceiling, periodic in x and y.
Setup crowd() {
    Setup s = gas({{0, 0, 0}, {0.035, 0.03, 0.05}, {true, true, false}}, 230);
    s.gravity = {0, 0, -9.81};
    add_end_walls(s, 2);
    return s;
}

void expect_busy(const ManyStories& stories) {
    EXPECT_GT(stories.of.front().contacts, 20u);
    for (std::size_t k = 1; k < stories.of.size(); ++k)
        EXPECT_GT(stories.of[k].migrations, 10u) << stories.ranks[k] << " ranks";
}

}  // namespace

// One rank is its own neighbour below and above; two ranks meet on both sides.
TEST(SameBits, PeriodicSlabAxis) {
    const auto make = [] { return gas({{0, 0, 0}, {0.03, 0.03, 0.05}, {true, true, true}}, 200); };
    const ManyStories stories = expect_same_on_any_ranks(make, 400);
    expect_busy(stories);
    EXPECT_GT(stories.of.front().wraps, 50u);
    EXPECT_GT(stories.of.front().slab_contacts, 2u);  // with itself, over the face
}

TEST(SameBits, PeriodicSlabAxisAlone) {
    const auto make = [] {
        auto s = gas({{0, 0, 0}, {0.03, 0.03, 0.05}, {false, false, true}}, 200);
        add_end_walls(s, 0), add_end_walls(s, 1);
        s.choose_cuts = shaken_cuts;
        return s;
    };
    expect_busy(expect_same_on_any_ranks(make, 400));
}

// Three layers of cubes, then one; with periods and with walls.
TEST(SameBits, MoreRanksThanLayers) {
    const int ranks = boost::mpi::communicator().size();
    const auto periodic = [] { return gas({{0, 0, 0}, {0.06, 0.05, 0.0175}, {true, true, true}}, 200); };
    const auto flat = [] {
        auto s = gas({{0, 0, 0}, {0.06, 0.05, 0.012}, {true, true, false}}, 100);
        add_end_walls(s, 2);
        return s;
    };
    const auto one_layer = [] {
        auto s = gas({{0, 0, 0}, {0.06, 0.05, 0.0055}, {true, true, false}}, 85);
        add_end_walls(s, 2);
        return s;
    };
    EXPECT_EQ(Cubes(periodic().domain, 5.2e-3 + 4e-4).layers(), 3);
    EXPECT_EQ(Cubes(flat().domain, 5.2e-3 + 4e-4).layers(), 3);
    EXPECT_EQ(Cubes(one_layer().domain, 5.2e-3 + 4e-4).layers(), 1);
    const ManyStories three = expect_same_on_any_ranks(periodic, 300);
    expect_busy(three);
    const ManyStories walls = expect_same_on_any_ranks(flat, 300);
    EXPECT_GT(walls.of.front().contacts, 20u);
    EXPECT_NE(walls.of.front().load, 0);
    const ManyStories one = expect_same_on_any_ranks(one_layer, 300);
    EXPECT_GT(one.of.front().contacts, 5u);
    if (ranks > 3) {
        EXPECT_GE(three.of.back().empty_ranks, static_cast<unsigned>(ranks - 3));
    }
    EXPECT_EQ(one.of.back().empty_ranks, static_cast<unsigned>(ranks - 1));
}

// All balls on one rank, another one after each rebuild.
TEST(SameBits, EmptyRanks) {
    const auto make = [] {
        auto s = busy_box();
        s.choose_cuts = one_for_all_cuts;
        return s;
    };
    const ManyStories stories = expect_same_on_any_ranks(make, 400);
    for (std::size_t k = 1; k < stories.of.size(); ++k) {
        EXPECT_EQ(stories.of[k].empty_ranks, static_cast<unsigned>(stories.ranks[k] - 1));
        EXPECT_GT(stories.of[k].migrations, 5000u);  // all of them, again and again
    }
}

TEST(SameBits, LinearLaw) {
    const auto make = [] {
        auto s = crowd();
        s.law.type = LawSettings::Type::linear;
        return s;
    };
    const ManyStories stories = expect_same_on_any_ranks(make, 400);
    expect_busy(stories);
    EXPECT_GT(stories.of.front().image_contacts, 5u);
    for (std::size_t k = 1; k < stories.of.size(); ++k) EXPECT_GT(stories.of[k].slab_contacts, 2u);
}

// Rolling springs beside the tangential ones, across slab and periodic faces, carried by wild cuts; balls stick
// together.
TEST(SameBits, RollingSpringsAndCohesion) {
    const auto make = [](LawSettings::Rolling rolling) {
        auto s = crowd();
        s.law.rolling = rolling, s.law.cohesion = LawSettings::Cohesion::sjkr;
        s.materials[0].rolling_friction = 0.3, s.materials[0].cohesion_density = 2e4;
        s.choose_cuts = shaken_cuts;
        return s;
    };
    const ManyStories springs = expect_same_on_any_ranks([&] { return make(LawSettings::Rolling::spring); }, 400);
    expect_busy(springs);
    EXPECT_GT(springs.of.front().image_contacts, 5u);
    const auto rolling_springs = [&](const auto& comm) {
        Simulation sim(comm, make(LawSettings::Rolling::spring));
        for (int k = 0; k < 400; ++k) sim.step();
        std::uint64_t n = 0, all = 0;
        for (const ContactRecord& c : contacts_of(sim)) n += c.partner.kind() == HistoryKind::rolling;
        boost::mpi::all_reduce(comm, &n, 1, &all, std::plus<std::uint64_t>());
        return all;
    };
    EXPECT_GT(on_ranks(1, rolling_springs), 20u);  // the digest covers them
    const ManyStories constant = expect_same_on_any_ranks([&] { return make(LawSettings::Rolling::constant); }, 200);
    EXPECT_NE(constant.of.front().digest, on_ranks(1, [&](const auto& comm) {
                                              return run_story(comm, make(LawSettings::Rolling::none), 200);
                                          }).digest);
}

// Derivatives travel with their bodies; balls come in, leave, and the step changes on the way.
TEST(SameBits, PredictorCorrector) {
    const auto make = [] {
        auto s = busy_box();
        s.integrator = Integrator::gear;
        s.materials[0].rolling_friction = 0.2, s.law.rolling = LawSettings::Rolling::spring;  // beside friction of 0.5
        s.choose_cuts = shaken_cuts;
        return s;
    };
    const ManyStories stories = expect_same_on_any_ranks(make, 700);
    expect_busy(stories);
    EXPECT_GT(stories.of.front().wraps, 20u);
    const auto with_steps = [&](const auto& comm) {
        Simulation sim(comm, make());
        for (int k = 0; k < 600; ++k) {
            if (k % 200 == 100) sim.change_dt(k == 300 ? 1e-5 : 1.5e-5);
            sim.step();
        }
        return digest_of(sim).hex();
    };
    for (const int n : rank_counts()) EXPECT_EQ(on_ranks(n, with_steps), on_ranks(1, with_steps));
}

// Sums over time live by layer and move with it.
TEST(SameBits, EnergyBalance) {
    const auto items = [](const auto& comm) {
        auto s = busy_box();
        s.energy = true;
        s.materials[0].rolling_friction = 0.2, s.law.rolling = LawSettings::Rolling::spring;
        s.choose_cuts = shaken_cuts;
        Simulation sim(comm, s);
        for (int k = 0; k < 900; ++k) sim.step();
        const EnergyBalance e = energy_balance_of(sim);
        return std::vector<double>{e.kinetic, e.potential, e.elastic, e.in,  e.walls,     e.stiffening,
                                   e.damped,  e.friction,  e.rolling, e.out, e.residual()};
    };
    const std::vector<double> alone = on_ranks(1, items);
    for (const int n : rank_counts()) EXPECT_EQ(on_ranks(n, items), alone) << n << " ranks";
    for (const std::size_t item : {3, 5, 6, 7, 8, 9}) EXPECT_NE(alone[item], 0) << item;
    EXPECT_LT(std::abs(alone.back()), 0.01 * alone[3]);
}

// Balls pull at each other across gaps of up to 8 % of a radius, slab and periodic faces included.
TEST(SameBits, KelvinVoigtWithCohesion) {
    const auto make = [] {
        auto s = crowd();
        s.law.type = LawSettings::Type::kelvin_voigt;
        s.materials[0].cohesion = 0.2;  // a reach of 0.2 mm: two springs in a row have half the stiffness
        return s;
    };
    expect_busy(expect_same_on_any_ranks(make, 400));
    const auto without = [&] {
        auto s = make();
        s.materials[0].cohesion = 0;
        return s;
    };
    EXPECT_NE(on_ranks(1, [&](const auto& comm) { return run_story(comm, make(), 500); }).digest,
              on_ranks(1, [&](const auto& comm) { return run_story(comm, without(), 500); }).digest);
}

// Two kinds of balls, a wall of a third, one pair with numbers of its own.
TEST(SameBits, SeveralMaterials) {
    const auto make = [](bool with_override) {
        auto s = crowd();
        Material heavy = busy_grain(), steel = rigid_wall(0.9, 0.2);
        heavy.name = "heavy", heavy.young = 2e7, heavy.restitution = 0.3, heavy.friction = 0.1;
        s.materials = {busy_grain(), heavy, steel};
        if (with_override) {
            PairOverride o;
            o.first = "heavy", o.second = "grain", o.restitution = 0.9, o.friction = 0.8;
            s.pairs = {o};
        }
        for (Wall& w : s.walls) w.material = 2;
        s.start = changed(s, [](NewBody& b) { b.material = b.id % 3 == 0 ? 1 : 0; });
        return s;
    };
    const ManyStories stories = expect_same_on_any_ranks([&] { return make(true); }, 400);
    expect_busy(stories);
    EXPECT_NE(stories.of.front().digest,
              on_ranks(1, [&](const auto& comm) { return run_story(comm, make(false), 400); }).digest);
}

// The domain is empty until the balls of step 0 come, and fills.
TEST(SameBits, InsertionFromStepZeroIntoAnEmptyDomain) {
    const auto make = [] {
        auto s = crowd();
        s.start = {};
        InsertionSpec rain;
        rain.name = "rain", rain.lower = {0, 0, 0.015}, rain.upper = {0.035, 0.03, 0.045};
        rain.spans_period = {true, true, false};
        rain.total = 200, rain.per_event = 40, rain.trials_per_event = 400;
        rain.balls = {2.4e-3, 2.6e-3, 2500, 0, {0.3, 0.2, -3}};
        rain.first_step = 0, rain.interval = 90;
        s.insertions = {rain};
        return s;
    };
    const ManyStories stories = expect_same_on_any_ranks(make, 500);
    expect_busy(stories);
    EXPECT_GT(stories.of.front().inserted, 180u);  // some find no room
    for (const int n : rank_counts()) {
        const std::uint64_t at_once =
            on_ranks(n, [&](const auto& comm) { return ledger_of(Simulation(comm, make())).inside; });
        EXPECT_EQ(at_once, 40u);
    }
}

// No balls at all, and none to come; balls that all leave, after which the empty system goes on and takes in new ones.
TEST(SameBits, EmptySystemGoesOn) {
    const auto nothing = [] {
        auto s = busy_box();
        s.start = {};
        s.insertions.clear();
        return s;
    };
    const ManyStories none = expect_same_on_any_ranks(nothing, 200);
    EXPECT_EQ(none.of.front().inserted, 0u);
    EXPECT_NE(none.of.front().digest, Digest{}.hex());

    const auto drained = [] {
        auto s = busy_box();
        s.walls.clear();
        s.start = changed(s, [](NewBody& b) { b.velocity.z = -20; });
        s.insertions[0].total = 60, s.insertions[0].balls.velocity.z = -20;
        s.insertions[0].first_step = 330, s.insertions[0].interval = 380;
        return s;
    };
    struct Moment {
        int step;
        std::uint64_t inserted, inside;
    };
    std::vector<std::string> alone;
    for (const int n : rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        const auto digests = on_ranks(n, [&](const auto& comm) {
            Simulation sim(comm, drained());
            std::vector<std::string> told;
            for (const Moment& m :
                 {Moment{300, 350, 0}, Moment{360, 390, 40}, Moment{690, 390, 0}, Moment{740, 410, 20}}) {
                while (sim.clock().step() < static_cast<std::uint64_t>(m.step)) sim.step();
                EXPECT_EQ(ledger_of(sim).inserted, m.inserted) << m.step;
                EXPECT_EQ(ledger_of(sim).inside, m.inside) << m.step;
                told.push_back(digest_of(sim).hex());
            }
            return told;
        });
        if (n == 1) alone = digests;
        EXPECT_EQ(digests, alone);
        EXPECT_EQ(digests[0], none.of.front().digest);  // nothing is nothing
        EXPECT_EQ(digests[2], none.of.front().digest);
    }
}
