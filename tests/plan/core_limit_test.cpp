#include "plan/core_limit.hpp"
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include "support/scratch_folder.hpp"

namespace granary {
namespace {

class CoreLimit : public testing::Test {
  protected:
    void file(const std::string& name, const std::string& text) const {
        const std::filesystem::path path = root + name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    }
    CoresHere look(const std::map<std::string, std::string>& variables = {}) const {
        MemorySources from{root, {}, 16};
        from.variable = [&](const char* name) {
            const auto at = variables.find(name);
            return at == variables.end() ? nullptr : at->second.c_str();
        };
        return cores_here(from);
    }
    void expect(const CoresHere& here, int cores, const std::string& giver) const {
        EXPECT_EQ(here.cores, cores);
        EXPECT_NE(here.giver.find(giver), std::string::npos) << here.giver;
    }
    const test::ScratchFolder folder;
    const std::string root = folder / "root";
};

TEST_F(CoreLimit, OfTheMachine) {
    expect(look(), 16, "this machine");
    EXPECT_GE(cores_here().cores, 1);
}

// The group itself has no limit, the one above it has.
TEST_F(CoreLimit, OfGroupsOfTheSecondVersion) {
    file("/proc/self/mountinfo", "31 23 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate");
    file("/proc/self/cgroup", "0::/system.slice/job_7");
    file("/sys/fs/cgroup/system.slice/job_7/cpu.max", "max 100000");
    expect(look(), 16, "this machine");
    file("/sys/fs/cgroup/system.slice/cpu.max", "450000 100000");
    expect(look(), 4, "control group");  // whole ones
    file("/sys/fs/cgroup/cpu.max", "20000 100000");
    expect(look(), 1, "control group");  // a fifth of one
}

TEST_F(CoreLimit, OfGroupsOfTheFirstVersion) {
    file("/proc/self/mountinfo", "36 32 0:31 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct");
    file("/proc/self/cgroup", "4:cpu,cpuacct:/box\n0::/");
    file("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "-1");
    file("/sys/fs/cgroup/cpu/box/cpu.cfs_period_us", "100000");
    expect(look(), 16, "this machine");
    file("/sys/fs/cgroup/cpu/box/cpu.cfs_quota_us", "300000");
    expect(look(), 3, "control group");
}

TEST_F(CoreLimit, OfASlurmJob) {
    expect(look({{"SLURM_CPUS_ON_NODE", "6"}}), 6, "Slurm");
    expect(look({{"SLURM_CPUS_ON_NODE", "64"}}), 16, "this machine");
}

}  // namespace
}  // namespace granary
