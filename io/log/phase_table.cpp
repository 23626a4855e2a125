#include "io/log/phase_table.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>
#include "io/formats/amounts.hpp"
#include "io/formats/json.hpp"

namespace granary {
namespace {

double total(const PhaseTimes& t) { return std::accumulate(t.seconds.begin(), t.seconds.end(), 0.0); }

double alone(const PhaseTimes& t) {
    double sum = 0;
    for (std::size_t p = 0; p < n_phases; ++p)
        if (works_alone(static_cast<Phase>(p))) sum += t.seconds[p];
    return sum;
}

// seconds(times of a rank): what the row is about.
template <class Seconds>
PhaseRow row(std::string name, std::span<const PhaseTimes> of_ranks, const PhaseRun& run, Seconds&& seconds) {
    PhaseRow r;
    r.name = std::move(name);
    r.min = std::numeric_limits<double>::infinity();
    double sum = 0;
    for (const PhaseTimes& t : of_ranks) {
        const double s = seconds(t);
        r.min = std::min(r.min, s), r.max = std::max(r.max, s), sum += s;
    }
    r.mean = sum / static_cast<double>(of_ranks.size());
    r.share = run.wall > 0 ? r.mean / run.wall : 0;
    r.ns_per_ball_step = run.ball_steps > 0 ? 1e9 * sum / run.ball_steps : std::numeric_limits<double>::quiet_NaN();
    return r;
}

std::string number(double v, int decimals) { return std::isfinite(v) ? fmt::format("{:.{}f}", v, decimals) : "-"; }

}  // namespace

bool works_alone(Phase phase) {
    switch (phase) {
        case Phase::integrate:
        case Phase::walls:
        case Phase::bonds:
        case Phase::pairs:
        case Phase::sort:
        case Phase::search:
        case Phase::carry: return true;
        case Phase::halo_wait:
        case Phase::check:
        case Phase::migrate:
        case Phase::ghosts:
        case Phase::measure: break;
    }
    return false;
}

PhaseTable make_phase_table(std::span<const PhaseTimes> of_ranks, PhaseRun run, const ExtraPhase& extra) {
    PhaseTable table;
    table.ranks = static_cast<int>(of_ranks.size());
    if (of_ranks.empty()) return table;
    if (run.wall <= 0)
        for (const PhaseTimes& t : of_ranks) run.wall = std::max(run.wall, total(t));
    table.run = run;
    for (std::size_t p = 0; p < n_phases; ++p)
        table.rows.push_back(row(phase_names[p], of_ranks, run, [p](const PhaseTimes& t) { return t.seconds[p]; }));
    const auto extra_of = [&](const PhaseTimes& t) {
        const auto rank = static_cast<std::size_t>(&t - of_ranks.data());
        return rank < extra.seconds.size() ? extra.seconds[rank] : 0.0;
    };
    if (std::any_of(extra.seconds.begin(), extra.seconds.end(), [](double s) { return s > 0; }))
        table.rows.push_back(row(extra.name, of_ranks, run, extra_of));
    // Never below zero: clocks are read at slightly different moments.
    table.rows.push_back(row("other", of_ranks, run,
                             [&](const PhaseTimes& t) { return std::max(0.0, run.wall - total(t) - extra_of(t)); }));

    const PhaseRow work = row("work", of_ranks, run, alone);
    table.imbalance = work.mean > 0 ? work.max / work.mean - 1 : 0;
    return table;
}

std::string phase_text(const PhaseTable& table) {
    const PhaseRun& run = table.run;
    std::string s = fmt::format("{:<10} {:>8} {:>10} {:>10} {:>10} {:>14}\n", "phase", "share", "min s", "mean s",
                                "max s", "ns/ball-step");
    const auto line = [&](const PhaseRow& r) {
        s += fmt::format("{:<10} {:>6.1f} % {:>10.3f} {:>10.3f} {:>10.3f} {:>14}\n", r.name, 100 * r.share, r.min,
                         r.mean, r.max, number(r.ns_per_ball_step, 2));
    };
    for (const PhaseRow& r : table.rows)
        if (r.max > 0) line(r);
    const double all =
        run.ball_steps > 0 ? 1e9 * run.wall * table.ranks / run.ball_steps : std::numeric_limits<double>::quiet_NaN();
    line({"all", run.wall > 0 ? 1.0 : 0.0, run.wall, run.wall, run.wall, all});
    s += fmt::format("{} steps, {} rank{}, {:.3g} ball-steps/s", run.steps, table.ranks, table.ranks == 1 ? "" : "s",
                     table.ball_steps_per_second());
    if (table.ranks > 1)
        s += fmt::format("; the busiest rank works {} longer than the mean", percent_text(table.imbalance));
    return s + '\n';
}

std::string phase_json(const PhaseTable& table) {
    Json rows = Json::array();
    for (const PhaseRow& r : table.rows)
        rows.push_back({{"name", r.name},
                        {"share", r.share},
                        {"min_s", r.min},
                        {"mean_s", r.mean},
                        {"max_s", r.max},
                        {"ns_per_ball_step", r.ns_per_ball_step}});
    return json_lines({{"ranks", table.ranks},
                       {"steps", table.run.steps},
                       {"wall_s", table.run.wall},
                       {"ball_steps", table.run.ball_steps},
                       {"ball_steps_per_second", table.ball_steps_per_second()},
                       {"imbalance", table.imbalance},
                       {"phases", std::move(rows)}});
}

}  // namespace granary
