// How many cores the processes of this machine may use: those that the system lets this process run on, or fewer, where
// a batch system or a container gives a part of their time.
#pragma once
#include <Kokkos_Core.hpp>
#include <string>
#include <type_traits>
#include "plan/memory_limit.hpp"

namespace granary {

// Whether the Kokkos that this program was built with has threads.
inline constexpr bool can_have_threads = !std::is_same_v<Kokkos::DefaultHostExecutionSpace, Kokkos::Serial>;

struct CoresHere {
    int cores = 1;
    std::string giver = "this machine has";  // followed by the number
};

// The least of
//   the cores that this process may run on (they are counted as the system counts them, two for a core with two
//   hardware threads), cpu.max of the control group of this process and of all above it (cgroup v2), cpu.cfs_quota_us
//   over cpu.cfs_period_us (v1), in whole cores, at least one, SLURM_CPUS_ON_NODE.
// from.of_machine: how many there are, < 0: ask the system.
CoresHere cores_here(const MemorySources& from = {});

}  // namespace granary
