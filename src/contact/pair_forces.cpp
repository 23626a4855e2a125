#include "contact/pair_forces.hpp"

namespace granary {

void PairForces::make_room(const PairList& pairs, Range range) {
    Index most = 0;
    for (Index begin = range.begin; begin < range.end; begin += block_size)
        most = std::max(most, pairs.begin(std::min(begin + block_size, range.end)) - pairs.begin(begin));
    if (slot_.size() >= most + std::size_t{room_ahead}) return;
    const std::size_t room = most + most / 8 + room_ahead;
    for (LanesVector<Index>* numbers : {&quad_i_, &quad_j_, &slot_}) numbers->resize(room);
    for (LanesVector<double>* numbers : {&apart_[0], &apart_[1], &apart_[2], &r_i_, &r_j_}) numbers->resize(room);
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

Index PairForces::keep(Index n, Index end, bool across) {
    Index kept = 0;
    for (Index k = 0; k < n; ++k) {
        copy_pair(k, kept);
        kept += (quad_j_[k] / 4 >= end) == across ? 1 : 0;
    }
    return kept;
}

void PairForces::pad(Index n) {
    for (Index k = n; k < n + n_lanes<WideReal> - 1; ++k) copy_pair(n - 1, k);
}

void PairForces::copy_pair(Index from, Index to) {
    for (LanesVector<Index>* numbers : {&quad_i_, &quad_j_, &slot_}) (*numbers)[to] = (*numbers)[from];
    for (LanesVector<double>* numbers : {&apart_[0], &apart_[1], &apart_[2], &r_i_, &r_j_})
        (*numbers)[to] = (*numbers)[from];
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

// A pair that begins or ends to touch starts its spring anew; those that end are noted, if somebody wants to know.
// Rare, so kept out of the loop.
template <class Parted> [[gnu::noinline]] void mark_changes(PairList& pairs, const Index* quad_i, Index slot, int touch,
                                                            int touched, bool with_history,
                                                            std::vector<Parted>* parted) {
    const int changed = touch ^ touched;
    for (Index lane = 0; lane < n_lanes<WideReal>; ++lane) {
        if (((changed >> lane) & 1) == 0) continue;
        pairs.partner(slot + lane) ^= PairList::touching;
        if (with_history)
            for (int axis = 0; axis < 3; ++axis) pairs.xi(slot + lane, axis) = 0;
        if (pairs.theta.extent(0) > 0)
            for (int axis = 0; axis < 3; ++axis) pairs.theta(slot + lane, axis) = 0;
        if (parted != nullptr && ((touched >> lane) & 1) != 0) parted->push_back({quad_i[lane] / 4, slot + lane});
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
    using T = WideReal;
    constexpr int wide = n_lanes<T>;
    constexpr int all = (1 << wide) - 1;
    const double* const position = bodies.position.data();
    const Index* const run = pairs.begin.data();
    const Index first = run[begin], n_candidates = run[end] - first;
    const Index* const partner = pairs.partner.data() + first;
    Index* const quad_i = quad_i_.data();
    Index* const quad_j = quad_j_.data();
    Index* const slot = slot_.data();
    double *const apart_x = apart_[0].data(), *const apart_y = apart_[1].data(), *const apart_z = apart_[2].data();
    double *const radius_i = r_i_.data(), *const radius_j = r_j_.data();
    // Loads may run past the last candidate, maybe to those of a range whose thread is marking them: the place below
    // the marks stays, and those lanes are left out.
    for (Index i = begin; i < end; ++i) {
        Index* const of_run = quad_i + (run[i] - first);
        const Index n_partners = run[i + 1] - run[i];
        std::fill_n(of_run, 8, 4 * i);  // no branch for most; the next body replaces what is too many
        if (n_partners > 8) std::fill_n(of_run + 8, n_partners - 8, 4 * i);
    }
    std::fill_n(quad_i + n_candidates, wide, 4 * begin);
    for (Index k = 0; k < n_candidates + wide; ++k) quad_j[k] = 4 * (partner[k] & PairList::place);
    Index farthest = 4 * begin;
    for (Index k = 0; k < n_candidates; ++k) farthest = std::max(farthest, quad_j[k]);
    farthest_ = farthest / 4;

    static constexpr Index numbers[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    const T reaches = broadcast<T>(reach);
    Index n = 0;
    for (Index k = 0; k < n_candidates; k += wide) {
        const Index* const i = quad_i + k;
        const Index* const j = quad_j + k;
        const auto at_i = QuadRows<T>::load([&](auto lane) { return position + i[lane]; });
        const auto at_j = QuadRows<T>::load([&](auto lane) { return position + j[lane]; });
        const T r_i = at_i.fourth(), r_j = at_j.fourth();
        QuadRows<T> apart;
        for (int row = 0; row < 4; ++row) apart.row[row] = at_i.row[row] - at_j.row[row];
        apart.turn();
        const T& x = apart.row[0];
        const T& y = apart.row[1];
        const T& z = apart.row[2];
        const T far = r_j + (r_i + reaches);
        int touch = lane_bits(x * x + y * y + z * z < far * far), touched = top_bits<T>(partner + k);
        const int inside = all >> (wide - std::min<Index>(n_candidates - k, wide));
        touch &= inside, touched &= inside;
        if constexpr (with_masks) {  // whoever masks them marks them too
            Index next_bits[wide];
            for (int lane = 0; lane < wide; ++lane) next_bits[lane] = partner[k + lane] << 1;
            const int others = ~top_bits<T>(next_bits);
            touch &= others, touched &= others;
        }
        if (touch != touched) mark_changes(pairs, i, first + k, touch, touched, with_history, parted);
        // No branch: all are written, those that touch first; the next ones replace the rest.
        Index slots[wide];
        for (int lane = 0; lane < wide; ++lane) slots[lane] = first + k + numbers[lane];
        store_kept<T>(slot + n, slots, touch);
        store_kept<T>(quad_i + n, i, touch);
        store_kept<T>(quad_j + n, j, touch);
        store_kept(apart_x + n, x, touch);
        store_kept(apart_y + n, y, touch);
        store_kept(apart_z + n, z, touch);
        store_kept(radius_i + n, r_i, touch);
        store_kept(radius_j + n, r_j, touch);
        n += n_kept<T>(touch);
    }
    return n;
}

}  // namespace granary
