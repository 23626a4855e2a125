// A run that stops and is taken up again, on any numbers of ranks, is the run that never stopped: to the last bit, at
// any step.
#include <gtest/gtest.h>
#include <unistd.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <boost/serialization/string.hpp>
#include <filesystem>
#include <memory>
#include <random>
#include "observe/checkpoint_file.hpp"
#include "support/bonded_box.hpp"
#include "support/busy_box.hpp"
#include "support/busy_net.hpp"
#include "support/cluster_crowd.hpp"
#include "support/stirred_box.hpp"
#include "support/few_balls.hpp"
#include "support/funnel.hpp"
#include "support/slice.hpp"
#include "support/needles.hpp"
#include "support/shaken_shapes.hpp"
#include "support/shapes_at_walls.hpp"
#include "support/story.hpp"
#include "engine/measures.hpp"

namespace granary::resume_test {

using namespace granary::test;

namespace {

// All that can be asked of a run at a moment.
struct Moment {
    std::string digest;
    std::uint64_t inserted = 0, inside = 0, left = 0, rebuilds = 0, wraps = 0, contacts = 0, candidates = 0,
                  springs = 0, entries = 0, deleted = 0, first_deleted = 0;
    double time = 0, energy = 0, overlap = 0, load = 0;
    friend bool operator==(const Moment&, const Moment&) = default;
    template <class Archive> void serialize(Archive& a, unsigned) {
        a& digest& inserted& inside& left& rebuilds& wraps& contacts& candidates& springs& entries& deleted&
            first_deleted& time& energy& overlap& load;
    }
    friend std::ostream& operator<<(std::ostream& out, const Moment& m) {
        return out << m.digest << " inside " << m.inside << " of " << m.inserted << " deleted " << m.deleted
                   << " first " << m.first_deleted << " rebuilds " << m.rebuilds << " wraps " << m.wraps << " contacts "
                   << m.contacts << " of " << m.candidates << " t " << m.time << " energy " << m.energy << " overlap "
                   << m.overlap << " load " << m.load;
    }
};

Moment moment_of(Simulation& sim) {
    Moment m;
    const Ledger ledger = ledger_of(sim);
    const Events events = events_of(sim);
    const Measures measures = measures_of(sim);
    m.digest = digest_of(sim).hex();
    m.inserted = ledger.inserted, m.inside = ledger.inside;
    m.left = ledger.all_left();
    if (sim.counts().first_deleted()) m.deleted = ledger.deleted, m.first_deleted = sim.counts().first_deleted()->id;
    m.rebuilds = events.rebuilds, m.wraps = events.wraps;
    m.contacts = measures.contacts, m.candidates = measures.candidates;
    m.time = sim.clock().time(), m.energy = measures.kinetic_energy;
    // Those of shapes are looked at anew, by an iteration: to rounding.
    if (!sim.bodies().has(When::shapes)) m.overlap = measures.largest_overlap();
    for (const WallLoad& l : wall_loads_of(sim)) m.load += l.force.z + l.torque.x;
    if (sim.setup().mean_loads)
        for (const MeanLoad& l : mean_loads_of(sim)) m.load += l.force.z + l.force.x + l.power;
    if (sim.setup().entry_times) {  // who came in when, as a checksum
        for (const Range& range : sim.bodies().real)
            for (Index i = range.begin; i < range.end; ++i)
                m.entries +=
                    (sim.bodies().id(i) + 1) *
                    (1 + static_cast<std::uint64_t>(std::llround(sim.bodies().entry_time(i) / sim.setup().dt)));
        m.entries = boost::mpi::all_reduce(sim.comm(), m.entries, std::plus<std::uint64_t>());
    }
    if (sim.forces().bonds.possible()) {
        const BondCounts b = sim.forces().bonds.counts(sim.comm(), sim.bodies(), sim.neighbourhood());
        const PieceCounts p = sim.forces().bonds.pieces(sim.comm(), sim.bodies(), sim.neighbourhood());
        m.springs = b.whole + 100'000 * (b.all_broken() + 100'000 * (p.pieces + b.cut));
    }
    if (sim.setup().energy) {
        const EnergyBalance e = energy_balance_of(sim);
        for (const double item : {e.elastic, e.in, e.stiffening, e.damped, e.friction, e.rolling, e.out, e.bonds,
                                  e.bond_damping, e.breaks, e.out_bonds})
            m.energy += item;
    }
    return m;
}

void go_to(Simulation& sim, std::uint64_t step) {
    while (sim.clock().step() < step) sim.step();
}

// One file for all ranks, in memory where there is such a folder: a hundred checkpoints brought to a busy disk take
// minutes.
class SharedFile {
  public:
    SharedFile() {
        const char* const memory = "/dev/shm";
        folder_ = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path().string();
        folder_ += "/granary-resume-test-" + std::to_string(::getpid());
        boost::mpi::broadcast(boost::mpi::communicator(), folder_, 0);
    }
    ~SharedFile() {
        boost::mpi::communicator().barrier();
        std::error_code ignored;
        if (boost::mpi::communicator().rank() == 0) std::filesystem::remove_all(folder_, ignored);
    }
    SharedFile(const SharedFile&) = delete;
    SharedFile& operator=(const SharedFile&) = delete;
    std::string path() const { return folder_ + "/a.h5"; }

