// What lies in the folder of a run, read for its report. Everything may be missing, half written or of a later version:
// what is there is used.
#pragma once
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>
#include "io/report/csv.hpp"

namespace granary {

struct NamedTable {
    std::string name;  // pressure-cylinder.csv: of pressures "cylinder", else the file without its ending
    CsvTable table;
};

struct RunStage {
    double time = 0;   // s
    std::string text;  // filled: 14000 of 14000 balls, 12.7 kg
};

struct PhaseLine {
    std::string name;
    double share = 0, min = 0, mean = 0, max = 0, ns_per_ball_step = 0;
};

struct PhaseRecord {
    double ranks = 0, steps = 0, wall = 0, ball_steps_per_second = 0, imbalance = 0;
    std::vector<PhaseLine> lines;
};

struct RunPicture {
    std::string file;   // relative to the folder
    std::string bytes;  // PNG; empty: too large to be put into the page
};

struct RunFolder {
    enum class Ended { well, failed, unknown };

    std::string path, name;                                 // as given; the last part of it
    std::string title;                                      // of the case; the name if it has none
    std::string as_run, command, made_by;                   // as-run.toml and its first comments
    std::vector<std::pair<std::string, std::string>> keys;  // walls[0].name = ..., in the order of the file
    std::array<double, 3> gravity{0, 0, 0};
    std::vector<std::string> materials;  // names, by number

    Ended ended = Ended::unknown;
    std::string error, digest;
    std::vector<std::string> warnings;
    std::vector<RunStage> stages;          // those that have ended, each once
    std::vector<std::string> stage_types;  // of all stages of the case: fill, settle, ...
    int ranks = 0;                         // 0: not known
    double silent_for = -1;                // s since the series was last written; -1: not known

    CsvTable series;
    std::vector<NamedTable> pressures;  // pressure-*.csv
    std::vector<NamedTable> others;     // further tables over time
    std::optional<PhaseRecord> phases;
    std::vector<RunPicture> pictures;  // the last one of each series of PNG files

    // The last, or the largest, number of a column of the series; NaN if there is none.
    double last(std::string_view column) const;
    double most(std::string_view column) const;
    // When the first stage of type discharge began, s; empty: there is none, or it has not begun.
    std::optional<double> discharge_begin() const;
    // A folder may hold what an earlier run has left in it. A run that ended well has written everything anew; of
    // another one, only what is younger than its first file is its own.
    bool is_own(const std::string& file) const;
};

// Throws InputError if the folder is none, or holds nothing of a run.
RunFolder read_run_folder(const std::string& path);

// What phases.json says; nothing if it is not whole.
std::optional<PhaseRecord> phases_in(std::string_view text);

}  // namespace granary
