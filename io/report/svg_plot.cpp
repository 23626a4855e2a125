#include "io/report/svg_plot.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include "io/formats/amounts.hpp"
#include "io/report/axis.hpp"
#include "io/report/html.hpp"
#include "io/report/palette.hpp"

namespace granary {
namespace {

constexpr double width = 400, low = 236, tall = 330, top = 24, bottom = 40, right = 14;
constexpr double letter = 6.4;  // mean width of a digit, font size 12

struct Ends {
    double lo = std::numeric_limits<double>::infinity(), hi = -std::numeric_limits<double>::infinity();
    void add(double v) {
        if (std::isfinite(v)) lo = std::min(lo, v), hi = std::max(hi, v);
    }
    bool any() const { return lo <= hi; }
};

bool drawn(const Curve& c, std::size_t k, bool log_y) {
    return std::isfinite(c.x[k]) && std::isfinite(c.y[k]) && (!log_y || c.y[k] > 0);
}

struct Frame {
    Axis x, y;
    double left = 0, height = low;
    double px(double v) const { return left + x.place(v) * (width - right - left); }
    double py(double v) const { return height - bottom - y.place(v) * (height - bottom - top); }
};

// Sums of the curves up to each, the values of the first as they are; no number counts as none.
std::vector<std::vector<double>> stack_of(const Plot& plot) {
    std::vector<std::vector<double>> sums;
    for (const Curve& c : plot.curves) {
        std::vector<double> sum = sums.empty() ? std::vector<double>(c.y.size(), 0.0) : sums.back();
        for (std::size_t k = 0; k < std::min(sum.size(), c.y.size()); ++k) sum[k] += std::isfinite(c.y[k]) ? c.y[k] : 0;
        sums.push_back(std::move(sum));
    }
    return sums;
}

Frame frame_of(const Plot& plot) {
    Ends x, y;
    for (const Curve& c : plot.curves)
        for (std::size_t k = 0; k < c.x.size(); ++k) {
            if (drawn(c, k, plot.log_y) && !plot.stacked) y.add(c.y[k]);
            if (drawn(c, k, plot.log_y) || !plot.upright) x.add(c.x[k]);  // time begins where the run does
        }
    if (plot.stacked)
        if (const auto sums = stack_of(plot); !sums.empty())
            for (const double v : sums.back()) y.add(v);
    Frame f;
    f.height = plot.upright ? tall : low;
    if (plot.upright) {
        x.add(0);
        f.x = round_axis(x.lo, x.hi, 5);
    } else {
        f.x = tight_axis(x.lo, x.hi, 6);
    }
    if (plot.log_y) {
        f.y = log_axis(std::max(y.lo, y.hi * 1e-8), y.hi, 6);
    } else {
        if (plot.y_from_zero) y.add(0);
        f.y = round_axis(y.lo, y.hi, 5);
    }
    std::size_t widest = 1;
    for (const std::string& label : f.y.labels) widest = std::max(widest, columns_of(label));
    f.left = 12 + letter * static_cast<double>(widest);
    return f;
}

std::size_t colour_of(const Curve& c) { return static_cast<std::size_t>(c.colour) % curve_colours.size(); }

// The classes of a curve. only: there is no other curve that it must be told from, so it needs no dashes.
std::string look_of(const Curve& c, bool only) {
    const std::size_t dash = c.dash < 0 ? colour_of(c) : static_cast<std::size_t>(c.dash) % curve_dashes.size();
    std::string look = fmt::format("k{}", colour_of(c));
    if (c.faint) return look + " faint";
    if (c.bold) look += " bold";
    if (!only && !c.bold && *curve_dashes[dash] != 0) look += fmt::format(" d{}", dash);
    return look;
}

std::string path_of(const Curve& c, const Frame& f, const Plot& plot, bool only) {
    const bool log_y = plot.log_y;
    std::string d, dots;
    bool pen_down = false;
    const Curve few = plot.upright ? c : thinned(c, 360);
    for (std::size_t k = 0; k < few.x.size(); ++k) {
        if (!drawn(few, k, log_y)) {
            pen_down = false;
            continue;
        }
        const double x = f.px(few.x[k]), y = f.py(few.y[k]);
        d += fmt::format("{}{:.1f} {:.1f}", pen_down ? "L" : "M", x, y);
        const bool alone = !pen_down && (k + 1 == few.x.size() || !drawn(few, k + 1, log_y));
        if (alone || c.dots) dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\"/>", x, y);
        pen_down = true;
    }
    std::string s;
    if (!d.empty()) s = fmt::format("<path class=\"curve {}\" d=\"{}\"/>", look_of(c, only), d);
    if (!dots.empty()) s += fmt::format("<g class=\"dots k{}\">{}</g>", colour_of(c), dots);
    return s;
}

// Every area from the sum below it to its own; places are picked so that there are few, the same for all.
std::string areas_of(const Plot& plot, const Frame& f) {
    if (plot.curves.empty()) return "";
    const std::vector<double>& x = plot.curves.front().x;
    std::vector<std::size_t> places;
    const std::size_t stride = x.size() / 300 + 1;
    for (std::size_t k = 0; k < x.size(); ++k)
        if (std::isfinite(x[k]) && (k % stride == 0 || k + 1 == x.size())) places.push_back(k);
    if (places.empty()) return "";
    const std::vector<std::vector<double>> sums = stack_of(plot);
    std::string s;
    for (std::size_t c = 0; c < sums.size(); ++c) {
        std::string d;
        for (const std::size_t k : places)
            d += fmt::format("{}{:.1f} {:.1f}", d.empty() ? "M" : "L", f.px(x[k]), f.py(sums[c][k]));
        for (std::size_t p = places.size(); p-- > 0;)
            d += fmt::format("L{:.1f} {:.1f}", f.px(x[places[p]]), f.py(c == 0 ? 0.0 : sums[c - 1][places[p]]));
        s += fmt::format("<path class=\"area\" fill=\"{}\" d=\"{}Z\"><title>{}</title></path>",
                         ramp_colour(c, sums.size()), d, html(plot.curves[c].name));
    }
    return s;
}

std::string axes_of(const Plot& plot, const Frame& f) {
    const double floor = f.height - bottom;
    std::string grid, ticks;
    for (std::size_t k = 0; k < f.y.ticks.size(); ++k) {
        const double y = f.py(f.y.ticks[k]);
        grid += fmt::format("M{:.1f} {:.1f}H{:.1f}", f.left, y, width - right);
        ticks += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", f.left - 6, y + 4,
                             f.y.labels[k]);
    }
    for (std::size_t k = 0; k < f.x.ticks.size(); ++k) {
        const double x = f.px(f.x.ticks[k]);
        grid += fmt::format("M{:.1f} {:.1f}V{:.1f}", x, top, floor);
        ticks += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>", x, floor + 16,
                             f.x.labels[k]);
    }
    const auto named = [](const std::string& name, const std::string& unit) {
        return unit.empty() ? name : name.empty() ? unit : name + ", " + unit;
    };
    ticks += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", width - right, f.height - 7,
                         html(named(plot.x_name, f.x.unit(plot.x_unit))));
    ticks += fmt::format("<text x=\"4\" y=\"13\">{}</text>", html(named(plot.y_name, f.y.unit(plot.y_unit))));
    return fmt::format(
        "<path class=\"grid\" d=\"{}\"/><path class=\"axis\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>"
        "<g class=\"ticks\">{}</g>",
        grid, f.left, top, floor, width - right, ticks);
}