  private:
    std::string folder_;
};

// Stops after the given steps, each part on another number of ranks. At every stop the run that is taken up must tell
// the same as the one that stopped, and at the end the same as the one that never did.
template <class Make> void expect_resumable(Make&& make, const std::vector<std::uint64_t>& stops, std::uint64_t last,
                                            const std::vector<int>& ranks) {
    const Moment undisturbed = on_ranks(1, [&](const auto& comm) {
        Simulation sim(comm, make());
        go_to(sim, last);
        return moment_of(sim);
    });
    const SharedFile shared;
    const std::string file = shared.path();
    Moment before, end;
    const int most = boost::mpi::communicator().size();
    for (std::size_t k = 0; k <= stops.size(); ++k) {
        const std::uint64_t until = k < stops.size() ? stops[k] : last;
        SCOPED_TRACE(testing::Message() << "part " << k << " up to step " << until);
        Moment at_start;
        const int n = std::min(ranks[k % ranks.size()], most);
        end = on_ranks(n, [&](const auto& comm) {
            auto sim = k == 0 ? std::make_unique<Simulation>(comm, make())
                              : std::make_unique<Simulation>(comm, make(), OpenState(comm, file, {.rows_at_once = 60}));
            at_start = moment_of(*sim);
            go_to(*sim, until);
            const Moment m = moment_of(*sim);
            write_checkpoint(file, *sim, "", sim->save());
            EXPECT_EQ(moment_of(*sim), m);  // saving changes nothing
            return m;
        });
        if (k > 0 && boost::mpi::communicator().rank() < n) {
            EXPECT_EQ(at_start, before);
        }
        before = end;
        boost::mpi::communicator().barrier();
    }
    EXPECT_EQ(end, undisturbed);
    if (boost::mpi::communicator().rank() == 0) {
        EXPECT_EQ(digest_of_file(file).hex(), undisturbed.digest);
    }
    boost::mpi::communicator().barrier();
}

std::vector<std::uint64_t> random_stops(unsigned seed, std::size_t n, std::uint64_t last) {
    std::mt19937 dice(seed);
    std::vector<std::uint64_t> stops;
    for (std::size_t k = 0; k < n; ++k) stops.push_back(1 + dice() % (last - 1));
    std::sort(stops.begin(), stops.end());
    return stops;
}

const std::vector<int> turns{1, 3, 2, 4, 7};

}  // namespace

// Insertion, migration, friction across slab and periodic faces, wrapping, balls that leave.
TEST(Resume, TenRandomStops) { expect_resumable(busy_box, random_stops(1, 10, 2000), 2000, turns); }

// Orientation, angular momentum, springs and normals of ellipsoids and clumps.
TEST(Resume, Shapes) {
    const auto make = [] {
        auto s = shapes_between_walls();
        s.energy = true;
        return s;
    };
    expect_resumable(make, random_stops(6, 6, 600), 600, turns);
}

// At meshes that move, at walls of balls, and needles whose list of near pairs each rank makes when it likes.
TEST(Resume, ShapesAtMeshesAndWallBalls) {
    const auto at_mesh = [] {
        auto s = shapes_in_a_moving_funnel();
        s.energy = true;
        return s;
    };
    expect_resumable(at_mesh, {150, 400, 701, 702}, 900, turns);
    const auto on_net = [] {
        auto s = shapes_on_a_net();
        s.energy = true;
        return s;
    };
    expect_resumable(on_net, {70, 71, 155, 340, 480}, 600, turns);
    expect_resumable([] { return shaken_needles(1); }, {37, 120, 121, 199}, 240, turns);
}

// The time at which every ball came in goes with it.
TEST(Resume, TimesOfEntry) {
    const auto make = [] {
        auto s = busy_box();
        s.entry_times = true;
        return s;
    };
    expect_resumable(make, random_stops(2, 5, 1200), 1200, turns);
}

// A period of two cubes, along a periodic axis and along the slab axis.
TEST(Resume, NarrowPeriods) {
    for (const int axis : {1, 2})
        expect_resumable([axis] { return slice(axis); }, random_stops(5, 5, 1000), 1000, turns);
}

// Every single step: whatever is under way between two steps (a check, a crossing, a rebuild that is due) is met.
TEST(Resume, AfterEveryStep) {
    std::vector<std::uint64_t> stops;
    for (std::uint64_t s = 760; s < 800; ++s) stops.push_back(s);
    expect_resumable(busy_box, stops, 830, turns);
}

