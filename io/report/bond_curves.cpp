#include "io/report/bond_curves.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include "io/report/curve_parts.hpp"

namespace granary {
namespace {

constexpr double millimetres = 1e3;

bool is_zero(const std::vector<double>& y) {
    return std::none_of(y.begin(), y.end(), [](double v) { return std::isfinite(v) && v != 0; });
}

// The classes of one time: their upper edges and the share of the mass below each, from the lower edge of the first.
struct Passing {
    double time = nan;
    std::vector<double> size, share;  // m, 1
};

std::vector<Passing> passing_of(const CsvTable& t) {
    const std::vector<double>*time = t.find("time_s"), *from = t.find("from_m"), *to = t.find("to_m"),
          *share = t.find("passing_share");
    std::vector<Passing> all;
    if (time == nullptr || from == nullptr || to == nullptr || share == nullptr) return all;
    for (std::size_t k = 0; k < t.rows; ++k) {
        if (!std::isfinite((*time)[k]) || !std::isfinite((*from)[k])) continue;
        if (all.empty() || all.back().time != (*time)[k]) all.push_back({(*time)[k], {(*from)[k]}, {0.0}});
        if (!std::isfinite((*to)[k])) continue;  // the class above all sieves
        all.back().size.push_back((*to)[k]), all.back().share.push_back((*share)[k]);
    }
    return all;
}

}  // namespace

std::vector<Plot> bond_plots(const RunFolder& run) {
    const std::vector<double>* broken = run.series.find("bonds_broken");
    if (broken == nullptr) return {};
    std::vector<Plot> plots(2);
    plots[0] = plot("Broken bonds", "Since the start, by cause.", "");
    plots[0].curves = {curve(time_of(run), "all", *broken, 0)};
    plots[0].curves.back().bold = true;
    const std::string cause = "bonds_broken:";
    for (const std::string& header : run.series.names)
        if (header.starts_with(cause) && !is_zero(*run.series.find(header)) && plots[0].curves.size() < most_curves)
            plots[0].curves.push_back(curve(time_of(run), header.substr(cause.size()), *run.series.find(header),
                                            static_cast<int>(plots[0].curves.size())));
    plots[1] = plot("Pieces", "Groups of bodies joined by bonds, and bodies without a bond.", "");
    for (const auto& [name, header] : {std::pair{"pieces", "pieces"}, std::pair{"single bodies", "single_bodies"}})
        if (const std::vector<double>* y = run.series.find(header); y != nullptr && !is_zero(*y))
            plots[1].curves.push_back(curve(time_of(run), name, *y, static_cast<int>(plots[1].curves.size())));
    return plots;
}

double sieve_of(const std::vector<double>& sizes, const std::vector<double>& passing, double share) {
    for (std::size_t k = 0; k < std::min(sizes.size(), passing.size()); ++k) {
        if (!(passing[k] >= share)) continue;
        if (k == 0 || passing[k] == passing[k - 1]) return sizes[k];
        return sizes[k - 1] + (share - passing[k - 1]) / (passing[k] - passing[k - 1]) * (sizes[k] - sizes[k - 1]);
    }
    return nan;
}

std::vector<Plot> fragment_plots(const NamedTable& table) {
    const std::vector<Passing> all = passing_of(table.table);
    if (all.empty()) return {};
    const std::string probe = table.name.substr(std::min(table.name.size(), std::string("fragments-").size()));
    const std::string of = probe.empty() || probe == "fragments" ? "" : ": " + probe;
    std::vector<Plot> plots(2);
    plots[0] = plot("Sizes of fragments" + of, "Mass of pieces smaller than a diameter, at several times.", "%");
    plots[0].x_name = "diameter", plots[0].x_unit = "mm", plots[0].y_name = "passing";
    const std::size_t n = std::min(all.size(), most_curves);
    for (std::size_t k = 0; k < n; ++k) {
        const Passing& p = all[n == 1 ? 0 : k * (all.size() - 1) / (n - 1)];  // the first and the last among them
        Curve c = curve(p.size, fmt::format("{:.4g} s", p.time), p.share, static_cast<int>(k));
        for (double& x : c.x) x *= millimetres;
        for (double& y : c.y) y *= 100;
        c.dots = true;
        plots[0].curves.push_back(std::move(c));
    }
    plots[1] = plot("Sieves of fragments" + of, "Diameters that 10, 50 and 90 % of the mass pass.", "mm");
    for (const int percent : {10, 50, 90}) {
        Curve c;
        c.name = fmt::format("d{}", percent), c.colour = static_cast<int>(plots[1].curves.size());
        c.bold = percent == 50;
        for (const Passing& p : all)
            c.x.push_back(p.time), c.y.push_back(millimetres * sieve_of(p.size, p.share, 0.01 * percent));
        plots[1].curves.push_back(std::move(c));
    }
    return plots;
}

}  // namespace granary
