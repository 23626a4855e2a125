// Pairs as a detector with an order of its own comes upon them, and how they become the list sorted by (i, j).
//
// Each body that looks for partners leaves a note: its place, how many it found, and their places. Meanwhile the pairs
// of every lower body are counted; so at the end each pair can be put straight into its body's run, and only the runs,
// which are short, remain to be sorted. Memory: 4 bytes a pair, 8 bytes a body that found something.
// A detector that finds partners of a body in order, all after it, may leave them as a run: it is copied as it is.
#pragma once
#include <algorithm>
#include <array>
#include "core/lanes16.hpp"
#include "core/large_pages.hpp"
#include "search/candidates.hpp"

namespace granary {

class FoundPairs {
  public:
    // The list's begin serves as the counters until finish.
    void start(const SearchTask& task, PairList& pairs);
    void finish(const SearchTask& task, PairList& pairs);
    std::uint64_t bytes() const {
        return (notes_.capacity() + runs_.capacity()) * sizeof(Index) + run_of_.capacity() * sizeof(Run);
    }

    // One body looks: open, any number of calls of show, close.
    void open(Index i) {
        looking_ = i;
        note_ = end_;
        end_ += 2;
        if (end_ >= notes_.size()) grow();
        shown_ = 0;
    }
    // Bodies that may be its partners: items[run]. Reads up to eight items from its beginning on.
    template <class Item> void show(const SearchTask& task, const Item* items, Range run) {
        const Index n = run.end - run.begin;
        if (n > at_once) {  // one by one in portions, so that the room is bounded
            for (Index from = run.begin; from < run.end; from += at_once)
                show(task, items, {from, std::min(from + at_once, run.end)});
            return;
        }
        if (shown_ + n + 8 > room_for_shown) test(task);
        const Item* from = items + run.begin;
        Index* to = show_.data() + shown_;
        shown_ += n;
        for (Index k = 0; k < 8; ++k) to[k] = from[k].place;  // short runs, the usual ones: no loop's end to guess
        for (Index k = 8; k < n; ++k) to[k] = from[k].place;
    }
    // Of sixteen bodies those whose bit is set.
    void show_lanes(const SearchTask& task, const Index* bodies, unsigned bits) {
        if (shown_ + 32 > room_for_shown) test(task);
        shown_ = static_cast<Index>(keep_lanes(bodies, 0, bits, show_.data() + shown_) - show_.data());
    }
    // Tests all that were shown, and keeps those of the partners found since open for which keep(partner) holds.
    template <class Keep> void keep_if(const SearchTask& task, Keep&& keep) {
        test(task);
        std::size_t kept = note_ + 2;
        for (std::size_t k = kept; k < end_; ++k)
            if (keep(notes_[k])) notes_[kept++] = notes_[k];
        end_ = kept;
    }
    void close(const SearchTask& task, Index* count) {
        test(task);
        const std::size_t n = end_ - note_ - 2;
        if (n == 0) {
            end_ = note_;
            return;
        }
        notes_[note_] = looking_, notes_[note_ + 1] = static_cast<Index>(n);
        for (std::size_t k = note_ + 2; k < end_; ++k) ++count[std::min(looking_, notes_[k])];
    }

    // Or all at once partners of i that are known to be candidates, ascending, all after i; once for each body, after
    // with_runs, before the first note.
    void with_runs(const SearchTask& task);
    Index* room_for_runs(std::size_t n) {  // where they may be written
        if (runs_.size() < runs_end_ + n) runs_.resize(runs_end_ + n + runs_.size() / 2);
        return runs_.data() + runs_end_;
    }
    void prefetch_run(Index i) const { __builtin_prefetch(run_of_.data() + i, 1); }
    void keep_run(Index i, Index n) {  // counted at the end
        run_of_[i] = {static_cast<Index>(runs_end_), n};
        runs_end_ += n;
    }

    // Or pairs one at a time that are known to be candidates; those of one body together share a note.
    void add(Index i, Index j, Index* count) {
        if (end_ + 3 > notes_.size()) grow();
        if (note_ >= end_ || notes_[note_] != i) {
            note_ = end_;
            notes_[end_] = i, notes_[end_ + 1] = 0;
            end_ += 2;
        }
        notes_[end_++] = j;
        ++notes_[note_ + 1];
        ++count[std::min(i, j)];
    }

    // Before finish: calls f(lower, upper) for all pairs of a body before `border` with one that is not.
    template <class F> void for_each_across(Index border, F&& f) const {
        for (std::size_t k = 0; k < end_;) {
            const Index i = notes_[k], found = notes_[k + 1];
            k += 2;
            for (const std::size_t last = k + found; k < last; ++k)
                if (const Index j = notes_[k]; (i < border) != (j < border)) f(std::min(i, j), std::max(i, j));
        }
        for (Index i = 0; i < border && i < run_of_.size(); ++i) {
            const Run run = run_of_[i];
            for (Index k = run.size; k-- > 0 && runs_[run.begin + k] >= border;) f(i, runs_[run.begin + k]);
        }
    }

  private:
    static constexpr Index at_once = 256, room_for_shown = 1024;
    void grow();

    // Notes those of the shown bodies that are candidates of the one that looks.
    void test(const SearchTask& task) {
        if (shown_ == 0) return;
        if (end_ + room_for_shown > notes_.size()) grow();
        const double* position = task.bodies.position.data();
        for (Index k = shown_; k < shown_ + 3; ++k) show_[k] = looking_;  // to fill the last four; cut off below
        Index* out = notes_.data() + end_;
        const double* pi = position + std::size_t{4} * looking_;
        const Real4 from{pi[0], pi[1], pi[2], -pi[3]}, more = broadcast4(task.margin);  // as in candidates.hpp
        for (Index k = 0; k < shown_; k += 4) {
            const Index a = show_[k], b = show_[k + 1], c = show_[k + 2], d = show_[k + 3];
            Real4 dx = load4(position + std::size_t{4} * a) - from, dy = load4(position + std::size_t{4} * b) - from,
                  dz = load4(position + std::size_t{4} * c) - from, reach = load4(position + std::size_t{4} * d) - from;
            transpose(dx, dy, dz, reach);
            reach += more;
            int near = lane_bits(dx * dx + dy * dy + dz * dz < reach * reach);
            if (shown_ - k < 4) near &= (1 << (shown_ - k)) - 1;
            // no branch: write, then keep or not
            *out = a, out += near & 1;
            *out = b, out += (near >> 1) & 1;
            *out = c, out += (near >> 2) & 1;
            *out = d, out += (near >> 3) & 1;
        }
        end_ = static_cast<std::size_t>(out - notes_.data());
        shown_ = 0;
    }

    struct Run {
        Index begin, size;
    };
    LargeVector<Index> notes_;  // place, number, partners; and so on
    LargeVector<Index> runs_;   // partners
    LargeVector<Run> run_of_;   // by body; empty: no runs
    std::size_t runs_end_ = 0;
    std::size_t end_ = 0, note_ = 0;
    Index looking_ = 0, shown_ = 0;
    std::array<Index, room_for_shown> show_{};
};

}  // namespace granary
