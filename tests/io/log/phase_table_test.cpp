#include "io/log/phase_table.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <cmath>

namespace granary {
namespace {

const PhaseRow& row(const PhaseTable& t, const std::string& name) {
    for (const PhaseRow& r : t.rows)
        if (r.name == name) return r;
    throw std::out_of_range(name);
}

// Two ranks, 10 s: one works 6 s and waits 2 s, the other works 8 s and does not wait.
std::vector<PhaseTimes> two_ranks() {
    std::vector<PhaseTimes> t(2);
    t[0][Phase::pairs] = 5, t[0][Phase::sort] = 1, t[0][Phase::halo_wait] = 2;
    t[1][Phase::pairs] = 7, t[1][Phase::sort] = 1;
    return t;
}
const PhaseRun ten_seconds{10, 1000, 4e6};

TEST(PhaseTable, SharesSecondsAndCost) {
    const PhaseTable t = make_phase_table(two_ranks(), ten_seconds);
    ASSERT_EQ(t.rows.size(), n_phases + 1);
    for (std::size_t p = 0; p < n_phases; ++p) EXPECT_EQ(t.rows[p].name, phase_names[p]);

    const PhaseRow& pairs = row(t, "pairs");
    EXPECT_DOUBLE_EQ(pairs.share, 0.6);
    EXPECT_DOUBLE_EQ(pairs.min, 5);
    EXPECT_DOUBLE_EQ(pairs.mean, 6);
    EXPECT_DOUBLE_EQ(pairs.max, 7);
    EXPECT_DOUBLE_EQ(pairs.ns_per_ball_step, 12e9 / 4e6);  // seconds of both ranks
    EXPECT_DOUBLE_EQ(row(t, "halo_wait").mean, 1);
    EXPECT_DOUBLE_EQ(row(t, "halo_wait").min, 0);
    const PhaseRow& other = row(t, "other");
    EXPECT_DOUBLE_EQ(other.mean, 2);
    EXPECT_DOUBLE_EQ(other.share, 0.2);

    double shares = 0;
    for (const PhaseRow& r : t.rows) shares += r.share;
    EXPECT_NEAR(shares, 1, 1e-12);
    EXPECT_DOUBLE_EQ(t.ball_steps_per_second(), 4e5);
    EXPECT_DOUBLE_EQ(t.imbalance, 8.0 / 7 - 1);  // waiting does not count as work
}

TEST(PhaseTable, PicturesHaveARowOfTheirOwn) {
    const PhaseTable t = make_phase_table(two_ranks(), ten_seconds, {"pictures", {1, 1}});
    EXPECT_EQ(t.rows.size(), n_phases + 2);
    EXPECT_DOUBLE_EQ(row(t, "pictures").mean, 1);
    EXPECT_DOUBLE_EQ(row(t, "other").mean, 1);  // 2 without pictures
    EXPECT_EQ(make_phase_table(two_ranks(), ten_seconds, {"pictures", {0, 0}}).rows.size(), n_phases + 1);
}

TEST(PhaseTable, WaitingDoesNotHideImbalance) {
    std::vector<PhaseTimes> t = two_ranks();
    for (const Phase waits : {Phase::halo_wait, Phase::check, Phase::migrate, Phase::ghosts, Phase::measure}) {
        EXPECT_FALSE(works_alone(waits));
        t[0][waits] += 2;
    }
    EXPECT_DOUBLE_EQ(make_phase_table(t, ten_seconds).imbalance, 8.0 / 7 - 1);
    for (const Phase works : {Phase::integrate, Phase::walls, Phase::pairs, Phase::sort, Phase::search, Phase::carry})
        EXPECT_TRUE(works_alone(works));
}

TEST(PhaseTable, WithoutWallTimeOrBalls) {
    const PhaseTable t = make_phase_table(two_ranks(), {});
    EXPECT_DOUBLE_EQ(t.run.wall, 8);
    EXPECT_DOUBLE_EQ(row(t, "other").max, 0);
    EXPECT_TRUE(std::isnan(row(t, "pairs").ns_per_ball_step));
    const auto phases = nlohmann::json::parse(phase_json(t)).at("phases");
    const auto pairs = std::find_if(phases.begin(), phases.end(), [](const auto& p) { return p["name"] == "pairs"; });
    ASSERT_NE(pairs, phases.end());
    EXPECT_EQ(pairs->at("share"), 0.75);
    EXPECT_EQ(pairs->at("min_s"), 5);
    EXPECT_EQ(pairs->at("mean_s"), 6);
    EXPECT_EQ(pairs->at("max_s"), 7);
    EXPECT_TRUE(pairs->at("ns_per_ball_step").is_null());
    const PhaseTable none = make_phase_table({}, {});
    EXPECT_EQ(none.rows.size(), 0U);
    EXPECT_NE(phase_text(none), "");
    const std::vector<PhaseTimes> idle(3);
    EXPECT_DOUBLE_EQ(make_phase_table(idle, {}).imbalance, 0);
}

TEST(PhaseTable, Text) {
    EXPECT_EQ(phase_text(make_phase_table(two_ranks(), ten_seconds)),
              "phase         share      min s     mean s      max s   ns/ball-step\n"
              "halo_wait    10.0 %      0.000      1.000      2.000         500.00\n"
              "pairs        60.0 %      5.000      6.000      7.000        3000.00\n"
              "sort         10.0 %      1.000      1.000      1.000         500.00\n"
              "other        20.0 %      2.000      2.000      2.000        1000.00\n"
              "all         100.0 %     10.000     10.000     10.000        5000.00\n"
              "1000 steps, 2 ranks, 4e+05 ball-steps/s; the busiest rank works 14.3 % longer than the mean\n");
    const PhaseTable alone = make_phase_table(std::vector<PhaseTimes>(1), {10, 5, 0});
    EXPECT_EQ(phase_text(alone),
              "phase         share      min s     mean s      max s   ns/ball-step\n"
              "other       100.0 %     10.000     10.000     10.000              -\n"
              "all         100.0 %     10.000     10.000     10.000              -\n"
              "5 steps, 1 rank, 0 ball-steps/s\n");
}

TEST(PhaseTable, Json) {
    const std::string json = phase_json(make_phase_table(two_ranks(), ten_seconds));
    EXPECT_EQ(json.substr(0, json.find("    {")), R"({
  "ranks": 2,
  "steps": 1000,
  "wall_s": 10.0,
  "ball_steps": 4000000.0,
  "ball_steps_per_second": 400000.0,
  "imbalance": 0.1428571428571428,
  "phases": [
)");
    EXPECT_NE(json.find(R"(    {
      "name": "pairs",
      "share": 0.6,
      "min_s": 5.0,
      "mean_s": 6.0,
      "max_s": 7.0,
      "ns_per_ball_step": 3000.0
    },)"),
              std::string::npos)
        << json;
    EXPECT_NE(json.find(R"("name": "other",
      "share": 0.2,
      "min_s": 2.0,
      "mean_s": 2.0,
      "max_s": 2.0,
      "ns_per_ball_step": 1000.0
    }
  ]
}
)"),
              std::string::npos)
        << json;
}

}  // namespace
}  // namespace granary
