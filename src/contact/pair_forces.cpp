#include "contact/pair_forces.hpp"

namespace granary {

void PairForces::make_room(const PairList& pairs, Range range) {
    Index most = 0;
    for (Index begin = range.begin; begin < range.end; begin += block_size)
        most = std::max(most, pairs.begin(std::min(begin + block_size, range.end)) - pairs.begin(begin));
    if (slot_.size() < most + std::size_t{4}) {
        first_.resize(most + most / 8 + 4);
        slot_.resize(first_.size());
    }
}

void PairForces::prepare(const PairList& pairs, const LayeredRange& range) {
    make_room(pairs, range.bodies);
    make_room(pairs, {range.last_layer, range.bodies.end});
    Index most = 0;
    for (Index slot = pairs.begin(range.last_layer); slot < pairs.begin(range.bodies.end); ++slot)
        most += pairs.partner_of(slot) >= range.bodies.end ? 1 : 0;
    n_due_ = 0;
    if (due_.size() >= most) return;
    due_.resize(most + most / 8 + 64);
    due_force_ = untouched<Quads>("pairs::due_force", due_.size());
    due_torque_ = untouched<Quads>("pairs::due_torque", due_.size());
}

Index PairForces::keep(const PairList& pairs, Index n, Index end, bool across) {
    Index kept = 0;
    for (Index k = 0; k < n; ++k) {
        first_[kept] = first_[k], slot_[kept] = slot_[k];
        kept += (pairs.partner_of(slot_[k]) >= end) == across ? 1 : 0;
    }
    return kept;
}

void PairForces::add_buffer(Bodies& bodies, bool with_torque) {
    for (Index k = 0; k < n_due_; ++k) {
        const std::size_t i = std::size_t{4} * due_[k], from = std::size_t{4} * k;
        pair_detail::add4(bodies.force.data() + i, load4(due_force_.data() + from));
        if (with_torque) pair_detail::add4(bodies.torque.data() + i, load4(due_torque_.data() + from));
    }
}

void PairForces::mark_touching(const Bodies& bodies, PairList& pairs, double reach, bool with_history) {
    for (Index begin = 0; begin < pairs.n_bodies; begin += block_size)
        find_touching(bodies, pairs, begin, std::min(begin + block_size, pairs.n_bodies), reach, with_history, nullptr);
}

namespace {

// A pair that begins or ends to touch starts its spring anew. Rare, so kept out of the loop.
[[gnu::noinline]] void mark_changes(PairList& pairs, Index slot, int changed, bool with_history) {
    for (Index lane = 0; lane < 4; ++lane) {
        if (((changed >> lane) & 1) == 0) continue;
        pairs.partner(slot + lane) ^= PairList::touching;
        if (with_history)
            for (int axis = 0; axis < 3; ++axis) pairs.xi(slot + lane, axis) = 0;
        if (pairs.theta.extent(0) > 0)
            for (int axis = 0; axis < 3; ++axis) pairs.theta(slot + lane, axis) = 0;
    }
}

}  // namespace

Index PairForces::find_touching(const Bodies& bodies, PairList& pairs, Index begin, Index end, double reach,
                                bool with_history, std::vector<Parted>* parted) {
    return pairs.any_masked ? find_touching_among<true>(bodies, pairs, begin, end, reach, with_history, parted)
                            : find_touching_among<false>(bodies, pairs, begin, end, reach, with_history, parted);
}

template <bool with_masks> Index PairForces::find_touching_among(const Bodies& bodies, PairList& pairs, Index begin,
                                                                 Index end, double reach, bool with_history,
                                                                 std::vector<Parted>* parted) {
    const double* const position = bodies.position.data();
    const Index* const run = pairs.begin.data();
    const Index* const partner = pairs.partner.data();
    Index* const first = first_.data();
    Index* const slots = slot_.data();
    Index n = 0;
    for (Index i = begin; i < end; ++i) {
        const double* p = position + std::size_t{4} * i;
        const Real4 from{p[0], p[1], p[2], -(p[3] + reach)};  // the difference is (x_j - x_i, r_j + r_i + reach)
        // The last load may read up to three partners beyond the run, maybe of a range whose thread is marking them:
        // the place below the marks stays, and those lanes are left out.
        for (Index slot = run[i]; slot < run[i + 1]; slot += 4) {
            Real4 dx, dy, dz, sum;
            dx = load4(position + std::size_t{4} * (partner[slot] & PairList::place)) - from;
            dy = load4(position + std::size_t{4} * (partner[slot + 1] & PairList::place)) - from;
            dz = load4(position + std::size_t{4} * (partner[slot + 2] & PairList::place)) - from;
            sum = load4(position + std::size_t{4} * (partner[slot + 3] & PairList::place)) - from;
            transpose(dx, dy, dz, sum);
            int touch = lane_bits(dx * dx + dy * dy + dz * dz < sum * sum);
            int touched = static_cast<int>((partner[slot] >> 31) | (partner[slot + 1] >> 31) << 1 |
                                           (partner[slot + 2] >> 31) << 2 | (partner[slot + 3] >> 31) << 3);
            const Index left = run[i + 1] - slot;
            if (left < 4) {
                const int inside = (1 << left) - 1;
                touch &= inside, touched &= inside;
            }
            if constexpr (with_masks) {  // whoever masks them marks them too
                const auto free = [&](Index lane) { return static_cast<int>(~partner[slot + lane] >> 30 & 1) << lane; };
                const int others = free(0) | free(1) | free(2) | free(3);
                touch &= others, touched &= others;
            }
            if (touch != touched) {
                mark_changes(pairs, slot, touch ^ touched, with_history);
                for (Index lane = 0; parted != nullptr && lane < 4; ++lane)
                    if (((touched & ~touch) >> lane & 1) != 0) parted->push_back({i, slot + lane});
            }
            for (Index lane = 0; lane < 4; ++lane) {  // no branch: write, then keep or not
                first[n] = i;
                slots[n] = slot + lane;
                n += static_cast<Index>((touch >> lane) & 1);
            }
        }
    }
    return n;
}

}  // namespace granary
