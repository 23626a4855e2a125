// Overrides from the command line, --set key=value, applied to the tree before it is checked, so that they are checked
// like the file.
//   run.dt=2e-6   walls[0].material=steel   walls.floor.material="steel"   gravity[2]=-1.62
// A value is TOML; what is not TOML is a string. Keys that exclude the given one (run.time for run.steps) are taken
// out.
#pragma once
#include <string>
#include <vector>
#include "io/case/case_problem.hpp"
#include "io/formats/toml_tree.hpp"

namespace granary {

void apply_sets(TomlNode& root, const std::vector<std::string>& sets, CaseReport& report);

}  // namespace granary
