#include "search/found_pairs.hpp"

#include <algorithm>

namespace granary {

void FoundPairs::start(const SearchTask& task, PairList& pairs) {
    pairs.start(task.bodies.size);
    std::fill_n(pairs.begin.data(), std::size_t{task.bodies.size} + 1, Index{0});
    end_ = note_ = 0;
    if (notes_.empty()) notes_.resize(std::size_t{6} * task.bodies.size + 2 * room_for_shown);
}

void FoundPairs::grow() { notes_.resize(end_ + room_for_shown + notes_.size() / 2); }

void FoundPairs::finish(const SearchTask& task, PairList& pairs) {
    const Index n = task.bodies.size;
    Index* begin = pairs.begin.data();
    Index sum = 0;
    for (Index i = 0; i < n; ++i) {
        const Index here = begin[i];
        begin[i] = sum;
        sum += here;
    }
    pairs.make_room(sum);
    Index* partner = pairs.partner.data();
    for (std::size_t k = 0; k < end_;) {
        const Index i = notes_[k], found = notes_[k + 1];
        k += 2;
        for (const std::size_t last = k + found; k < last; ++k) {
            const Index j = notes_[k];
            partner[begin[std::min(i, j)]++] = std::max(i, j);
        }
    }
    pairs.size = sum;
    // Now each begin stands where its run ends, that is where the next one begins.
    Index from = 0;
    for (Index i = 0; i < n; ++i) {
        const Index end = begin[i];
        begin[i] = from;
        if (end - from > 16) {
            if (!std::is_sorted(partner + from, partner + end)) std::sort(partner + from, partner + end);
        } else {
            for (Index k = from + 1; k < end; ++k) {
                const Index j = partner[k];
                Index to = k;
                for (; to > from && partner[to - 1] > j; --to) partner[to] = partner[to - 1];
                partner[to] = j;
            }
        }
        from = end;
    }
    pairs.finish(task.with_history);
}

}  // namespace granary
