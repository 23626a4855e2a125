// For which CPUs the code that computes a run was compiled. A program for any x86-64 CPU has it several times
// (GRANARY_CPU_LEVELS of CMake), and the one that the CPU can run best is loaded. Results have the same bits with each.
#pragma once

namespace granary {

// The level of x86-64, such as "x86-64-v3" (AVX2) or "x86-64-v4" (AVX-512), whose instructions may all be used; more
// may be. Empty on other CPUs.
const char* instruction_set();

}  // namespace granary
