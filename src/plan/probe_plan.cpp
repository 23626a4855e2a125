#include "plan/probe_plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "io/formats/amounts.hpp"
#include "measure/field_sums.hpp"

namespace granary {

namespace {

constexpr double bytes_a_number = 20;      // of a table: all digits of a double and a comma
constexpr double values_a_cell = 14;       // of a .vti, doubles; see FieldProbe in probe_field.cpp
constexpr double head_of_vti = 8192;       // bytes, padded to whole blocks
constexpr double columns_of_wall = 24;     // of pressure-*.csv, at most
constexpr double columns_of_field = 16;    // of field-*.csv
constexpr double bytes_of_departure = 80;  // a row of outflow.csv
constexpr double columns_of_track = 16;    // of track-*.csv, for each ball
constexpr double columns_of_fragments = 8;
constexpr double classes_of_fragments = 12;  // of ratio 2^(1/2): sizes from 1 to 64
constexpr double bytes_of_break = 140;       // a row of breaks.csv

// When a probe is awake.
struct Awake {
    double time = 0;        // s: the limits of its stages; where one has none, its estimate
    double n_stages = 0;    // each ends an average
    bool known = true;      // all of its stages have a limit
    bool estimated = true;  // those without one have an estimate

    const char* how() const { return known ? "at most" : estimated ? "about" : "at least"; }
};

Awake awake(const ProbeSpec& p, const std::vector<StagePlan>& stages) {
    Awake a;
    for (const StagePlan& s : stages)
        if (p.stage.empty() || p.stage == s.name) {
            a.time += s.time > 0 ? s.time : s.expected, a.n_stages += 1;
            a.known &= s.time > 0, a.estimated &= s.time > 0 || s.expected > 0;
        }
    return a;
}

std::string many(double n, const char* one) {
    return fmt::format("{} {}{}", count_text(static_cast<std::uint64_t>(n)), one, n == 1 ? "" : "s");
}

bool averages_looks(ProbeType type) {
    return type == ProbeType::pressure || type == ProbeType::loads || type == ProbeType::field;
}

double cells_of(const ProbeSpec& p) {
    double cells = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const double size = at(p.upper, axis) - at(p.lower, axis);
        cells *= p.counts ? static_cast<double>((*p.counts)[static_cast<std::size_t>(axis)])
                          : std::max(1.0, std::round(size / p.spacing.value_or(size)));
    }
    return cells;
}

}  // namespace

std::vector<CheckReport::ProbeFiles> probe_files(const std::vector<ProbeSpec>& probes,
                                                 const std::vector<StagePlan>& stages, std::size_t n_walls,
                                                 std::size_t n_materials) {
    std::vector<CheckReport::ProbeFiles> all;
    for (const ProbeSpec& p : probes) {
        const Awake a = awake(p, stages);
        const double looks = std::floor(a.time / p.every + 1e-6);
        // An average that no look falls into is not written.
        const double averages =
            std::min(looks, a.n_stages + (p.average > 0 ? std::floor(a.time / p.average + 1e-6) : 0));
        CheckReport::ProbeFiles f;
        std::string of, file;
        double rows = averages, bytes_a_row = 0;
        switch (p.type) {
            case ProbeType::pressure:
                of = fmt::format("pressure on {} in {}", p.wall, many(static_cast<double>(p.bins * p.sectors), "bin"));
                file = "pressure-" + p.name + ".csv";
                bytes_a_row = static_cast<double>(p.bins * p.sectors) * columns_of_wall * bytes_a_number;
                break;
            case ProbeType::loads:
                of = "loads", file = "loads-" + p.name + ".csv";
                bytes_a_row = (7 + 5 * static_cast<double>(n_walls)) * bytes_a_number;
                break;
            case ProbeType::field: {
                const double cells = cells_of(p);
                of = "fields on " + many(cells, "cell");
                file = "field-" + p.name + ".pvd";
                bytes_a_row = cells * values_a_cell * sizeof(double) + head_of_vti + columns_of_field * bytes_a_number;
                f.saved_bytes = cells * static_cast<double>(n_field_sums * sizeof(double));
                break;
            }
            case ProbeType::bands:
                of = many(static_cast<double>(p.bands), "band"), file = "bands-" + p.name + ".csv";
                rows = looks > 0 ? looks + 1 : 0;
                bytes_a_row = 8 * static_cast<double>(p.bands + 2);
                break;
            case ProbeType::track: {
                const double balls = static_cast<double>(p.ids.size() + p.near.size());
                of = "track of " + many(balls, "ball"), file = "track-" + p.name + ".csv";
                rows = looks + a.n_stages + 1;
                bytes_a_row = (columns_of_track * balls + 1) * bytes_a_number;
                break;
            }
            case ProbeType::count: {
                const double classes = static_cast<double>(p.size_edges.size() + 1);
                of = "balls in a box, by " + std::string(classes > 1 ? "size and material" : "material");
                file = "count-" + p.name + ".csv";
                rows = looks + a.n_stages + 1;
                bytes_a_row = (classes * static_cast<double>(n_materials) + 1) * (bytes_a_number + 8);
                break;
            }
            case ProbeType::fragments: {
                of = "sizes of fragments", file = "fragments-" + p.name + ".csv";
                rows = (looks + a.n_stages + 1) *
                       (p.size_edges.empty() ? classes_of_fragments : static_cast<double>(p.size_edges.size() + 1));
                bytes_a_row = columns_of_fragments * bytes_a_number;
                break;
            }
        }
        f.bytes = rows * bytes_a_row;
        f.text = fmt::format("{}: {}, every {}{}: {} {}, {}, {} -> {}", p.name, of, si_text(p.every, "s"),
                             p.stage.empty() ? "" : fmt::format(" of stage \"{}\"", p.stage), a.how(), many(looks, "sample"),
                             many(rows, averages_looks(p.type) ? "average" : "row"), bytes_text(f.bytes), file);
        all.push_back(f);
    }
    return all;
}

CheckReport::ProbeFiles outflow_file(double balls) {
    CheckReport::ProbeFiles f;
    f.bytes = balls * bytes_of_departure;
    f.text = fmt::format("outflow: at most {}, {} -> outflow.csv", many(balls, "row"), bytes_text(f.bytes));
    return f;
}

CheckReport::ProbeFiles breaks_file(double bonds) {
    CheckReport::ProbeFiles f;
    f.bytes = bonds * bytes_of_break;
    f.text = fmt::format("breaks: at most {}, {} -> breaks.csv", many(bonds, "row"), bytes_text(f.bytes));
    return f;
}

std::vector<std::string> probe_remarks(const std::vector<ProbeSpec>& probes, const std::vector<StagePlan>& stages) {
    std::vector<std::string> remarks;
    for (const ProbeSpec& p : probes) {
        const Awake a = awake(p, stages);
        if (!a.known || a.time <= 0 || p.every <= a.time * (1 + 1e-6)) continue;
        remarks.push_back(fmt::format(
            "the probe {} will write nothing: it samples every {}, but {} lasts {}{}", p.name, si_text(p.every, "s"),
            p.stage.empty() ? "the run" : fmt::format("the stage \"{}\"", p.stage),
            std::any_of(stages.begin(), stages.end(),
                        [&](const StagePlan& s) { return s.may_end_early && (p.stage.empty() || p.stage == s.name); })
                ? "at most "
                : "",
            si_text(a.time, "s")));
    }
    return remarks;
}

}  // namespace granary
