// Loads on walls are those of the present step, whenever one asks, and the same on any number of ranks however cuts
// move; so are the rows of a series, the last of which may come at any step.
#include <gtest/gtest.h>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>
#include <cmath>
#include <fstream>
#include <functional>
#include <string>
#include <vector>
#include "run/stages.hpp"
#include "observe/observer.hpp"
#include "support/busy_box.hpp"
#include "support/busy_net.hpp"
#include "support/few_balls.hpp"
#include "support/scratch_folder.hpp"
#include "support/silo_case.hpp"
#include "support/story.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

Vec3d sum_over_ranks(const boost::mpi::communicator& comm, const Vec3d& v) {
    const double mine[3] = {v.x, v.y, v.z};
    double all[3];
    boost::mpi::all_reduce(comm, mine, 3, all, std::plus<double>());
    return {all[0], all[1], all[2]};
}

// Contact forces on all balls: those between balls cancel, the walls' remain.
Vec3d force_of_walls(const Simulation& sim) {
    Vec3d sum;
    for (const Range& range : sim.bodies().real)
        for (Index i = range.begin; i < range.end; ++i)
            sum += Vec3d{sim.bodies().force(i, 0), sim.bodies().force(i, 1), sim.bodies().force(i, 2)};
    return sum_over_ranks(sim.comm(), sum);
}

void append(std::vector<double>& to, const std::vector<WallLoad>& loads) {
    for (const WallLoad& l : loads)
        to.insert(to.end(), {l.force.x, l.force.y, l.force.z, l.torque.x, l.torque.y, l.torque.z});
}

// A rectangle of balls that rest on a floor, pressed in by a hundredth of their radius.
Setup resting_balls() {
    std::vector<NewBody> balls;
    for (Id id = 0; id < 12; ++id)
        balls.push_back(
            ball(id, {0.03 * static_cast<double>(id % 4), 0.03 * static_cast<double>(id / 4), 0.0099}, 0.01, 2500));
    Setup s = few_balls(box(0.2), 1e-5, balls);
    s.materials = {hertz_material("grain", 5e6, 0.3, 2500, 0.6, 0.4)};
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0)};
    return s;
}

}  // namespace

// Newton's third law at every step: rebuilds, balls that come, that leave and that touch nothing included.
TEST(WallLoads, AreThoseOfTheStep) {
    for (const bool of_balls : {false, true})
        for (const int n : rank_counts()) {
            SCOPED_TRACE(testing::Message() << n << " ranks" << (of_balls ? ", walls of balls" : ""));
            const double largest = on_ranks(n, [&](const auto& comm) {
                granary::Setup s = of_balls ? busy_net() : busy_box();
                s.choose_cuts = shaken_cuts;
                Simulation sim(comm, s);
                double most = 0;
                for (int step = 0; step < 1200; ++step) {
                    sim.step();
                    Vec3d loads;
                    double size = 0;
                    for (const WallLoad& l : wall_loads_of(sim)) loads += l.force, size += norm(l.force);
                    most = std::max(most, size);
                    // Forces of a few newtons between balls cancel to their last digits.
                    EXPECT_LT(norm(loads + force_of_walls(sim)), 1e-11) << "step " << sim.clock().step();
                }
                return most;
            });
            EXPECT_GT(largest, 0.01);
        }
}

// The first row of a series is made before the first step.
TEST(WallLoads, AreThereAtTheStart) {
    for (const int n : rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        const granary::Setup setup = resting_balls();
        const std::vector<double> loads = on_ranks(n, [&](const auto& comm) {
            std::vector<double> all;
            append(all, wall_loads_of(Simulation(comm, setup)));
            return all;
        });
        ASSERT_EQ(loads.size(), 6u);
        const double k = hertz_stiffness(setup.materials[0], setup.materials[0], 0.01);
        EXPECT_NEAR(loads[2], -12 * k * std::pow(1e-4, 1.5), 1e-9 * 12 * k * std::pow(1e-4, 1.5));
    }
}

TEST(WallLoads, SameAtEveryStepWithAnyCuts) {
    const auto all_loads = [](int n, bool wild) {
        return on_ranks(n, [&](const auto& comm) {
            granary::Setup s = busy_box();
            if (wild) s.choose_cuts = shaken_cuts;
            Simulation sim(comm, s);
            std::vector<double> loads;
            for (int step = 0; step < 800; ++step) {
                sim.step();
                append(loads, wall_loads_of(sim));
            }
            return loads;
        });
    };
    const std::vector<double> alone = all_loads(1, false);
    for (const int n : rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        EXPECT_EQ(all_loads(n, true), alone);
    }
}

namespace {

// The rows of a run of so many steps, without the last two columns, which are of the machine.
std::vector<std::string> rows_of_a_run(const boost::mpi::communicator& comm, const std::vector<std::string>& sets,
                                       std::uint64_t steps) {
    const ScratchFolder mine;
    std::string folder = mine / "";
    boost::mpi::broadcast(comm, folder, 0);
    Plan plan = plan_of(silo_text, sets, comm);
    plan.setup.choose_cuts = shaken_cuts;
    Simulation sim(comm, plan.setup);
    {
        Results results(comm, folder, "state.h5", "", true);
        Observer observer(sim, plan, results, silo_text, true);
        for (Stage s : plan.stages) {
            if (sim.clock().step() >= steps) break;
            s.longest = std::min(s.longest, steps - sim.clock().step());
            observer.end_stage(sim, run_stage(
                                        sim, s, plan.gates, [&](const Simulation& now) { observer.before_step(now); },
                                        [&](const Simulation& now) { observer.after_step(now); }));
        }
        observer.finish(sim);
    }
    std::vector<std::string> rows;
    if (comm.rank() == 0) {
        std::ifstream file(folder + "/series.csv");
        for (std::string row; std::getline(file, row);) {
            for (int k = 0; k < 2; ++k) row.erase(row.rfind(','));
            rows.push_back(row);
        }
    }
    comm.barrier();
    return rows;
}

}  // namespace

