// Probes against what they are made of: contact forces add up to the forces of the step, loads to the weight, a probe's
// averages do not depend on what else is written, and what is saved in between is not lost.
#include "run/stages.hpp"
#include "observe/probes.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include "support/busy_box.hpp"
#include "support/scratch_folder.hpp"
#include "support/silo_case.hpp"
#include "engine/measures.hpp"

namespace granary::probes_test {

using namespace granary::test;

namespace {

const std::string bin_text = R"([silo]
hopper = "flat"
d_c = 0.10
h_c = 0.20
d_h = 0.05
material = "grain"
[run]
dt = 1e-4
[[materials]]
name = "grain"
density = 1300.0
young = 1e6
poisson = 0.3
restitution = 0.3
friction = 0.3
[[stages]]
type = "fill"
method = "pack"
material = "grain"
count = 350
radius_min = 0.004
radius_max = 0.005
[[stages]]
type = "run"
time = 0.4
[[stages]]
type = "run"
name = "rest"
time = 0.05
[[probes]]
type = "pressure"
wall = "cylinder"
bins = 8
every = 0.002
stage = "rest"
[[probes]]
type = "loads"
every = 0.002
stage = "rest"
[[probes]]
type = "field"
every = 0.01
stage = "rest"
lower = [-0.08, -0.08, -0.03]
upper = [0.08, 0.08, 0.23]
spacing = 0.01
)";

// Six by four centimetres: hydraulic diameter 4 A/U = 4.8 cm; filled to more than twice the shorter side.
constexpr double width = 0.06, depth = 0.04, wall_friction = 0.3, lateral_ratio = 0.5;
const std::string rectangular_text = R"([silo]
bin = "rectangle"
hopper = "flat"
width = 0.06
depth = 0.04
h_c = 0.24
d_h = 0.02
material = "grain"
[run]
dt = 1e-4
[[materials]]
name = "grain"
density = 1300.0
young = 1e6
poisson = 0.3
restitution = 0.3
friction = 0.3
[[stages]]
type = "fill"
method = "pack"
material = "grain"
count = 520
radius_min = 0.004
radius_max = 0.005
[[stages]]
type = "run"
time = 0.2
[[stages]]
type = "run"
name = "rest"
time = 0.02
[[probes]]
type = "pressure"
wall = "bin-front"
bins = 12
every = 0.002
stage = "rest"
lateral_ratio = 0.5
[[probes]]
type = "pressure"
wall = "bin-left"
bins = 12
every = 0.002
stage = "rest"
lateral_ratio = 0.5
)";

struct Table {
    std::map<std::string, std::size_t> column;
    std::vector<std::vector<double>> rows;
    double at(std::size_t row, const std::string& name) const { return rows.at(row).at(column.at(name)); }
};

Table read(const std::string& path) {
    Table t;
    std::ifstream file(path);
    std::string line, word;
    std::getline(file, line);
    for (std::istringstream words(line); std::getline(words, word, ',');) t.column.emplace(word, t.column.size());
    while (std::getline(file, line)) {
        t.rows.emplace_back();
        for (std::istringstream words(line); std::getline(words, word, ',');) t.rows.back().push_back(std::stod(word));
    }
    return t;
}

std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Runs all stages; in the middle of the last one the probes may be made anew from what they remember.
void run_probes(const ScratchFolder& folder, bool made_anew, const std::string& text = bin_text) {
    const boost::mpi::communicator self;
    const Plan plan = plan_of(text);
    Simulation sim(self, plan.setup);
    Results results(self, folder / "", "state.h5", "", true);
    auto probes = std::make_unique<Probes>(sim, plan.c.probes, results);
    for (const Stage& s : plan.stages) {
        probes->begin_stage(sim, s.name);
        std::uint64_t done = 0;
        run_stage(
            sim, s, plan.gates, [&](const Simulation& now) { probes->before_step(now); },
            [&](const Simulation& now) {
                probes->after_step(now);
                if (made_anew && s.name == "rest" && ++done == 237) {
                    SavedState kept;
                    StateSaver save(kept);
                    probes->run_state(save);
                    probes = std::make_unique<Probes>(sim, plan.c.probes, results, &kept);
                    StateLoader load(kept);
                    probes->run_state(load);
                    probes->begin_stage(sim, s.name, true);
                }
            });
        probes->end_stage(sim);
    }
}

}  // namespace

