#include "search/two_level_huang2020.hpp"

#include <algorithm>
#include <bit>
#include "search/local_cubes.hpp"

namespace granary {

namespace {

// Where clusters have broken a flat search is the faster one: few bodies of a cluster or single ball on average, or
// many pieces whose spheres touch (tests/benchmarks/CLUSTERS.md). Looking again costs time: it is not done each time.
constexpr double fewest_a_unit = 4, most_pairs_a_body = 0.12;
constexpr int flat_for = 7;

// Sorts the units by primary cubes (14). Returns how many units a unit finds in its own cube on average.
double sort_units(const SearchTask& task, TwoLevelWorkspace& work) {
    const Extent& all = work.all;
    const LargeVector<Unit>& units = work.units.units;
    const Index n = static_cast<Index>(units.size());
    work.primary = LocalCubes(all.lower, all.upper, 2 * work.units.largest_radius() + task.margin);
    const LocalCubes& cubes = work.primary;
    for (auto* list : {&work.keys, &work.spare})
        if (list->size() < n) list->resize(n + n / 16);
    // A centroid may leave the box of the centres by rounding.
    const auto inside = [&](const Vec3d& x) {
        return Vec3d{std::clamp(x.x, all.lower.x, all.upper.x), std::clamp(x.y, all.lower.y, all.upper.y),
                     std::clamp(x.z, all.lower.z, all.upper.z)};
    };
    for (Index u = 0; u < n; ++u) work.keys[u] = {cubes.key(inside(units[u].centre)), u};
    sort_by_key(work.keys, work.spare, n, cubes.key_bits());
    if (work.cubes.size() < n + mmr::SortedCubes::padding) work.cubes.resize(n + n / 16 + mmr::SortedCubes::padding);
    double squares = 0;
    work.n_cubes = 0;
    for (Index k = 0; k < n;) {
        Index end = k + 1;
        while (end < n && work.keys[end].key == work.keys[k].key) ++end;
        work.cubes[work.n_cubes++] = {work.keys[k].key, k};
        squares += static_cast<double>(end - k) * static_cast<double>(end - k);
        k = end;
    }
    mmr::SortedCubes::close(work.cubes.data() + work.n_cubes);
    for (std::size_t k = 0; k < mmr::SortedCubes::padding; ++k) work.cubes[work.n_cubes + k].place = n;
    return n > 0 ? squares / n : 0;
}

// Few look at many.
void resolve(const ElementList& a, const ElementList& b, const Vec3d& line, const TwoLevelSettings& settings,
             SecondLevel& second) {
    const bool swap = b.size < a.size;
    const ElementList &lookers = swap ? b : a, &targets = swap ? a : b;
    if (targets.size <= settings.grid_above) {
        second.side_by_side(lookers.balls, {0, lookers.size}, targets.balls, {0, targets.size});
        return;
    }
    second.by_grid(lookers, targets, settings.local_frame ? LocalFrame::along(line) : LocalFrame{}, false);
}

// The second phase of one search.
class Resolution {
  public:
    Resolution(const SearchTask& task, PairList& pairs, const TwoLevelSettings& settings, TwoLevelWorkspace& work,
               const SlabShare& share)
        : settings_(settings),
          task_(task),
          work_(work),
          units_(work.units),
          counts_(work.counts),
          count_(pairs.begin.data()),
          margin_(units_.sieve.margin(task.margin)),
          share_(share),
          second_(task, units_, work.found, count_, work.counts, work.for_above) {}

    // Whether it was done: not if spheres touch too often, unless the rank above waits for it.
    bool run() {
        work_.found.with_runs(task_);
        primary();
        const bool too_many = static_cast<double>(work_.of_clusters.size()) >
                              settings_.most_pairs_a_body * static_cast<double>(task_.bodies.size);
        work_.is_slow |= too_many;
        if (too_many && !share_.for_above()) return false;
        for (const Unit& unit : units_.units)
            if (unit.is_cluster() && unit.any_wanted && !large(unit)) second_.within(unit);
        for (const Unit& unit : units_.units)
            if (unit.is_cluster() && unit.any_wanted && large(unit)) with_itself(unit);
        for (const auto& [a, b] : work_.of_clusters) of_clusters(units_.units[a], units_.units[b]);
        with_singles();
        return true;
    }