// A run that ends between two rows, wherever the cuts have gone since the last one.
TEST(WallLoads, LastRowIsThatOfItsStepOnAnyRanks) {
    const auto rows = [](int n, const std::vector<std::string>& sets) {
        return on_ranks(n, [&](const auto& comm) { return rows_of_a_run(comm, sets, 3777); });
    };
    const std::vector<std::string> alone = rows(1, {"output.log_every=0.1"});
    ASSERT_GT(alone.size(), 3u);
    EXPECT_NE(alone.back(), alone[alone.size() - 2]);
    for (const int n : rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        EXPECT_EQ(rows(n, {"output.log_every=0.1"}), alone);
    }
    // Whatever else is written.
    const auto forces = [](const std::vector<std::string>& table) {
        std::istringstream names(table.front()), values(table.back());
        std::string found;
        for (std::string name, value; std::getline(names, name, ',') && std::getline(values, value, ',');)
            if (name.starts_with("force_")) found += name + " " + value + "\n";
        return found;
    };
    EXPECT_NE(forces(alone), "");
    for (const char* often : {"output.log_every=0.37", "output.log_every=0.001"})
        EXPECT_EQ(forces(rows(1, {often})), forces(alone)) << often;
}

namespace {

// A ball that bounces on a floor which goes up and down, and one that lies on a plate at rest.
Setup shaken_floor() {
    Setup s = few_balls(box(0.2), 1e-5,
                        {ball(0, {0, 0, 0.0101}, 0.01, 2500), ball(1, {0.1, 0, 0.0099}, 0.01, 2500),
                         ball(2, {0, 0.1, 0.03}, 0.01, 2500)});
    s.gravity = {0.3, 0, -9.81};
    s.materials = {hertz_material("grain", 5e6, 0.3, 2500, 0.6, 0.4)};
    WallMotion shake;
    shake.name = "shake", shake.type = WallMotion::Type::vibrate, shake.along = {0, 0, 5e-4};
    shake.frequency = 100, shake.start = 0;
    s.motions = {shake};
    s.walls = {make_wall("floor", Rectangle{{-0.05, -0.15, 0}, {0.1, 0, 0}, {0, 0.3, 0}}, 0),
               make_wall("plate", Rectangle{{0.06, -0.05, 0}, {0.1, 0, 0}, {0, 0.1, 0}}, 0)};
    s.walls[0].motion = 0;
    return s;
}

}  // namespace

// Beside sums taken step by step, over intervals of which one has another time step.
TEST(WallLoads, MeansAreThoseOfAllSteps) {
    for (const int n : rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        on_ranks(n, [&](const auto& comm) {
            granary::Setup s = shaken_floor();
            s.mean_loads = true;
            s.choose_cuts = shaken_cuts;
            Simulation sim(comm, s);
            EXPECT_EQ(mean_loads_of(sim)[1].force.z, wall_loads_of(sim)[1].force.z);  // before the first step: of now
            bool worked = false;  // the shaken floor has struck the ball above it
            for (const int steps : {1, 777, 2000, 1}) {
                std::vector<Vec3d> impulse(2);
                double work = 0, time = 0;
                for (int k = 0; k < steps; ++k) {
                    if (k == 500) sim.change_dt(sim.setup().dt == 1e-5 ? 5e-6 : 1e-5);
                    sim.step();
                    const std::vector<WallLoad> loads = wall_loads_of(sim);
                    for (std::size_t w = 0; w < 2; ++w) impulse[w] += sim.setup().dt * loads[w].force;
                    work -= sim.setup().dt * dot(loads[0].force, sim.walls().twists()[0].velocity);
                    time += sim.setup().dt;
                }
                const std::vector<MeanLoad> means = mean_loads_of(sim);
                for (std::size_t w = 0; w < 2; ++w)
                    EXPECT_LT(norm(means[w].force - (1 / time) * impulse[w]), 1e-13 * (1 + norm(impulse[w]) / time));
                EXPECT_NEAR(means[0].power, work / time, 1e-13 * (1 + std::abs(work / time)));
                EXPECT_EQ(means[1].power, 0);
                worked |= means[0].power != 0 && means[0].force.z != wall_loads_of(sim)[0].force.z;
                sim.requests().restart_means();
            }
            EXPECT_TRUE(worked);
            return 0;
        });
    }
}

TEST(WallLoads, RowsOfMeansAreTheSameOnAnyRanks) {
    const std::vector<std::string> sets{"output.log_every=0.1", "output.forces=mean"};
    const auto rows = [&](int n) {
        return on_ranks(n, [&](const auto& comm) { return rows_of_a_run(comm, sets, 3777); });
    };
    const std::vector<std::string> alone = rows(1);
    ASSERT_GT(alone.size(), 3u);
    for (const int n : rank_counts()) {
        SCOPED_TRACE(std::to_string(n) + " ranks");
        EXPECT_EQ(rows(n), alone);
    }
}