// The extra pass finds the forces of the step: with those of the walls they are the force on every ball.
TEST(Probes, ContactForcesAreThoseOfTheStep) {
    granary::Setup setup = busy_box();
    setup.domain = {{-0.01, -0.01, 0}, {0.07, 0.06, 0.4}, {}};  // not periodic: every partner is a ball of this list
    setup.walls = {make_wall("floor", Plane{{0, 0, 0.03}, {0, 0, 1}}, 0),
                   make_wall("left", Plane{{-0.003, 0, 0}, {1, 0, 0}}, 0),
                   make_wall("right", Plane{{0.063, 0, 0}, {-1, 0, 0}}, 0),
                   make_wall("front", Plane{{0, -0.003, 0}, {0, 1, 0}}, 0),
                   make_wall("back", Plane{{0, 0.053, 0}, {0, -1, 0}}, 0)};
    setup.insertions.clear();
    Simulation sim(boost::mpi::communicator(), setup);
    for (int k = 0; k < 4000; ++k) {
        if (k == 3999) sim.requests().note_contacts(true);
        sim.step();
    }
    const Bodies& b = sim.bodies();
    std::vector<Vec3d> force(b.size);
    int contacts = 0;
    double largest = 0;
    for (const PairSample& c : sim.forces().pair_samples) {
        force[c.i] += c.force, force[c.j] -= c.force;
        largest = std::max(largest, norm(c.force)), ++contacts;
    }
    for (const WallSample& w : sim.forces().wall_samples) force[w.body] += w.force;
    EXPECT_GT(contacts, 200);
    EXPECT_GT(sim.forces().wall_samples.size(), 50u);
    for (const Range& range : b.real)
        for (Index i = range.begin; i < range.end; ++i)
            for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(at(force[i], axis), b.force(i, axis), 1e-11 * largest);
    const std::vector<std::uint16_t> numbers = contact_numbers_of(sim);
    std::size_t ends = 0;
    for (const std::uint16_t n : numbers) ends += n;
    EXPECT_EQ(ends, 2 * static_cast<std::size_t>(contacts) + sim.forces().wall_samples.size());
}

TEST(Probes, LoadsAddUpToTheWeight) {
    const ScratchFolder folder;
    run_probes(folder, false);
    const Table loads = read(folder / "loads-loads.csv");
    ASSERT_EQ(loads.rows.size(), 1u);
    EXPECT_EQ(loads.at(0, "samples"), 25);
    const double weight = loads.at(0, "weight_N");
    EXPECT_GT(weight, 1);
    EXPECT_LT(std::abs(loads.at(0, "rest_share")), 2e-3);  // looks at every 20th step only, and the grain still creeps
    const double sum = loads.at(0, "down_N:cylinder") + loads.at(0, "down_N:floor") + loads.at(0, "down_N:gate");
    EXPECT_NEAR(sum, loads.at(0, "carried_N"), 1e-9 * weight);

    // The profile of the cylinder holds its load, and the weight less the drag above the bottom is what floor and gate
    // carry.
    const Table p = read(folder / "pressure-cylinder.csv");
    ASSERT_EQ(p.rows.size(), 8u);
    double drag = 0;
    for (std::size_t k = 0; k < 8; ++k) drag += p.at(k, "shear_Pa") * p.at(k, "area_m2");
    EXPECT_NEAR(drag, loads.at(0, "down_N:cylinder"), 1e-9 * weight);
    EXPECT_GT(p.at(0, "normal_Pa"), 3 * p.at(5, "normal_Pa"));
    EXPECT_GT(p.at(0, "janssen_normal_Pa"), 0);
    EXPECT_LE(p.at(1, "normal_least_Pa"), p.at(1, "normal_Pa"));
    EXPECT_GE(p.at(1, "normal_most_Pa"), p.at(1, "normal_Pa"));
    EXPECT_NEAR(p.at(0, "bulk_density_kg_per_m3"), 750, 90);  // 1300 times a loose packing between walls

    const Table f = read(folder / "field-field.csv");
    ASSERT_EQ(f.rows.size(), 1u);
    EXPECT_NEAR(f.at(0, "mass_kg") * 9.81, weight, 1e-12 * weight);  // the grid holds it all: mass is conserved
    EXPECT_NEAR(f.at(0, "coordination"), 4.5, 1.5);
    EXPECT_GT(f.at(0, "stress_zz_Pa"), 0);
}

