// What a run says about its servos: a warning when one does not hold its force, and at the end how well it did.
#pragma once
#include <string>
#include <vector>
#include "engine/simulation.hpp"
#include "io/log/warnings.hpp"

namespace granary {

class ServoReport {
  public:
    // Texts of warnings that are to be said now, for the first time. From numbers that all ranks share.
    std::vector<std::string> look(const Simulation& sim, Warnings& warnings);

    // At the end: one line for each servo that has begun. One that never pressed as hard as it was to is warned of.
    std::string text(const Simulation& sim, Warnings& warnings) const;

    template <class Io> void run_state(Io& io) { io("observer.servo_failures", noted_); }

  private:
    std::vector<double> noted_;  // windows that failed, by motion, as far as they were told
};

}  // namespace granary
