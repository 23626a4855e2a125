#include "search/mmr_search_munjiza2006.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include "search/extent.hpp"
#include "search/mr_search_munjiza2006.hpp"

namespace granary {

namespace {

using namespace mmr;

// How many bodies a body finds in its own cube on average, itself among them. Of many bodies some are asked.
double mates(std::size_t n, const Cube* cube) {
    constexpr std::size_t portion = 4096, one_of = 8;
    double squares = 0, asked = 0;
    for (std::size_t from = 0; from < n; from += portion * (n > 16 * portion ? one_of : 1)) {
        const std::size_t to = std::min(n, from + portion);
        for (std::size_t k = from; k < to;) {
            const std::size_t first = k;
            while (k < to && cube[k] == cube[first]) ++k;
            squares += static_cast<double>(k - first) * static_cast<double>(k - first);
        }
        asked += static_cast<double>(to - from);
    }
    return asked > 0 ? squares / asked : 0;
}

// The steps of one search.
class Steps {
  public:
    Steps(const SearchTask& task, PairList& pairs, const MmrSettings& settings, MmrWorkspace& work, const Extent& all)
        : task_(task),
          position_(task.bodies.position.data()),
          pairs_(pairs),
          settings_(settings),
          work_(work),
          all_(all),
          sieve_(all.lower, all.upper, 2 * all.radius + task.margin),
          group_diameter_(2 * all.radius) {}

    void run() {
        first_step();
        while (n_small_ > 0) finer_step();
        if (noted_) work_.found.finish(task_, pairs_);
    }

  private:
    // On the cubes and in the order that are there.
    void first_step() {
        const Cube* cube = task_.bodies.cube.data();
        const Index n = task_.bodies.size;
        const LocalCubes cubes(task_.cubes, digit(cube[0], 2), digit(cube[n - 1], 2));
        const auto key = [&](Index k) { return cubes.key(cube[k]); };
        const auto place = [](Index k) { return k; };
        make_lists(n, key, place);
        const StepLists step = lists(cubes);
        StepSearch search(step, task_.margin, work_.room);
        ++work_.steps;
        if (!is_last()) {
            note_large_ones(search, place);
            return;
        }
        // There are no more steps, and this one is in the one order: the list is written as it is found.
        pairs_.start(n);
        search.all(n, key,
                   [&](Index begin, Index end, Index* hits, std::size_t n_hits) { write(begin, end, hits, n_hits); });
        pairs_.finish(task_.with_history);
        n_small_ = 0;
    }

    // The candidates of the bodies from begin to end, which are in one cube.
    void write(Index begin, Index end, Index* hits, std::size_t n_hits) {
        Index* const begins = pairs_.begin.data();
        if (n_hits == 0) {
            std::fill(begins + begin, begins + end, pairs_.size);
            return;
        }
        hits = sorted(hits, n_hits);
        std::fill(begins + begin, begins + end, 0);
        pairs_.make_room(static_cast<Index>(n_hits) + 4);
        Index* const partner = pairs_.partner.data();
        const bool real = is_real(task_, begin);  // the same for all bodies of a cube
        Index size = pairs_.size;
        for_each_candidate(
            begin, hits, n_hits, [](Index k) { return k; },
            [&](Index i, Index j, Index keep) {
                if (!real && !is_real(task_, j)) keep = 0;
                partner[size] = j;  // no branch: write, then keep or not
                size += keep, begins[i] += keep;
            });
        Index sum = pairs_.size;
        for (Index k = begin; k < end; ++k) {
            const Index here = begins[k];
            begins[k] = sum;
            sum += here;
        }
        pairs_.size = size;
    }

    // By looker, then by what it found. Many are first dealt out to their lookers: then each has few.
    Index* sorted(Index* hits, std::size_t n) {
        constexpr std::size_t few = 256;  // in all: none has far to go
        if (n > 16 && n <= few) {
            hits = by_looker(hits, n, work_.room.spare);
            sort_nearly_sorted(hits, n);
        } else sort_short(hits, n);
        return hits;
    }

