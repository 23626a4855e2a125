// Contact history while a rebuild turns everything around. Between rebuilds the springs stand beside the candidates of the
// pair list and of the walls; places change with the order, ids do not, so the book notes each spring under a body's old
// place with the partner's id, and the new list finds it there.
//
//   Which rank owns a pair that straddles a slab face?  Both: each notes it under its own body.
//   What if the partners swap in the order?              xi is negated, exactly.
//   How does the spring follow the turning normal?       That is the law's affair.
//   When does an entry die?                              When the pair no longer touches: only springs that are not zero are noted.
//
// A pair of two bodies of this rank is noted once, under the smaller id, unless one of the two has just crossed a periodic face
// or leaves the rank: then under both, for they may find themselves on different sides.
// A rolling spring is noted like the tangential one, under a partner that bears its mark.
// Memory: 32 bytes a spring and 4 a body, for the time of the rebuild.
#pragma once
#include <span>
#include <vector>
#include "core/bodies.hpp"
#include "core/contact_record.hpp"
#include "core/pair_list.hpp"

namespace granary {

class ContactBook {
  public:
    struct Entry {
        Id partner;    // wall_partner(number, place) for a wall; marked by rolling_spring() for the rolling spring
        double xi[3];  // of the body relative to the partner
    };

    // is_real(i): body of this rank, no image. moved[i]: crossed a periodic face or leaves. walls: springs at walls, with the
    // old place of the body in ContactRecord::body, ascending.
    template <class IsReal> void collect(const Bodies& bodies, const PairList& pairs,
                                         std::span<const ContactRecord> walls, std::span<const char> moved,
                                         IsReal&& is_real);

    std::span<const Entry> of(Index place) const {
        return {entries_.data() + begin_[place], entries_.data() + begin_[place + 1]};
    }
    // Springs in any order: for_each(note) calls note(place, partner, xi, sign) for each of them, and is called twice, to count and to fill.
    // What it notes must be the same both times.
    template <class ForEach> void fill(std::size_t n_places, ForEach&& for_each);
    // The next place after the last gets these entries.
    void append(std::span<const Entry> entries);
    Index n_places() const { return static_cast<Index>(begin_.size()) - 1; }

    // The spring of the body at `place` relative to `partner`; null if there is none.
    const double* find(Index place, Id partner) const {
        for (const Entry& e : of(place))
            if (e.partner == partner) return e.xi;
        return nullptr;
    }
    std::size_t n_entries() const { return entries_.size(); }

    void reserve(std::size_t n_places, double n_entries);
    void start(Index n_places);  // no springs under that many places
    void clear();                // gives the memory back

  private:
    LargeVector<std::uint32_t> begin_{0};
    LargeVector<Entry> entries_;
};

template <class IsReal> void ContactBook::collect(const Bodies& bodies, const PairList& pairs,
                                                  std::span<const ContactRecord> walls, std::span<const char> moved,
                                                  IsReal&& is_real) {
    const auto for_each_note = [&](auto&& note) {
        for (const ContactRecord& w : walls) note(static_cast<Index>(w.body), w.partner, w.xi, 1.0);
        if (pairs.xi.extent(0) == 0) return;
        const bool rolling = pairs.theta.extent(0) > 0;
        for (Index i = 0; i < pairs.n_bodies; ++i) {
            if (pairs.begin(i) == pairs.begin(i + 1)) continue;
            const bool i_real = is_real(i);
            for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
                if (!pairs.touches(slot)) continue;
                const auto note_spring = [&](const double* xi, Id mark) {
                    if (xi[0] == 0 && xi[1] == 0 && xi[2] == 0) return;
                    const Index j = pairs.partner_of(slot);
                    const bool j_real = is_real(j);
                    const bool both = !(i_real && j_real) || moved[i] || moved[j];
                    if (i_real && (both || bodies.id(i) < bodies.id(j))) note(i, bodies.id(j) | mark, xi, 1.0);
                    if (j_real && (both || bodies.id(j) < bodies.id(i))) note(j, bodies.id(i) | mark, xi, -1.0);
                };
                note_spring(&pairs.xi(slot, 0), 0);
                if (rolling) note_spring(&pairs.theta(slot, 0), rolling_bit);
            }
        }
    };

    fill(bodies.size, for_each_note);
}

template <class ForEach> void ContactBook::fill(std::size_t n_places, ForEach&& for_each) {
    begin_.assign(n_places + 2, 0);
    for_each([&](Index place, Id, const double*, double) { ++begin_[place + 2]; });
    for (std::size_t p = 2; p < begin_.size(); ++p) begin_[p] += begin_[p - 1];
    entries_.resize(begin_.back());
    for_each([&](Index place, Id partner, const double* xi, double sign) {
        entries_[begin_[place + 1]++] = {partner, {sign * xi[0], sign * xi[1], sign * xi[2]}};
    });
    begin_.pop_back();
}

}  // namespace granary
