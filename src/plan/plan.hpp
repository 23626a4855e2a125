// A case made ready: time steps chosen and judged, stages with their insertions and gates, and the numbers that
// `granary check` prints. Nothing has been started and nothing written.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <string>
#include <vector>
#include "engine/setup.hpp"
#include "plan/stage.hpp"
#include "core/saved_state.hpp"
#include "io/case/case.hpp"
#include "io/case/case_check_report.hpp"

namespace granary {

struct Plan {
    Case c;  // with numbers in place of "auto"
    Setup setup;
    std::vector<Stage> stages;
    std::vector<TimedGate> gates;
    CheckReport report;
    std::uint64_t balls_at_start = 0, bonds_at_start = 0;
    ResolvedNotes chosen;              // what the case left open
    std::string detector_line;         // for the user, if the sizes of the balls decided on the detector; else empty
    std::vector<std::string> remarks;  // for the user: warnings about the step, about a start from a state
};

// Collective. Throws InputError on all ranks alike: a step that is too large, bodies that do not fit,
// files that cannot be read. resumed: what save_plan wrote; the balls of the start, which may be gone, are then not
// asked for.
Plan make_plan(const boost::mpi::communicator& comm, Case c, const CasePlaces& places,
               const SavedState* resumed = nullptr);

// What a plan has taken from its balls.
void save_plan(const Plan& plan, SavedState& to);

}  // namespace granary
