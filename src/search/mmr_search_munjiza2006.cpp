#include "search/mmr_search_munjiza2006.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include "search/local_cubes.hpp"
#include "search/mr_search_munjiza2006.hpp"

namespace granary {

namespace {

// Distances from a centre to the planes of the rows and cubes around its own cube, squared; index 0: below, 1: own, 2: above.
struct Gaps {
    std::array<double, 3> x{}, y{}, z{};

    Gaps() = default;
    Gaps(const LocalCubes& cubes, const Vec3d& centre, std::uint64_t key) {
        const Vec3d low = cubes.above_lower_face(centre, key);
        const auto squares = [](double below, double edge) {
            // Rounding of a digit may put a centre a trifle outside of its cube.
            const double slack = 1e-6 * edge;
            const double a = std::max(0.0, below - slack), b = std::max(0.0, edge - below - slack);
            return std::array{a * a, 0.0, b * b};
        };
        x = squares(low.x, cubes.edge.x), y = squares(low.y, cubes.edge.y), z = squares(low.z, cubes.edge.z);
    }
};

// One row of the mask, three cubes along x, in a sorted list. Its cursors only move forward.
template <class Key> class Row {
  public:
    Row(const LocalCubes& cubes, int dy, int dz)
        : dy_(dy + 1),
          dz_(dz + 1),
          middle_(static_cast<Key>(static_cast<std::uint64_t>(dy) * cubes.step(1) +
                                   static_cast<std::uint64_t>(dz) * cubes.step(2))) {}

    void go_to(const SortedBodies<Key>& cubes, Key central) {
        here_ = central + middle_;
        run_.begin = cubes.forward(run_.begin, here_ - 1);
        run_.end = cubes.forward(std::max(run_.begin, run_.end), here_ + 2);
    }
    // Bodies of the row; of a row with many, only those in cubes nearer than reach to a centre in the central cube. (With
    // few, testing them costs less than a branch that is guessed wrong.)
    template <class Place> Range within(const SortedBodies<Key>& cubes, Place& centre, double largest) const {
        const KeyedBody<Key>*first = cubes.begin + run_.begin, *end = cubes.begin + run_.end;
        if (end->place - first->place > worth_trimming) {
            const Gaps& gaps = centre.gaps();
            const double reach = centre.reach() + largest, left = reach * reach - gaps.y[dy_] - gaps.z[dz_];
            if (left <= 0) return {};
            if (gaps.x[0] > left && first->key < here_) ++first;
            if (gaps.x[2] > left && end[-1].key > here_) --end;  // there is one: the run is not empty
        }
        return {first->place, std::max(first->place, end->place)};
    }

  private:
    static constexpr Index worth_trimming = 8;
    int dy_, dz_;
    Key middle_;    // from the central cube to the middle one of the row
    Key here_ = 0;  // the middle cube now
    Range run_;
};

// A body that looks. Its position is far away in memory, and asked for only where it can save tests.
class Centre {
  public:
    Centre(const SearchTask& task, const LocalCubes& cubes, Index i, std::uint64_t key)
        : task_(task),
          cubes_(cubes),
          i_(i),
          key_(key) {}
    const Gaps& gaps() {
        if (!known_) gaps_ = Gaps(cubes_, task_.bodies.x(i_), key_), known_ = true;
        return gaps_;
    }
    double reach() const { return task_.bodies.radius(i_) + task_.margin; }

