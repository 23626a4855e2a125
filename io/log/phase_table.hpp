// Where the time of a run went: for each phase of the step its share and its seconds on the fastest rank, the mean one
// and the slowest one; as a table for the eye and as JSON (phases.json) for scripts.
//
// The last row, "other", is what the phases leave of the wall time: output, reports, the loop itself.
// ns per ball-step are those of a core: seconds of all ranks together over balls times steps of all ranks together, so
// runs on different numbers of ranks may be compared.
// Imbalance is slowest rank over mean rank, less one, of the time in which ranks work each for themselves: the phases
// in which a rank may wait for others say nothing about it.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>
#include "core/timers.hpp"

namespace granary {

struct PhaseRun {
    double wall = 0;  // s, of the time loop
    std::uint64_t steps = 0;
    double ball_steps = 0;  // sum over the steps of the balls inside
};

struct PhaseRow {
    std::string name;
    double share = 0;                   // of the wall time, mean over ranks
    double min = 0, mean = 0, max = 0;  // s, over ranks
    double ns_per_ball_step = 0;        // of a core; NaN if there was no ball
};

struct PhaseTable {
    int ranks = 0;
    PhaseRun run;
    std::vector<PhaseRow> rows;  // in the order of the phases, then "other"
    double imbalance = 0;        // 0: all ranks have worked equally long
    double ball_steps_per_second() const { return run.wall > 0 ? run.ball_steps / run.wall : 0; }
};

// Whether a rank in this phase never waits for others.
bool works_alone(Phase phase);

// Something beside the phases of a step that took time: pictures, say.
struct ExtraPhase {
    std::string name;
    std::vector<double> seconds;  // by rank
};

// The times of every rank over the same run. Without a wall time (0) the slowest rank's sum of phases stands for it.
// An extra phase gets a row before "other", unless it took no time.
PhaseTable make_phase_table(std::span<const PhaseTimes> of_ranks, PhaseRun run, const ExtraPhase& extra = {});

std::string phase_text(const PhaseTable& table);  // lines; phases that took no time are left out
std::string phase_json(const PhaseTable& table);  // all phases

}  // namespace granary
