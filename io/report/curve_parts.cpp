#include "io/report/curve_parts.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace granary {
namespace {

bool says_something(const Plot& p) {
    for (const Curve& c : p.curves)
        for (const double v : p.upright ? c.x : c.y)
            if (std::isfinite(v) && v != 0) return true;
    return false;
}

void number_colours(Plot& p) {
    int colour = -1;
    for (Curve& c : p.curves) {
        if (!c.faint) ++colour;
        c.colour = std::max(0, colour);
    }
}

}  // namespace

const std::vector<double>& time_of(const RunFolder& run) {
    static const std::vector<double> none;
    const std::vector<double>* t = run.series.find("time_s");
    return t == nullptr ? none : *t;
}

std::vector<PlotMark> stage_marks(const RunFolder& run) {
    std::vector<PlotMark> marks;
    for (const RunStage& s : run.stages) marks.push_back({s.time, s.text.substr(0, s.text.find(':'))});
    if (marks.size() > 6)
        for (PlotMark& m : marks) m.text.clear();
    return marks;
}

Plot plot(const std::string& title, const std::string& about, const std::string& unit) {
    Plot p;
    p.title = title, p.about = about, p.y_unit = unit;
    return p;
}

Curve curve(const std::vector<double>& x, const std::string& name, std::vector<double> y, int colour) {
    Curve c;
    c.name = name, c.x = x, c.y = std::move(y), c.colour = colour;
    return c;
}

void keep(std::vector<Plot>& plots, Plot p) {
    std::erase_if(p.curves, [](const Curve& c) { return c.x.size() != c.y.size() || c.x.empty(); });
    if (!says_something(p)) return;
    p.id = fmt::format("p{}", plots.size());
    plots.push_back(std::move(p));
}

void keep_in_tabs(std::vector<Plot>& plots, const Plot& all, std::size_t shared) {
    shared = std::min(shared, all.curves.size());
    const std::vector<Curve> in_all(all.curves.begin() + static_cast<std::ptrdiff_t>(shared), all.curves.end());
    const auto is_named = [](const Curve& c) { return !c.faint; };
    const auto count_named = [&](auto begin, auto end) {
        return static_cast<std::size_t>(std::count_if(begin, end, is_named));
    };
    const std::size_t n = count_named(all.curves.begin(),
                                      all.curves.end() - static_cast<std::ptrdiff_t>(in_all.size())),
                      n_shared = std::min(count_named(in_all.begin(), in_all.end()), most_curves - 1),
                      room = most_curves - n_shared;
    if (n <= room) return keep(plots, all);
    std::size_t k = 0;  // next curve
    for (std::size_t first = 0; first < n; first += room) {
        Plot p = all;
        p.curves.clear();
        const std::size_t last = std::min(n, first + room);
        for (std::size_t named = first; k < shared; ++k) {
            if (is_named(all.curves[k]) && named++ == last) break;
            p.curves.push_back(all.curves[k]);
        }
        p.curves.insert(p.curves.end(), in_all.begin(), in_all.end());
        number_colours(p);
        p.tab = (all.tab.empty() ? "" : all.tab + " ") +
                (last - first == 1 ? fmt::format("{}", last) : fmt::format("{}–{}", first + 1, last));
        keep(plots, std::move(p));
    }
}

}  // namespace granary
