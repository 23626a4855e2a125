// When a run is saved, and whether it stops: on simulated time, on wall time, on a signal or at the end of the time
// that it was given. Clocks and signals are things of single ranks; what they want travels with the numbers that all
// ranks exchange anyway (Requests::ask) and is done by all after the same step. The run itself does not notice.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include "observe/observer.hpp"
#include "observe/results.hpp"
#include "run/run_status.hpp"
#include "engine/simulation.hpp"
#include "run/stop_signals.hpp"
#include "io/case/case_specs.hpp"
#include "io/log/progress.hpp"

namespace granary {

struct CheckpointTimes {
    double every = 0;                 // s of simulated time; 0: never
    double every_wall = 0;            // s; 0: never
    std::uint64_t kept = 2;           // older ones are removed
    std::optional<double> wall_time;  // s from `started`, after which the run stops
    double started = 0;               // of the clock
};

class Checkpoints {
  public:
    // save: collective, all that a run needs to go on beside its bodies; may throw InputError on all ranks alike.
    Checkpoints(const Simulation& sim, Results& results, CheckpointTimes times, std::string case_text,
                std::function<SavedState()> save, WallClock clock = system_clock());

    void before_step(const Simulation& sim);  // this rank's requests
    bool after_step(const Simulation& sim);   // true: the run stops here; collective when something is due

    void write_now(const Simulation& sim);  // unless there is one of this step; collective

    const std::string& newest() const { return newest_; }  // path from the run's folder; empty: none
    void set_newest(std::string path) { newest_ = std::move(path); }
    std::string why_stopped() const { return why_; }
    RunStatus status(const Simulation& sim, std::string word, std::string message = "") const;

  private:
    enum Request { none, save_now, stop_by_clock, stop_by_signal };
    bool write(const Simulation& sim);
    void remove_old() const;

    Results& results_;
    CheckpointTimes times_;
    std::string case_text_;
    std::function<SavedState()> save_;
    WallClock clock_;
    StopSignals signals_;
    Every by_time_;
    double next_by_clock_ = 0;  // on the first rank
    std::uint64_t last_step_ = 0;
    bool written_ = false, keyboard_told_ = false;
    std::string newest_, why_, last_problem_;
};

}  // namespace granary
