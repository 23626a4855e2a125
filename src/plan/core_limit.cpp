#include "plan/core_limit.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <optional>
#include "core/parallel.hpp"
#include "plan/control_groups.hpp"

namespace granary {

namespace {

// Time of cores that the group gets in a period; nothing: as much as there is.
std::optional<double> quota_of(const ControlGroup& g) {
    std::string quota, period;
    if (g.second_version) {
        if (!(std::ifstream(g.folder / "cpu.max") >> quota >> period)) return {};  // "max 100000": no limit
    } else {
        if (!(std::ifstream(g.folder / "cpu.cfs_quota_us") >> quota)) return {};  // "-1": no limit
        if (!(std::ifstream(g.folder / "cpu.cfs_period_us") >> period)) return {};
    }
    const std::optional<double> time = leading_number(quota), of = leading_number(period);
    return time && of && *time > 0 && *of > 0 ? std::optional(*time / *of) : std::nullopt;
}

}  // namespace

CoresHere cores_here(const MemorySources& from) {
    CoresHere here;
    here.cores =
        std::max(1, from.of_machine < 0 ? static_cast<int>(cores_allowed()) : static_cast<int>(from.of_machine));
    const auto limit = [&](double cores, const char* giver) {
        const int whole = std::max(1, static_cast<int>(cores));
        if (whole < here.cores) here = {whole, giver};
    };
    for (const ControlGroup& g : control_groups(from.root, "cpu"))
        if (const auto cores = quota_of(g)) limit(*cores, "the control group (cgroup) of this process may use");
    const char* const slurm = from.variable ? from.variable("SLURM_CPUS_ON_NODE") : std::getenv("SLURM_CPUS_ON_NODE");
    if (slurm != nullptr)
        if (const auto cores = leading_number(slurm); cores && *cores > 0)
            limit(*cores, "the Slurm job may use on this node");
    return here;
}

}  // namespace granary
