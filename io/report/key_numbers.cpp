#include "io/report/key_numbers.hpp"

#include <fmt/format.h>
#include <cmath>
#include "io/formats/amounts.hpp"
#include "io/report/curves.hpp"
#include "io/report/outflow_curves.hpp"

namespace granary {
namespace {

std::string number(double v, const char* form = "{:.4g}") {
    return std::isfinite(v) ? fmt::format(fmt::runtime(form), v) : "";
}

std::string count(double v) { return std::isfinite(v) && v >= 0 ? count_text(static_cast<std::uint64_t>(v)) : ""; }

// Wall time from the rows, for a run without its table of phases: steps of each row over its speed.
double seconds_by_rows(const RunFolder& run) {
    const std::vector<double>*step = run.series.find("step"), *rate = run.series.find("steps_per_second");
    if (step == nullptr || rate == nullptr) return NAN;
    double s = 0;
    for (std::size_t k = 1; k < step->size(); ++k)
        if ((*rate)[k] > 0) s += ((*step)[k] - (*step)[k - 1]) / (*rate)[k];
    return s > 0 ? s : NAN;
}

}  // namespace

StageEnds stage_ends(const RunFolder& run) {
    StageEnds ends;
    for (const RunStage& stage : run.stages) {
        std::string word = stage.text.substr(0, stage.text.find_first_of(":;,"));
        if (word.starts_with("time is up")) word = "time is up";
        ends.stalled = ends.stalled || word == "stalled", ends.not_filled = ends.not_filled || word == "not filled";
        ends.words += (ends.words.empty() ? "" : ", ") + word;
    }
    return ends;
}

namespace {

// A number that no row of the series has.
KeyNumber computed(const std::string& name, const std::string& value, const std::string& unit,
                   const std::string& column, double v, bool minor = false) {
    KeyNumber k{name, value, unit, minor};
    k.column = column;
    if (std::isfinite(v)) k.full = fmt::format("{}", v);
    return k;
}

}  // namespace

std::vector<KeyNumber> key_numbers(const RunFolder& run) {
    const double wall = run.phases ? run.phases->wall : seconds_by_rows(run);
    // What rounding leaves of mass in less mass inside is nothing.
    double out = run.last("mass_out_kg");
    if (std::abs(out) < 1e-9 * run.most("mass_in_kg")) out = 0;
    const StageEnds ends = stage_ends(run);
    KeyNumber how{"Stages ended", ends.words, ""};
    how.words = true, how.bad = ends.stalled || ends.not_filled;
    how.column = "stages_ended", how.full = ends.words;
    std::vector<KeyNumber> all{
        how,
        {"Balls inserted", count(run.last("balls_inserted")), ""},
        {"Balls inside", count(run.last("balls_inside")), ""},
        {"Balls out", count(run.last("balls_out")), ""},
        {"Balls deleted", count(run.last("balls_deleted")), ""},
        {"Mass in", number(run.last("mass_in_kg")), "kg"},
        {"Mass inside", number(run.last("mass_inside_kg")), "kg"},
        {"Mass out", number(out), "kg"},
        computed("Mean outflow", number(mean_outflow(run)), "kg/s", "mean_outflow_kg_per_s", mean_outflow(run)),
        computed("Mean residence time", number(mean_residence_time(run)), "s", "mean_residence_time_s",
                 mean_residence_time(run)),
        {"Bonds whole", count(run.last("bonds_whole")), ""},
        {"Bonds broken", count(run.last("bonds_broken")), ""},
        {"Bonds cut at outlets", run.last("bonds_cut") > 0 ? count(run.last("bonds_cut")) : "", "", true},
        {"Pieces", count(run.last("pieces")), ""},
        {"Single bodies", count(run.last("single_bodies")), ""},
        {"Simulated time", number(run.last("time_s"), "{:.5g}"), "s"},
        {"Steps", count(run.last("step")), ""},
        computed("Wall time", std::isfinite(wall) ? duration_text(wall) : "", wall < 3600 ? "min:s" : "h:min:s",
                 "wall_time_s", wall),
        computed("Ranks", run.ranks > 0 ? std::to_string(run.ranks) : "", "", "ranks",
                 run.ranks > 0 ? static_cast<double>(run.ranks) : NAN),
        computed("Ball-steps per second", run.phases ? number(run.phases->ball_steps_per_second / 1e6, "{:.3g}") : "",
                 "million", "ball_steps_per_second", run.phases ? run.phases->ball_steps_per_second : NAN),
        computed("Largest overlap", number(100 * run.most("largest_overlap_share"), "{:.2g}"), "% of a radius",
                 "peak_overlap_share", run.most("largest_overlap_share")),
        computed("Largest kinetic energy", number(run.most("kinetic_energy_J"), "{:.3g}"), "J", "peak_kinetic_energy_J",
                 run.most("kinetic_energy_J")),
        {"Last kinetic energy", number(run.last("kinetic_energy_J"), "{:.3g}"), "J", true},
    };
    const std::vector<WallPeak> peaks = largest_loads(run);
    double most = NAN;
    for (const WallPeak& p : peaks)
        if (!(most >= p.value)) most = p.value;
    all.push_back(computed("Largest load on a wall", number(most), "N", "peak_load_N", most));
    for (const WallPeak& p : peaks)
        all.push_back(
            computed("Largest load on " + p.wall, number(p.value), "N", "peak_load_N:" + p.wall, p.value, true));
    for (const WallPeak& p : largest_pressures(run))
        all.push_back(computed("Largest normal pressure, " + p.wall, number(p.value), "Pa", "peak_normal_Pa:" + p.wall,
                               p.value, true));
    return all;
}

RunState state_of(const RunFolder& run) {
    if (run.ended == RunFolder::Ended::well) return {"finished", "good", ""};
    if (run.ended == RunFolder::Ended::failed) return {"failed", "bad", ""};
    if (run.silent_for < 0) return {"not finished", "warn", "it has written no series.csv"};
    return {"not finished", "warn",
            fmt::format("running, or interrupted; series.csv was last written {} before this page was made",
                        run.silent_for < 90 ? fmt::format("{:.0f} s", std::max(0.0, run.silent_for))
                                            : duration_text(run.silent_for) + (run.silent_for < 3600 ? " min" : " h"))};
}

}  // namespace granary
