// How much memory the processes of this machine may use: what the machine has, or less, where a batch system or a
// container gives a part of it. Whoever takes more than that is killed without a word, so it is looked at before a run
// begins.
#pragma once
#include <functional>
#include <string>

namespace granary {

struct MemoryHere {
    double bytes = 0;                        // 0: not known
    std::string giver = "this machine has";  // followed by the amount
    bool limited = false;                    // less than the machine has
};

// Where to look, for tests: the system's files below another folder, other variables of the environment, other memory.
struct MemorySources {
    std::string root;
    std::function<const char*(const char*)> variable;  // empty: getenv
    double of_machine = -1;                            // bytes; < 0: ask the system
};

// The least of
//   the memory of the machine,
//   memory.max of the control group of this process and of all above it (cgroup v2), memory.limit_in_bytes (v1),
//   SLURM_MEM_PER_NODE, or SLURM_MEM_PER_CPU times the job's CPUs on this node, in MiB; 0 or absent: no limit.
MemoryHere memory_here(const MemorySources& from = {});

}  // namespace granary
