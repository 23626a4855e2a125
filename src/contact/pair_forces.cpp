#include "contact/pair_forces.hpp"
#include <cstring>
#ifdef __SSE2__
#include <immintrin.h>
#endif

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

using Index4 = Index __attribute__((vector_size(16)));

// For each set of four lanes, by its bits: their numbers one after the other, and how many they are.
struct LaneLists {
    Index lanes[16][4] = {};
    Index n[16] = {};
};
constexpr LaneLists lists = [] {
    LaneLists l;
    for (unsigned bits = 0; bits < 16; ++bits)
        for (Index lane = 0; lane < 4; ++lane)
            if (((bits >> lane) & 1) != 0) l.lanes[bits][l.n[bits]++] = lane;
    return l;
}();

Index4 load_indices(const Index* from) {
    Index4 a;
    std::memcpy(&a, from, sizeof a);
    return a;
}
void store_indices(Index* to, Index4 a) { std::memcpy(to, &a, sizeof a); }

// The mark of each of four partners, bit k of lane k.
int marks_of(const Index* partner) {
#ifdef __SSE2__
    return _mm_movemask_ps(__m128(load_indices(partner)));
#else
    return static_cast<int>((partner[0] >> 31) | (partner[1] >> 31) << 1 | (partner[2] >> 31) << 2 |
                            (partner[3] >> 31) << 3);
#endif
}

// A pair that begins or ends to touch starts its spring anew; those that end are noted, if somebody wants to know.
// Rare, so kept out of the loop.
template <class Parted> [[gnu::noinline]] void mark_changes(PairList& pairs, Index i, Index slot, int touch,
                                                            int touched, bool with_history,
                                                            std::vector<Parted>* parted) {
    const int changed = touch ^ touched;
    for (Index lane = 0; lane < 4; ++lane) {
        if (((changed >> lane) & 1) == 0) continue;
        pairs.partner(slot + lane) ^= PairList::touching;
        if (with_history)
            for (int axis = 0; axis < 3; ++axis) pairs.xi(slot + lane, axis) = 0;
        if (pairs.theta.extent(0) > 0)
            for (int axis = 0; axis < 3; ++axis) pairs.theta(slot + lane, axis) = 0;
        if (parted != nullptr && ((touched >> lane) & 1) != 0) parted->push_back({i, slot + lane});
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
    const Index end_of_list = run[end];
    Index n = 0;
    for (Index i = begin; i < end; ++i) {
        const double* p = position + std::size_t{4} * i;
        const Real4 from{p[0], p[1], p[2], -(p[3] + reach)};  // the difference is (x_j - x_i, r_j + r_i + reach)
        // The last load may read up to three partners beyond the run, maybe of a range whose thread is marking them:
        // the place below the marks stays, and those lanes are left out.
        const Index end_of_run = run[i + 1];
        for (Index slot = run[i]; slot < end_of_run; slot += 4) {
            const Index* const four = partner + slot;
            if (slot + candidates_ahead + 4 <= end_of_list)
                for (Index lane = candidates_ahead; lane < candidates_ahead + 4; ++lane)
                    __builtin_prefetch(position + std::size_t{4} * (four[lane] & PairList::place));
            const auto seen = [&](Index lane) {
                return load4(position + std::size_t{4} * (four[lane] & PairList::place)) - from;
            };
            Real4 dx = seen(0), dy = seen(1), dz = seen(2), sum = seen(3);
            transpose(dx, dy, dz, sum);
            int touch = lane_bits(dx * dx + dy * dy + dz * dz < sum * sum);
            int touched = marks_of(four);
            const int inside = (1 << std::min(end_of_run - slot, Index{4})) - 1;
            touch &= inside, touched &= inside;
            if constexpr (with_masks) {  // whoever masks them marks them too
                const auto free = [&](Index lane) { return static_cast<int>(~four[lane] >> 30 & 1) << lane; };
                const int others = free(0) | free(1) | free(2) | free(3);
                touch &= others, touched &= others;
            }
            if (touch != touched) mark_changes(pairs, i, slot, touch, touched, with_history, parted);
            // No branch: four are written, those that touch first; the next ones replace the rest.
            store_indices(first + n, Index4{} + i);
            store_indices(slots + n, load_indices(lists.lanes[touch]) + slot);
            n += lists.n[touch];
        }
    }
    return n;
}

}  // namespace granary
