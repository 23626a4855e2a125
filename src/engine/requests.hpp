// What observers may ask of a run that they cannot change: to note contacts at the next step, to begin means anew, to
// hand over what has left, to carry a request such as "stop" to all ranks.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>
#include "contact/bond_type.hpp"
#include "core/bodies.hpp"
#include "core/timers.hpp"

namespace granary {

// A ball that has left through an outlet.
struct Departure {
    std::uint64_t step;  // at which it was counted out
    Id id;
    double time, radius, mass, entry_time;  // s, m, kg, s
    std::uint16_t material, outlet;         // numbers
};

// A bond that has broken.
struct BrokenBond {
    std::uint64_t step;
    Id smaller, larger;  // ids of its bodies
    double time;         // s
    Vec3d position;      // m, of its middle, in the axes inside
    double energy;       // J, strain that it held
    BreakCause cause;
};

class Requests {
  public:
    // A request of this rank, such as to stop: it travels with what ranks send each other anyway. Within a few steps
    // all ranks know the greatest request of all, after the same step, until it is dropped.
    void ask(int what) { mine_ = std::max<double>(mine_, what); }
    int agreed() const { return static_cast<int>(agreed_); }
    void drop() { mine_ = agreed_ = 0; }

    // Forces::wall_samples at the next step and, if wanted, Forces::pair_samples.
    void note_contacts(bool between_balls) { walls_ = true, pairs_ |= between_balls; }

    // Means of wall loads (mean_loads_of) begin anew.
    void restart_means() { restart_means_ = true; }
    bool means_restarted() const { return restart_means_; }  // and no step done since

    // This rank's balls that have left since the last call, with Setup::outflow; a run is saved with none waiting.
    std::vector<Departure> take_departures() { return std::exchange(departures_, {}); }

    // This rank's bonds that have broken since the last call, with Setup::break_events.
    std::vector<BrokenBond> take_breaks() { return std::exchange(breaks_, {}); }

    PhaseTimes times;  // where the time goes; whoever measures adds its own

  private:
    friend class Simulation;
    friend class Forces;
    friend class LedgerCounts;
    friend class BondedPairs;
    double mine_ = 0, agreed_ = 0;
    bool walls_ = false, pairs_ = false, restart_means_ = false;
    std::vector<Departure> departures_;
    std::vector<BrokenBond> breaks_;
};

}  // namespace granary