// The words stand left of their lines, or right of them, and only where they do not run into others.
std::string marks_of(const Plot& plot, const Frame& f) {
    std::string s;
    std::vector<const PlotMark*> shown;
    for (const PlotMark& m : plot.marks)
        if (m.x > f.x.lo && m.x <= f.x.hi) shown.push_back(&m);
    double free_from = f.left;
    for (std::size_t k = 0; k < shown.size(); ++k) {
        const PlotMark& m = *shown[k];
        const double x = f.px(m.x), wide = 3 + 5.6 * static_cast<double>(columns_of(m.text));
        s += fmt::format("<path class=\"mark\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>", x, top, f.height - bottom);
        double end = width - right;  // of the room to the right, beside the word of the next
        if (k + 1 < shown.size())
            end = f.px(shown[k + 1]->x) - 3 - 5.6 * static_cast<double>(columns_of(shown[k + 1]->text));
        const bool left = x - wide >= free_from;
        if (!m.text.empty() && (left || (x >= free_from && x + wide <= end)))
            s += fmt::format("<text class=\"word\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>",
                             left ? x - 3 : x + 3, top + 10, left ? "end" : "start", html(m.text));
        free_from = left ? x : x + wide;
    }
    return s;
}

// The value of a curve at or before x; NaN before its first.
double value_at(const Curve& c, double x) {
    const auto after = std::upper_bound(c.x.begin(), c.x.end(), x + 1e-9 * std::abs(x));
    return after == c.x.begin() ? std::numeric_limits<double>::quiet_NaN()
                                : c.y[static_cast<std::size_t>(after - c.x.begin()) - 1];
}

