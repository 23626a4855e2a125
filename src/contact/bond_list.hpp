// The bonds of a rank, between rebuilds: sorted by (lower, upper) in the one order, at least one end a real body. They
// are made anew at each rebuild from the contact history, where a bond is a record of the kinds bond, bond_nature and,
// for spring bonds, bond_shear and bond_moment. Every bond is a candidate of the pair list, masked there unless its
// type also touches. A bond that breaks stays in the list, marked, until the next rebuild; its pair is unmasked in the
// same step. If the two bodies overlap then, the pair stays masked and goes to the list of offsets: its overlap at that
// moment counts as none until the bodies part.
#pragma once
#include <cstdint>
#include <vector>
#include "contact/bond_type.hpp"
#include "core/bodies.hpp"

namespace granary {

struct BondList {
    Index size = 0;
    Array<Index*> lower, upper;    // indices of the two bodies
    Array<Index*> slot;            // of the pair in the pair list
    Array<std::uint16_t*> type;    // number in the list of types; broken: it has none
    Array<double* [3]> reference;  // m, x_lower - x_upper when it was made, in the frame that turns with the bodies
    Array<double*> length, per_length;  // m, 1/m: of the reference, which every step needs
    Array<double*> factor;              // of its strength
    Array<double*> made;                // s, the run's time when it was made
    // Of spring bonds: on the lower body, turned with the bond from step to step. Empty if no type is a spring bond.
    Array<double* [3]> shear;   // N
    Array<double* [3]> moment;  // N m; twist and bending together

    static constexpr std::uint16_t broken = 65535;
    bool is_broken(Index b) const { return type(b) == broken; }

    void start(bool with_springs) { size = 0, with_springs_ = with_springs; }
    void add(Index lower_body, Index upper_body, Index pair_slot, const double* reference_vector, const double* nature,
             const double* shear_force, const double* bond_moment);
    // The same bond as entry b of another list; exchanged: its bodies have changed places in the order.
    void add_from(const BondList& other, Index b, Index lower_body, Index upper_body, Index pair_slot, bool exchanged);
    std::uint64_t bytes() const;

  private:
    bool with_springs_ = false;
};

// A pair whose bond broke while its bodies overlapped.
struct OffsetPair {
    Index lower, upper, slot;
    double offset;  // m, what counts as no overlap
};

// A bond that broke in this step.
struct BondBreak {
    Index bond;
    BreakCause cause;
    double energy;  // J, released (bond.hpp)
};

}  // namespace granary
