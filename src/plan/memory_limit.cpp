#include "plan/memory_limit.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>
#include "io/case/case_numbers.hpp"

namespace granary {

namespace {

namespace fs = std::filesystem;

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr double no_limit = 4e18;  // v1 writes the largest whole number of pages below 2^63

// The number that the text begins with.
std::optional<double> number_in(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? std::optional(static_cast<double>(value)) : std::nullopt;
}

// Is the word one of those between commas?
bool names(const std::string& list, const std::string& word) {
    std::istringstream words(list);
    for (std::string w; std::getline(words, w, ',');)
        if (w == word) return true;
    return false;
}

std::optional<double> limit_in(const fs::path& file) {
    std::string text;  // v2 says "max" for none
    if (!(std::ifstream(file) >> text)) return {};
    const std::optional<double> limit = number_in(text);
    return limit && *limit < no_limit ? limit : std::nullopt;
}

// Where control groups that govern memory are mounted, and which part of their tree is seen there.
struct Mount {
    fs::path point;
    std::string root;
    bool second_version;
};
std::vector<Mount> mounts(const std::string& root) {
    std::vector<Mount> found;
    std::ifstream file(root + "/proc/self/mountinfo");
    for (std::string line; std::getline(file, line);) {
        // id parent device root point options [optional ...] - type source super_options
        std::istringstream words(line);
        std::string id, parent, device, tree, point, word, type, source, options;
        words >> id >> parent >> device >> tree >> point;
        while (words >> word && word != "-") {}
        words >> type >> source >> options;
        const bool v1 = type == "cgroup" && names(options, "memory");
        if (v1 || type == "cgroup2") found.push_back({root + point, tree, !v1});
    }
    return found;
}

// The group of this process: of version 2, or of the tree of version 1 that governs memory.
std::optional<std::string> group(const std::string& root, bool second_version) {
    std::ifstream file(root + "/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {  // number:controllers:path
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (second_version ? controllers.empty() : names(controllers, "memory")) return line.substr(second + 1);
    }
    return {};
}

// The least limit of the group and of all that it lies in, as far as they are seen.
std::optional<double> limit_of_groups(const std::string& root) {
    std::optional<double> least;
    for (const Mount& mount : mounts(root)) {
        std::string path = group(root, mount.second_version).value_or("/");
        if (mount.root != "/" && path.starts_with(mount.root)) path = path.substr(mount.root.size());
        fs::path folder = (mount.point.string() + "/" + path);
        folder = folder.lexically_normal();
        if (!fs::is_directory(folder)) folder = mount.point;  // of a container that sees only its own part
        const char* const file = mount.second_version ? "memory.max" : "memory.limit_in_bytes";
        const fs::path top = mount.point.lexically_normal();
        for (bool up = true; up; folder = folder.parent_path()) {
            if (const auto limit = limit_in(folder / file)) least = std::min(least.value_or(*limit), *limit);
            up = folder != top && folder.has_relative_path() && folder.string().size() > top.string().size();
        }
    }
    return least;
}

std::optional<double> limit_of_slurm(const std::function<const char*(const char*)>& variable) {
    const auto value = [&](const char* name) {
        const char* text = variable(name);
        const std::optional<double> n = text != nullptr ? number_in(text) : std::nullopt;
        return n && *n > 0 ? n : std::nullopt;  // 0: all there is
    };
    if (const auto node = value("SLURM_MEM_PER_NODE")) return *node * mebibyte;
    const auto cpu = value("SLURM_MEM_PER_CPU");
    auto cpus = value("SLURM_CPUS_ON_NODE");
    if (!cpus) cpus = value("SLURM_JOB_CPUS_PER_NODE");  // "16(x2),8": the first stands for all
    return cpu && cpus ? std::optional(*cpu * *cpus * mebibyte) : std::nullopt;
}

}  // namespace

MemoryHere memory_here(const MemorySources& from) {
    MemoryHere here;
    here.bytes = from.of_machine < 0 ? memory_of_machine() : from.of_machine;
    const auto limit = [&](const std::optional<double>& bytes, const char* giver) {
        if (bytes && (here.bytes <= 0 || *bytes < here.bytes)) here = {*bytes, giver, true};
    };
    limit(limit_of_groups(from.root), "the control group (cgroup) of this process may use");
    limit(limit_of_slurm(from.variable ? from.variable
                                       : [](const char* name) -> const char* { return std::getenv(name); }),
          "the Slurm job may use");
    return here;
}

}  // namespace granary