  private:
    const SearchTask& task_;
    const LocalCubes& cubes_;
    Index i_;
    std::uint64_t key_;
    Gaps gaps_;
    bool known_ = false;
};

template <class Key> struct List {
    SortedBodies<Key> bodies;
    SortedBodies<Key> cubes;   // that hold a body; in place of a place, where their bodies begin
    std::size_t in_sieve = 0;  // where they begin there
    double largest = 0;        // radius, m
};

// All pairs of the group among themselves and with the rest.
template <class Key> void search_step(const SearchTask& task, const LocalCubes& cubes, const List<Key>& group,
                                      const List<Key>& rest, const FloatSieve& sieve, FoundPairs& found, Index* count) {
    Row<Key> own(cubes, 0, 0);
    std::array<Row<Key>, 4> half{{{cubes, 1, 0}, {cubes, -1, 1}, {cubes, 0, 1}, {cubes, 1, 1}}};
    std::array<Row<Key>, 9> whole{{{cubes, -1, -1},
                                   {cubes, 0, -1},
                                   {cubes, 1, -1},
                                   {cubes, -1, 0},
                                   {cubes, 0, 0},
                                   {cubes, 1, 0},
                                   {cubes, -1, 1},
                                   {cubes, 0, 1},
                                   {cubes, 1, 1}}};
    const KeyedBody<Key>* const items = group.bodies.begin;
    for (Index c = 0; c < group.cubes.size; ++c) {
        const Key central = group.cubes.begin[c].key;
        own.go_to(group.cubes, central);
        for (Row<Key>& row : half) row.go_to(group.cubes, central);
        if (rest.bodies.size > 0)
            for (Row<Key>& row : whole) row.go_to(rest.cubes, central);
        for (Index k = group.cubes.begin[c].place; k < group.cubes.begin[c + 1].place; ++k) {
            const Index i = items[k].place;
            Centre centre(task, cubes, i, central);
            const FloatSieve::Looker looker = sieve.looker(group.in_sieve + k, task.margin);
            const auto look = [&](const List<Key>& list, Range run) {
                sieve.for_each_near(looker, list.in_sieve + run.begin, list.in_sieve + run.end, [&](std::size_t n) {
                    found.show_likely(task, list.bodies.begin[n - list.in_sieve].place);
                });
            };
            found.open(i);
            look(group, {k + 1, own.within(group.cubes, centre, group.largest).end});
            for (const Row<Key>& row : half) look(group, row.within(group.cubes, centre, group.largest));
            if (rest.bodies.size > 0)
                for (const Row<Key>& row : whole) look(rest, row.within(rest.cubes, centre, rest.largest));
            if (found.any_likely()) {
                found.test_likely(task);
                if (!is_real(task, i)) found.keep_if(task, [&](Index j) { return is_real(task, j); });
            }
            found.close(task, count);
        }
    }
}

// How many bodies a body finds in its own cube on average, itself among them; key(k) of the k-th in order.
template <class KeyOf> double mates(std::size_t n, KeyOf&& key) {
    double squares = 0;
    for (std::size_t k = 0; k < n;) {
        const std::size_t first = k;
        const auto here = key(k);
        while (k < n && key(k) == here) ++k;
        squares += static_cast<double>(k - first) * static_cast<double>(k - first);
    }
    return n > 0 ? squares / static_cast<double>(n) : 0;
}

struct Extent {
    Vec3d lower{1e300, 1e300, 1e300}, upper{-1e300, -1e300, -1e300};
    double radius = 0, smallest = 1e300;  // the largest and the smallest radius, m

    void take(const double* q) {
        lower = {std::min(lower.x, q[0]), std::min(lower.y, q[1]), std::min(lower.z, q[2])};
        upper = {std::max(upper.x, q[0]), std::max(upper.y, q[1]), std::max(upper.z, q[2])};
        radius = std::max(radius, q[3]), smallest = std::min(smallest, q[3]);
    }
};

// The steps of one search.
class Steps {
  public:
    Steps(const SearchTask& task, PairList& pairs, const MmrSettings& settings, MmrWorkspace& work, const Extent& all)
        : task_(task),
          position_(task.bodies.position.data()),
          count_(pairs.begin.data()),
          settings_(settings),
          work_(work),
          group_diameter_(2 * all.radius),
          rest_(all) {}

    void run() {
        n_ = task_.bodies.size;
        const Cube* cube = task_.bodies.cube.data();
        const LocalCubes coarse(task_.cubes, digit(cube[0], 2), digit(cube[n_ - 1], 2));
        // Step 0, on the cubes and in the order that are there.
        with_keys(coarse.key_bits(), [&](auto& items, auto& spare) {
            make_room(items), make_room(spare), make_room(cubes_of_keys(items));
            for (Index i = 0; i < n_; ++i) items[i] = {static_cast<decltype(items[i].key)>(coarse.key(cube[i])), i};
            split_and_search(coarse, items, spare);
        });
        while (n_ > 0) step();
    }

  private:
    void step() {
        // The group of the largest one left: empty groups have no step.
        const bool points = rest_.radius <= 0;  // no finer group would hold them
        while (!points && group_diameter_ / settings_.alpha >= 2 * rest_.radius) group_diameter_ /= settings_.alpha;
        const LocalCubes cubes(rest_.lower, rest_.upper, group_diameter_ + task_.margin);
        const bool were_short = short_;
        with_keys(cubes.key_bits(), [&](auto& items, auto& spare) {
            using Key = decltype(items[0].key);
            make_room(items), make_room(spare), make_room(cubes_of_keys(items));
            const auto fill = [&](const auto& from) {  // the rest of the last step, from its spare list or across
                for (Index k = 0; k < n_; ++k) {
                    const Index i = from[k].place;
                    items[k] = {static_cast<Key>(cubes.key(task_.bodies.x(i))), i};
                }
            };
            if (were_short) fill(work_.short_spare);
            else fill(work_.long_spare);
            sort_by_key(items, spare, n_, cubes.key_bits());
            work_.sorted += n_;
            const bool finest = points || rest_.smallest > 0.5 * group_diameter_ / settings_.alpha;
            if (finest || mates(n_, [&](std::size_t k) { return items[k].key; }) <= settings_.merge_below)
                search_all(cubes, items);
            else split_and_search(cubes, items, spare);
        });
    }

