// What rows, logs, frames and pictures say of the bonds of a run.
#pragma once
#include <string>
#include <vector>
#include "engine/simulation.hpp"
#include "io/frames/bond_lines.hpp"
#include "io/log/series.hpp"

namespace granary {

// The word for a cause, as in files.
const char* word_of(BreakCause cause);

// The bonds now, over all ranks; all zero in a run without bonds.
struct BondState {
    BondCounts bonds;
    PieceCounts pieces;
};
BondState bond_state(const Simulation& sim);  // collective

// Columns of the series, in runs with bonds.
std::vector<SeriesColumn> bond_columns();
void add_bonds(const BondState& state, std::vector<Series::Value>& row);

// For the end of a run: what is whole and what broke, why; empty in a run without bonds.
std::string bond_text(const Simulation& sim, const BondState& state);

// This rank's whole bonds as lines, each once over all ranks: where its lower body is real.
std::vector<BondLine> bond_lines(const Simulation& sim);

}  // namespace granary
