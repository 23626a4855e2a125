// Pressures on a wall over its height (pressure-<probe>.csv, src/observe/probe_pressure.cpp): what was measured at the
// end of filling and at most during the discharge, in bold, and each law as a family of its own. Normal pressure, wall
// friction and the pressure across the bin are shown one at a time.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include "io/report/curve_parts.hpp"
#include "io/report/curves.hpp"

namespace granary {
namespace {

const std::vector<double>* height_in(const CsvTable& t, std::string& name) {
    for (const char* known : {"height_m", "z_m", "depth_m", "y_m", "x_m", "distance_m", "s_m"})
        if (const std::vector<double>* c = t.find(known)) {
            name = column_name(known).quantity;
            return c;
        }
    return nullptr;
}

// The averages of a table, each the rows of one time.
struct Average {
    double from = nan, time = nan;  // s
    std::vector<std::size_t> rows;
};

std::vector<Average> averages_of(const CsvTable& t) {
    const std::vector<double>*time = t.find("time_s"), *from = t.find("from_s");
    std::vector<Average> all;
    for (std::size_t k = 0; k < t.rows; ++k) {
        const double now = time == nullptr ? 0 : (*time)[k];
        if (!std::isfinite(now)) continue;
        if (all.empty() || all.back().time != now) all.push_back({from == nullptr ? now : (*from)[k], now, {}});
        all.back().rows.push_back(k);
    }
    return all;
}

struct Profile {
    std::vector<double> pressure, height;  // Pa, m; the lowest first
};

// A column over the height; where a height has several rows (sectors), their mean.
Profile profile_of(const CsvTable& t, const std::string& column, const std::vector<double>& heights,
                   const Average& average) {
    const std::vector<double>* values = t.find(column);
    const double unit = column.ends_with("_kPa") ? 1e3 : 1;
    std::vector<std::size_t> rows;
    for (const std::size_t k : average.rows)
        if (std::isfinite(heights[k])) rows.push_back(k);
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) { return heights[a] < heights[b]; });
    Profile p;
    for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
        double sum = 0, n = 0;
        for (end = begin; end < rows.size() && heights[rows[end]] == heights[rows[begin]]; ++end)
            if (const double v = (*values)[rows[end]]; std::isfinite(v)) sum += v, n += 1;
        p.pressure.push_back(n > 0 ? unit * sum / n : nan);
        p.height.push_back(heights[rows[begin]]);
    }
    return p;
}

// At each height the largest of several averages.
Profile envelope_of(const CsvTable& t, const std::string& column, const std::vector<double>& heights,
                    const std::vector<Average>& averages) {
    Profile most;
    for (const Average& a : averages) {
        const Profile one = profile_of(t, column, heights, a);
        if (most.pressure.empty()) most = one;
        if (one.height != most.height) continue;  // a wall that has moved
        for (std::size_t k = 0; k < one.pressure.size(); ++k)
            if (!(most.pressure[k] >= one.pressure[k])) most.pressure[k] = one.pressure[k];
    }
    return most;
}

// Which averages are which: the last before the discharge, all during it, and the last of all.
struct Moments {
    std::optional<Average> filled;
    std::vector<Average> discharge;
    Average last;
};

Moments moments_of(const CsvTable& t, const RunFolder& run) {
    Moments m;
    const std::vector<Average> all = averages_of(t);
    if (all.empty()) return m;
    m.last = all.back();
    const std::optional<double> begin = run.discharge_begin();
    if (!begin) return m;
    const double slack = 1e-5 * std::max(1.0, std::abs(*begin));  // the log has six digits
    for (const Average& a : all) {
        if (a.time <= *begin + slack) m.filled = a;
        else if (a.from >= *begin - slack) m.discharge.push_back(a);
    }
    return m;
}

Curve profile_curve(const std::string& name, Profile p, int colour, int dash, bool bold) {
    Curve c;
    c.name = name, c.x = std::move(p.pressure), c.y = std::move(p.height);
    c.colour = colour, c.dash = dash, c.bold = bold;
    return c;
}

std::string about_of(const Moments& m) {
    if (m.filled && !m.discharge.empty())
        return fmt::format(
            "Bold: measured at the end of filling (average up to {:.4g} s), and the largest average during the "
            "discharge.",
            m.filled->time);
    if (!m.discharge.empty()) return "Bold: measured, the largest average during the discharge.";
    return fmt::format("Bold: measured, the last average, up to {:.4g} s.", m.last.time);
}

Plot pressure_plot(const std::string& wall, const std::string& x_name) {
    Plot p;
    p.title = "Pressure on " + wall;
    p.x_name = x_name, p.x_unit = std::string("Pa"), p.y_unit = std::string("m");
    p.upright = true, p.y_from_zero = false;
    return p;
}

struct Law {
    const char *before, *name;
    int colour, dash;
};
// One colour a law; EN 1991-4 has one dash for each of its two loads.
constexpr Law laws[] = {{"janssen_", "Janssen", 2, 1},
                        {"en_fill_", "EN 1991-4, filling", 3, 4},
                        {"en_discharge_", "EN 1991-4, discharge", 3, 2}};
constexpr const char* not_measured[] = {"janssen", "en_fill", "en_discharge"};

struct WallStress {
    const char *column, *tab, *axis;
};
constexpr WallStress quantities[] = {{"normal", "normal", "normal pressure"},
                                     {"shear", "wall friction", "shear stress, down"},
                                     {"vertical", "vertical", "vertical stress in the grain"},
                                     {"cross", "sideways", "shear stress, sideways"}};