// least: what is smaller is what rounding has left of a difference.
std::string cell(double v, double least = 0) {
    return std::isfinite(v) ? fmt::format("<td>{:.5g}</td>", std::abs(v) < least ? 0.0 : v) : "<td>–</td>";
}

double rounding_of(const Curve& c) {
    double most = 0;
    for (const double v : c.y)
        if (std::isfinite(v)) most = std::max(most, std::abs(v));
    return 1e-12 * most;
}

// The curves at the ticks of the time axis and at the end; or, of an upright plot, every point.
std::string table_of(const Plot& plot) {
    const auto header = [&](const std::string& first, const std::string& unit) {
        std::string s =
            fmt::format("<tr><th scope=\"col\">{}{}</th>", html(first), unit.empty() ? "" : ", " + html(unit));
        return s;
    };
    const std::string unit = plot.upright ? plot.x_unit : plot.y_unit;
    std::string rows = plot.upright ? header(plot.y_name, plot.y_unit) : header(plot.x_name, plot.x_unit);
    std::vector<const Curve*> shown;
    for (const Curve& c : plot.curves)
        if (!c.faint) shown.push_back(&c);
    for (const Curve* c : shown)
        rows += fmt::format("<th scope=\"col\">{}{}</th>", html(c->name), unit.empty() ? "" : ", " + html(unit));
    rows += "</tr>";
    if (plot.upright) {
        std::vector<double> places;
        for (const Curve* c : shown) places.insert(places.end(), c->y.begin(), c->y.end());
        std::sort(places.begin(), places.end());
        places.erase(std::unique(places.begin(), places.end()), places.end());
        const std::size_t stride = places.size() / 40 + 1;
        for (std::size_t p = 0; p < places.size(); p += stride) {
            rows += fmt::format("<tr><th scope=\"row\">{:.5g}</th>", places[p]);
            for (const Curve* c : shown) {
                const auto at = std::find(c->y.begin(), c->y.end(), places[p]);
                rows += cell(at == c->y.end() ? NAN : c->x[static_cast<std::size_t>(at - c->y.begin())]);
            }
            rows += "</tr>";
        }
        return rows;
    }
    Ends x;
    for (const Curve* c : shown)
        for (const double v : c->x) x.add(v);
    if (!x.any()) return rows;
    std::vector<double> places = tight_axis(x.lo, x.hi, 10).ticks;
    if (places.empty() || places.back() < x.hi) places.push_back(x.hi);
    for (const double p : places) {
        rows += fmt::format("<tr><th scope=\"row\">{:.5g}</th>", p);
        for (const Curve* c : shown) rows += cell(value_at(*c, p), rounding_of(*c));
        rows += "</tr>";
    }
    return rows;
}

}  // namespace

Curve thinned(const Curve& curve, std::size_t strips) {
    if (curve.x.size() <= 4 * strips) return curve;
    Ends x;
    for (const double v : curve.x) x.add(v);
    Curve few = curve;
    few.x.clear(), few.y.clear();
    const auto strip = [&](std::size_t k) {
        return static_cast<std::size_t>((curve.x[k] - x.lo) / (x.hi - x.lo) * static_cast<double>(strips) *
                                        (1 - 1e-12));
    };
    const auto bad = [&](std::size_t k) { return !std::isfinite(curve.x[k]) || !std::isfinite(curve.y[k]); };
    for (std::size_t begin = 0; begin < curve.x.size();) {
        std::size_t end = begin + 1, low = begin, high = begin;
        if (!bad(begin))
            for (; end < curve.x.size() && !bad(end) && strip(end) == strip(begin); ++end) {
                if (curve.y[end] < curve.y[low]) low = end;
                if (curve.y[end] > curve.y[high]) high = end;
            }
        std::vector<std::size_t> kept{begin, low, high, end - 1};
        std::sort(kept.begin(), kept.end());
        kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
        for (const std::size_t k : kept) few.x.push_back(curve.x[k]), few.y.push_back(curve.y[k]);
        begin = end;
    }
    return few;
}