// The curves beside the pressures at a flat side of a rectangular bin, written out from the depth and the density in
// the same rows.
TEST(Probes, ARectangularBinHasTheCurvesOfItsHydraulicDiameter) {
    const ScratchFolder folder;
    run_probes(folder, false, rectangular_text);
    constexpr double hydraulic = 4 * width * depth / (2 * (width + depth));
    constexpr double length = hydraulic / (4 * wall_friction * lateral_ratio);
    for (const char* side : {"pressure-bin-front.csv", "pressure-bin-left.csv"}) {
        SCOPED_TRACE(side);
        const Table p = read(folder / side);
        ASSERT_EQ(p.rows.size(), 12u);
        // Slender, more than twice the shorter side: EN has Janssen's curve for filling.
        EXPECT_GT(p.at(0, "depth_m") + p.at(0, "height_m"), 2 * depth);
        EXPECT_NEAR(p.at(0, "bulk_density_kg_per_m3"), 720, 100);
        EXPECT_GT(p.at(0, "normal_Pa"), 0.2 * p.at(0, "janssen_normal_Pa"));
        std::size_t covered = 0;
        for (std::size_t k = 0; k < p.rows.size(); ++k) {
            const double z = p.at(k, "depth_m"), weight = 9.81 * p.at(k, "bulk_density_kg_per_m3");
            const double vertical = z > 0 ? weight * length * (1 - std::exp(-z / length)) : 0;
            covered += z > 0 ? 1 : 0;
            const double near = 1e-5 * weight * length;  // digits of the file
            EXPECT_NEAR(p.at(k, "janssen_vertical_Pa"), vertical, near) << k;
            EXPECT_NEAR(p.at(k, "janssen_normal_Pa"), lateral_ratio * vertical, near) << k;
            EXPECT_NEAR(p.at(k, "janssen_shear_Pa"), wall_friction * lateral_ratio * vertical, near) << k;
            EXPECT_NEAR(p.at(k, "en_fill_normal_Pa"), lateral_ratio * vertical, near) << k;
            EXPECT_NEAR(p.at(k, "en_discharge_normal_Pa"), 1.15 * lateral_ratio * vertical, near) << k;
            EXPECT_TRUE(std::isnan(p.at(k, "vertical_Pa"))) << k;  // the other three walls carry a part
        }
        EXPECT_GE(covered, 4u);
    }
}

// What has been added up survives a stop in between, bit by bit.
TEST(Probes, RememberWhatWasAddedUp) {
    const ScratchFolder straight, stopped;
    run_probes(straight, false);
    run_probes(stopped, true);
    for (const char* name : {"pressure-cylinder.csv", "loads-loads.csv", "field-field.csv"}) {
        EXPECT_GT(text_of(straight / name).size(), 200u);
        EXPECT_EQ(text_of(straight / name), text_of(stopped / name)) << name;
    }
}

}  // namespace granary::probes_test
