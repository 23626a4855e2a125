// The largest step that a case may have is stable: balls in lattices that stick to all their neighbours, set spinning
// and moving, keep their energy without dampers and lose it with them. In such a lattice the stiffest swing, all balls
// turning the same way, is 10/21 n times as stiff as that of a pair (n contacts), which is as hard as grain can make
// it.
#include <gtest/gtest.h>
#include <cmath>
#include "contact/time_scales.hpp"
#include "core/errors.hpp"
#include "support/dice.hpp"
#include "support/few_balls.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double radius = 2e-3, density = 2500, squeezed = 0.98;
using Rolling = LawSettings::Rolling;

struct Grain {
    Material material;
    LawSettings law;
};

Grain linear(double ratio, double restitution, Rolling rolling = Rolling::none) {
    Grain g{linear_material("grain", 4000, density, restitution, 1000), {}};  // never slides
    g.material.stiffness_ratio = ratio, g.material.rolling_friction = 0.5, g.material.rolling_damping = 0.3;
    g.law.type = LawSettings::Type::linear, g.law.rolling = rolling;
    return g;
}

enum class Crystal { simple, face_centred };  // six and twelve contacts a ball

// 4 x 4 x 4 cells in a periodic box.
Setup lattice(const Grain& g, Crystal type, double dt) {
    const double edge = (type == Crystal::simple ? 2 : 2 * std::sqrt(2.0)) * squeezed * radius;
    std::vector<Vec3d> cell{{0, 0, 0}};
    if (type == Crystal::face_centred) cell = {{0, 0, 0}, {0.5, 0.5, 0}, {0.5, 0, 0.5}, {0, 0.5, 0.5}};
    std::vector<NewBody> balls;
    Dice dice(7);
    for (int x = 0; x < 4; ++x)
        for (int y = 0; y < 4; ++y)
            for (int z = 0; z < 4; ++z)
                for (const Vec3d& at : cell)
                    balls.push_back(ball(static_cast<Id>(balls.size()),
                                         edge * (Vec3d{x + 0.25, y + 0.25, z + 0.25} + at), radius, density,
                                         dice.vector(1e-4), Vec3d{0.1, 0.2, 0.3} + dice.vector(0.05)));
    Setup s = few_balls({{0, 0, 0}, {4 * edge, 4 * edge, 4 * edge}, {true, true, true}}, dt, balls);
    s.law = g.law, s.materials = {g.material};
    return s;
}

double kinetic(const Simulation& sim) {
    double sum = 0;
    const Bodies& b = sim.bodies();
    for (const Range& range : b.real)
        for (Index i = range.begin; i < range.end; ++i) {
            const BallState s = state_at(sim, i);
            sum += 0.5 * s.mass * (dot(s.v, s.v) + 0.4 * s.radius * s.radius * dot(s.spin, s.spin));
        }
    return sum;
}

// Greatest kinetic energy in the second half of 3000 steps, over that of the begin.
double growth(const Grain& g, Crystal type, double dt) {
    Simulation sim(boost::mpi::communicator(), lattice(g, type, dt));
    const double begin = kinetic(sim);
    double most = 0;
    for (int k = 0; k < 3000; ++k) {
        sim.step();
        if (k >= 1500) most = std::max(most, kinetic(sim) / begin);
    }
    return most;
}

double largest_step(const Grain& g) {
    const std::vector<Material> materials{g.material};
    return largest_dt({}, pair_scales(materials, {}, g.law, std::vector<MaterialUse>{{radius, false}}, 1));
}

}  // namespace

// Without dampers the leapfrog keeps an energy of its own, of which the kinetic one is no more than 1/(1 - (omega
// dt/2)^2): a factor of 3 is ample.
TEST(StableStep, TheLargestStepKeepsTheEnergyOfALattice) {
    for (const Crystal type : {Crystal::simple, Crystal::face_centred})
        for (const double ratio : {2.0 / 7, 1.0, 10.0}) {
            SCOPED_TRACE(testing::Message() << "ratio " << ratio << (type == Crystal::simple ? ", simple" : ", fcc"));
            EXPECT_LT(growth(linear(ratio, 1), type, largest_step(linear(ratio, 1))), 3);
        }
}

TEST(StableStep, DampedLatticesLoseTheirEnergy) {
    for (const double restitution : {0.1, 0.5})
        for (const double ratio : {2.0 / 7, 10.0})
            for (const Rolling rolling : {Rolling::none, Rolling::spring}) {
                SCOPED_TRACE(testing::Message() << "ratio " << ratio << ", e " << restitution
                                                << (rolling == Rolling::spring ? ", rolling spring" : ""));
                const Grain g = linear(ratio, restitution, rolling);
                EXPECT_LT(growth(g, Crystal::simple, largest_step(g)), 0.1);
            }
}

// What an eighth of the contact would be, the limit of the normal spring alone: with a ratio of 10 it blows up.
TEST(StableStep, TheNormalSpringAloneAllowsTooMuch) {
    const Grain g = linear(10, 1);
    const std::vector<Material> materials{g.material};
    const auto pairs = pair_scales(materials, {}, g.law, std::vector<MaterialUse>{{radius, false}}, 1);
    EXPECT_THROW(growth(g, Crystal::simple, largest_contact_share * pairs[0].contact_time), RunError);
    EXPECT_LT(largest_step(g), 0.4 * largest_contact_share * pairs[0].contact_time);
}