std::string svg_plot(const Plot& plot) {
    const Frame f = frame_of(plot);
    std::string curves;
    const auto named = std::count_if(plot.curves.begin(), plot.curves.end(), [](const Curve& c) { return !c.faint; });
    if (plot.stacked) curves = areas_of(plot, f);
    else
        for (const int layer : {0, 1, 2})  // faint ones behind, bold ones in front
            for (const Curve& c : plot.curves)
                if ((c.faint ? 0 : c.bold ? 2 : 1) == layer) curves += path_of(c, f, plot, named == 1);
    std::string s = fmt::format(
        "<svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-labelledby=\"{}t {}d\">"
        "<title id=\"{}t\">{}</title><desc id=\"{}d\">{}</desc>",
        width, f.height, plot.id, plot.id, plot.id, html(plot.title), plot.id, html(plot.about));
    if (curves.empty())
        return s +
               fmt::format("<text class=\"word\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">no numbers yet</text></svg>",
                           width / 2, f.height / 2);
    return s + axes_of(plot, f) + marks_of(plot, f) + curves + "</svg>";
}

namespace {

std::string legend_of(const Plot& plot) {
    std::string legend;
    std::size_t named = 0;
    for (std::size_t k = 0; k < plot.curves.size(); ++k) {
        const Curve& c = plot.curves[k];
        if (c.faint) continue;
        ++named;
        legend += "<li><svg viewBox=\"0 0 28 10\" aria-hidden=\"true\">";
        legend += plot.stacked
                      ? fmt::format("<path fill=\"{}\" d=\"M4 0H24V10H4Z\"/>", ramp_colour(k, plot.curves.size()))
                      : fmt::format("<path class=\"curve {}\" d=\"M1 5H27\"/>", look_of(c, false));
        legend += fmt::format("</svg>{}</li>", html(c.name));
    }
    return named > 1 ? "<ul class=\"legend\">" + legend + "</ul>" : "";
}

// What stands below the title.
std::string pane_of(const Plot& plot) {
    return fmt::format(
        "{}{}{}<details class=\"numbers\"><summary>Numbers</summary><div class=\"scroll\"><table>{}</table></div>"
        "</details>",
        plot.about.empty() ? "" : "<p class=\"about\">" + html(plot.about) + "</p>", legend_of(plot), svg_plot(plot),
        table_of(plot));
}

// Buttons of a radio choose the pane; which one is shown is a matter of style.cpp.
std::string tabbed_figure(std::span<const Plot> plots) {
    std::string buttons, panes;
    const std::size_t n = std::min(plots.size(), most_tabs);
    for (std::size_t k = 0; k < n; ++k) {
        buttons += fmt::format("<input type=\"radio\" name=\"{0}r\" id=\"{1}r\"{2}><label for=\"{1}r\">{3}</label>",
                               plots.front().id, plots[k].id, k == 0 ? " checked" : "", html(plots[k].tab));
        panes += "<div class=\"pane\">" + pane_of(plots[k]) + "</div>";
    }
    const std::string more =
        plots.size() > n ? fmt::format("<p class=\"soft\">{} more are not shown.</p>", plots.size() - n) : "";
    return fmt::format("<figure class=\"card tabs\"><figcaption><h3>{}</h3></figcaption>{}{}{}</figure>\n",
                       html(plots.front().title), buttons, panes, more);
}

}  // namespace

std::string plot_figure(const Plot& plot) {
    return fmt::format("<figure class=\"card\"><figcaption><h3>{}</h3></figcaption>{}</figure>\n", html(plot.title),
                       pane_of(plot));
}

std::string plot_figures(std::span<const Plot> plots) {
    std::string s;
    for (std::size_t begin = 0; begin < plots.size();) {
        std::size_t end = begin + 1;
        while (end < plots.size() && !plots[begin].tab.empty() && !plots[end].tab.empty() &&
               plots[end].title == plots[begin].title)
            ++end;
        s += end == begin + 1 ? plot_figure(plots[begin]) : tabbed_figure(plots.subspan(begin, end - begin));
        begin = end;
    }
    return s;
}

}  // namespace granary
