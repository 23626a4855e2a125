// What the files that choose curves share.
#pragma once
#include <limits>
#include <string>
#include <vector>
#include "io/report/run_folder.hpp"
#include "io/report/svg_plot.hpp"

namespace granary {

inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr std::size_t most_curves = 6;  // in one picture; more cannot be told apart

const std::vector<double>& time_of(const RunFolder& run);  // of the series; empty if there is none

// The ends of the stages, as lines in a plot over time.
std::vector<PlotMark> stage_marks(const RunFolder& run);

Plot plot(const std::string& title, const std::string& about, const std::string& unit);
Curve curve(const std::vector<double>& x, const std::string& name, std::vector<double> y, int colour);

// Adds the plot unless it has no number but zeros; gives it its id.
void keep(std::vector<Plot>& plots, Plot plot);

// The same for a plot of many curves: at most six at a time, the rest behind tabs. Faint curves go with the named one
// before them. Curves from `shared` on are in all tabs.
void keep_in_tabs(std::vector<Plot>& plots, const Plot& plot, std::size_t shared = static_cast<std::size_t>(-1));

// Every pressure probe: what was measured at the end of filling, what the discharge brought at most, and what the laws
// say.
void add_pressures(std::vector<Plot>& plots, const RunFolder& run);
void add_pressures_compared(std::vector<Plot>& plots, std::span<const RunFolder> runs);

// Other tables over time: bands, loads, and those whose columns alone tell what they are.
void add_tables(std::vector<Plot>& plots, const RunFolder& run);

}  // namespace granary