  private:
    FloatSieve::Ball sphere(const Unit& unit) const {
        const std::array q{unit.centre.x, unit.centre.y, unit.centre.z, unit.radius};
        return units_.sieve.of(q.data());
    }

    void primary() {
        const mmr::SortedCubes sorted{work_.cubes.data(), work_.n_cubes};
        const Index n = static_cast<Index>(units_.units.size());
        work_.spheres.make_room(n);
        for (Index k = 0; k < n; ++k)
            work_.spheres.put(k, sphere(units_.units[work_.keys[k].place]), work_.keys[k].place);
        auto rows = mmr::half_mask(work_.primary);
        std::array<Range, 5> runs;
        work_.with_single.clear(), work_.of_clusters.clear();
        for (Index c = 0; c < work_.n_cubes; ++c) {
            const auto* cube = work_.cubes.data() + c;
            for (std::size_t r = 0; r < rows.size(); ++r) runs[r] = rows[r].go_to(sorted, cube->key);
            for (Index k = cube->place; k < cube[1].place; ++k) {
                runs[0].begin = k + 1;
                look(k, runs);
            }
        }
    }

    // Unit k of the MR order looks at the units after it that are near.
    void look(Index k, const std::array<Range, 5>& runs) {
        const SievedBalls& all = work_.spheres;
        const Index u = all.number[k];
        const Unit& me = units_.units[u];
        const FloatSieve::Ball ball{all.x[k], all.y[k], all.z[k], all.r[k]};
        const bool single = !me.is_cluster();
        const Index body = units_.elements.number[me.begin];
        if (single) work_.found.open(body);
        for (const Range& run : runs) {
            counts_.sphere_tests += run.begin < run.end ? run.size() : 0;
            for (Index m = run.begin; m < run.end; m += 16)
                for (unsigned bits = all.near(m, ball, ball.r + margin_) & first_lanes(run.end - m); bits != 0;
                     bits &= bits - 1) {
                    const Index v = all.number[m + static_cast<Index>(std::countr_zero(bits))];
                    const Unit& other = units_.units[v];
                    if (!me.any_wanted && !other.any_wanted) continue;
                    if (single && !other.is_cluster()) {
                        ++counts_.single_single;
                        work_.found.show_lanes(task_, &units_.elements.number[other.begin], 1);
                    } else if (single) work_.with_single.emplace_back(v, u);
                    else if (!other.is_cluster()) work_.with_single.emplace_back(u, v);
                    else work_.of_clusters.emplace_back(u, v);
                }
        }
        if (single) second_.close(body);
    }

    void of_clusters(const Unit& a, const Unit& b) {
        ++counts_.cluster_cluster;
        const FloatSieve::Ball of_a = sphere(a), of_b = sphere(b);
        ElementList &first = work_.first, &second = work_.second;
        first.take(units_.elements, a.begin, a.end, of_b, of_b.r + margin_);
        if (first.size == 0) return;
        second.take(units_.elements, b.begin, b.end, of_a, of_a.r + margin_);
        if (second.size == 0) return;
        ++counts_.resolved;
        // Elements of a unit are in the one order.
        const Index* number = units_.elements.number.data();
        counts_.across += std::max(number[a.end - 1], number[b.end - 1]) >= share_.above ? 1 : 0;
        resolve(first, second, b.centre - a.centre, settings_, second_);
    }

