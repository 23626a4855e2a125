// A plot as SVG inside a page: curves over an axis with round ticks and units. Colours are classes
// (report/palette.hpp), so that the page may be light or dark; sizes are made for a card that is about as wide as a
// phone.
#pragma once
#include <span>
#include <string>
#include <vector>

namespace granary {

struct Curve {
    std::string name;
    std::vector<double> x, y;  // equally long; NaN makes a gap
    int colour = 0;            // number in the palette
    int dash = -1;             // number of its dashes; -1: those of its colour
    bool bold = false;         // what was measured, beside what a law says: thick, without dashes
    bool faint = false;        // in the background: not in the legend
    bool dots = false;         // the points are marked
};

struct PlotMark {
    double x = 0;
    std::string text;
};

struct Plot {
    std::string id;     // letters and digits, different for each plot of a page
    std::string title;  // what is shown
    std::string about;  // one sentence for those who cannot see it, and below the title
    std::string x_name = "time", x_unit = "s";
    std::string y_name, y_unit;
    std::vector<Curve> curves;
    std::vector<PlotMark> marks;  // moments, as upright lines
    bool log_y = false;
    bool y_from_zero = true;
    bool upright = false;  // x is what was measured, y is a place: no thinning, both axes rounded
    bool stacked =
        false;  // areas upon each other, the first at the bottom; colours from a ramp (palette.hpp), x the same in all
    std::string tab;  // short name among the plots of one title that share a figure; empty: it has a figure of its own
};

// The picture alone. A plot without a single number says so inside it.
std::string svg_plot(const Plot& plot);

// The legend, the picture and the numbers behind it as a table, as one <figure>.
std::string plot_figure(const Plot& plot);

// The figures of all plots. Plots that follow each other with the same title and have tabs share one figure, which
// shows one of them at a time: the reader chooses, without a script.
std::string plot_figures(std::span<const Plot> plots);
inline constexpr std::size_t most_tabs = 16;

// At most four points for each of so many strips of x: first, lowest, highest, last. What it looks like stays the same.
Curve thinned(const Curve& curve, std::size_t strips);

}  // namespace granary
