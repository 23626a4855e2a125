// What a run writes into its folder, by name: what an earlier run has left there, and what --overwrite may remove.
// Whoever writes a new kind of file adds its name in run_files.cpp; tests/program/used_folder.sh writes one of each
// kind.
#pragma once
#include <string>
#include <vector>

namespace granary {

// Files of a run in its folder, as paths from there, in the order of their names. Folders and whatever a run does not
// write are left out.
std::vector<std::string> run_files_in(const std::string& folder);

// Removes them, and the folders that they leave empty. Throws InputError: one cannot be removed.
void remove_run_files(const std::string& folder);

}  // namespace granary
