// Candidate pairs (i, j), i < j in the one order, sorted by (i, j): for each i a run of partners. Beside each
// candidate stands the tangential spring xi of i relative to j, and the rolling spring theta where the law keeps one;
// they are zero while the pair does not touch. Memory: 4 bytes a body, 4 bytes a candidate, 24 more where the law keeps
// a history, 24 more for rolling springs.
#pragma once
#include <cstdint>
#include "core/bodies.hpp"
#include "core/contact_record.hpp"

namespace granary {

class PairList {
  public:
    // The top bit of a partner marks a pair that touched at the last force evaluation.
    static constexpr Index touching = Index{1} << 31;
    // The next one marks a pair that the laws of contact leave out: one that is bonded, one with an offset
    // (contact/bond_list.hpp), or two held bodies.
    static constexpr Index masked = Index{1} << 30;
    static constexpr Index place = masked - 1;

    Array<Index*> begin;       // of size n_bodies + 1
    Array<Index*> partner;     // with `padding` valid entries after the last
    Array<double* [3]> xi;     // empty for laws without history
    Array<double* [3]> theta;  // rad; empty for laws without rolling springs
    Index n_bodies = 0;
    Index size = 0;  // candidates
    bool any_masked = false;

    // Loads of eight candidates may run past the last; what they read there is ignored.
    static constexpr Index padding = 8;

    // A detector fills the list: start, then for every body in order its begin and its partners, then finish.
    void start(Index bodies);
    void make_room(Index more) {  // for that many further partners
        const std::size_t needed = std::size_t{size} + more + padding;
        if (needed > partner.extent(0)) grow(needed);
    }
    void finish(bool with_history);  // closes the list; all springs zero

    void add_rolling_springs();  // after finish: all zero

    // Calls f(kind, numbers beside the candidates) for every kind of history that the list keeps.
    template <class F> void for_each_history(F&& f) const {
        if (xi.extent(0) > 0) f(HistoryKind::tangential, xi);
        if (theta.extent(0) > 0) f(HistoryKind::rolling, theta);
    }

    Index partner_of(Index slot) const { return partner(slot) & place; }
    bool touches(Index slot) const { return (partner(slot) & touching) != 0; }
    bool is_masked(Index slot) const { return (partner(slot) & masked) != 0; }
    void mask(Index slot) { partner(slot) |= masked, any_masked = true; }
    void unmask(Index slot) { partner(slot) &= ~masked; }
    std::uint64_t bytes() const {
        return sizeof(Index) * (begin.size() + partner.size()) + sizeof(double) * (xi.size() + theta.size());
    }

  private:
    void grow(std::size_t needed);
    void start_springs(Array<double* [3]>& springs, const char* name);
};

}  // namespace granary
