// The two ways a run may fail, with the exit codes the manual promises.
// An error thrown by one rank is turned into the end of all ranks by src/app/main.cpp.
#pragma once
#include <stdexcept>
#include <string>

namespace granary {

inline constexpr int exit_bad_input = 2;   // the case, the command line or a file is at fault
inline constexpr int exit_run_failed = 3;  // the run itself went wrong: NaN, lost ball, ...

// What the user asked for cannot be done; the text says what, where, and what to do.
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The run went wrong; the text names ball, place, step, rank and the likely cause.
struct RunError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace granary
