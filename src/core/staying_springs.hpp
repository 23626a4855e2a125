// Springs of pairs that a rebuild does not part from this rank: both bodies stay real bodies of it, and neither crosses
// a periodic face. They need no ids: the new list knows the old indices of its bodies. They are set aside before the
// search makes the new list over the old one, and found by the old indices of both bodies, the lower first. All other
// springs go by ids (contact_history.hpp).
//
// Memory: 28 bytes a touching pair, 24 more with rolling springs, 4 bytes a body, for the time of the rebuild; from a
// room in portions, since lent memory comes in several pieces (lent_room.hpp).
#pragma once
#include <array>
#include <memory_resource>
#include <span>
#include "core/bodies.hpp"
#include "core/contact_record.hpp"
#include "core/lent_room.hpp"
#include "core/pair_list.hpp"

namespace granary {

class StayingSprings {
  public:
    explicit StayingSprings(std::pmr::memory_resource* room = std::pmr::get_default_resource())
        : begin_(room),
          portions_(room) {}
    StayingSprings(const StayingSprings&) = delete;
    StayingSprings& operator=(const StayingSprings&) = delete;
    ~StayingSprings() { clear(); }

    // Of the pairs of bodies that both stay: by old index, not 0 if one does. By so many pieces of the list side by
    // side; more than one count first where each of them begins.
    void take(const PairList& pairs, std::span<const char> stays, std::size_t pieces = 1);
    void clear();  // gives the memory back

    // Calls f(kind, numbers of a relative to b) for each spring of the two, by old indices.
    template <class F> void for_each(Index a, Index b, F&& f) const {
        const Index lower = a < b ? a : b, upper = a < b ? b : a;
        if (std::size_t{lower} + 1 >= begin_.size()) return;
        for (Index k = begin_[lower]; k < begin_[lower + 1]; ++k) {
            const Portion& portion = *portions_[k / at_once];
            if (portion.partner[k % at_once] != upper) continue;
            const auto show = [&](HistoryKind kind, const double* xi) {
                if (is_dead(kind, true, xi)) return;
                const double sign = a < b ? 1.0 : exchange_sign(kind);
                const double seen[3] = {sign * xi[0], sign * xi[1], sign * xi[2]};
                f(kind, seen);
            };
            if (has_[0]) show(HistoryKind::tangential, portion.xi[k % at_once]);
            if (has_[1]) show(HistoryKind::rolling, rolling_of(portion)[k % at_once]);
            return;
        }
    }
    Index size() const { return size_; }

  private:
    static constexpr Index at_once = 4096;
    struct Portion {
        Index partner[at_once];
        double xi[at_once][3];
    };
    using Rolling = double[3];  // at_once of them follow the portion if rolling springs are kept
    static const Rolling* rolling_of(const Portion& portion) { return reinterpret_cast<const Rolling*>(&portion + 1); }
    void make_room(Index n);  // for so many springs
    void put(Index at, const PairList& pairs, Index slot);
    std::size_t portion_bytes() const { return sizeof(Portion) + (has_[1] ? at_once * sizeof(Rolling) : 0); }

    RoomVector<Index> begin_;  // by old index of the lower body
    RoomVector<Portion*> portions_;
    Index size_ = 0;
    std::array<bool, 2> has_{};  // tangential, rolling
};

}  // namespace granary
