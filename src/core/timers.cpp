#include "core/timers.hpp"

#include <Kokkos_Core.hpp>
#include <string>

namespace granary {

void push_region(Phase phase) {
    static const auto names = [] {  // made once: no step allocates
        std::array<std::string, n_phases> all;
        for (std::size_t k = 0; k < n_phases; ++k) all[k] = std::string("granary::") + phase_names[k];
        return all;
    }();
    Kokkos::Profiling::pushRegion(names[static_cast<std::size_t>(phase)]);
}

void pop_region() { Kokkos::Profiling::popRegion(); }

}  // namespace granary
