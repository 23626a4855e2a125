#include "plan/memory_limit.hpp"
#include <gtest/gtest.h>
#include <filesystem>
#include <fstream>
#include <map>
#include "support/scratch_folder.hpp"

namespace granary {
namespace {

constexpr double gib = 1024.0 * 1024 * 1024;

class MemoryLimit : public testing::Test {
  protected:
    void file(const std::string& name, const std::string& text) const {
        const std::filesystem::path path = root + name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text << '\n';
    }
    MemoryHere look(const std::map<std::string, std::string>& variables = {}) const {
        MemorySources from{root, {}, 64 * gib};
        from.variable = [&](const char* name) {
            const auto at = variables.find(name);
            return at == variables.end() ? nullptr : at->second.c_str();
        };
        return memory_here(from);
    }
    void expect(const MemoryHere& here, double bytes, const std::string& giver) const {
        EXPECT_EQ(here.bytes, bytes);
        EXPECT_NE(here.giver.find(giver), std::string::npos) << here.giver;
        EXPECT_EQ(here.limited, giver != "this machine");
    }
    const test::ScratchFolder folder;
    const std::string root = folder / "root";
};

TEST_F(MemoryLimit, OfTheMachine) {
    expect(look(), 64 * gib, "this machine");
    EXPECT_GT(memory_here().bytes, 1e7);  // whatever this one has or allows
}

// The group itself has no limit, the one above it has; the one at the top is larger.
TEST_F(MemoryLimit, OfGroupsOfTheSecondVersion) {
    file("/proc/self/mountinfo",
         "30 23 0:26 / /sys rw - sysfs sysfs rw\n31 23 0:27 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 "
         "rw,nsdelegate");
    file("/proc/self/cgroup", "0::/system.slice/slurmstepd.scope/job_7/step_0");
    file("/sys/fs/cgroup/system.slice/slurmstepd.scope/job_7/step_0/memory.max", "max");
    expect(look(), 64 * gib, "this machine");
    file("/sys/fs/cgroup/system.slice/slurmstepd.scope/job_7/memory.max", "8589934592");
    file("/sys/fs/cgroup/system.slice/memory.max", "17179869184");
    expect(look(), 8 * gib, "control group");
    file("/sys/fs/cgroup/memory.max", "1073741824");
    expect(look(), gib, "control group");
    file("/sys/fs/cgroup/memory.max", "1099511627776");  // more than there is
    file("/sys/fs/cgroup/system.slice/slurmstepd.scope/job_7/memory.max", "1099511627776");
    file("/sys/fs/cgroup/system.slice/memory.max", "1099511627776");
    expect(look(), 64 * gib, "this machine");
}

TEST_F(MemoryLimit, OfGroupsOfTheFirstVersion) {
    file("/proc/self/mountinfo",
         "35 31 0:32 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
         "36 31 0:33 / /sys/fs/cgroup/cpu rw,relatime - cgroup cgroup rw,cpu,cpuacct");
    file("/proc/self/cgroup", "4:memory:/batch/job\n3:cpu,cpuacct:/else");
    file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712");  // its way to say: none
    expect(look(), 64 * gib, "this machine");
    file("/sys/fs/cgroup/memory/batch/job/memory.limit_in_bytes", "2147483648");
    expect(look(), 2 * gib, "control group");
    file("/sys/fs/cgroup/memory/batch/memory.limit_in_bytes", "1073741824");
    expect(look(), gib, "control group");
}

// A container sees its own part of the tree as the whole, under another name.
TEST_F(MemoryLimit, InAContainer) {
    file("/proc/self/mountinfo", "35 31 0:32 /docker/abc /sys/fs/cgroup/memory ro - cgroup cgroup rw,memory");
    file("/proc/self/cgroup", "4:memory:/docker/abc");
    file("/sys/fs/cgroup/memory/memory.limit_in_bytes", "1073741824");
    expect(look(), gib, "control group");
    file("/proc/self/cgroup", "4:memory:/elsewhere");
    expect(look(), gib, "control group");
}

TEST_F(MemoryLimit, OfSlurm) {
    expect(look({{"SLURM_MEM_PER_NODE", "4096"}}), 4 * gib, "Slurm");
    expect(look({{"SLURM_MEM_PER_NODE", "0"}}), 64 * gib, "this machine");  // all of the node
    expect(look({{"SLURM_MEM_PER_CPU", "1024"}, {"SLURM_CPUS_ON_NODE", "6"}}), 6 * gib, "Slurm");
    expect(look({{"SLURM_MEM_PER_CPU", "1024"}, {"SLURM_JOB_CPUS_PER_NODE", "16(x2),8"}}), 16 * gib, "Slurm");
    expect(look({{"SLURM_MEM_PER_CPU", "1024"}}), 64 * gib, "this machine");  // of how many is not known
    expect(look({{"SLURM_MEM_PER_NODE", "many"}}), 64 * gib, "this machine");
}

}  // namespace
}  // namespace granary
