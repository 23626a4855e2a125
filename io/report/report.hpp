// report.html: a run, or several side by side, as one page for a browser, a phone or paper. See report/run_folder.hpp
// for what it reads, report/curves.hpp for what it draws.
#pragma once
#include <span>
#include <string>

namespace granary {

inline constexpr const char* report_name = "report.html";

// The report of the run in this folder, written to `file`, or to report.html in the folder if that is empty. Gives the
// file's name. Throws InputError if the folder holds nothing of a run, RunError if the page cannot be written.
std::string write_report(const std::string& folder, const std::string& file = "");

// Several runs compared; file "": compare.html where one stands. names: what the runs are called; left out: the names
// of their folders.
std::string write_comparison(std::span<const std::string> folders, const std::string& file = "",
                             std::span<const std::string> names = {});

}  // namespace granary