// The column of a quantity in Pa or kPa; "" if there is none.
std::string column_in(const CsvTable& t, const std::string& quantity) {
    for (const char* unit : {"_Pa", "_kPa"})
        if (t.find(quantity + unit) != nullptr) return quantity + unit;
    return "";
}

// What a table of another program calls pressure: all its columns, as they are.
void add_unknown(std::vector<Plot>& plots, const NamedTable& table, const std::vector<double>& heights,
                 const std::string& y_name) {
    const std::vector<Average> all = averages_of(table.table);
    if (all.empty()) return;
    Plot p = pressure_plot(table.name, "pressure");
    p.about = "At the last time measured.", p.y_name = y_name;
    for (const std::string& header : table.table.names) {
        const ColumnName name = column_name(header);
        if (name.unit != "Pa" && name.unit != "kPa") continue;
        p.curves.push_back(profile_curve(name.quantity, profile_of(table.table, header, heights, all.back()),
                                         static_cast<int>(p.curves.size()), -1, false));
    }
    keep_in_tabs(plots, p);
}

void add_pressure(std::vector<Plot>& plots, const RunFolder& run, const NamedTable& table) {
    const CsvTable& t = table.table;
    std::string y_name;
    const std::vector<double>* heights = height_in(t, y_name);
    if (heights == nullptr) return;
    const Moments m = moments_of(t, run);
    const std::size_t before = plots.size();
    for (const WallStress& q : quantities) {
        const std::string column = column_in(t, q.column);
        if (column.empty()) continue;
        Plot p = pressure_plot(table.name, q.axis);
        p.about = about_of(m), p.tab = q.tab, p.y_name = y_name;
        const auto add = [&](const std::string& name, const Profile& profile, int colour, bool bold) {
            p.curves.push_back(profile_curve(name, profile, colour, 0, bold));
        };
        const Average& for_laws = m.filled ? *m.filled : m.last;
        if (m.filled) add("measured, end of filling", profile_of(t, column, *heights, *m.filled), 0, true);
        if (!m.discharge.empty())
            add("measured, discharge, largest", envelope_of(t, column, *heights, m.discharge), 1, true);
        if (!m.filled && m.discharge.empty()) add("measured", profile_of(t, column, *heights, m.last), 0, true);
        else if (m.discharge.size() > 1) add("measured, last", profile_of(t, column, *heights, m.last), 7, false);
        for (const Law& law : laws)
            if (const std::string of_law = column_in(t, std::string(law.before) + q.column); !of_law.empty())
                p.curves.push_back(
                    profile_curve(law.name, profile_of(t, of_law, *heights, for_laws), law.colour, law.dash, false));
            else if (std::string(q.column) == "normal")  // a table that names the law alone
                if (const std::string alone = column_in(t, not_measured[&law - laws]); !alone.empty())
                    p.curves.push_back(
                        profile_curve(law.name, profile_of(t, alone, *heights, for_laws), law.colour, law.dash, false));
        keep(plots, std::move(p));
    }
    if (plots.size() == before + 1) plots.back().tab.clear();
    if (plots.size() == before) add_unknown(plots, table, *heights, y_name);
}

}  // namespace

void add_pressures(std::vector<Plot>& plots, const RunFolder& run) {
    for (const NamedTable& table : run.pressures) add_pressure(plots, run, table);
}

std::vector<WallPeak> largest_pressures(const RunFolder& run) {
    std::vector<WallPeak> peaks;
    for (const NamedTable& table : run.pressures) {
        std::string name;
        const std::vector<double>* heights = height_in(table.table, name);
        const std::string column = column_in(table.table, "normal");
        if (heights == nullptr || column.empty()) continue;
        double most = nan;
        for (const Average& a : averages_of(table.table))
            for (const double v : profile_of(table.table, column, *heights, a).pressure)
                if (std::isfinite(v) && !(most >= v)) most = v;
        peaks.push_back({table.name, most});
    }
    return peaks;
}

// The normal pressure only, a curve a run: at the end of filling, and the largest of the discharge.
void add_pressures_compared(std::vector<Plot>& plots, std::span<const RunFolder> runs) {
    std::vector<std::string> walls;
    for (const RunFolder& run : runs)
        for (const NamedTable& t : run.pressures)
            if (std::find(walls.begin(), walls.end(), t.name) == walls.end()) walls.push_back(t.name);
    for (const std::string& wall : walls) {
        Plot filled = pressure_plot(wall, "normal pressure"), most = filled;
        filled.about = "Normal pressure at the end of filling, or the last average of a run without a discharge.";
        most.about = "Normal pressure: the largest average at each height during the discharge.";
        filled.tab = "end of filling", most.tab = "discharge, largest";
        for (std::size_t r = 0; r < runs.size(); ++r)
            for (const NamedTable& t : runs[r].pressures) {
                const std::string column = column_in(t.table, "normal");
                const std::vector<double>* heights = height_in(t.table, filled.y_name);
                if (t.name != wall || column.empty() || heights == nullptr) continue;
                most.y_name = filled.y_name;
                const Moments m = moments_of(t.table, runs[r]);
                const int colour = static_cast<int>(r);
                if (m.filled || m.discharge.empty())
                    filled.curves.push_back(profile_curve(
                        runs[r].name, profile_of(t.table, column, *heights, m.filled ? *m.filled : m.last), colour, -1,
                        false));
                if (!m.discharge.empty())
                    most.curves.push_back(profile_curve(
                        runs[r].name, envelope_of(t.table, column, *heights, m.discharge), colour, -1, false));
            }
        const std::size_t before = plots.size();
        keep_in_tabs(plots, filled);
        keep_in_tabs(plots, most);
        if (plots.size() == before + 1) plots.back().tab.clear();
    }
}

}  // namespace granary