    // Calls f(i, j, 1 if this is a candidate, else 0); after the last hit there must be room for three more.
    template <class Place, class F>
    void for_each_candidate(Index first, Index* hits, std::size_t n_hits, Place&& place, F&& f) const {
        std::fill_n(hits + n_hits, 3, hits[0]);
        for (std::size_t k = 0; k < n_hits; k += 4) {
            std::array<Index, 4> i, j;
            for (unsigned lane = 0; lane < 4; ++lane) {
                i[lane] = place(first + (hits[k + lane] >> hit_bits));
                j[lane] = place(hits[k + lane] & hit_number);
            }
            const unsigned bits =
                candidate_pairs(position_, i.data(), j.data(), task_.margin) & first_lanes(n_hits - k);
            for (unsigned lane = 0; lane < 4; ++lane) f(i[lane], j[lane], (bits >> lane) & 1);
        }
    }

    void finer_step() {
        // The group of the largest one left: empty groups have no step.
        while (largest_small_ > 0 && group_diameter_ / settings_.alpha >= 2 * largest_small_)
            group_diameter_ /= settings_.alpha;
        const LocalCubes cubes(all_.lower, all_.upper, group_diameter_ + task_.margin);
        if (cubes.key_bits() < std::numeric_limits<std::uint32_t>::digits)
            step(cubes, work_.short_items, work_.short_spare);
        else step(cubes, work_.long_items, work_.long_spare);
    }

    template <class Items> void step(const LocalCubes& cubes, Items& items, Items& spare) {
        using Key = decltype(items[0].key);
        const Index n = n_small_;
        for (Items* list : {&items, &spare})
            if (list->size() < n) list->resize(n + n / 16);
        for (Index k = 0; k < n; ++k) {
            const Index i = work_.small.number[k];
            items[k] = {static_cast<Key>(cubes.key(task_.bodies.x(i))), i};
        }
        sort_by_key(items, spare, n, cubes.key_bits());
        work_.sorted += n;
        const auto key = [&](Index k) { return std::uint64_t{items[k].key}; };
        const auto place = [&](Index k) { return items[k].place; };
        make_lists(n, key, place);
        const StepLists step = lists(cubes);
        StepSearch search(step, task_.margin, work_.room);
        ++work_.steps;
        if (!is_last()) {
            note_large_ones(search, place);
            return;
        }
        search.all(n, key, note(place));
        n_small_ = 0;
    }

    // The small ones are few in their cubes: finer cubes would save nothing.
    bool is_last() const { return n_small_ == 0 || squares_ <= settings_.merge_below * static_cast<double>(n_small_); }

    template <class Place> void note_large_ones(StepSearch& search, Place&& place) {
        search.large_ones(note(place));
        for (Index k = 0; k < n_small_; ++k) work_.small.number[k] = place(work_.small.number[k]);
    }
    template <class Place> auto note(Place& place) {
        if (!noted_) work_.found.start(task_, pairs_);
        noted_ = true;
        return [&](Index begin, Index end, Index* hits, std::size_t n_hits) {
            if (n_hits == 0) return;
            if (end - begin > 1) hits = by_looker(hits, n_hits, work_.room.spare);
            for_each_candidate(begin, hits, n_hits, place, [&](Index i, Index j, Index keep) {
                if (keep != 0 && (is_real(task_, i) || is_real(task_, j))) work_.found.add(i, j, pairs_.begin.data());
            });
        };
    }

