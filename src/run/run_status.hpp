// status.json in a run's folder, for scripts that decide whether to go on:
//   running      it runs; or it was ended by force, if no such process is there: resume it
//   resume-me    it stopped in good order before its end and has a checkpoint: resume it
//   finished     the case is done
//   failed       the run went wrong; resuming would go wrong again unless the cause (such as a full disk) is gone
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace granary {

inline constexpr const char* status_file = "status.json";

struct RunStatus {
    std::string status = "running";
    std::uint64_t step = 0;
    double time = 0;         // s
    std::string checkpoint;  // the newest whole one, as a path from the run's folder; empty: none
    int ranks = 1;
    std::string message;  // why it stopped, what went wrong
};

// Whole or not at all; false: it could not be written, which is no reason to end a run.
bool write_status(const std::string& folder, const RunStatus& status);

// The word, or nothing if there is no such file, or not a whole one.
std::string status_in(const std::string& folder);
std::string status_word(std::string_view text);  // of the file

}  // namespace granary
