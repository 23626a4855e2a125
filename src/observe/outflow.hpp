// Every ball that leaves through an outlet: a row of outflow.csv, in the order of steps and ids, and means for the time
// series. Ranks note what leaves (Simulation::take_departures); whenever a row of the series or a checkpoint is due,
// the first rank writes it down. So the file has the same bytes on any number of ranks, and after a stop it is cut back
// to the time of the checkpoint.
#pragma once
#include <optional>
#include <string>
#include <vector>
#include "observe/results.hpp"
#include "core/errors.hpp"
#include "engine/simulation.hpp"
#include "io/log/series.hpp"

namespace granary {

class Outflow {
  public:
    // Collective, as write(). resumed: of a run that is taken up again, from where it is now.
    Outflow(const Simulation& sim, const Results& results, bool resumed);

    // Writes what has left since the last call and adds it to the means.
    void write(const Simulation& sim);
    void bring_to_disk();

    // For the time series, over the mass that has left since the last begin_row(): mean residence time, and the share
    // of each material of balls; nan if nothing has left. After write() the same on all ranks.
    static std::vector<SeriesColumn> columns(const Setup& setup);
    std::vector<double> means(const Setup& setup) const;
    void begin_row() { sums_.assign(sums_.size(), 0.0); }

    template <class Io> void run_state(Io& io) {
        const std::size_t n = sums_.size();
        io("outflow.sums", sums_);
        if (sums_.size() != n) throw InputError("the checkpoint has an outflow of other materials than the case");
    }

  private:
    std::vector<double> sums_;    // mass, mass times residence time, mass of each material; kg, kg s
    std::optional<Series> file_;  // on the first rank only
};

}  // namespace granary