    // Deals the bodies out to the two lists, those of the group and the smaller ones.
    template <class KeyOf, class Place> void make_lists(Index n, KeyOf&& key, Place&& place) {
        SievedBalls &large = work_.large, &small = work_.small;
        const double least = largest_left() > 0 ? 0.5 * group_diameter_ / settings_.alpha : -1;  // points: all
        n_large_ = n_small_ = n_large_cubes_ = n_small_cubes_ = 0;
        largest_small_ = squares_ = 0;
        blur_ = 0x1p-19F;
        small.make_room(n);
        for (Index k = 0; k < n;) {
            const std::uint64_t here = key(k);
            Index end = k + 1;
            while (end < n && key(end) == here) ++end;
            const Index large_from = n_large_, small_from = n_small_;
            want_room(large, n_large_ + (end - k)), want_room(small, n_small_ + (end - k));
            for (; k < end; ++k) {
                const double* q = position_ + std::size_t{4} * place(k);
                const FloatSieve::Ball ball = sieve_.of(q);
                const bool is_small = q[3] <= least;
                large.put(n_large_, ball, k), small.put(n_small_, ball, k);  // no branch: write, then keep or not
                n_large_ += is_small ? 0 : 1, n_small_ += is_small ? 1 : 0;
                largest_small_ = std::max(largest_small_, is_small ? q[3] : 0.0);
            }
            if (n_large_ > large_from) add_cube(work_.large_cubes, n_large_cubes_, {here, large_from});
            if (n_small_ > small_from) {
                add_cube(work_.small_cubes, n_small_cubes_, {here, small_from});
                const double m = n_small_ - small_from;
                squares_ += m * m;
                blur_ = std::max(blur_, sort_along_x(small, small_from, n_small_, work_.along_x));
            }
        }
        for (auto& [list, size] : {std::pair{&large, n_large_}, {&small, n_small_}})
            std::fill_n(&list->number[size], SievedBalls::padding, PairList::place);  // after all others
        close_cubes(work_.large_cubes, n_large_cubes_, n_large_),
            close_cubes(work_.small_cubes, n_small_cubes_, n_small_);
    }
    double largest_left() const { return work_.steps == 0 ? all_.radius : largest_small_; }
    StepLists lists(const LocalCubes& cubes) const {
        return {cubes,
                sieve_,
                work_.large,
                work_.small,
                {work_.large_cubes.data(), n_large_cubes_},
                {work_.small_cubes.data(), n_small_cubes_},
                largest_small_,
                blur_};
    }

    static void want_room(SievedBalls& balls, std::size_t n) {
        if (balls.x.size() < n + SievedBalls::padding) balls.make_room(n + n / 2);
    }
    static void add_cube(LargeVector<CubeOfList>& cubes, Index& n, CubeOfList cube) {
        if (cubes.size() < n + 1 + SortedCubes::padding) cubes.resize(n + n / 2 + 64 + SortedCubes::padding);
        cubes[n++] = cube;
    }
    static void close_cubes(LargeVector<CubeOfList>& cubes, Index n, Index bodies) {
        if (cubes.size() < n + SortedCubes::padding) cubes.resize(n + SortedCubes::padding);
        SortedCubes::close(cubes.data() + n);
        for (std::size_t k = 0; k < SortedCubes::padding; ++k) cubes[n + k].place = bodies;
    }

    const SearchTask& task_;
    const double* position_;
    PairList& pairs_;
    const MmrSettings& settings_;
    MmrWorkspace& work_;
    const Extent& all_;
    FloatSieve sieve_;
    double group_diameter_;  // d_j
    Index n_large_ = 0, n_small_ = 0, n_large_cubes_ = 0, n_small_cubes_ = 0;
    double largest_small_ = 0, squares_ = 0;  // m; bodies a cube squared, over all cubes of small ones
    float blur_ = 0;
    bool noted_ = false;
};

}  // namespace

void mmr_search(const SearchTask& task, PairList& pairs, const MmrSettings& settings, MmrWorkspace& work) {
    constexpr double hardly_any = 2.5;  // mates: MR tests few pairs, and takes no lists
    const Bodies& bodies = task.bodies;
    work.steps = 1, work.sorted = 0;
    const Extent all(bodies);
    if (bodies.size == 0 || bodies.size > hit_number || all.smallest > all.radius / settings.alpha ||
        mates(bodies.size, bodies.cube.data()) <= std::min(hardly_any, settings.merge_below)) {
        mr_search(task, pairs);  // one group
        return;
    }
    work.steps = 0;
    Steps(task, pairs, settings, work, all).run();
}

}  // namespace granary
