#include "search/found_pairs.hpp"

#include <algorithm>

namespace granary {

void FoundPairs::start(const SearchTask& task, PairList& pairs) {
    pairs.start(task.bodies.size);
    std::fill_n(pairs.begin.data(), std::size_t{task.bodies.size} + 1, Index{0});
    end_ = note_ = runs_end_ = 0;
    run_of_.clear();
    if (notes_.empty()) notes_.resize(std::size_t{6} * task.bodies.size + 2 * room_for_shown);
}

void FoundPairs::with_runs(const SearchTask& task) { run_of_.assign(task.bodies.size, {0, 0}); }

void FoundPairs::grow() { notes_.resize(end_ + room_for_shown + notes_.size() / 2); }

void FoundPairs::finish(const SearchTask& task, PairList& pairs) {
    const Index n = task.bodies.size;
    Index* begin = pairs.begin.data();
    Index sum = 0;
    for (Index i = 0; i < n; ++i) {
        const Index here = begin[i] + (run_of_.empty() ? 0 : run_of_[i].size);
        begin[i] = sum;
        sum += here;
    }
    constexpr Index copied_at_once = 8;
    pairs.make_room(sum + copied_at_once);
    Index* partner = pairs.partner.data();
    if (!run_of_.empty()) {
        room_for_runs(copied_at_once);  // to be read past the last
        constexpr Index ahead = 24;
        for (Index i = 0; i < n; ++i) {
            const Run run = run_of_[i];
            __builtin_prefetch(runs_.data() + run_of_[std::min(i + ahead, n - 1)].begin);
            const Index* from = runs_.data() + run.begin;
            Index* to = partner + begin[i];
            for (Index k = 0; k < copied_at_once; ++k)
                to[k] = from[k];  // short runs, the usual ones: no loop's end to guess
            for (Index k = copied_at_once; k < run.size; ++k) to[k] = from[k];
            begin[i] += run.size;
        }
    }
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
        if (!run_of_.empty() && run_of_[i].size == end - from) {  // in order as it is
            from = end;
            continue;
        }
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
