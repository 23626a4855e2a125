#include "plan/control_groups.hpp"

#include <charconv>
#include <cstdint>
#include <fstream>
#include <sstream>

namespace granary {

namespace {

namespace fs = std::filesystem;

// Is the word one of those between commas?
bool names(const std::string& list, const std::string& word) {
    std::istringstream words(list);
    for (std::string w; std::getline(words, w, ',');)
        if (w == word) return true;
    return false;
}

// Where control groups of the controller are mounted, and which part of their tree is seen there.
struct Mount {
    fs::path point;
    std::string root;
    bool second_version;
};
std::vector<Mount> mounts(const std::string& root, const std::string& controller) {
    std::vector<Mount> found;
    std::ifstream file(root + "/proc/self/mountinfo");
    for (std::string line; std::getline(file, line);) {
        // id parent device root point options [optional ...] - type source super_options
        std::istringstream words(line);
        std::string id, parent, device, tree, point, word, type, source, options;
        words >> id >> parent >> device >> tree >> point;
        while (words >> word && word != "-") {}
        words >> type >> source >> options;
        const bool v1 = type == "cgroup" && names(options, controller);
        if (v1 || type == "cgroup2") found.push_back({root + point, tree, !v1});
    }
    return found;
}

// The group of this process: of version 2, or of the tree of version 1 that governs the controller.
std::optional<std::string> group(const std::string& root, const std::string& controller, bool second_version) {
    std::ifstream file(root + "/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {  // number:controllers:path
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (second_version ? controllers.empty() : names(controllers, controller)) return line.substr(second + 1);
    }
    return {};
}

}  // namespace

std::optional<double> leading_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() ? std::optional(static_cast<double>(value)) : std::nullopt;
}

std::vector<ControlGroup> control_groups(const std::string& root, const std::string& controller) {
    std::vector<ControlGroup> found;
    for (const Mount& mount : mounts(root, controller)) {
        std::string path = group(root, controller, mount.second_version).value_or("/");
        if (mount.root != "/" && path.starts_with(mount.root)) path = path.substr(mount.root.size());
        fs::path folder = (mount.point.string() + "/" + path);
        folder = folder.lexically_normal();
        if (!fs::is_directory(folder)) folder = mount.point;  // of a container that sees only its own part
        const fs::path top = mount.point.lexically_normal();
        for (bool up = true; up; folder = folder.parent_path()) {
            found.push_back({folder, mount.second_version});
            up = folder != top && folder.has_relative_path() && folder.string().size() > top.string().size();
        }
    }
    return found;
}

}  // namespace granary
