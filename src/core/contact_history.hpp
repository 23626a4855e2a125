// Contact history during a rebuild. Between rebuilds the records stand beside the candidates of the pair list and of
// the walls. Indices change with the order and ids do not, so each record is noted under the body's old index with its
// partner, and the new list finds it there.
//
//   Which rank owns a pair that straddles a slab face?  Both: each notes it under its own body.
//   What if the partners exchange in the order?          The rule of its kind is applied: xi is negated, exactly.
//   How does the spring follow the turning normal?       The law does that.
//   When does a record end?                              By the rule of its kind (contact_record.hpp): a spring when
//   the pair has parted.
//
// Springs of the list between two bodies that stay (real bodies of this rank before and after, and neither crosses a
// periodic face) are not noted here: staying_springs.hpp has them. What others note of two such bodies is noted once,
// under the smaller id; of all others under each that is real, for they may find themselves on different sides. Memory:
// 32 bytes a record and 4 a body, for the time of the rebuild.
#pragma once
#include <span>
#include <vector>
#include "core/bodies.hpp"
#include "core/contact_record.hpp"
#include "core/lent_room.hpp"
#include "core/pair_list.hpp"

namespace granary {

class ContactHistory {
  public:
    struct Entry {
        Partner partner;
        double xi[3];  // of the body relative to the partner
    };

    explicit ContactHistory(std::pmr::memory_resource* room = std::pmr::get_default_resource())
        : begin_(1, 0, room),
          entries_(room) {}

    // is_real(i): body of this rank, no image. stays[i]: one that stays. walls: springs at walls, with the old place of
    // the body in ContactRecord::body, ascending.
    // others(f): calls f(i, j, kind, numbers of i relative to j) for each record of pairs that stands elsewhere, bonds;
    // or f(i, j, kind, numbers, feature as i sees it).
    template <class IsReal, class Others> void collect(const Bodies& bodies, const PairList& pairs,
                                                       std::span<const ContactRecord> walls,
                                                       std::span<const char> stays, IsReal&& is_real, Others&& others);

    std::span<const Entry> of(Index place) const {
        return {entries_.data() + begin_[place], entries_.data() + begin_[place + 1]};
    }
    // Springs in any order: for_each(note) calls note(place, partner, xi, sign) for each of them, and is called twice,
    // to count and to fill. What it notes must be the same both times.
    template <class ForEach> void fill(std::size_t n_places, ForEach&& for_each);
    // The next place after the last gets these entries.
    void append(std::span<const Entry> entries);
    Index n_places() const { return static_cast<Index>(begin_.size()) - 1; }

    // The numbers of the body at `place` relative to `partner`; null if there are none.
    const double* find(Index place, const Partner& partner) const {
        const std::span<const Entry> entries = of(place);
        if (entries.size() > few) return find_in_many(entries, partner);
        for (const Entry& e : entries)
            if (e.partner == partner) return e.xi;
        return nullptr;
    }
    std::size_t n_entries() const { return entries_.size(); }

    void reserve(std::size_t n_places, double n_entries);
    void start(Index n_places);  // no springs under that many places
    void clear();                // gives the memory back

  private:
    // Those of a body with more than a few, such as a large ball among small ones, stand in the order of partners and
    // are found by bisection.
    static constexpr std::size_t few = 12;
    static const double* find_in_many(std::span<const Entry> entries, const Partner& partner);
    void sort_many(std::size_t first_place);

    RoomVector<std::uint32_t> begin_;
    RoomVector<Entry> entries_;
};

template <class IsReal, class Others>
void ContactHistory::collect(const Bodies& bodies, const PairList& pairs, std::span<const ContactRecord> walls,
                             std::span<const char> stays, IsReal&& is_real, Others&& others) {
    const auto note_pair = [&](Index i, Index j, bool i_real, bool j_real, HistoryKind kind, const double* xi,
                               auto&& note, std::uint32_t feature = 0) {
        const Id i_id = bodies.id(i), j_id = bodies.id(j);
        const bool both = stays[i] == 0 || stays[j] == 0;
        if (i_real && (both || i_id < j_id)) note(i, Partner(PartnerClass::body, j_id, feature, kind), xi, 1.0);
        if (j_real && (both || j_id < i_id))
            note(j, Partner(PartnerClass::body, i_id, exchanged_feature(feature), kind), xi, exchange_sign(kind));
    };
    const auto for_each_note = [&](auto&& note) {
        for (const ContactRecord& w : walls) note(static_cast<Index>(w.body), w.partner, w.xi, 1.0);
        pairs.for_each_history([&](HistoryKind kind, const Array<double* [3]>& numbers) {
            for (Index i = 0; i < pairs.n_bodies; ++i) {
                if (pairs.begin(i) == pairs.begin(i + 1)) continue;
                const bool i_stays = stays[i] != 0;
                for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
                    const Index j = pairs.partner_of(slot);
                    if (i_stays && stays[j] != 0) continue;
                    const double* xi = &numbers(slot, 0);
                    if (is_dead(kind, pairs.touches(slot), xi)) continue;
                    note_pair(i, j, is_real(i), is_real(j), kind, xi, note);
                }
            }
        });
        others([&](Index i, Index j, HistoryKind kind, const double* xi, std::uint32_t feature = 0) {
            note_pair(i, j, is_real(i), is_real(j), kind, xi, note, feature);
        });
    };

    fill(bodies.size, for_each_note);
}

template <class ForEach> void ContactHistory::fill(std::size_t n_places, ForEach&& for_each) {
    begin_.assign(n_places + 2, 0);
    for_each([&](Index place, const Partner&, const double*, double) { ++begin_[place + 2]; });
    for (std::size_t p = 2; p < begin_.size(); ++p) begin_[p] += begin_[p - 1];
    entries_.resize(begin_.back());
    for_each([&](Index place, const Partner& partner, const double* xi, double sign) {
        entries_[begin_[place + 1]++] = {partner, {sign * xi[0], sign * xi[1], sign * xi[2]}};
    });
    begin_.pop_back();
    sort_many(0);
}

}  // namespace granary
