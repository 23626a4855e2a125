#include "io/report/key_numbers.hpp"

#include <fmt/format.h>
#include <cmath>
#include "io/amounts.hpp"
#include "io/report/curves.hpp"

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

std::vector<KeyNumber> key_numbers(const RunFolder& run) {
    const double wall = run.phases ? run.phases->wall : seconds_by_rows(run);
    // What rounding leaves of mass in less mass inside is nothing.
    double out = run.last("mass_out_kg");
    if (std::abs(out) < 1e-9 * run.most("mass_in_kg")) out = 0;
    return {
        {"Balls inserted", count(run.last("balls_inserted")), ""},
        {"Balls inside", count(run.last("balls_inside")), ""},
        {"Balls out", count(run.last("balls_out")), ""},
        {"Balls deleted", count(run.last("balls_deleted")), ""},
        {"Mass in", number(run.last("mass_in_kg")), "kg"},
        {"Mass inside", number(run.last("mass_inside_kg")), "kg"},
        {"Mass out", number(out), "kg"},
        {"Mean outflow", number(mean_outflow(run)), "kg/s"},
        {"Simulated time", number(run.last("time_s"), "{:.5g}"), "s"},
        {"Steps", count(run.last("step")), ""},
        {"Wall time", std::isfinite(wall) ? duration_text(wall) : "", wall < 3600 ? "min:s" : "h:min:s"},
        {"Ranks", run.ranks > 0 ? std::to_string(run.ranks) : "", ""},
        {"Ball-steps a second", run.phases ? number(run.phases->ball_steps_per_second / 1e6, "{:.3g}") : "", "million"},
        {"Largest overlap", number(100 * run.most("largest_overlap_share"), "{:.2g}"), "% of a radius"},
        {"Largest kinetic energy", number(run.most("kinetic_energy_J"), "{:.3g}"), "J"},
        {"Last kinetic energy", number(run.last("kinetic_energy_J"), "{:.3g}"), "J", true},
    };
}

RunState state_of(const RunFolder& run) {
    if (run.ended == RunFolder::Ended::well) return {"finished", "good", ""};
    if (run.ended == RunFolder::Ended::failed) return {"failed", "bad", ""};
    if (run.silent_for < 0) return {"not finished", "warn", "it has written no series.csv"};
    return {"not finished", "warn",
            fmt::format("running, or broken off; series.csv was last written {} before this page was made",
                        run.silent_for < 90 ? fmt::format("{:.0f} s", std::max(0.0, run.silent_for))
                                            : duration_text(run.silent_for) + (run.silent_for < 3600 ? " min" : " h"))};
}

}  // namespace granary
