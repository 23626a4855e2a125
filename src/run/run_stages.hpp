// The stages of a case one after the other, watched and saved: what `granary run` does once everything stands, and
// `granary resume` from the middle on.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>
#include "plan/plan.hpp"
#include "observe/results.hpp"
#include "run/run.hpp"
#include "engine/simulation.hpp"
#include "core/saved_state.hpp"

namespace granary {

// What the user asked for; in every checkpoint, so that nothing else is needed to go on.
struct Asked {
    std::string text, file;              // of the case
    std::vector<std::string> sets;       // key=value
    std::optional<std::uint64_t> steps;  // in all, instead of what the case says
    std::string program;                 // commit of the program that runs it

    template <class Io> void run_state(Io& io) {  // the text is in the header of the file
        io("asked.file", file), io("asked.sets", sets), io("asked.program", program);
        std::vector<std::uint64_t> given;
        if (steps) given = {*steps};
        io("asked.steps", given);
        steps = given.empty() ? std::nullopt : std::optional(given.front());
    }
};

// Where a run is that is taken up again.
struct TakenUp {
    const SavedState* saved = nullptr;  // null: it begins
    std::string checkpoint;             // from which it goes on, seen from the run's folder
};

// The stage that was under way.
std::size_t stage_number_in(const SavedState& saved);

// Collective. The exit code: 0, or exit_resume_me.
int run_stages(Simulation& sim, const Plan& plan, Results& results, Asked asked, const RunOptions& options,
               const TakenUp& taken_up);

// One line about the run, for its head.
std::string head(const Plan& plan, const Simulation& sim, const std::string& title);

}  // namespace granary
