// The numbers that one asks for first, of one run or of several side by side.
#pragma once
#include <string>
#include <vector>
#include "io/report/run_folder.hpp"

namespace granary {

struct KeyNumber {
    std::string name;
    std::string value;  // for the eye; empty: not known
    std::string unit;
    bool minor = false;  // for tables only
    bool bad = false;    // not what was asked for: in red
    bool words = false;  // no number
    // For tables that programs read: the name of its column, as in series.csv, and all digits. Empty: the last row of
    // series.csv has it.
    std::string column{}, full{};
};

// In the same order for every run; those of walls have the wall in their name.
std::vector<KeyNumber> key_numbers(const RunFolder& run);

// How each stage has ended, in a word each: "filled, settled, stalled". stalled: the discharge did.
struct StageEnds {
    std::string words;
    bool stalled = false, not_filled = false;
};
StageEnds stage_ends(const RunFolder& run);

// How it ended, for a reader: the word and the class of its colour.
struct RunState {
    std::string word, style, more;
};
RunState state_of(const RunFolder& run);

}  // namespace granary