// Balls that are deleted outside the domain: their number, their mass and the first of them go on.
TEST(Resume, DeletedBalls) {
    const auto make = [] {
        auto s = busy_box();
        s.outlets.clear();
        s.delete_outside = true, s.energy = true;
        return s;
    };
    expect_resumable(make, random_stops(5, 6, 1500), 1500, turns);
}

// Rolling springs and the sums of the energy balance; the derivatives of the predictor-corrector.
TEST(Resume, RollingEnergyAndGear) {
    const auto rolling = [] {
        auto s = busy_box();
        s.law.rolling = LawSettings::Rolling::spring, s.law.cohesion = LawSettings::Cohesion::sjkr, s.energy = true;
        s.materials[0].rolling_friction = 0.2, s.materials[0].cohesion_density = 1e4;
        return s;
    };
    expect_resumable(rolling, random_stops(3, 4, 900), 900, turns);
    const auto gear = [] {
        auto s = busy_box();
        s.integrator = Integrator::gear;
        s.law.rolling = LawSettings::Rolling::spring, s.materials[0].rolling_friction = 0.2;
        return s;
    };
    expect_resumable(gear, random_stops(4, 4, 900), 900, turns);
    const auto stirred_gear = [] {
        auto s = stirred();
        s.integrator = Integrator::gear;
        return s;
    };
    expect_resumable(stirred_gear, {199, 200, 201, 333}, 400, turns);
}

// Walls that move, and a servo: after step 200 the forces on it are under way.
TEST(Resume, MovingWalls) {
    const auto make = [] {
        auto s = stirred();
        s.mean_loads = true;  // sums over time, by layer
        return s;
    };
    expect_resumable(make, {57, 199, 200, 201, 333, 402}, 500, turns);
}

// Springs at triangles of meshes that move, rolling ones too: a check is under way at some of these steps, a rebuild
// due at others.
TEST(Resume, MeshesThatMove) {
    const auto make = [] {
        auto s = moving_funnel();
        s.law.rolling = LawSettings::Rolling::spring, s.materials[0].rolling_friction = 0.2;
        return s;
    };
    expect_resumable(make, {400, 901, 1200, 1201, 1202, 1203, 1499}, 1800, turns);
}

// In the middle of a flow by mass, with mixed materials, sizes by a sieve curve, and springs at wall balls.
TEST(Resume, FlowOntoWallBalls) {
    const auto make = [] {
        auto s = busy_net();
        s.law.rolling = LawSettings::Rolling::spring, s.energy = s.mean_loads = true;
        for (Material& m : s.materials) m.rolling_friction = 0.2;
        return s;
    };
    expect_resumable(make, {69, 70, 71, 155, 222, 340, 480}, 800, turns);  // an event at 40, 70, 100, ...
}

TEST(Resume, EveryLawAndPeriod) {
    for (const auto law :
         {LawSettings::Type::hertz_mindlin, LawSettings::Type::linear, LawSettings::Type::kelvin_voigt})
        for (const bool periodic_z : {false, true}) {
            SCOPED_TRACE(testing::Message() << "law " << static_cast<int>(law) << " periodic " << periodic_z);
            const auto make = [&] {
                auto s = busy_box();
                s.law.type = law;
                s.materials[0].cohesion = 0.1;
                if (periodic_z) {
                    s.domain.periodic[2] = true;
                    s.outlets.clear();
                }
                return s;
            };
            expect_resumable(make, random_stops(7 + static_cast<unsigned>(law), 3, 300), 300, turns);
        }
}

// A check may be under way, and asks for something: the answer is used at the next step, and requests are not saved.
TEST(Resume, RequestsTravelAndAreForgotten) {
    const boost::mpi::communicator world;
    Simulation sim(world, busy_box());
    for (int step = 0; step < 5; ++step) sim.step();
    EXPECT_EQ(sim.requests().agreed(), 0);
    if (world.rank() == world.size() - 1) sim.requests().ask(2);
    int steps = 0;
    for (; sim.requests().agreed() == 0 && steps < 30; ++steps) sim.step();
    EXPECT_EQ(sim.requests().agreed(), 2);  // on all ranks
    EXPECT_LE(steps, 22);
    EXPECT_EQ(boost::mpi::all_reduce(world, steps, boost::mpi::maximum<int>()), steps);  // after the same step
    sim.requests().drop();
    EXPECT_EQ(sim.requests().agreed(), 0);
}

