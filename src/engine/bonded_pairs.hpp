// The bonds of a run: their list, the pairs that broke while they overlapped, breaks and their counts, the labels of
// the pieces that bonds hold together. Bonds are carried through a rebuild as contact history; the laws are in
// contact/.
//
//   Which rank evaluates a bond across a face?  Both sides, with the same operands, as for contacts.
//   Who counts a break?                         The rank on which the lower body is real.
//   What if a partner leaves the run?           Its bonds are cut: counted, and no break. All ranks are told who left.
//   What if a bond is not found again?          The run stops: every bond is shorter than the list of pairs reaches.
#pragma once
#include <array>
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <span>
#include <vector>
#include "contact/bond_forces.hpp"
#include "contact/bond_list.hpp"
#include "contact/contact_model.hpp"
#include "core/contact_history.hpp"
#include "core/pair_list.hpp"
#include "engine/clock.hpp"
#include "engine/energy_sums.hpp"
#include "engine/neighbourhood.hpp"
#include "engine/requests.hpp"
#include "engine/setup.hpp"
#include "search/periodic_images.hpp"

namespace granary {

// Over all ranks.
struct BondCounts {
    std::uint64_t whole = 0;                                // now
    std::array<std::uint64_t, n_break_causes> broken = {};  // so far, by cause
    std::uint64_t cut = 0;                                  // because a body has left the run
    std::uint64_t all_broken() const { return broken[0] + broken[1] + broken[2] + broken[3]; }
};

// Over all ranks: pieces have two bodies or more.
struct PieceCounts {
    std::uint64_t pieces = 0, in_pieces = 0, single = 0;
};

class BondedPairs {
  public:
    BondList list;
    std::vector<OffsetPair> offsets;  // in the order of (lower, upper)

    void prepare(const Setup& setup);
    bool possible() const { return !types_.empty(); }  // in this run

    // ---- At a rebuild, in this order

    // Bodies that leave now: new_cube is no_cube. All ranks learn their ids. Labels are renewed if anything has broken
    // or left since the last time. Collective.
    void before_sort(const boost::mpi::communicator& comm, Bodies& bodies, const Neighbourhood& hood,
                     std::span<const Cube> new_cube);
    // Calls f(lower, upper, kind, numbers of lower relative to upper) for all records of bonds and offsets.
    template <class F> void for_each_record(F&& f) const;
    void expect_new(std::span<const ContactHistory::Entry> springs);  // of a newcomer, under which its bonds are noted
    void carry(const Bodies& bodies, const Neighbourhood& hood, const ContactHistory& history,
               std::span<const PeriodicImages::Place> places, PairList& pairs);
    // No bond may have got lost. first: of a run that starts or goes on, where none is expected. Collective.
    void check(const boost::mpi::communicator& comm, const Bodies& bodies, const Neighbourhood& hood, bool first);

    // ---- At a step

    // Forces and torques of all bonds; those that break are counted, and their pairs handed to the laws of contact.
    void add_forces(const Setup& setup, Bodies& bodies, PairList& pairs, const Neighbourhood& hood, const Clock& clock,
                    double dt, Requests& requests);
    // Of the pairs with an offset, after all other pairs.
    void add_offset_forces(const ContactModel& law, Bodies& bodies, PairList& pairs, double dt, EnergyWatch* watch);

    // ---- To be asked

    BondCounts counts(const boost::mpi::communicator& comm, const Bodies& bodies, const Neighbourhood& hood) const;
    PieceCounts pieces(const boost::mpi::communicator& comm, const Bodies& bodies, const Neighbourhood& hood) const;
    // By index, of real bodies: the least id of all that bonds join with them. Collective.
    std::vector<Id> labels(const boost::mpi::communicator& comm, const Bodies& bodies, const Neighbourhood& hood) const;
    std::span<const BondType> types() const { return types_; }
    std::uint64_t bytes() const { return list.bytes() + sizeof(OffsetPair) * offsets.capacity(); }

    // Energies by layer of this rank, J: stored now; lost in dampers and by breaks so far.
    enum Item { stored, damped, broken, energy_width };
    void start_energy(std::size_t n_layers) { energy_.assign(energy_width * n_layers, 0.0); }
    std::span<const double> energy() const { return energy_; }
    void set_energy(std::vector<double> layers) { energy_ = std::move(layers); }

    template <class Io> void run_state(Io& io, bool with_energy) {
        for (int c = 0; c < n_break_causes; ++c) io.sum("bonds.broken_" + std::to_string(c), broken_[c]);
        io.sum("bonds.cut", cut_);
        io.sum("bonds.breaks_since_labels", labels_are_old_);
        if (with_energy) io.layers("bonds.energy", energy_, energy_width);
    }

  private:
    std::uint64_t whole_here(const Bodies& bodies, const Neighbourhood& hood) const;
    void take_breaks(Bodies& bodies, PairList& pairs, const Neighbourhood& hood, const Clock& clock, Requests& requests,
                     bool note);

    std::vector<BondType> types_;
    bool any_spring_ = false;
    BondForces loop_;
    std::array<std::uint64_t, n_break_causes> broken_ = {};  // of this rank
    std::uint64_t cut_ = 0;                                  // likewise
    std::uint64_t labels_are_old_ = 0;  // not 0: bonds of this rank have broken or were cut since labels were renewed
    std::uint64_t expected_ = 0;        // over all ranks, after the rebuild under way
    std::uint64_t new_ends_ = 0;        // of this rank's newcomers
    std::vector<double> energy_;        // by layer, then item; empty without an energy balance
    std::vector<Index> opened_;         // offsets that have parted
};

template <class F> void BondedPairs::for_each_record(F&& f) const {
    for (Index b = 0; b < list.size; ++b) {
        if (list.is_broken(b)) continue;
        const Index i = list.lower(b), j = list.upper(b);
        f(i, j, HistoryKind::bond, &list.reference(b, 0));
        const double nature[3] = {static_cast<double>(list.type(b)), list.factor(b), list.made(b)};
        f(i, j, HistoryKind::bond_nature, nature);
        if (types_[list.type(b)].form != BondForm::spring) continue;
        f(i, j, HistoryKind::bond_shear, &list.shear(b, 0));
        f(i, j, HistoryKind::bond_moment, &list.moment(b, 0));
    }
    for (const OffsetPair& p : offsets) {
        const double numbers[3] = {p.offset, 0, 0};
        f(p.lower, p.upper, HistoryKind::break_offset, numbers);
    }
}

}  // namespace granary
