// The control groups (cgroups) that this process lies in, as far as they are seen: where a batch system or a container
// writes how much memory or how many cores it gives.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace granary {

struct ControlGroup {
    std::filesystem::path folder;
    bool second_version;  // of the interface: its files have other names
};

// The group of this process and all above it, of every tree that governs the controller ("memory", "cpu"). root: of the
// system's files.
std::vector<ControlGroup> control_groups(const std::string& root, const std::string& controller);

// The number that a text begins with.
std::optional<double> leading_number(std::string_view text);

}  // namespace granary