TEST(Resume, RefusesAnotherCase) {
    const boost::mpi::communicator world;
    const SharedFile shared;
    const std::string file = shared.path();
    Simulation sim(world, busy_box());
    sim.step();
    write_checkpoint(file, sim, "", sim.save());
    auto other = busy_box();
    other.walls.clear();
    EXPECT_THROW(Simulation(world, other, OpenState(world, file)), InputError);
    OpenState state(world, file);
    state.header.run.integers.erase("staleness.next_check");
    EXPECT_THROW(Simulation(world, busy_box(), state), InputError);
    world.barrier();
}

// A file may hold any numbers under its checksums: none is divided by, counted with or used as a place before it is
// looked at.
TEST(Resume, RefusesNumbersOfWhichNothingCanBeMade) {
    const boost::mpi::communicator world;
    const SharedFile shared;
    const std::string file = shared.path();
    auto setup = busy_box();
    setup.energy = true;
    Simulation sim(world, setup);
    sim.step();
    write_checkpoint(file, sim, "", sim.save());
    OpenState state(world, file);
    SavedState& run = state.header.run;
    const SavedState good = run;
    const auto refusal = [&] {
        std::string text = "none";
        try {
            Simulation(world, setup, state);
        } catch (const InputError& e) {
            text = e.what();
        }
        run = good;
        return text;
    };
    const auto with_integer = [&](const std::string& name, std::uint64_t value) {
        run.integers.at(name) = {value};
        return refusal();
    };
    const auto with_real = [&](const std::string& name, double value) {
        run.reals.at(name) = {value};
        return refusal();
    };
    EXPECT_EQ(refusal(), "none");
    const std::string begin = "the checkpoint does not match its case: ";
    constexpr std::uint64_t huge = ~std::uint64_t{0};
    EXPECT_EQ(with_integer("insertions.0.interval", 0).find(begin + "insertion 0 begins at step "), 0u);
    EXPECT_EQ(with_integer("insertions.0.first_event", huge).find(begin + "insertion 0 begins at step "), 0u);
    EXPECT_EQ(with_real("insertions.mass", HUGE_VAL), begin + "insertion 0 has let in inf kg");
    EXPECT_EQ(with_integer("ledger.next_id", huge), begin + "the number of the next ball is 18446744073709551615");
    EXPECT_EQ(with_integer("ledger.next_id", 1).find(begin + "the number of the next ball is 1, and there is a ball "),
              0u);
    EXPECT_EQ(with_integer("run.step", huge).find(begin + "it is of step 18446744073709551615, "), 0u);
    EXPECT_EQ(with_integer("run.step_zero", 5), begin + "it is of step 1, and time is counted from step 5");
    EXPECT_EQ(with_integer("events.rebuilds", 0), begin + "it has 0 rebuilds behind it");
    for (const double dt : {0.0, -1e-5, std::nan(""), HUGE_VAL})
        EXPECT_EQ(with_real("run.dt", dt).find(begin + "dt is "), 0u);
    run.reals.at("walls.servo_forces") = {1.0, 2.0};
    EXPECT_EQ(refusal(), begin + "it has forces of other walls");
    run.reals.at("energy.at_walls").pop_back();
    EXPECT_EQ(refusal(), begin + "it has sums of other layers");
    world.barrier();
}

// In the middle of a break-up, with bonds of both forms, offsets of pairs that overlapped, and old labels.
TEST(Resume, GrainsThatBreak) {
    for (const bool energy : {true, false}) {
        const auto make = [&] {
            granary::Setup s = bonded_box();
            s.energy = energy;
            return s;
        };
        expect_resumable(make, {300, 641, 902}, 1300, {1, 3, 2, 4});
    }
}

// The same with clusters whose pairs are resolved by owner ranks.
TEST(Resume, GrainsThatBreakInTwoLevels) {
    const auto make = [] {
        granary::Setup s = crowd({true, false, true}, Crowd::whole);
        s.detector = Detector::two_level;
        return s;
    };
    expect_resumable(make, {33, 60, 111}, 150, {1, 3, 2, 7});
}

// Without an energy balance there are no sums of it; with one they must be those of the layers. Bonds of a type that
// the case does not have are refused.
TEST(Resume, BondsWithAndWithoutEnergies) {
    const boost::mpi::communicator world;
    for (const bool energy : {false, true}) {
        const SharedFile shared;
        auto setup = bonded_box();
        setup.energy = energy;
        Simulation sim(world, setup);
        for (int k = 0; k < 20; ++k) sim.step();
        write_checkpoint(shared.path(), sim, "", sim.save());
        OpenState state(world, shared.path());
        Simulation again(world, setup, state);
        EXPECT_EQ(digest_of(again).hex(), digest_of(sim).hex());
        auto fewer = setup;
        fewer.bonds.pop_back();
        EXPECT_THROW(Simulation(world, fewer, state), InputError);
        if (energy) {
            state.header.run.reals.at("bonds.energy").pop_back();
            EXPECT_THROW(Simulation(world, setup, state), InputError);
        }
        world.barrier();
    }
}

}  // namespace granary::resume_test
