// SIGUSR1, SIGTERM and SIGINT (Ctrl-C) ask a run to stop where it can be resumed: the handler only notes them, the run
// looks. A second signal, later than a second after the first, ends the process at once: whoever sends two means it.
// (Some starters deliver one signal twice.) A second Ctrl-C need only be a quarter of a second later: a hand is not
// that fast by mistake, and does not wait.
#pragma once

namespace granary {

class StopSignals {
  public:
    StopSignals();   // takes the signals over
    ~StopSignals();  // gives them back
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    bool asked() const;        // to stop, by a signal to this process
    bool by_keyboard() const;  // by Ctrl-C
};

}  // namespace granary
