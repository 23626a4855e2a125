// Memory that was freed and that the C library keeps for later. What the start of a run took in large pieces, such as
// the springs of a state, may be of a size that nothing fits into again: it would count as the run's for good.
#pragma once
#include <cstdlib>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace granary {

// Gives it back to the system. Takes a moment: not for a step.
inline void give_back_free_memory() {
#if defined(__GLIBC__)
    malloc_trim(0);
#endif
}

}  // namespace granary
