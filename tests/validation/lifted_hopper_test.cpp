// The lifted hopper of Huang (2020), section 4.2, in small: 500 balls, a hopper of half the size, softer still. The
// whole one is measured by jobs/validation hopper.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "run/stages.hpp"
#include "plan/plan.hpp"
#include "support/few_balls.hpp"
#include "support/source_folder.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

const std::vector<std::string> small{"materials.pmma.young=3.2e6",
                                     "walls.hopper.bottom_radius=0.02",
                                     "walls.hopper.top_radius=0.045",
                                     "walls.hopper.top=[0.0, 0.0, 0.05]",
                                     "walls.collar.bottom=[0.0, 0.0, 0.05]",
                                     "walls.collar.top=[0.0, 0.0, 0.12]",
                                     "walls.collar.radius=0.045",
                                     "motions.lift.duration=1.4",
                                     "stages.fill.count=500",
                                     "stages.fill.rate=4000.0",
                                     "stages.fill.lower=[-0.03, -0.03, 0.06]",
                                     "stages.fill.upper=[0.03, 0.03, 0.12]",
                                     "stages.settle.time=0.2",
                                     "stages.lift.time=1.4",
                                     "stages.pile.time=0.6"};

struct Pile {
    double angle = 0, height = 0;  // degrees, m
};

// The mean of the highest balls in rings one diameter wide and 12 sectors; a straight line through the flank.
Pile pile_of(const Simulation& sim) {
    constexpr int n_sectors = 12, n_rings = 20;
    const double d = 2 * sim.setup().largest_radius;
    std::vector<double> top(n_sectors * n_rings, 0.0);
    Pile pile;
    for (const Range& range : sim.bodies().real)
        for (Index i = range.begin; i < range.end; ++i) {
            const Vec3d x = sim.bodies().x(i);
            const int ring = static_cast<int>(std::hypot(x.x, x.y) / d);
            const int sector = static_cast<int>((std::atan2(x.y, x.x) + std::numbers::pi) / (2 * std::numbers::pi) *
                                                (n_sectors - 1e-9));
            const double height = x.z + sim.bodies().radius(i);
            pile.height = std::max(pile.height, height);
            if (ring < n_rings) top[ring * n_sectors + sector] = std::max(top[ring * n_sectors + sector], height);
        }
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int ring = 1; ring < n_rings; ++ring) {
        double mean = 0;
        for (int k = 0; k < n_sectors; ++k) mean += top[ring * n_sectors + k] / n_sectors;
        if (mean < 1.5 * d) break;  // the flat foot does not count
        const double x = (ring + 0.5) * d;
        ++n, sx += x, sy += mean, sxx += x * x, sxy += x * mean;
    }
    pile.angle = -std::atan((n * sxy - sx * sy) / (n * sxx - sx * sx)) * 180 / std::numbers::pi;
    return pile;
}

}  // namespace

TEST(LiftedHopper, LeavesAStablePile) {
    const std::string file = source_path("jobs/cases/hopper-lift.toml"), text = read_case_text(file);
    const boost::mpi::communicator alone;
    const Plan plan = make_plan(alone, read_case(text, file, small), CasePlaces(text, file, small));
    Simulation sim(alone, plan.setup);
    const auto nothing = [](const Simulation&) {};
    for (const Stage& stage : plan.stages) run_stage(sim, stage, plan.gates, nothing, nothing);

    const Ledger ledger = ledger_of(sim);
    EXPECT_EQ(ledger.inserted, 500u);
    EXPECT_GT(ledger.inside, 480u);  // nearly all stay
    EXPECT_NEAR(std::get<ConeFrustum>(sim.walls().walls()[1].shape).bottom.z, 0.05 * 1.4, 1e-12);
    const std::vector<WallLoad> loads = loads_after_a_step(sim);
    EXPECT_EQ(norm(loads[1].force) + norm(loads[2].force), 0);  // the hopper is empty
    EXPECT_NEAR(loads[0].force.z / (measures_of(sim).mass * -9.81), 1, 0.02);
    const Pile pile = pile_of(sim);
    // So small a heap is flatter than the 13 degrees of 3000 balls; with sliding friction 0.1 those leave two layers
    // at about 1 degree.
    EXPECT_GT(pile.height, 3 * 0.006);
    EXPECT_GT(pile.angle, 5);
    EXPECT_LT(pile.angle, 20);
    run(sim, 2000);  // and it stands
    EXPECT_NEAR(pile_of(sim).angle, pile.angle, 0.5);
    RecordProperty("angle", std::to_string(pile.angle));
}
