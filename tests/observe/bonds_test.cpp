// What a run with bonds writes: rows, breaks and fragments agree with each other.
#include <gtest/gtest.h>
#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include "io/formats/text_file.hpp"
#include "observe/observer.hpp"
#include "run/stages.hpp"
#include "support/scratch_folder.hpp"
#include "support/silo_case.hpp"
#include "support/source_folder.hpp"
#include "support/vtp_reader.hpp"

using namespace granary;
using namespace granary::test;

namespace {

struct Rows {
    std::map<std::string, std::size_t> column;
    std::vector<std::vector<std::string>> rows;
    const std::string& text(std::size_t row, const std::string& name) const { return rows.at(row).at(column.at(name)); }
    double at(std::size_t row, const std::string& name) const { return std::stod(text(row, name)); }
};

Rows read(const std::string& path) {
    Rows t;
    std::ifstream file(path);
    std::string line, word;
    std::getline(file, line);
    for (std::istringstream words(line); std::getline(words, word, ',');) t.column.emplace(word, t.column.size());
    while (std::getline(file, line)) {
        t.rows.emplace_back();
        for (std::istringstream words(line); std::getline(words, word, ',');) t.rows.back().push_back(word);
    }
    return t;
}

class BondedRun : public testing::Test {
  protected:
    void run(const std::vector<std::string>& more, const std::string& probe = "") {
        const std::string text = read_text_file(source_path("jobs/cases/bond-demo.toml")) + probe;
        std::vector<std::string> sets{"run.time=0.05", "output.series_every=0.005"};
        sets.insert(sets.end(), more.begin(), more.end());
        const boost::mpi::communicator self;
        const Plan plan = plan_of(text, sets);
        Simulation sim(self, plan.setup);
        Results results(self, folder_ / "", "state.h5", "", true);
        Observer observer(sim, plan, results, text, true);
        for (std::size_t k = 0; k < plan.stages.size(); ++k) {
            observer.begin_stage(sim, plan.stages[k], k, plan.stages.size());
            observer.end_stage(
                sim, run_stage(
                         sim, plan.stages[k], plan.gates, [&](const Simulation& now) { observer.before_step(now); },
                         [&](const Simulation& now) { observer.after_step(now); }));
        }
        observer.finish(sim);
        lines_ = bond_lines(sim);
        whole_ = bond_state(sim).bonds.whole;
    }
    std::string file(const std::string& name) const { return folder_ / name; }

    ScratchFolder folder_;
    std::vector<BondLine> lines_;
    std::uint64_t whole_ = 0;
};

}  // namespace

TEST_F(BondedRun, RowsOfTheSeriesAndOfTheBreaksAgree) {
    run({"output.energy=true"});
    const Rows series = read(file("series.csv")), breaks = read(file("breaks.csv"));
    const std::size_t last = series.rows.size() - 1;
    ASSERT_GT(series.at(last, "bonds_broken"), 10);
    std::size_t broken = 0;
    std::map<std::string, double> by_cause;
    double energy = 0;
    for (std::size_t k = 0; k <= last; ++k) {
        for (; broken < breaks.rows.size() && breaks.at(broken, "time_s") <= series.at(k, "time_s"); ++broken) {
            ++by_cause[breaks.text(broken, "cause")];
            EXPECT_LT(breaks.at(broken, "id_a"), breaks.at(broken, "id_b"));
            EXPECT_GE(breaks.at(broken, "energy_J"), 0);
            EXPECT_LT(std::abs(breaks.at(broken, "x_m")), 0.06);
            energy += breaks.at(broken, "energy_J");
        }
        EXPECT_EQ(series.at(k, "bonds_broken"), static_cast<double>(broken)) << k;
        double sum = 0;
        for (const char* cause : {"tension", "shear", "bending", "reach"}) {
            const double n = series.at(k, std::string("bonds_broken:") + cause);
            EXPECT_EQ(n, by_cause[cause]) << cause;
            sum += n;
        }
        EXPECT_EQ(sum, series.at(k, "bonds_broken"));
        EXPECT_EQ(series.at(k, "bonds_cut"), 0);
        EXPECT_NEAR(series.at(k, "energy_lost_breaks_J"), energy, 1e-12 + 1e-9 * energy) << k;
        EXPECT_GE(series.at(k, "energy_bonds_J"), 0);
        EXPECT_GE(series.at(k, "energy_lost_bond_damping_J"), k == 0 ? 0 : 1e-12);
        EXPECT_EQ(series.at(k, "energy_out_bonds_J"), 0);
    }
    EXPECT_EQ(broken, breaks.rows.size());
    EXPECT_EQ(series.at(last, "bonds_whole"), static_cast<double>(whole_));
    EXPECT_GT(series.at(last, "single_bodies"), 0);
    EXPECT_LT(std::abs(series.at(last, "energy_residual_J")), 0.01 * series.at(last, "energy_turned_over_J"));
}

