#include "core/staying_springs.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>
#include "core/parallel.hpp"

namespace granary {

void StayingSprings::take(const PairList& pairs, std::span<const char> stays, std::size_t pieces) {
    clear();
    has_ = {pairs.xi.extent(0) > 0, pairs.theta.extent(0) > 0};
    if (!has_[0] && !has_[1]) return;
    const Index n = pairs.n_bodies;
    begin_.resize(std::size_t{n} + 1);
    const auto for_each = [&](Index from, Index to, auto&& start, auto&& f) {
        for (Index i = from; i < to; ++i) {
            start(i);
            if (stays[i] == 0) continue;
            for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot)
                if (pairs.touches(slot) && stays[pairs.partner_of(slot)] != 0) f(slot);
        }
    };
    if (pieces <= 1) {
        for_each(
            0, n, [&](Index i) { begin_[i] = size_; },
            [&](Index slot) { make_room(size_ + 1), put(size_++, pairs, slot); });
    } else {
        static const std::string count = "core::count_springs", set_aside = "core::set_springs_aside";
        const auto end_of = [&](std::size_t k) { return static_cast<Index>(n * k / pieces); };
        std::vector<Index> first(pieces + 1, 0);
        in_parallel(count, pieces, [&](std::size_t k) {
            Index found = 0;
            for_each(
                end_of(k), end_of(k + 1), [](Index) {}, [&](Index) { ++found; });
            first[k + 1] = found;
        });
        std::partial_sum(first.begin(), first.end(), first.begin());
        size_ = first[pieces];
        make_room(size_);
        in_parallel(set_aside, pieces, [&](std::size_t k) {
            Index at = first[k];
            for_each(
                end_of(k), end_of(k + 1), [&](Index i) { begin_[i] = at; },
                [&](Index slot) { put(at++, pairs, slot); });
        });
    }
    begin_[n] = size_;
}

void StayingSprings::make_room(Index n) {
    while (n > portions_.size() * at_once)
        portions_.push_back(
            static_cast<Portion*>(begin_.get_allocator().resource()->allocate(portion_bytes(), alignof(Portion))));
}

void StayingSprings::put(Index at, const PairList& pairs, Index slot) {
    Portion& portion = *portions_[at / at_once];
    const Index k = at % at_once;
    portion.partner[k] = pairs.partner_of(slot);
    if (has_[0]) std::copy_n(&pairs.xi(slot, 0), 3, portion.xi[k]);
    if (has_[1]) std::copy_n(&pairs.theta(slot, 0), 3, const_cast<double*>(rolling_of(portion)[k]));
}

void StayingSprings::clear() {
    auto* const room = begin_.get_allocator().resource();
    for (Portion* p : portions_) room->deallocate(p, portion_bytes(), alignof(Portion));
    portions_ = RoomVector<Portion*>(room);
    begin_ = RoomVector<Index>(room);
    size_ = 0;
}

}  // namespace granary
