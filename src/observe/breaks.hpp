// Every bond that breaks: a row of breaks.csv, in the order of steps and ids. Ranks note what breaks
// (Requests::take_breaks); whenever a row of the series or a checkpoint is due, the first rank writes it down. So the
// file has the same bytes on any number of ranks, and after a stop it is cut back to the time of the checkpoint.
#pragma once
#include <optional>
#include "observe/results.hpp"
#include "engine/simulation.hpp"
#include "io/log/series.hpp"

namespace granary {

class Breaks {
  public:
    // Collective, as write(). resumed: of a run that is taken up again, from where it is now.
    Breaks(const Simulation& sim, const Results& results, bool resumed);

    void write(const Simulation& sim);  // what has broken since the last call
    void bring_to_disk();

  private:
    std::optional<Series> file_;  // on the first rank only
};

}  // namespace granary