    // The group stays in items, the rest goes to spare; both keep their order.
    template <class Items> void split_and_search(const LocalCubes& cubes, Items& items, Items& spare) {
        using Key = decltype(items[0].key);
        const double least = 0.5 * group_diameter_ / settings_.alpha;
        const Extent all = rest_;
        Index n_group = 0, n_rest = 0;
        rest_ = {};
        for (Index k = 0; k < n_; ++k) {
            const double* q = position_ + std::size_t{4} * items[k].place;
            if (q[3] > least) {
                items[n_group++] = items[k];
            } else {
                spare[n_rest++] = items[k];
                rest_.take(q);
            }
        }
        n_ = n_rest;
        SortedBodies<Key>::close(items.data() + n_group);
        SortedBodies<Key>::close(spare.data() + n_rest);
        const std::size_t in_sieve = n_group + FloatSieve::padding;
        work_.sieve.start(all.lower, all.upper, 2 * all.radius + task_.margin, in_sieve + n_rest + FloatSieve::padding);
        fill_sieve(items, n_group, 0);
        fill_sieve(spare, n_rest, in_sieve);
        auto& room = cubes_of_keys(items);
        const SortedBodies<Key> group_cubes = list_cubes(items, n_group, room, 0);
        const SortedBodies<Key> rest_cubes =
            list_cubes(spare, n_rest, room, group_cubes.size + SortedBodies<Key>::padding);
        const List<Key> group{{items.data(), n_group}, group_cubes, 0, all.radius},
            rest{{spare.data(), n_rest}, rest_cubes, in_sieve, rest_.radius};
        search_step<Key>(task_, cubes, group, rest, work_.sieve, work_.found, count_);
        ++work_.steps;
    }

    template <class Items> void search_all(const LocalCubes& cubes, Items& items) {
        using Key = decltype(items[0].key);
        SortedBodies<Key>::close(items.data() + n_);
        work_.sieve.start(rest_.lower, rest_.upper, 2 * rest_.radius + task_.margin, n_ + FloatSieve::padding);
        fill_sieve(items, n_, 0);
        const List<Key> all{{items.data(), n_}, list_cubes(items, n_, cubes_of_keys(items), 0), 0, rest_.radius};
        search_step<Key>(task_, cubes, all, {}, work_.sieve, work_.found, count_);
        ++work_.steps;
        n_ = 0;
    }

    LargeVector<ShortKeyed>& cubes_of_keys(const LargeVector<ShortKeyed>&) { return work_.short_cubes; }
    LargeVector<LongKeyed>& cubes_of_keys(const LargeVector<LongKeyed>&) { return work_.long_cubes; }

    // The cubes of a sorted list, written to room from there on. Room was made for a cube a body and two ends.
    template <class Items> static auto list_cubes(const Items& items, Index n, Items& room, std::size_t from) {
        using Key = decltype(items[0].key);
        KeyedBody<Key>* const first = room.data() + from;
        KeyedBody<Key>* next = first;
        for (Index k = 0; k < n; ++k) {
            *next = {items[k].key, k};
            next += items[k + 1].key != items[k].key ? 1 : 0;  // keeps the last body's number: mended below
        }
        const Index n_cubes = static_cast<Index>(next - first);
        SortedBodies<Key>::close(next);
        for (std::size_t k = 0; k < SortedBodies<Key>::padding; ++k) next[k].place = n;
        // A cube begins where the one before it ends.
        Index begin = 0;
        for (Index c = 0; c < n_cubes; ++c) {
            const Index last = first[c].place;
            first[c].place = begin;
            begin = last + 1;
        }
        return SortedBodies<Key>{first, n_cubes};
    }

    template <class Items> void fill_sieve(const Items& items, Index n, std::size_t from) {
        for (Index k = 0; k < n; ++k) work_.sieve.put(from + k, position_ + std::size_t{4} * items[k].place);
    }
    template <class Items> void make_room(Items& items) {
        const std::size_t needed = n_ + 2 * SortedBodies<std::uint32_t>::padding;
        if (items.size() < needed) items.resize(needed + n_ / 16);
    }
    template <class F> void with_keys(int bits, F&& f) {
        short_ = bits < std::numeric_limits<std::uint32_t>::digits;
        if (short_) f(work_.short_items, work_.short_spare);
        else f(work_.long_items, work_.long_spare);
    }

    const SearchTask& task_;
    const double* position_;
    Index* count_;
    const MmrSettings& settings_;
    MmrWorkspace& work_;
    double group_diameter_;  // d_j
    Index n_ = 0;            // bodies left
    bool short_ = true;      // form of the last step's lists, the spare one of which holds them
    Extent rest_;
};

}  // namespace

void mmr_search(const SearchTask& task, PairList& pairs, const MmrSettings& settings, MmrWorkspace& work) {
    const Bodies& bodies = task.bodies;
    work.steps = 1, work.sorted = 0;
    Extent all;
    for (Index i = 0; i < bodies.size; ++i) all.take(bodies.position.data() + std::size_t{4} * i);
    const Cube* cube = bodies.cube.data();
    if (bodies.size == 0 || all.smallest > all.radius / settings.alpha ||
        mates(bodies.size, [&](std::size_t i) { return cube[i]; }) <= settings.merge_below) {
        mr_search(task, pairs);  // one group
        return;
    }
    work.steps = 0;
    work.found.start(task, pairs);
    Steps(task, pairs, settings, work, all).run();
    work.found.finish(task, pairs);
}

}  // namespace granary
