// The numbers of series.csv: what comes in, what is inside and what goes out add up, and the mass flow is what went
// out.
#include "run/stages.hpp"
#include "observe/observer.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include "support/scratch_folder.hpp"
#include "support/silo_case.hpp"

using namespace granary;
using namespace granary::test;

namespace {

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

// All stages of a case, as `granary run` does them.
Table watched(const std::string& text, const std::vector<std::string>& sets) {
    const ScratchFolder folder;
    const boost::mpi::communicator self;
    const Plan plan = plan_of(text, sets);
    Simulation sim(self, plan.setup);
    Results results(self, folder / "", "state.h5", "", true);
    Observer observer(sim, plan, results, text, true);
    for (const Stage& s : plan.stages)
        observer.end_stage(sim, run_stage(
                                    sim, s, plan.gates, [&](const Simulation& now) { observer.before_step(now); },
                                    [&](const Simulation& now) { observer.after_step(now); }));
    observer.finish(sim);
    return read(folder / "series.csv");
}

void expect_sums(const Table& t) {
    double out = 0;
    for (std::size_t k = 0; k < t.rows.size(); ++k) {
        EXPECT_NEAR(t.at(k, "mass_in_kg"), t.at(k, "mass_inside_kg") + t.at(k, "mass_out_kg"),
                    1e-14 * t.at(k, "mass_in_kg"));  // roundings of sums of a hundred balls
        EXPECT_EQ(t.at(k, "balls_inserted"), t.at(k, "balls_inside") + t.at(k, "balls_out"));
        EXPECT_NEAR(t.at(k, "mass_out_kg:outlet"), t.at(k, "mass_out_kg"), 1e-14 * t.at(k, "mass_in_kg"));
        if (t.at(k, "balls_out") == 0) {
            EXPECT_EQ(t.at(k, "mass_out_kg"), 0) << k;
        }
        if (k == 0) continue;
        if (t.at(k, "balls_out") == t.at(k - 1, "balls_out")) {
            EXPECT_EQ(t.at(k, "mass_flow_kg_per_s"), 0) << k;
        }
        EXPECT_GT(t.at(k, "time_s"), t.at(k - 1, "time_s"));
        out += t.at(k, "mass_flow_kg_per_s") * (t.at(k, "time_s") - t.at(k - 1, "time_s"));
        EXPECT_NEAR(out, t.at(k, "mass_out_kg"), 1e-12);
    }
}

}  // namespace

TEST(Observer, MassFlowIsWhatWentOut) {
    const Table t = watched(silo_text, {"output.series_every=0.02", "output.log_every=0.05"});
    ASSERT_GT(t.rows.size(), 20u);
    expect_sums(t);
    const std::size_t last = t.rows.size() - 1;
    EXPECT_EQ(t.at(last, "balls_out"), 100);
    EXPECT_EQ(t.at(last, "balls_inside"), 0);
    EXPECT_EQ(t.at(0, "balls_inserted"), 0);
    for (std::size_t k = 1; k < last; ++k)  // nothing but rows that are due
        EXPECT_NEAR(t.at(k, "time_s"), 0.02 * static_cast<double>(k), 1.1e-4);
}

// Balls that come in at the very start count once.
TEST(Observer, FirstEventCountsOnce) {
    const std::string text = silo_text.substr(0, silo_text.find("[[stages]]")) + R"([[insert]]
material = "grain"
lower = [-0.03, -0.03, 0.1]
upper = [0.03, 0.03, 0.15]
total = 10
per_event = 5
interval = 0.02
radius = 0.005
)";
    const Table t = watched(text, {"run.time=0.05", "output.series_every=0.01"});
    expect_sums(t);
    EXPECT_EQ(t.at(0, "balls_inserted"), 5);
    EXPECT_NEAR(t.at(0, "mass_in_kg"), 5 * 6.80678e-4, 1e-8);
    EXPECT_NEAR(t.at(t.rows.size() - 1, "mass_in_kg"), 10 * 6.80678e-4, 1e-8);
}

// A ball that has passed an outlet and waits to be taken out of the arrays is out for both kinetic energies, and the
// balance closes.
TEST(Observer, OneKineticEnergy) {
    const Table t = watched(silo_text, {"output.energy=true", "output.series_every=0.01", "run.dt=5e-5"});
    const std::size_t last = t.rows.size() - 1;
    double turned_over = 0;
    for (std::size_t k = 0; k <= last; ++k) {
        EXPECT_NEAR(t.at(k, "energy_kinetic_J"), t.at(k, "kinetic_energy_J"), 1e-12 * t.at(k, "kinetic_energy_J")) << k;
        EXPECT_GE(t.at(k, "energy_turned_over_J"), turned_over) << k;
        turned_over = t.at(k, "energy_turned_over_J");
        EXPECT_LE(std::abs(t.at(k, "energy_residual_J")), 0.03 * turned_over) << k;  // swings within contacts
    }
    EXPECT_EQ(t.at(last, "balls_inside"), 0);
    EXPECT_EQ(t.at(last, "energy_kinetic_J"), 0);
    EXPECT_EQ(t.at(last, "energy_potential_J"), 0);
    EXPECT_LT(std::abs(t.at(last, "energy_residual_J")), 0.01 * turned_over);
}

// The same silo somewhere else: energies of height are others, what was turned over is not.
TEST(Observer, WhatIsTurnedOverDoesNotKnowTheOrigin) {
    const std::vector<std::string> sets{"output.energy=true", "output.series_every=0.1", "run.dt=5e-5",
                                        "stages.discharge.time=0.05"};
    std::vector<std::string> above = sets;
    above.emplace_back("silo.bottom=100");
    const Table here = watched(silo_text, sets), there = watched(silo_text, above);
    const auto last = [](const Table& t, const char* name) { return t.at(t.rows.size() - 1, name); };
    EXPECT_GT(last(there, "energy_in_J"), 100 * last(here, "energy_in_J"));
    EXPECT_NEAR(last(there, "energy_turned_over_J"), last(here, "energy_turned_over_J"),
                0.1 * last(here, "energy_turned_over_J"));  // other roundings, other places of the balls
    EXPECT_LT(last(here, "energy_turned_over_J"), last(here, "energy_in_J"));
}
