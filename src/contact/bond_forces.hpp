// Forces of bonds: the loop around the two forms (beam_bond.hpp, spring_bond_huang2020.hpp) and breakage
// (bond_stress.hpp). Four bonds at a time, in the order of the list. Bits: force and torque are added bond by bond in
// that order, whatever the batches; each lane does the same IEEE operations; padding lanes and broken bonds store
// nothing. Forces on ghosts and images are added too, and never read. Ranges side by side: as in pair_forces.hpp, first
// the bonds across the ends of all ranges, then the others.
#pragma once
#include <span>
#include <vector>
#include "contact/bond.hpp"
#include "contact/bond_list.hpp"
#include "contact/due_forces.hpp"
#include "contact/visit_contacts.hpp"
#include "core/parallel.hpp"

namespace granary {

// Whoever keeps the energy balance. A run without one has a loop without it. Bonds are shown in the order of the list,
// those of ranges side by side at the same time.
class BondWatch {
  public:
    virtual ~BondWatch() = default;
    virtual void see(double stored, double damped, Index lower) = 0;  // J: strain at t, lost in the step
    virtual void broke(double energy, Index lower) = 0;               // J, released (bond.hpp)
};

// How near a whole bond is to its strengths.
struct BondShare {
    Index bond;
    double sigma, tau;  // sigma/sigma_c, tau/tau_c; 0 where it cannot break that way. Pressed: sigma may be negative
};

class BondForces {
  public:
    // Adds force and torque of every whole bond. Spring bonds move on by dt. Bonds that break are marked in the list
    // and give no force. dt = 0: evaluated where they stand, nothing moves on and nothing breaks. watch: null for
    // nobody. ranges: of lower bodies, worked on side by side; none: all are one.
    void add(Bodies& bodies, BondList& bonds, std::span<const BondType> types, double dt, BondWatch* watch,
             std::span<const LayeredRange> ranges = {});

    // Those of the last add, in the order of the list.
    std::span<const BondBreak> breaks() const { return breaks_; }

  private:
    // Facts of the types, for the loop.
    struct Loop {
        bool damped = false, breaks = false, elliptic = false;
    };
    struct alignas(32) Row {
        double value[n_bond_parameters];
    };
    // What one bond of the last layer of a range stores and loses, until the others of that layer are done, too.
    struct Note {
        Index bond, lower;
        double stored, damped, released;
        bool breaks;
        void show(BondWatch& watch) const {
            watch.see(stored, damped, lower);
            if (breaks) watch.broke(released, lower);
        }
    };
    // A range: its bonds from `begin`, those of its last layer from `last_layer`; bodies from `next` on are of the
    // ranges after it. No two in one line of the cache.
    struct alignas(128) Part {
        Index begin = 0, last_layer = 0, end = 0, next = 0;
        std::vector<BondBreak> breaks;
        DueForces due;
        std::vector<Note> notes;
    };
    void note_types(std::span<const BondType> types);
    void make_parts(const BondList& bonds, std::span<const LayeredRange> ranges);
    void add_part(Part& part, bool across, Bodies& bodies, BondList& bonds, double dt, bool one_beam,
                  BondWatch* watch) const;
    template <bool one_beam, class Watch>
    void add_bonds(Part& part, bool across, Bodies& bodies, BondList& bonds, double dt, Watch watch) const;

    Loop loop_;
    std::vector<Row> rows_;
    std::vector<Part> parts_{1};
    std::vector<BondBreak> breaks_;
};

// The forces on the lower bodies that `add` will give, for probes: to be called just before it. Nothing changes.
void sample_bonds(const Bodies& bodies, const BondList& bonds, std::span<const BondType> types, double dt,
                  std::vector<PairSample>& samples);

// Stresses now, for frames: one entry for each whole bond, in the order of the list.
void bond_shares(const Bodies& bodies, const BondList& bonds, std::span<const BondType> types,
                 std::vector<BondShare>& shares);

// Strain in one bond now, J; 0 if it is broken.
double bond_energy(const Bodies& bodies, const BondList& bonds, std::span<const BondType> types, Index bond);

// What a bond that is cut now releases; apart: x_lower - x_upper at t.
BondEnd energy_of_cut(const Bodies& bodies, const BondList& bonds, std::span<const BondType> types, Index bond,
                      const Vec3d& apart, double dt);

}  // namespace granary
