// SIGUSR1 and SIGTERM ask a run to stop where it can be resumed: the handler only notes them, the run looks. A second signal, later
// than a second after the first, ends the process at once: whoever sends two means it. (Some starters deliver one signal twice.)
#pragma once

namespace granary {

class StopSignals {
  public:
    StopSignals();   // takes the two signals over
    ~StopSignals();  // gives them back
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    bool asked() const;  // to stop, by a signal to this process
    const char* name() const;
};

}  // namespace granary
