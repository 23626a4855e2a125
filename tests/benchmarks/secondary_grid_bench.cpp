// From how many elements on a secondary grid is faster than testing elements side by side, in clusters of several
// shapes: TwoLevelSettings::grid_above, and the page CLUSTERS.md. Pairs of two clusters, and of one with itself.
//   secondary_grid_bench --benchmark_counters_tabular=true
#include <benchmark/benchmark.h>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>
#include "core/random.hpp"
#include "search/secondary_grid.hpp"

namespace granary {
namespace {

using Elements = std::vector<std::pair<Vec3d, double>>;
constexpr double r = 1e-3, margin = 2e-4;  // m

double dice(std::uint64_t which, std::uint32_t draw) {
    return uniform(RandomKey{3, Purpose::test, 11, which, 0}, draw);
}

int side_of(int n) { return std::max(2, static_cast<int>(std::lround(std::cbrt(n)))); }

// A cube of touching balls; two of them stand face to face.
Elements block(int n) {
    Elements all;
    const int side = side_of(n);
    for (int z = 0; z < side; ++z)
        for (int y = 0; y < side; ++y)
            for (int x = 0; x < side; ++x) all.emplace_back(2 * r * Vec3d{double(x), double(y), double(z)}, r);
    return all;
}

// One layer of touching balls; two of them lie on each other.
Elements plate(int n) {
    Elements all;
    const int side = std::max(2, static_cast<int>(std::lround(std::sqrt(n))));
    for (int y = 0; y < side; ++y)
        for (int x = 0; x < side; ++x) all.emplace_back(2 * r * Vec3d{double(x), double(y), 0}, r);
    return all;
}

// Balls anywhere in a sphere that they fill by 0.6, overlapping; with sizes from r to so many times that.
Elements sphere(int n, double largest) {
    Elements all;
    double volume = 0;
    for (int k = 0; k < n; ++k) {
        const double radius = r * (1 + (largest - 1) * dice(k, 9));
        all.emplace_back(Vec3d{}, radius);
        volume += radius * radius * radius;
    }
    const double outer = std::cbrt(volume / 0.6);
    for (int k = 0; k < n; ++k)
        for (std::uint32_t draw = 10;; draw += 3) {
            const Vec3d x{2 * dice(k, draw) - 1, 2 * dice(k, draw + 1) - 1, 2 * dice(k, draw + 2) - 1};
            if (norm(x) > 1) continue;
            all[k].first = outer * x;
            break;
        }
    return all;
}

double extent_along(const Elements& all, int axis) {
    double low = 1e300, high = -1e300;
    for (const auto& [x, radius] : all)
        low = std::min(low, at(x, axis) - radius), high = std::max(high, at(x, axis) + radius);
    return high - low;
}

struct Shape {
    std::string name;
    std::function<Elements(int)> make;
    int along;     // axis along which the second one stands
    double apart;  // share of the extent along it
};
const std::vector<Shape> shapes{{"blocks face to face", block, 0, 1},
                                {"plates on each other", plate, 2, 1},
                                {"spheres that touch", [](int n) { return sphere(n, 1); }, 0, 0.95},
                                {"spheres in each other", [](int n) { return sphere(n, 1); }, 0, 0.3},
                                {"mixed sizes", [](int n) { return sphere(n, 4); }, 0, 0.8}};

// Two clusters as a search has them.
struct Two {
    Bodies bodies;
    Cubes cubes{{{-1, -1, -1}, {1, 1, 1}, {}}, 0.1};
    ClusterUnits units;
    FoundPairs found;
    PairList pairs;
    TwoLevelCounts counts;
    std::vector<std::pair<Index, Index>> for_above;
    ElementList first, second;

    Two(const Shape& shape, int n) {
        const Elements one = shape.make(n);
        const Index half = static_cast<Index>(one.size());
        bodies.add(When::clusters);
        bodies.reserve(2 * half + 4);
        std::fill_n(bodies.position.data(), std::size_t{4} * (2 * half + 4), 0.0);
        bodies.size = 2 * half, bodies.owned = {0, 2 * half}, bodies.real = {{0, 2 * half}};
        Vec3d away{};
        at(away, shape.along) = shape.apart * extent_along(one, shape.along);
        for (Index i = 0; i < 2 * half; ++i) {
            const Vec3d x = one[i % half].first + (i < half ? Vec3d{} : away);
            for (int axis = 0; axis < 3; ++axis) bodies.position(i, axis) = at(x, axis);
            bodies.position(i, 3) = one[i % half].second;
            bodies.id(i) = i, bodies.cluster(i) = i < half ? 0 : half;
        }
        units.make(task(), Extent(bodies), PairList::place, {});
        const float reach = units.sieve.margin(margin);
        const Unit &a = units.units[0], &b = units.units[1];
        first.take(units.elements, a.begin, a.end, sphere_of(b), sphere_of(b).r + reach);
        second.take(units.elements, b.begin, b.end, sphere_of(a), sphere_of(a).r + reach);
    }
    SearchTask task() const { return {bodies, cubes, margin, false}; }
    FloatSieve::Ball sphere_of(const Unit& u) const {
        const double q[] = {u.centre.x, u.centre.y, u.centre.z, u.radius};
        return units.sieve.of(q);
    }
};

enum class What { pair_side_by_side, pair_by_grid, itself_side_by_side, itself_by_grid };

void resolve(benchmark::State& state, const Shape& shape, int n, What what) {
    Two two(shape, n);
    const SearchTask task = two.task();
    for (auto _ : state) {
        two.found.start(task, two.pairs);
        two.found.with_runs(task);
        SecondLevel second(task, two.units, two.found, two.pairs.begin.data(), two.counts, two.for_above);
        switch (what) {
            case What::pair_side_by_side:
                second.side_by_side(two.first.balls, {0, two.first.size}, two.second.balls, {0, two.second.size});
                break;
            case What::pair_by_grid: second.by_grid(two.first, two.second, {}, false); break;
            case What::itself_side_by_side: second.within(two.units.units[0]); break;
            case What::itself_by_grid:
                two.first.take_all(two.units.elements, two.units.units[0].begin, two.units.units[0].end);
                second.by_grid(two.first, two.first, {}, true);
                break;
        }
        benchmark::ClobberMemory();
    }
    two.found.finish(task, two.pairs);
    state.counters["elements"] = two.units.units[0].size();
    state.counters["targets"] =
        what == What::pair_side_by_side || what == What::pair_by_grid ? two.second.size : two.units.units[0].size();
    state.counters["pairs"] = two.pairs.size;
}

const bool registered = [] {
    const std::vector<std::pair<std::string, What>> ways{{"pair, side by side", What::pair_side_by_side},
                                                         {"pair, grid", What::pair_by_grid},
                                                         {"itself, side by side", What::itself_side_by_side},
                                                         {"itself, grid", What::itself_by_grid}};
    for (const Shape& shape : shapes)
        for (const int n : {125, 250, 500, 1000, 2000, 4000})
            for (const auto& [name, what] : ways)
                benchmark::RegisterBenchmark(
                    (shape.name + "/" + name + "/" + std::to_string(n)).c_str(),
                    [shape, n, what = what](benchmark::State& s) { resolve(s, shape, n, what); });
    return true;
}();

}  // namespace
}  // namespace granary
