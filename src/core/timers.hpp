// Where the time goes: wall-clock seconds by phase of the step. Each phase is a region for the tools of Kokkos, too.
#pragma once
#include <array>
#include <chrono>
#include <cstddef>

namespace granary {

enum class Phase { integrate, halo_wait, walls, bonds, pairs, check, migrate, sort, ghosts, search, carry, measure };
inline constexpr std::size_t n_phases = 12;
inline constexpr std::array<const char*, n_phases> phase_names{"integrate", "halo_wait", "walls",   "bonds",
                                                               "pairs",     "check",     "migrate", "sort",
                                                               "ghosts",    "search",    "carry",   "measure"};

struct PhaseTimes {
    std::array<double, n_phases> seconds{};
    double& operator[](Phase p) { return seconds[static_cast<std::size_t>(p)]; }
    double operator[](Phase p) const { return seconds[static_cast<std::size_t>(p)]; }
    // In phases that hardly wait for other ranks, and do what the counted work of a rank stands for.
    double worked() const {
        return (*this)[Phase::integrate] + (*this)[Phase::walls] + (*this)[Phase::bonds] + (*this)[Phase::pairs];
    }
};

void push_region(Phase phase);  // "granary::" and the name of the phase
void pop_region();

// Adds the time from its making to its end to one phase.
class PhaseTimer {
  public:
    PhaseTimer(PhaseTimes& times, Phase phase) : to_(times[phase]), start_(Clock::now()) { push_region(phase); }
    PhaseTimer(const PhaseTimer&) = delete;
    PhaseTimer& operator=(const PhaseTimer&) = delete;
    ~PhaseTimer() {
        to_ += std::chrono::duration<double>(Clock::now() - start_).count();
        pop_region();
    }

  private:
    using Clock = std::chrono::steady_clock;
    double& to_;
    Clock::time_point start_;
};

}  // namespace granary
