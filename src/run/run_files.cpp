#include "run/run_files.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <algorithm>
#include <filesystem>
#include "observe/checkpoint_file.hpp"
#include "run/run_status.hpp"
#include "core/errors.hpp"
#include "io/formats/text_file.hpp"
#include "io/formats/toml_tree.hpp"

namespace granary {

namespace {

namespace fs = std::filesystem;

// Patterns of a shell. In the folder of the run itself:
const std::vector<std::string> file_patterns{
    "as-run.toml", "log.txt",         "series.csv",      status_file,   "phases.json",    "report.html",
    "state.h5",    "state-[0-9]*.h5", "frames.pvd",      "walls.pvd",   "wall_balls.pvd", "pressure-*.csv",
    "loads-*.csv", "bands-*.csv",     "field-*.csv",     "field-*.pvd", "count-*.csv",    "track-*.csv",
    "outflow.csv", "breaks.csv",      "fragments-*.csv", "bonds.pvd",   "picture.png"};  // jobs/picture draws the last
// In folders below it:
struct Below {
    std::string folder;
    std::vector<std::string> files;
};
const std::vector<Below> patterns_below{{checkpoint_folder, {"step-[0-9]*.h5", "step-[0-9]*.h5.bad"}},
                                        {"frames", {"*_[0-9]*.vtp"}},
                                        {"field-*", {"*_[0-9]*.vti"}},
                                        {"insitu", {"*.png", "being-drawn.txt"}}};

bool matches(const std::string& name, const std::string& pattern) {
    return ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0 ||
           ::fnmatch((pattern + ".part").c_str(), name.c_str(), 0) == 0;  // not whole yet when its writer was ended
}
bool matches(const std::string& name, const std::vector<std::string>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& p) { return matches(name, p); });
}

// The last state has the name that the case gave it.
std::string state_name(const fs::path& folder) {
    try {
        const TomlNode tree = parse_toml(read_text_file((folder / "as-run.toml").string()));
        const TomlNode* output = tree.find("output");
        const TomlNode* state = output != nullptr ? output->find("state") : nullptr;
        return state != nullptr ? state->text : "";
    } catch (const std::exception&) {  // not there, or cut off
        return {};
    }
}

template <class F> void for_each_entry(const fs::path& folder, F&& f) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) f(*at);
}

}  // namespace

std::vector<std::string> run_files_in(const std::string& folder) {
    std::vector<std::string> found;
    const std::string state = state_name(folder);
    for_each_entry(folder, [&](const fs::directory_entry& entry) {
        const std::string name = entry.path().filename().string();
        if (entry.is_regular_file()) {
            if (matches(name, file_patterns) || (!state.empty() && name == state)) found.push_back(name);
            return;
        }
        for (const Below& below : patterns_below)
            if (matches(name, below.folder))
                for_each_entry(entry.path(), [&](const fs::directory_entry& inner) {
                    const std::string file = inner.path().filename().string();
                    if (inner.is_regular_file() && matches(file, below.files)) found.push_back(name + "/" + file);
                });
    });
    std::sort(found.begin(), found.end());
    return found;
}

void remove_run_files(const std::string& folder) {
    const std::vector<std::string> files = run_files_in(folder);
    std::error_code error;
    for (const std::string& file : files) {
        fs::remove(fs::path(folder) / file, error);
        if (error) throw InputError(fmt::format("{}/{}: cannot be removed: {}", folder, file, error.message()));
    }
    for (const std::string& file : files)
        if (const fs::path below = fs::path(folder) / fs::path(file).parent_path();
            !fs::path(file).parent_path().empty() && !fs::is_symlink(below, error))
            fs::remove(below, error);  // not if something else is in it
}

}  // namespace granary
