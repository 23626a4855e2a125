// The bonds of a run: their list, the pairs that broke while they overlapped, breaks and their counts, the labels of
// the pieces that bonds hold together. The laws are in contact/. Bonds of bodies that come, go or cross a face are
// carried through a rebuild as contact history; all others stay in the old list and are found by the bodies' new
// places.
//
//   Which rank evaluates a bond across a face?  Both sides, with the same operands, as for contacts.
//   Who counts a break?                         The rank on which the lower body is real.
//   What if a partner leaves the run?           Its bonds are cut: counted, and no break. All ranks are told who left.
//                                               In the energy balance their strain leaves too.
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
    // or left since the last time. For an energy balance ghosts and images are where the step has brought them. Before
    // cuts move, since energies are kept by layer. Collective.
    void before_sort(const boost::mpi::communicator& comm, Bodies& bodies, const Neighbourhood& hood,
                     std::span<const Cube> new_cube, double dt);
    // Bonds between two bodies that stay (ContactHistory::collect) stay in the list until `carry`.
    void choose_stayers(std::span<const char> stays);
    // Calls f(lower, upper, kind, numbers of lower relative to upper) for all records of bonds and offsets; or for
    // those that do not stay.
    template <class F> void for_each_record(F&& f) const {
        records(f, [](Index) { return true; });
    }
    template <class F> void for_each_record_to_note(F&& f) const {
        records(f, [&](Index b) { return stays_[b] == 0; });
    }
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
    std::uint64_t bytes() const { return list.bytes() + before_.bytes() + sizeof(OffsetPair) * offsets.capacity(); }

    // Energies by layer of this rank, J: stored now; so far lost in dampers, by breaks, and gone with bodies that left.
    enum Item { stored, damped, broken, gone, energy_width };
    void start_energy(std::size_t n_layers) { energy_.assign(energy_width * n_layers, 0.0); }
    std::span<const double> energy() const { return energy_; }
    void set_energy(std::vector<double> layers) { energy_ = std::move(layers); }

    template <class Io> void run_state(Io& io) {
        for (int c = 0; c < n_break_causes; ++c) io.sum("bonds.broken_" + std::to_string(c), broken_[c]);
        io.sum("bonds.cut", cut_);
        io.sum("bonds.breaks_since_labels", labels_are_old_);
        if (keeps_energy_) io.layers("bonds.energy", energy_, energy_width);
    }

  private:
    template <class F, class Wanted> void records(F&& f, Wanted&& wanted) const;
    void find_stayers(const Bodies& bodies, std::span<const PeriodicImages::Place> places, const PairList& pairs);
    void note_cut_energy(const Bodies& bodies, const Neighbourhood& hood, Index bond, double dt);
    std::uint64_t whole_here(const Bodies& bodies, const Neighbourhood& hood) const;
    void take_breaks(Bodies& bodies, PairList& pairs, const Neighbourhood& hood, const Clock& clock, Requests& requests,
                     bool note);

    std::vector<BondType> types_;
    bool any_spring_ = false, keeps_energy_ = false;
    BondForces loop_;
    std::array<std::uint64_t, n_break_causes> broken_ = {};  // of this rank
    std::uint64_t cut_ = 0;                                  // likewise
    std::uint64_t labels_are_old_ = 0;  // not 0: bonds of this rank have broken or were cut since labels were renewed
    std::uint64_t expected_ = 0;        // over all ranks, after the rebuild under way
    std::uint64_t new_ends_ = 0;        // of this rank's newcomers
    std::uint64_t on_shapes_ = 0;       // bonds of bodies that are no balls, which are refused
    std::vector<double> energy_;        // by layer, then item; empty without an energy balance
    std::vector<Index> opened_;         // offsets that have parted
    // During a rebuild:
    BondList before_;             // the list as it was
    std::vector<char> stays_;     // by its bonds
    std::vector<Index> now_at_;   // by old place: the body's new one
    std::vector<Index> by_slot_;  // of the new pairs: the bond that stays there, or no_bond
    static constexpr Index no_bond = ~Index{0};
};

template <class F, class Wanted> void BondedPairs::records(F&& f, Wanted&& wanted) const {
    for (Index b = 0; b < list.size; ++b) {
        if (list.is_broken(b) || !wanted(b)) continue;
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
