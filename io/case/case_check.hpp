// A tree against the table of keys: unknown keys, wrong types, values out of range, missing keys. Defaults are filled
// in.
#pragma once
#include "io/case/case_problem.hpp"
#include "io/formats/toml_tree.hpp"

namespace granary {

// Afterwards every key of the table that is not unsound is either in the tree with a value of its type, or optional.
void check_keys(TomlNode& root, CaseReport& report);

// "run" and "dt" make run.dt; the top of the file has an empty path.
std::string key_path(const std::string& section_path, const std::string& name);

}  // namespace granary
