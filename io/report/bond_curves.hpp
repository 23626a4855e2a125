// What a report shows of bonds: broken ones, pieces, sizes of fragments.
#pragma once
#include <vector>
#include "io/report/run_folder.hpp"
#include "io/report/svg_plot.hpp"

namespace granary {

// From the series: bonds that broke since the start, by cause; pieces and single bodies. Empty without bonds.
std::vector<Plot> bond_plots(const RunFolder& run);

// From fragments-<name>.csv: the mass that would pass a sieve, at some times, and the sieves that 10, 50 and 90 % of
// the mass pass, over time.
std::vector<Plot> fragment_plots(const NamedTable& table);

// The sieve that this share of the mass passes, m: between two sieves in proportion. sizes ascending, passing up to 1.
// NaN if there is none.
double sieve_of(const std::vector<double>& sizes, const std::vector<double>& passing, double share);

}  // namespace granary
