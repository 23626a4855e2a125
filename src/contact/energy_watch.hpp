// Whoever watches contacts while forces are made, to keep the energy balance. Called by loops that were compiled for
// it, once for four contacts or for one at a wall; a run without energy balance has loops without it.
#pragma once
#include <array>
#include <cstdint>
#include "contact/contact_energy.hpp"
#include "core/bodies.hpp"

namespace granary {

class EnergyWatch {
  public:
    virtual ~EnergyWatch() = default;
    // Four contacts of which `filled` count, between bodies i (as offsets of their quads) and their partners.
    virtual void see(const ContactEnergy<Real4>& energy, const std::array<std::size_t, 4>& quad_of_i, Index filled) = 0;
    virtual void see(const ContactEnergy<double>& energy, Index i) = 0;
    virtual void see_at_wall(const ContactEnergy<double>& energy, Index i, std::uint32_t wall) = 0;
    virtual void wall_works(Index i, double energy) = 0;  // J, of a wall on a ball
};

struct NobodyWatches {
    static constexpr bool watches = false;
};

// An EnergyWatch as the loops take it.
struct Watched {
    static constexpr bool watches = true;
    EnergyWatch& by;
    void see(const ContactEnergy<Real4>& e, const std::array<std::size_t, 4>& quad_of_i, Index filled) {
        by.see(e, quad_of_i, filled);
    }
    void see(const ContactEnergy<double>& e, Index i) { by.see(e, i); }
    void see_at_wall(const ContactEnergy<double>& e, Index i, std::uint32_t wall) { by.see_at_wall(e, i, wall); }
    void wall_works(Index i, double energy) { by.wall_works(i, energy); }
};

}  // namespace granary
