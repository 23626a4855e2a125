#include "plan/memory_limit.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include "io/case/case_numbers.hpp"
#include "plan/control_groups.hpp"

namespace granary {

namespace {

constexpr double mebibyte = 1024.0 * 1024.0;
constexpr double no_limit = 4e18;  // v1 writes the largest whole number of pages below 2^63

std::optional<double> limit_in(const std::filesystem::path& file) {
    std::string text;  // v2 says "max" for none
    if (!(std::ifstream(file) >> text)) return {};
    const std::optional<double> limit = leading_number(text);
    return limit && *limit < no_limit ? limit : std::nullopt;
}

// The least limit of the group and of all that it lies in, as far as they are seen.
std::optional<double> limit_of_groups(const std::string& root) {
    std::optional<double> least;
    for (const ControlGroup& g : control_groups(root, "memory"))
        if (const auto limit = limit_in(g.folder / (g.second_version ? "memory.max" : "memory.limit_in_bytes")))
            least = std::min(least.value_or(*limit), *limit);
    return least;
}

std::optional<double> limit_of_slurm(const std::function<const char*(const char*)>& variable) {
    const auto value = [&](const char* name) {
        const char* text = variable(name);
        const std::optional<double> n = text != nullptr ? leading_number(text) : std::nullopt;
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
