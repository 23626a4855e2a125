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
    std::array<double, 3> x, y, z;

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

    void go_to(const SortedBodies<Key>& list, Key central) {
        here_ = central + middle_;
        run_.begin = list.forward(run_.begin, here_ - 1);
        run_.end = list.forward(std::max(run_.begin, run_.end), here_ + 2);
    }
    // What of the row is nearer than reach to a centre in the central cube.
    Range within(const SortedBodies<Key>& list, const Gaps& gaps, double reach2) const {
        const double left = reach2 - gaps.y[dy_] - gaps.z[dz_];
        Range run{run_.begin, run_.begin + run_.size() * static_cast<Index>(left > 0)};  // no branch to guess
        if (run.size() > worth_trimming) {
            if (gaps.x[0] > left) run.begin = list.forward(run.begin, here_);
            if (gaps.x[2] > left) run.end = list.forward(run.begin, here_ + 1);
        }
        return run;
    }

  private:
    static constexpr Index worth_trimming = 24;
    int dy_, dz_;
    Key middle_;    // from the central cube to the middle one of the row
    Key here_ = 0;  // the middle cube now
    Range run_;
};

struct StepTask {
    const SearchTask& task;
    const LocalCubes& cubes;
    double largest_of_group, largest_of_rest;  // radii, m
};

template <class Key> void search_step(const StepTask& step, const SortedBodies<Key>& group,
                                      const SortedBodies<Key>& rest, FoundPairs& found, Index* count) {
    const SearchTask& task = step.task;
    Row<Key> own(step.cubes, 0, 0);
    std::array<Row<Key>, 4> half{{{step.cubes, 1, 0}, {step.cubes, -1, 1}, {step.cubes, 0, 1}, {step.cubes, 1, 1}}};
    std::array<Row<Key>, 9> whole{{{step.cubes, -1, -1},
                                   {step.cubes, 0, -1},
                                   {step.cubes, 1, -1},
                                   {step.cubes, -1, 0},
                                   {step.cubes, 0, 0},
                                   {step.cubes, 1, 0},
                                   {step.cubes, -1, 1},
                                   {step.cubes, 0, 1},
                                   {step.cubes, 1, 1}}};
    for (Index k = 0; k < group.size;) {
        const Key central = group.begin[k].key;
        own.go_to(group, central);
        for (Row<Key>& row : half) row.go_to(group, central);
        if (rest.size > 0)
            for (Row<Key>& row : whole) row.go_to(rest, central);
        for (; group.begin[k].key == central; ++k) {
            const Index i = group.begin[k].place;
            const double radius = task.bodies.radius(i);
            const Gaps gaps(step.cubes, task.bodies.x(i), central);
            found.open(i);
            const double in_group = radius + step.largest_of_group + task.margin;
            found.show(task, group.begin, {k + 1, own.within(group, gaps, in_group * in_group).end});
            for (const Row<Key>& row : half)
                found.show(task, group.begin, row.within(group, gaps, in_group * in_group));
            if (rest.size > 0) {
                const double in_rest = radius + step.largest_of_rest + task.margin;
                for (const Row<Key>& row : whole)
                    found.show(task, rest.begin, row.within(rest, gaps, in_rest * in_rest));
            }
            if (!is_real(task, i)) found.keep_if(task, [&](Index j) { return is_real(task, j); });
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
    Steps(const SearchTask& task, PairList& pairs, const MmrSettings& settings, MmrWorkspace& work, double largest)
        : task_(task),
          position_(task.bodies.position.data()),
          count_(pairs.begin.data()),
          settings_(settings),
          work_(work),
          group_diameter_(2 * largest) {}

    void run() {
        n_ = task_.bodies.size;
        const Cube* cube = task_.bodies.cube.data();
        const LocalCubes coarse(task_.cubes, digit(cube[0], 2), digit(cube[n_ - 1], 2));
        // Step 0, on the cubes and in the order that are there.
        with_keys(coarse.key_bits(), [&](auto& items, auto& spare) {
            make_room(items), make_room(spare);
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
            make_room(items), make_room(spare);
            const auto fill = [&](const auto& from) {  // the rest of the last step, from its spare list or across
                for (Index k = 0; k < n_; ++k) {
                    const Index i = from[rest_from_ + k].place;
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

    // items -> spare: the group, then the rest.
    template <class Items> void split_and_search(const LocalCubes& cubes, Items& items, Items& spare) {
        using Key = decltype(items[0].key);
        const double least = 0.5 * group_diameter_ / settings_.alpha;
        Index n_group = 0;
        for (Index k = 0; k < n_; ++k) n_group += radius(items[k].place) > least ? 1 : 0;
        Index to_group = 0;
        rest_from_ = n_group + SortedBodies<Key>::padding;
        std::size_t to_rest = rest_from_;
        rest_ = {};
        double largest = 0;
        for (Index k = 0; k < n_; ++k) {
            const double* q = position_ + std::size_t{4} * items[k].place;
            if (q[3] > least) {
                spare[to_group++] = items[k];
                largest = std::max(largest, q[3]);
            } else {
                spare[to_rest++] = items[k];
                rest_.take(q);
            }
        }
        n_ -= n_group;
        SortedBodies<Key>::close(spare.data() + n_group);
        SortedBodies<Key>::close(spare.data() + to_rest);
        const SortedBodies<Key> group{spare.data(), n_group}, rest{spare.data() + rest_from_, n_};
        search_step<Key>({task_, cubes, largest, rest_.radius}, group, rest, work_.found, count_);
        ++work_.steps;
    }

    template <class Items> void search_all(const LocalCubes& cubes, Items& items) {
        using Key = decltype(items[0].key);
        SortedBodies<Key>::close(items.data() + n_);
        search_step<Key>({task_, cubes, rest_.radius, 0}, {items.data(), n_}, {}, work_.found, count_);
        ++work_.steps;
        n_ = 0;
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
    double radius(Index i) const { return position_[std::size_t{4} * i + 3]; }

    const SearchTask& task_;
    const double* position_;
    Index* count_;
    const MmrSettings& settings_;
    MmrWorkspace& work_;
    double group_diameter_;  // d_j
    Index n_ = 0;            // bodies left
    Index rest_from_ = 0;    // where they begin in the spare list of the last step
    bool short_ = true;      // form of that list
    Extent rest_;
};

}  // namespace

void mmr_search(const SearchTask& task, PairList& pairs, const MmrSettings& settings, MmrWorkspace& work) {
    const Bodies& bodies = task.bodies;
    work.steps = 1, work.sorted = 0;
    double largest = 0, smallest = std::numeric_limits<double>::max();
    for (Index i = 0; i < bodies.size; ++i) {
        largest = std::max(largest, bodies.radius(i));
        smallest = std::min(smallest, bodies.radius(i));
    }
    const Cube* cube = bodies.cube.data();
    if (bodies.size == 0 || smallest > largest / settings.alpha ||
        mates(bodies.size, [&](std::size_t i) { return cube[i]; }) <= settings.merge_below) {
        mr_search(task, pairs);  // one group
        return;
    }
    work.steps = 0;
    work.found.start(task, pairs);
    Steps(task, pairs, settings, work, largest).run();
    work.found.finish(task, pairs);
}

}  // namespace granary
