// A normal step (no rebuild, no output) calls no blocking collective, allocates nothing, and sends one message to each
// neighbour; a rebuild calls one collective, and sends each neighbour three. They are counted where they
// cannot be missed: this program has its own operator new, and MPI functions that count (support/mpi_calls.hpp).
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // g++ sees free and not that new is its own, too
#include <gtest/gtest.h>
#include <atomic>
#include <cstdlib>
#include <new>
#include "engine/measures.hpp"
#include "filling/packing.hpp"
#include "support/dice.hpp"
#include "support/given_bodies.hpp"
#include "support/mpi_calls.hpp"

namespace {

std::atomic<long> n_allocations{0}, n_views{0};

}  // namespace

// The sanitizers watch over new and delete themselves; there only messages are counted.
#ifndef __SANITIZE_ADDRESS__
#define GRANARY_COUNTS_ALLOCATIONS 1

namespace {

void* take(std::size_t n, std::size_t alignment) {
    ++n_allocations;
    // Sizes of aligned memory are multiples of the alignment.
    void* p = alignment > alignof(std::max_align_t)
                  ? std::aligned_alloc(alignment, (n + alignment - 1) / alignment * alignment)
                  : std::malloc(n > 0 ? n : 1);
    if (p == nullptr) throw std::bad_alloc();
    return p;
}

}  // namespace

// All other forms of new come down to these two, by the standard.
void* operator new(std::size_t n) { return take(n, 0); }
void* operator new(std::size_t n, std::align_val_t a) { return take(n, static_cast<std::size_t>(a)); }
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
#else
#define GRANARY_COUNTS_ALLOCATIONS 0
#endif

namespace granary {

namespace {

struct Counts {
    long allocations, views, collectives, travelling, gathering, started, sent;
    friend Counts operator-(const Counts& a, const Counts& b) {
        return {a.allocations - b.allocations,
                a.views - b.views,
                a.collectives - b.collectives,
                a.travelling - b.travelling,
                a.gathering - b.gathering,
                a.started - b.started,
                a.sent - b.sent};
    }
};

Counts counts() {
    const test::MpiCalls& mpi = test::mpi_calls();
    return {n_allocations, n_views, mpi.blocking, mpi.travelling, mpi.gathering, mpi.started, mpi.sent};
}

// A block of balls that touch, slide and spin on a floor and at a wall, slow enough to live on one list for fifty
// steps.
Setup slow_block(LawSettings::Type law) {
    Setup s;
    s.domain = {{0, 0, 0}, {0.03, 0.03, 0.06}, {true, false, false}};
    s.gravity = {0, 0, -9.81};
    s.dt = 1e-5;
    Material m;
    m.name = "grain", m.density = 2500, m.young = 5e6, m.poisson = 0.3, m.restitution = 0.6, m.friction = 0.5;
    m.stiffness = 2000, m.damping = 0.05, m.cohesion = 0.01;
    s.materials = {m};
    s.law.type = law;
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0), make_wall("side", Plane{{0, 0, 0}, {0, 1, 0}}, 0)};
    s.walls.push_back(
        make_wall("plate", Disc{{0.015, 0.015, 0.057}, {0, 0, 1}, 0.01}, 0));  // moves, and asks for forces
    s.walls.back().motion = 0;
    s.motions.resize(1);
    s.motions[0].type = WallMotion::Type::servo, s.motions[0].along = {0, 0, -1}, s.motions[0].force = 1,
    s.motions[0].speed = 0.01, s.motions[0].gain = 0.01;
    s.outlets = {{"hole", {0, 0, 0.0022}, {0, 0, 1}}};  // the lowest balls are watched, and stay
    s.largest_radius = 2.51e-3;
    s.skin = 4e-4;
    s.start = test::given([&](const auto& sink) {
        test::Dice dice(1);
        for (Id n = 0; n < 6 * 5 * 11; ++n) {
            const Id kx = n % 6, ky = n / 6 % 5, kz = n / 30;
            const double a = 5e-3;  // a little less than the diameter
            const Vec3d x{a * (0.5 + static_cast<double>(kx)), a * (0.5 + static_cast<double>(ky)),
                          a * (0.5 + static_cast<double>(kz))};
            NewBody b = make_ball(n, x, 2.51e-3, 2500, 0, dice.vector(0.03));
            b.spin = dice.vector(5);
            sink(b);
        }
    });
    s.longest_interval = 60;
    s.rebalance_every = 0;  // a look at the balance asks all ranks
    return s;
}

class QuietStep : public testing::TestWithParam<LawSettings::Type> {};

}  // namespace

TEST_P(QuietStep, NeitherAllocatesNorWaitsForEverybody) {
    Kokkos::Tools::Experimental::set_allocate_data_callback(
        [](Kokkos_Profiling_SpaceHandle, const char*, const void*, std::uint64_t) { ++n_views; });
    const boost::mpi::communicator world;
    const Counts at_start = counts();
    Simulation sim(world, slow_block(GetParam()));
    EXPECT_GT((counts() - at_start).views, 0);  // the counter of views sees them
    const std::uint64_t rebuilds = events_of(sim).rebuilds;

    for (int step = 0; step < 11; ++step) sim.step();  // the first look of the servo takes its memory
    const Counts before = counts();
    for (int step = 11; step < 50; ++step) sim.step();
    const Counts quiet = counts() - before;
    EXPECT_EQ(quiet.allocations, 0);
    EXPECT_EQ(quiet.views, 0);
    EXPECT_EQ(quiet.collectives, 0);

    // These were steps with everything in them.
    EXPECT_EQ(events_of(sim).rebuilds, rebuilds);
    EXPECT_GE(quiet.travelling, 2);  // staleness was looked after
    EXPECT_EQ(quiet.gathering, 4);   // the force on the plate, at steps 20, 30, 40 and 50
    const Slabs& slabs = sim.neighbourhood().slabs;
    const long neighbours = slabs.below(world.rank()).has_value() + slabs.above(world.rank()).has_value();
    EXPECT_EQ(quiet.started, 39 * 2 * neighbours);  // ghosts were refreshed: one message goes, one comes
    EXPECT_EQ(quiet.sent, 0);
    const Measures m = measures_of(sim);
    EXPECT_GT(m.contacts, 200u);
    if (GetParam() != LawSettings::Type::kelvin_voigt) {
        EXPECT_GT(m.image_contacts, 10u);
        EXPECT_EQ(m.slab_contacts > 10, world.size() > 1);
    }
    sim.step();
    EXPECT_LT(wall_loads_of(sim)[0].force.z, 0);

    // And a rebuild is seen by the same counters.
    const Counts before_rebuild = counts();
    for (int step = 51; step < 60; ++step) sim.step();
    const Counts loud = counts() - before_rebuild;
    EXPECT_EQ(events_of(sim).rebuilds, rebuilds + 1);
    EXPECT_EQ(loud.allocations > 0, GRANARY_COUNTS_ALLOCATIONS == 1);
    EXPECT_EQ(loud.collectives, 1);
    EXPECT_EQ(loud.sent, 3 * neighbours);         // bodies that go, the number of ghosts, and ghosts
    EXPECT_EQ(loud.started, 8 * 2 * neighbours);  // the rebuild sends them anew
    Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr);
}

INSTANTIATE_TEST_SUITE_P(Laws, QuietStep,
                         testing::Values(LawSettings::Type::hertz_mindlin, LawSettings::Type::linear,
                                         LawSettings::Type::kelvin_voigt));

}  // namespace granary
