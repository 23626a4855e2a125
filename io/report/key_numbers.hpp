// The numbers that one asks for first, of one run or of several side by side.
#pragma once
#include <string>
#include <vector>
#include "io/report/run_folder.hpp"

namespace granary {

struct KeyNumber {
    std::string name;
    std::string value;  // empty: not known
    std::string unit;
    bool minor = false;  // for tables only
};

// The same names in the same order for every run.
std::vector<KeyNumber> key_numbers(const RunFolder& run);

// How it ended, for a reader: the word and the class of its colour.
struct RunState {
    std::string word, style, more;
};
RunState state_of(const RunFolder& run);

}  // namespace granary
