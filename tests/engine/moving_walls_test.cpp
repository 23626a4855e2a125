// Walls that move through slab faces, on any number of ranks: places and velocities are functions of time, and a servo
// is told the same force on all ranks.
#include <gtest/gtest.h>
#include <boost/serialization/vector.hpp>
#include "core/errors.hpp"
#include "support/message_of.hpp"
#include "support/stirred_box.hpp"
#include "support/story.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

TEST(SameBits, MovingWalls) {
    for (const Integrator integrator : {Integrator::verlet, Integrator::gear}) {
        SCOPED_TRACE(integrator == Integrator::gear ? "gear" : "verlet");
        const auto make = [=] {
            granary::Setup s = stirred();
            s.integrator = integrator;
            s.choose_cuts = shaken_cuts;
            return s;
        };
        const ManyStories stories = expect_same_on_any_ranks(make, 1200);
        EXPECT_GT(stories.of.front().contacts, 20u);
        EXPECT_NE(stories.of.front().load, 0);
        for (std::size_t k = 1; k < stories.of.size(); ++k) EXPECT_GT(stories.of[k].migrations, 50u);
    }
}

// The walls have really gone, and the servo has felt something.
TEST(MovingWalls, AllOfThemMove) {
    const auto places = on_ranks(boost::mpi::communicator().size(), [](const auto& comm) {
        Simulation sim(comm, stirred());
        for (int k = 0; k < 1200; ++k) sim.step();
        EXPECT_EQ(events_of(sim).late_checks, 0u);
        const MovingWalls& walls = sim.walls();
        return std::vector<double>{std::get<Rectangle>(sim.walls().walls()[2].shape).edge_b.x, walls.pose(1).shift.z,
                                   walls.pose(2).shift.z, walls.position_of(3, sim.clock().time()), sim.clock().time()};
    });
    EXPECT_GT(std::abs(places[0]), 0.005);
    EXPECT_NE(places[1], 0);
    EXPECT_NEAR(places[2], 1.5 * 0.02, 1e-12);
    EXPECT_GT(places[3], 0.003);
    EXPECT_LT(places[3], 0.9 * 4 * places[4]);  // something was in its way
}

// What moves too fast for the step is refused before the run, and when a stage takes a longer step; on all ranks alike.
TEST(MovingWalls, TooFastForTheStep) {
    const auto message = [](double speed, double later_dt) {
        return on_ranks(boost::mpi::communicator().size(), [&](const auto& comm) {
            granary::Setup s = stirred();
            s.motions[2].along = {0, 0, speed};
            return message_of<InputError>([&] {
                Simulation sim(comm, s);
                sim.change_dt(later_dt);
            });
        });
    };
    EXPECT_NE(message(200, 2e-5).find("the motion \"ring\" moves a wall at 200 m/s: 0.004 m in one step"),
              std::string::npos);
    EXPECT_NE(message(100, 4e-5).find("ring"), std::string::npos);
    EXPECT_EQ(message(100, 2e-5), "nothing was thrown");
}