TEST_F(BondedRun, FragmentsHaveTheMassInside) {
    run({},
        "[[probes]]\ntype = \"fragments\"\nname = \"all\"\nevery = 0.01\n"
        "[[probes]]\ntype = \"fragments\"\nname = \"two\"\nevery = 0.01\nsize_edges = [0.01]\nmaterial = \"grain\"\n");
    const Rows series = read(file("series.csv")), all = read(file("fragments-all.csv")),
               two = read(file("fragments-two.csv"));
    std::map<double, double> mass, pieces, bodies, passing;
    double below = 0;
    for (std::size_t k = 0; k < all.rows.size(); ++k) {
        const double t = all.at(k, "time_s");
        EXPECT_NEAR(all.at(k, "to_m") / all.at(k, "from_m"), std::sqrt(2.0), 1e-12);
        mass[t] += all.at(k, "mass_kg"), pieces[t] += all.at(k, "pieces"), bodies[t] += all.at(k, "bodies");
        if (passing.contains(t)) {
            EXPECT_GE(all.at(k, "passing_share"), passing[t]);
        }
        passing[t] = all.at(k, "passing_share");
    }
    ASSERT_GE(mass.size(), 6u);
    for (const auto& [t, share] : passing) EXPECT_NEAR(share, 1, 1e-14) << t;
    std::size_t compared = 0;
    for (std::size_t k = 0; k < series.rows.size(); ++k) {
        const double t = series.at(k, "time_s");
        if (!mass.contains(t)) continue;
        EXPECT_NEAR(mass[t], series.at(k, "mass_inside_kg"), 1e-12) << t;
        EXPECT_EQ(pieces[t], series.at(k, "pieces") + series.at(k, "single_bodies")) << t;
        EXPECT_EQ(bodies[t], series.at(k, "balls_inside")) << t;
        ++compared;
    }
    EXPECT_GE(compared, 5u);
    ASSERT_EQ(two.rows.size(), 2 * mass.size());
    for (std::size_t k = 0; k < two.rows.size(); k += 2) {
        EXPECT_EQ(two.at(k, "from_m"), 0);
        EXPECT_EQ(two.at(k, "to_m"), 0.01);
        EXPECT_EQ(two.text(k + 1, "to_m"), "inf");
        EXPECT_EQ(two.at(k, "pieces") + two.at(k + 1, "pieces"), pieces[two.at(k, "time_s")]);
        below = two.at(k, "passing_share");
    }
    EXPECT_GT(below, 0.0);
    EXPECT_LT(below, 1.0);
}

// Each bond is a line once, no longer than a bond can be, also across the periodic faces.
TEST_F(BondedRun, FramesHaveABondOnce) {
    run({"output.frames_every=0.05"});
    EXPECT_EQ(lines_.size(), whole_);
    std::map<std::pair<Id, Id>, int> seen;
    std::size_t stressed = 0;
    for (const BondLine& b : lines_) {
        EXPECT_LT(norm(b.from - b.to), 0.0075);
        EXPECT_EQ((++seen[{b.smaller, b.larger}]), 1);
        EXPECT_LT(b.tensile_share, 1);
        EXPECT_LT(b.shear_share, 1);
        EXPECT_GE(b.shear_share, 0);
        EXPECT_GE(b.age, 0);
        EXPECT_LE(b.age, 0.0501);
        stressed += b.larger_share() > 0.01 ? 1 : 0;
    }
    EXPECT_GT(stressed, 10u);
    const Vtp lines = read_vtp(file("frames/bonds_000001.vtp")), balls = read_vtp(file("frames/frame_000001.vtp"));
    EXPECT_EQ(lines.problems, std::vector<std::string>());
    EXPECT_EQ(lines.arrays.at("type").size(), lines_.size());
    EXPECT_EQ(balls.arrays.at("cluster").size(), balls.arrays.at("piece_colour").size());
    std::map<std::int64_t, double> colour;  // one of each piece
    for (std::size_t k = 0; k < balls.n_points(); ++k) {
        const auto [at, fresh] =
            colour.emplace(balls.arrays.at("cluster").whole[k], balls.arrays.at("piece_colour").reals[k]);
        EXPECT_EQ(at->second, balls.arrays.at("piece_colour").reals[k]);
        EXPECT_GE(at->second, 0);
        EXPECT_LE(at->second, 1);
    }
    EXPECT_GT(colour.size(), 20u);
    EXPECT_NE(read_text_file(file("bonds.pvd")).find("frames/bonds_000001.vtp"), std::string::npos);
}

TEST_F(BondedRun, BreaksAreLeftOutIfTheCaseSaysSo) {
    run({"output.breaks=false", "run.time=0.001"});
    EXPECT_FALSE(std::ifstream(file("breaks.csv")).good());
    EXPECT_NE(read_text_file(file("log.txt")).find("bonds: "), std::string::npos);
}
