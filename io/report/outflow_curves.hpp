// What a run with output.outflow tells about the balls that leave: how long they were inside, and of what material they
// are. The rows of the series hold means over the mass that left since the row before; over longer times they are
// weighted with it.
#pragma once
#include <vector>
#include "io/report/run_folder.hpp"
#include "io/report/svg_plot.hpp"

namespace granary {

std::vector<Plot> outflow_plots(const RunFolder& run);  // without curves where the run does not tell

double mean_residence_time(
    const RunFolder& run);  // s, of all that has left; NaN if nothing has, or the run does not tell

}  // namespace granary
