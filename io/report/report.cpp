#include "io/report/report.hpp"

#include <algorithm>
#include <ctime>
#include <filesystem>
#include <vector>
#include "io/report/page.hpp"
#include "io/formats/text_file.hpp"

namespace granary {
namespace {

std::string now() {
    const std::time_t t = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&t, &utc);
    char text[64];
    return {text, std::strftime(text, sizeof text, "%e %B %Y, %H:%M UTC", &utc)};
}

}  // namespace

std::string write_report(const std::string& folder, const std::string& file) {
    const std::string to = file.empty() ? (std::filesystem::path(folder) / report_name).string() : file;
    write_text_file(to, run_page(read_run_folder(folder), now()));
    return to;
}

std::string write_comparison(std::span<const std::string> folders, const std::string& file,
                             std::span<const std::string> given) {
    std::vector<RunFolder> runs;
    for (const std::string& folder : folders) runs.push_back(read_run_folder(folder));
    // Runs are known by the names of their folders; where two have the same, by what was typed.
    std::vector<std::string> names;
    for (const RunFolder& run : runs) names.push_back(run.name);
    for (RunFolder& run : runs)
        if (std::count(names.begin(), names.end(), run.name) > 1) run.name = run.path;
    for (std::size_t r = 0; r < std::min(runs.size(), given.size()); ++r) runs[r].name = given[r];
    const std::string to = file.empty() ? "compare.html" : file;
    write_text_file(to, comparison_page(runs, now()));
    return to;
}

}  // namespace granary
