// The page of a run, and the page that compares runs: HTML in one piece, which fetches nothing and runs no script.
#pragma once
#include <span>
#include <string>
#include "io/report/run_folder.hpp"

namespace granary {

// made: when, for the foot of the page, such as "16 November 2026, 09:30 UTC".
std::string run_page(const RunFolder& run, const std::string& made);
std::string comparison_page(std::span<const RunFolder> runs, const std::string& made);

}  // namespace granary
