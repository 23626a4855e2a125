// What probes leave out, and rules about them.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include "io/case/case_complete.hpp"
#include "io/case/case_rules.hpp"
#include "io/case/case_schema.hpp"
#include "io/formats/words.hpp"

namespace granary {
namespace {

constexpr double largest_id = 9007199254740991.0;  // of those that a number in a case file has exactly
constexpr double most_cells = 4e6;                 // a look sends the sums of all cells from rank to rank

template <class All> std::vector<std::string> names_of(const All& all) {
    std::vector<std::string> names;
    for (const auto& one : all) names.push_back(one.name);
    return names;
}

// The name must be one of those; otherwise: expected ..., got ...; did you mean ...?
void known(const std::string& key, const std::string& name, const std::vector<std::string>& names, const char* what,
           const char* expected, CaseReport& report, const std::vector<std::string>& others) {
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    const std::string near = nearest(name, names);
    report.add_at(key,
                  fmt::format("{} names an unknown {} (expected {}, got \"{}\"{})", key, what,
                              names.empty() ? expected : listed_or(names), name,
                              near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near)),
                  others);
}

bool check_box(const ProbeSpec& p, const std::string& path, CaseReport& report) {
    for (int axis = 0; axis < 3; ++axis) {
        const double low = at(p.lower, axis), high = at(p.upper, axis);
        if (high > low) continue;
        report.add_at(path + ".upper",
                      fmt::format("{}.upper is not above lower along {} (expected above {}, got {})", path,
                                  axis_names[axis], low, high),
                      {path + ".lower"});
        return false;
    }
    return true;
}

void check_track(const ProbeSpec& p, const std::string& path, CaseReport& report) {
    if (p.ids.empty() && p.near.empty())
        report.add_at(path + ".ids", fmt::format("{}.ids is missing (expected ids of balls, or points in near)", path),
                      {path + ".near"});
    for (const double id : p.ids)
        if (id != std::floor(id) || id > largest_id)
            report.add_at(
                path + ".ids",
                fmt::format("{}.ids contains an invalid id (expected whole numbers below 2^53, got {})", path, id));
}

void check_size_edges(const ProbeSpec& p, const std::string& path, CaseReport& report) {
    const std::string key = path + ".size_edges";
    if (std::adjacent_find(p.size_edges.begin(), p.size_edges.end(), std::greater_equal<>()) != p.size_edges.end())
        report.add_at(key, fmt::format("{} is not ascending (expected each diameter above the previous one)", key));
}

void check_grid(const ProbeSpec& p, const std::string& path, CaseReport& report) {
    double longest = 0, cells = 1;
    if (!check_box(p, path, report)) return;
    for (int axis = 0; axis < 3; ++axis) {
        const double low = at(p.lower, axis), high = at(p.upper, axis);
        const double n = p.counts ? static_cast<double>((*p.counts)[static_cast<std::size_t>(axis)])
                                  : std::max(1.0, std::round((high - low) / p.spacing.value_or(high - low)));
        cells *= n, longest = std::max(longest, (high - low) / n);
    }
    if (!p.counts && !p.spacing)
        report.add_at(path + ".spacing", fmt::format("{}.spacing is missing (expected it, or counts)", path),
                      {path + ".counts"});
    const std::string size_key = path + (p.counts ? ".counts" : ".spacing");
    if (cells > most_cells)
        report.add_at(
            size_key,
            fmt::format("{} makes too many cells (expected at most {:.0e}, got {:.3g})", size_key, most_cells, cells),
            {path + ".lower", path + ".upper"});
    if (p.kernel == Kernel::lucy && p.width && *p.width < longest * (1 - 1e-9))
        report.add_at(path + ".width",
                      fmt::format("{}.width is below the edge of a cell (expected at least {:.6g}, got {})", path,
                                  longest, *p.width),
                      {size_key, path + ".lower", path + ".upper"});
}

}  // namespace

void complete_probes(Case& c, const CaseReport& report) {
    const std::vector<std::string> types = split_list(find_key("probes", "type")->extra.choices);
    for (std::size_t i = 0; i < c.probes.size(); ++i) {
        ProbeSpec& p = c.probes[i];
        if (!p.name.empty() || !report.is_sound(fmt::format("probes[{}].type", i))) continue;
        p.name = p.type == ProbeType::pressure ? p.wall : types[static_cast<std::size_t>(p.type)];
    }
}

void check_probes(const Case& c, CaseReport& report) {
    std::string painter;  // key of the first probe that gives bands
    for (std::size_t i = 0; i < c.probes.size(); ++i) {
        const ProbeSpec& p = c.probes[i];
        const std::string path = fmt::format("probes[{}]", i);
        if (p.name.find('/') != std::string::npos)
            report.add_at(path + ".name",
                          fmt::format("{}.name is part of file names (expected no \"/\", got \"{}\")", path, p.name));
        if (!p.stage.empty())
            known(path + ".stage", p.stage, names_of(c.stages), "stage", "a case with [[stages]]", report,
                  {"stages", "stages[].name", "stages[].type"});
        not_below_dt(path + ".every", p.every, c, report);
        if (p.average > 0 && p.average < p.every)
            report.add_at(path + ".average",
                          fmt::format("{}.average is shorter than the time between two samples (expected at least {}, "
                                      "got {})",
                                      path, p.every, p.average),
                          {path + ".every"});
        if (p.type == ProbeType::pressure)
            known(path + ".wall", p.wall, names_of(c.walls), "wall", "a case with [[walls]] or a [silo]", report,
                  {"walls", "walls[].name", "silo"});
        const auto other = [&](const WallSpec& w) { return w.name == p.wall && w.type != WallType::mesh; };
        if (p.type == ProbeType::pressure && std::any_of(c.walls.begin(), c.walls.end(), other))
            for (const char* key : {p.axis_point ? "axis_point" : "", p.diameter ? "diameter" : ""})
                if (*key != 0)
                    report.add_at(
                        fmt::format("{}.{}", path, key),
                        fmt::format("{}.{} cannot be used with the wall \"{}\" (expected for a mesh only: other "
                                    "walls define their own axis and diameter)",
                                    path, key, p.wall),
                        {path + ".wall", "walls", "walls[].name", "walls[].type"});
        if (p.type == ProbeType::field) check_grid(p, path, report);
        if (p.type == ProbeType::track) check_track(p, path, report);
        if (p.type == ProbeType::count) check_box(p, path, report), check_size_edges(p, path, report);
        if (p.type == ProbeType::fragments) {
            check_size_edges(p, path, report);
            if (c.bonds.empty())
                report.add_at(
                    path + ".type",
                    fmt::format("{}.type is \"fragments\", but nothing can break (expected another type, or a "
                                "case with [[bonds]] and [[clusters]])",
                                path),
                    {"bonds"});
            if (!p.material.empty())
                known(path + ".material", p.material, names_of(c.materials), "material", "a case with [[materials]]",
                      report, {"materials", "materials[].name"});
        }
        if (p.type == ProbeType::bands && !painter.empty())
            report.add_at(
                path + ".type",
                fmt::format("{}.type is \"bands\" twice (expected one such probe, since a ball has one band; the "
                            "other is {})",
                            path, painter),
                {painter + ".type"});
        if (p.type == ProbeType::bands && painter.empty()) painter = path;
    }
}

}  // namespace granary
