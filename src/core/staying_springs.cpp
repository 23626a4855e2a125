#include "core/staying_springs.hpp"

#include <algorithm>

namespace granary {

void StayingSprings::take(const PairList& pairs, std::span<const char> stays) {
    clear();
    has_ = {pairs.xi.extent(0) > 0, pairs.theta.extent(0) > 0};
    if (!has_[0] && !has_[1]) return;
    begin_.resize(std::size_t{pairs.n_bodies} + 1);
    for (Index i = 0; i < pairs.n_bodies; ++i) {
        begin_[i] = size_;
        if (stays[i] == 0) continue;
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
            if (!pairs.touches(slot)) continue;
            const Index j = pairs.partner_of(slot);
            if (stays[j] == 0) continue;
            if (size_ % at_once == 0)
                portions_.push_back(static_cast<Portion*>(
                    begin_.get_allocator().resource()->allocate(portion_bytes(), alignof(Portion))));
            Portion& portion = *portions_.back();
            const Index k = size_++ % at_once;
            portion.partner[k] = j;
            if (has_[0]) std::copy_n(&pairs.xi(slot, 0), 3, portion.xi[k]);
            if (has_[1]) std::copy_n(&pairs.theta(slot, 0), 3, const_cast<double*>(rolling_of(portion)[k]));
        }
    }
    begin_[pairs.n_bodies] = size_;
}

void StayingSprings::clear() {
    auto* const room = begin_.get_allocator().resource();
    for (Portion* p : portions_) room->deallocate(p, portion_bytes(), alignof(Portion));
    portions_ = RoomVector<Portion*>(room);
    begin_ = RoomVector<Index>(room);
    size_ = 0;
}

}  // namespace granary
