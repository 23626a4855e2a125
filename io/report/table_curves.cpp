// Tables over time beside the series: bands and loads, which are known, and any other file whose first column is
// time_s.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "io/report/bond_curves.hpp"
#include "io/report/curve_parts.hpp"

namespace granary {
namespace {

const std::vector<double>& time_in(const NamedTable& table) { return *table.table.find("time_s"); }

// "Layers: east" of bands-east.csv; "Layers" of a probe that is called so, or bands.
std::string titled(const std::string& what, const std::string& name, const std::string& type) {
    const std::string probe = name.substr(type.size() + 1);
    std::string small = what;
    small[0] = static_cast<char>(small[0] - 'A' + 'a');
    return probe == small || probe == type ? what : what + ": " + probe;
}

std::string after(const std::string& name, std::size_t n) { return name.size() > n ? name.substr(n) : name; }

// ---- Bands: how much of each layer is still inside ------------------------------------------------------------------

constexpr std::size_t most_areas = 48;  // more cannot be seen: neighbours are then put together

void add_bands(std::vector<Plot>& plots, const NamedTable& table, const std::vector<PlotMark>& marks) {
    std::vector<Curve> bands;
    for (const std::string& header : table.table.names)
        if (column_name(header).of.starts_with("band "))
            bands.push_back(curve(time_in(table), column_name(header).of, *table.table.find(header), 0));
    if (bands.empty()) return;
    Plot all = plot(titled("Layers", table.name, "bands"),
                    fmt::format("Balls inside, by their initial layer; band 0 is the lowest of {}.", bands.size()), "");
    all.stacked = true, all.tab = "all", all.marks = marks, all.y_name = "balls";
    const std::size_t together = (bands.size() + most_areas - 1) / most_areas;
    for (std::size_t k = 0; k < bands.size(); k += together) {
        const std::size_t last = std::min(bands.size(), k + together) - 1;
        Curve area = bands[k];
        if (last > k) area.name = fmt::format("bands {} to {}", after(bands[k].name, 5), after(bands[last].name, 5));
        for (std::size_t b = k + 1; b <= last; ++b)
            for (std::size_t t = 0; t < area.y.size(); ++t) area.y[t] += bands[b].y[t];
        all.curves.push_back(std::move(area));
    }
    keep(plots, std::move(all));

    Plot left =
        plot(titled("Layers", table.name, "bands"), "Share of the balls of each layer that is still inside.", "%");
    left.marks = marks, left.tab = "bands";
    for (std::size_t k = 0; k < bands.size(); ++k) {
        Curve c = bands[k];
        c.colour = static_cast<int>(k);
        double most = 0;
        for (const double v : c.y) most = std::max(most, std::isfinite(v) ? v : 0);
        for (double& v : c.y) v = most > 0 ? 100 * v / most : v;
        left.curves.push_back(std::move(c));
    }
    for (std::size_t first = 0; first < left.curves.size(); first += most_curves) {
        Plot p = left;
        const auto begin = left.curves.begin() + static_cast<std::ptrdiff_t>(first);
        p.curves.assign(begin, begin + static_cast<std::ptrdiff_t>(std::min(most_curves, left.curves.size() - first)));
        for (std::size_t k = 0; k < p.curves.size(); ++k) p.curves[k].colour = static_cast<int>(k);
        p.tab = fmt::format("{} to {}", first, first + p.curves.size() - 1);
        keep(plots, std::move(p));
    }
}

// ---- Loads: what each wall carries, beside the weight ---------------------------------------------------------------

void add_loads(std::vector<Plot>& plots, const NamedTable& table, const std::vector<PlotMark>& marks) {
    const CsvTable& t = table.table;
    const auto add = [&](const std::string& column, const char* tab, const char* about, bool beside_weight) {
        Plot p = plot(titled("Loads", table.name, "loads"), about, "N");
        p.marks = marks, p.tab = tab;
        for (const std::string& header : t.names)
            if (column_name(header).quantity == column)
                p.curves.push_back(
                    curve(time_in(table), column_name(header).of, *t.find(header), static_cast<int>(p.curves.size())));
        const std::size_t walls = p.curves.size();
        if (beside_weight) {
            for (const auto& [name, header] : {std::pair{"all walls", "carried_N"}, std::pair{"weight", "weight_N"}})
                if (const std::vector<double>* y = t.find(header)) {
                    p.curves.push_back(curve(time_in(table), name, *y, static_cast<int>(p.curves.size())));
                    if (header == std::string("carried_N")) p.curves.back().bold = true;
                }
        }
        for (Curve& c : p.curves) c.dots = t.rows <= 30;
        keep_in_tabs(plots, p, walls);
    };
    add("down", "mean", "Mean downward force on each wall over each averaging interval, and the weight of the grain.",
        true);
    add("down most", "largest", "Largest downward force on each wall at any moment of each averaging interval.", false);
}

// ---- Fragments: rows of classes, not one row a time -----------------------------------------------------------------

void add_fragments(std::vector<Plot>& plots, const NamedTable& table, const std::vector<PlotMark>& marks) {
    for (Plot& p : fragment_plots(table)) {
        if (p.x_unit == "s") p.marks = marks;
        keep(plots, std::move(p));
    }
}

// ---- Any other table: its columns over time, those of one unit together ---------------------------------------------

// Numbers that only say how a row was made, or which ball it is about. ("looks": "samples" in earlier versions.)
bool is_bookkeeping(const std::string& header) {
    const ColumnName name = column_name(header);
    return header == "time_s" || header == "step" || header == "from_s" || name.quantity == "samples" ||
           name.quantity == "looks" || name.quantity == "id";
}

void add_any(std::vector<Plot>& plots, const NamedTable& table, const std::vector<PlotMark>& marks) {
    std::vector<std::string> units;
    for (const std::string& header : table.table.names) {
        const std::string unit = column_name(header).unit;
        if (!is_bookkeeping(header) && std::find(units.begin(), units.end(), unit) == units.end())
            units.push_back(unit);
    }
    for (const std::string& unit : units) {
        Plot p = plot(table.name, "From " + table.name + ".csv.", unit);
        p.marks = marks;
        std::vector<std::string> quantities;  // of each curve
        for (const std::string& header : table.table.names) {
            const ColumnName name = column_name(header);
            if (is_bookkeeping(header) || name.unit != unit) continue;
            p.curves.push_back(curve(time_in(table), name.quantity + (name.of.empty() ? "" : " of " + name.of),
                                     *table.table.find(header), static_cast<int>(p.curves.size())));
            quantities.push_back(name.quantity);
        }
        if (p.curves.size() == 1) p.title += ": " + p.curves.front().name;
        else if (!unit.empty() && units.size() > 1) p.title += ", " + unit;
        if (p.curves.size() <= most_curves) {
            keep(plots, std::move(p));
            continue;
        }
        // One quantity at a time, and of that six columns at a time.
        std::vector<std::string> different;
        for (const std::string& q : quantities)
            if (std::find(different.begin(), different.end(), q) == different.end()) different.push_back(q);
        const bool by_quantity = different.size() > 1 && different.size() < quantities.size();
        for (const std::string& q : by_quantity ? different : std::vector<std::string>{""}) {
            Plot some = p;
            some.curves.clear();
            for (std::size_t k = 0; k < p.curves.size(); ++k)
                if (q.empty() || quantities[k] == q) {
                    some.curves.push_back(p.curves[k]);
                    some.curves.back().colour = static_cast<int>(some.curves.size()) - 1;
                }
            some.tab = q;
            keep_in_tabs(plots, some);
        }
    }
}

}  // namespace

void add_tables(std::vector<Plot>& plots, const RunFolder& run) {
    const std::vector<PlotMark> marks = stage_marks(run);
    for (const NamedTable& table : run.others) {
        if (table.name.starts_with("bands-")) add_bands(plots, table, marks);
        else if (table.name.starts_with("loads-")) add_loads(plots, table, marks);
        else if (table.name.starts_with("fragments-") && !fragment_plots(table).empty())
            add_fragments(plots, table, marks);
        else add_any(plots, table, marks);
    }
}

}  // namespace granary
