// Whoever watches contacts while forces are made, to keep the energy balance. Called by loops that were compiled for
// it, once for four contacts or for one at a wall; a run without energy balance has loops without it.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>
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

// Of ranges side by side the pairs across the end of a range come first (pair_forces.hpp), and sums must have the order
// of the list: so what pairs of the last layer store and lose is noted with their place, and shown when all are done.
class EnergyNotes {
  public:
    void put(Index place, Index i, const ContactEnergy<double>& energy) { notes_.push_back({energy, place, i}); }
    void show(EnergyWatch& watch) {
        std::sort(notes_.begin(), notes_.end(), [](const Note& a, const Note& b) { return a.place < b.place; });
        for (const Note& n : notes_) watch.see(n.energy, n.i);
        notes_.clear();
    }

  private:
    struct Note {
        ContactEnergy<double> energy;
        Index place, i;
    };
    std::vector<Note> notes_;
};

// An EnergyWatch as the loops take it.
struct Watched {
    static constexpr bool watches = true;
    EnergyWatch& by;
    EnergyNotes* notes = nullptr;  // of pairs whose lower body is `from` or later
    Index from = 0;

    // place: of the pair in its list.
    void see_pairs(const ContactEnergy<Real4>& e, const std::array<std::size_t, 4>& quad_of_i,
                   const std::array<std::size_t, 4>& place, Index filled) {
        if (notes == nullptr || quad_of_i[filled - 1] / 4 < from) return by.see(e, quad_of_i, filled);
        for (Index lane = 0; lane < filled; ++lane)
            see_pair({e.damping[lane], e.friction[lane], e.rolling[lane], e.stiffening[lane], e.stored[lane]},
                     static_cast<Index>(quad_of_i[lane] / 4), static_cast<Index>(place[lane]));
    }
    void see_pair(const ContactEnergy<double>& e, Index i, Index place) {
        if (notes == nullptr || i < from) by.see(e, i);
        else notes->put(place, i, e);
    }
    void see(const ContactEnergy<double>& e, Index i) { by.see(e, i); }
    void see_at_wall(const ContactEnergy<double>& e, Index i, std::uint32_t wall) { by.see_at_wall(e, i, wall); }
    void wall_works(Index i, double energy) { by.wall_works(i, energy); }
};

}  // namespace granary
