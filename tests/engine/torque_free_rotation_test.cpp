// Torque-free rotation: without a torque the spin of a ball, whose inertia is the same about all axes, stays what it
// is, in size and direction. To the last bit, under both integrators, in flight through periodic faces and through the
// slabs of all ranks, with the bodies sorted anew and the cuts moved at every rebuild.
#include <gtest/gtest.h>
#include <bit>
#include <boost/serialization/vector.hpp>
#include "core/random.hpp"
#include "support/few_balls.hpp"
#include "support/story.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double r = 2.5e-3, pitch = 2.2 * r;
constexpr int n = 4;  // balls along each axis

Vec3d spin_of(Id id) {
    const auto draw = [&](std::uint32_t k) {
        return 600 * uniform(RandomKey{3, Purpose::loose_packing, 0, id, 0}, k) - 300;
    };
    return {draw(0), draw(1), draw(2)};
}

// All fly with the same velocity and fall alike, so that they never touch.
Setup flock(Integrator integrator) {
    std::vector<NewBody> balls;
    for (int k = 0; k < n * n * n; ++k) {
        const Id id = static_cast<Id>(k);
        const Vec3d place{0.5 + k % n, 0.5 + k / n % n, 0.5 + k / (n * n)};
        balls.push_back(ball(id, pitch * place, r, 2500, {3, -2, 4}, spin_of(id)));
    }
    Setup s = few_balls({{0, 0, 0}, {n * pitch, n * pitch, n * pitch}, {true, true, true}}, 4e-5, balls);
    s.materials = {hertz_material("grain", 5e6, 0.3, 2500, 0.6, 0.5)};
    s.gravity = {0, 0, -9.81};
    s.skin = 4e-4;
    s.integrator = integrator;
    s.choose_cuts = shaken_cuts;
    return s;
}

}  // namespace

TEST(TorqueFreeRotation, SpinStaysToTheLastBit) {
    for (const Integrator integrator : {Integrator::verlet, Integrator::gear})
        for (const int ranks : rank_counts()) {
            SCOPED_TRACE(testing::Message()
                         << (integrator == Integrator::gear ? "gear, " : "verlet, ") << ranks << " ranks");
            const std::vector<std::uint64_t> seen = on_ranks(ranks, [&](const auto& comm) {
                Simulation sim(comm, flock(integrator));
                std::uint64_t there = 0, changed = 0;
                for (int step = 0; step < 300; ++step) {
                    sim.step();
                    for (const Range& range : sim.bodies().real)
                        for (Index i = range.begin; i < range.end; ++i) {
                            const Vec3d now = sim.bodies().omega(i), first = spin_of(sim.bodies().id(i));
                            const Vec3d synchronised = synchronised_spin(sim.bodies(), i, sim.motion());
                            ++there;
                            for (int axis = 0; axis < 3; ++axis)
                                changed += std::bit_cast<std::uint64_t>(at(now, axis)) !=
                                               std::bit_cast<std::uint64_t>(at(first, axis)) ||
                                           at(synchronised, axis) != at(first, axis);
                        }
                }
                const Events e = events_of(sim);
                const auto sum = [&](std::uint64_t mine) {
                    return boost::mpi::all_reduce(comm, mine, std::plus<std::uint64_t>());
                };
                return std::vector<std::uint64_t>{sum(there),   sum(changed), e.wraps,
                                                  e.migrations, e.rebuilds,   measures_of(sim).contacts};
            });
            EXPECT_EQ(seen[0], 300u * n * n * n);
            EXPECT_EQ(seen[1], 0u);  // spins that have changed
            EXPECT_GT(seen[2], 200u);
            if (ranks > 1) {
                EXPECT_GT(seen[3], 200u);
            }
            EXPECT_GT(seen[4], 50u);
            EXPECT_EQ(seen[5], 0u);  // nobody touches
        }
}
