// Which curves a report shows: chosen by the names of the columns that are there, so that a column or a file which some
// later version writes is shown, too, as far as its name tells what it is.
#pragma once
#include <span>
#include <string>
#include <vector>
#include "io/report/run_folder.hpp"
#include "io/report/svg_plot.hpp"

namespace granary {

// Of one run: mass, flow, energies, walls, pressures, speed, imbalance, what else there is.
std::vector<Plot> plots_of(const RunFolder& run);

// The same quantities of several runs, one curve a run.
std::vector<Plot> plots_compared(std::span<const RunFolder> runs);

// Mean outflow, kg/s, while the middle of the outflow lasts: from a tenth to nine tenths of all that has left so far,
// so that neither the opening of the gate nor the last balls count. NaN if nothing has left, or all of it between two
// rows.
double mean_outflow(const RunFolder& run);

// The largest force along gravity on each wall, N, of all rows of the series; without gravity its amount.
struct WallPeak {
    std::string wall;
    double value = 0;
};
std::vector<WallPeak> largest_loads(const RunFolder& run);

// The largest average of the normal pressure anywhere on a wall, Pa, for each pressure probe.
std::vector<WallPeak> largest_pressures(const RunFolder& run);

// The mean over a window of time around each point.
std::vector<double> smoothed(std::span<const double> x, std::span<const double> y, double window);

}  // namespace granary