    // All single balls at a cluster together.
    void with_singles() {
        auto& pairs = work_.with_single;
        counts_.single_cluster += pairs.size();
        std::sort(pairs.begin(), pairs.end());
        for (std::size_t k = 0; k < pairs.size();) {
            std::size_t end = k;
            work_.first.clear();
            const Unit& cluster = units_.units[pairs[k].first];
            for (; end < pairs.size() && pairs[end].first == pairs[k].first; ++end)
                work_.first.add(units_.elements, units_.units[pairs[end].second].begin);
            k = end;
            if (cluster.size() <= settings_.grid_above) {
                second_.side_by_side(work_.first.balls, {0, work_.first.size}, units_.elements,
                                     {cluster.begin, cluster.end});
                continue;
            }
            work_.second.take_all(units_.elements, cluster.begin, cluster.end);
            second_.by_grid(work_.first, work_.second, {}, false);
        }
    }

    // On average a body looks at half of its unit, and leaves no notes (level at 850 to 1900 elements).
    bool large(const Unit& unit) const {
        return unit.size() > std::min(SecondLevel::few_enough, 3 * settings_.grid_above);
    }
    void with_itself(const Unit& unit) {
        work_.first.take_all(units_.elements, unit.begin, unit.end);
        second_.by_grid(work_.first, work_.first, {}, true);
    }

    const TwoLevelSettings& settings_;
    const SearchTask& task_;
    TwoLevelWorkspace& work_;
    const ClusterUnits& units_;
    TwoLevelCounts& counts_;
    Index* count_;
    float margin_;
    const SlabShare& share_;
    SecondLevel second_;
};

}  // namespace

TwoLevelSettings two_level_of_runs(double alpha) {
    return {.fewest_a_unit = fewest_a_unit,
            .most_pairs_a_body = most_pairs_a_body,
            .flat_for = flat_for,
            .flat = {.alpha = alpha}};
}

void two_level_subdivide(const SearchTask& task, const TwoLevelSettings& settings, TwoLevelWorkspace& work,
                         const SlabShare& share) {
    work.counts = {};
    work.is_flat = !share.for_above(), work.is_slow = false;
    if (task.bodies.size == 0 || !task.bodies.has(When::clusters)) return;
    if (work.is_flat && work.flat_left > 0) return static_cast<void>(--work.flat_left);
    work.all = Extent(task.bodies);
    work.units.make(task, work.all, settings.most_elements, share);
    work.is_slow =
        work.units.clusters == 0 || static_cast<double>(task.bodies.size - share.begin) <
                                        settings.fewest_a_unit * static_cast<double>(work.units.units.size());
    if (!work.is_slow || !work.is_flat) {
        double limit = work.units.largest_radius();
        while (sort_units(task, work) > settings.most_mates && work.units.clusters > 0) {
            limit *= 0.5;
            work.units.dissolve(task, limit);
        }
        work.is_slow |= work.units.clusters == 0;
    }
    work.is_flat &= work.is_slow;
    work.flat_left = work.is_slow ? settings.flat_for : 0;
    work.counts.units = work.units.units.size(), work.counts.clusters = work.units.clusters;
    work.counts.dissolved = work.units.dissolved;
}

void two_level_resolve(const SearchTask& task, PairList& pairs, const TwoLevelSettings& settings,
                       TwoLevelWorkspace& work, const SlabShare& share) {
    work.for_above.clear();
    if (!work.is_flat) {
        work.found.start(task, pairs);
        work.is_flat = task.bodies.size > 0 && !Resolution(task, pairs, settings, work, share).run();
        if (work.is_slow) work.flat_left = settings.flat_for;
    }
    if (work.is_flat) mmr_search(task, pairs, settings.flat, work.flat);
    if (work.is_flat || !share.for_above()) return;
    const std::vector<char>& kind = work.units.kind;
    work.found.for_each_across(share.above, [&](Index i, Index j) {
        if (kind[j] == ClusterUnits::real_above) work.for_above.emplace_back(i, j);
    });
}

void two_level_finish(const SearchTask& task, PairList& pairs, TwoLevelWorkspace& work) {
    if (!work.is_flat) work.found.finish(task, pairs);
}

}  // namespace granary
