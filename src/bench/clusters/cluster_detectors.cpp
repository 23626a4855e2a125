#include "bench/clusters/cluster_detectors.hpp"

#include <algorithm>
#include "bench/bench_clusters.hpp"
#include "bench/clusters/flat_grid_huang2020.hpp"
#include "bench/detect/measure.hpp"
#include "bench/detect/ordered_detector.hpp"
#include "core/errors.hpp"
#include "io/formats/words.hpp"
#include "search/mmr_search_munjiza2006.hpp"
#include "search/mr_search_munjiza2006.hpp"
#include "search/two_level_huang2020.hpp"

namespace granary {

namespace {

using Counts = std::vector<std::pair<std::string, std::uint64_t>>;

// In the one order.
class Ordered final : public OrderedDetector {
  public:
    enum class Kind { mr, mmr, two_level };
    Ordered(const DetectScene& scene, Kind kind, const TwoLevelSettings& settings = {})
        : OrderedDetector(scene, {}),
          kind_(kind),
          settings_(settings) {}

    double subdivision() const { return subdivision_; }
    Counts counted() const {
        if (kind_ == Kind::mr) return {{"element_tests", mr_tests()}};
        if (kind_ == Kind::mmr) return {};
        const TwoLevelCounts& c = work_.counts;
        return {{"sphere_tests", c.sphere_tests},
                {"single_single", c.single_single},
                {"single_cluster", c.single_cluster},
                {"cluster_cluster", c.cluster_cluster},
                {"k", c.resolved},
                {"grids", c.grids},
                {"element_tests", c.element_tests}};
    }

  private:
    void search_in_order(const SearchTask& task, PairList& pairs) override {
        switch (kind_) {
            case Kind::mr: mr_search(task, pairs); break;
            case Kind::mmr: mmr_search(task, pairs, {}, mmr_); break;
            case Kind::two_level:
                subdivision_ = time_of([&] { two_level_subdivide(task, settings_, work_); }).cpu;
                two_level_resolve(task, pairs, settings_, work_);
                two_level_finish(task, pairs, work_);
        }
    }
    std::uint64_t search_bytes() const override {
        return mmr_.bytes() - mmr_.found.bytes() + work_.bytes() - work_.found.bytes() - work_.flat.found.bytes();
    }
    // How many pairs MR tests: a body looks at those after it in its own cube and the next, and at four rows of three.
    std::uint64_t mr_tests() const {
        const Cube *cube = bodies_.cube.data(), *end = cube + bodies_.size;
        const auto [x, y, z] = cube_step;
        std::uint64_t sum = 0;
        for (const Cube* c = cube; c != end;) {
            const Cube* next = std::upper_bound(c, end, *c);
            const auto n = static_cast<std::uint64_t>(next - c);
            const auto bodies = [&](Cube from, Cube to) {
                return static_cast<std::uint64_t>(std::upper_bound(c, end, to) - std::lower_bound(c, end, from));
            };
            sum += n * (n - 1) / 2 + n * bodies(*c + x, *c + x);
            for (const Cube row : {y, z - y, z, z + y}) sum += n * bodies(*c + row - x, *c + row + x);
            c = next;
        }
        return sum;
    }

    Kind kind_;
    TwoLevelSettings settings_;
    MmrWorkspace mmr_;
    TwoLevelWorkspace work_;
    double subdivision_ = 0;
};

class OrderedKind final : public ClusterDetector {
  public:
    OrderedKind(std::string name, const DetectScene& scene, Ordered::Kind kind, const TwoLevelSettings& settings = {})
        : ClusterDetector(std::move(name)),
          detector_(scene, kind, settings) {}
    BenchDetector& detector() override { return detector_; }
    double subdivision_inside_search() const override { return detector_.subdivision(); }
    Counts counts() const override { return detector_.counted(); }

  private:
    Ordered detector_;
};

class FlatKind final : public ClusterDetector {
  public:
    FlatKind(std::string name, const DetectScene& scene, FlatGrid::Rule rule)
        : ClusterDetector(std::move(name)),
          detector_(scene, rule) {}
    BenchDetector& detector() override { return detector_; }
    Counts counts() const override { return {{"element_tests", detector_.tests()}}; }

  private:
    FlatGrid detector_;
};

}  // namespace

std::vector<std::string> cluster_detector_names() {
    return {"two-level", "mr", "mmr", "flat-max", "flat-min", "two-level-grid", "two-level-local"};
}

std::unique_ptr<ClusterDetector> make_cluster_detector(const std::string& name, const DetectScene& scene) {
    TwoLevelSettings settings;
    if (name == "two-level") return std::make_unique<OrderedKind>(name, scene, Ordered::Kind::two_level);
    if (name == "two-level-grid" || name == "two-level-local") {
        settings.grid_above = 0, settings.local_frame = name == "two-level-local";
        return std::make_unique<OrderedKind>(name, scene, Ordered::Kind::two_level, settings);
    }
    if (name == "mr") return std::make_unique<OrderedKind>(name, scene, Ordered::Kind::mr);
    if (name == "mmr") return std::make_unique<OrderedKind>(name, scene, Ordered::Kind::mmr);
    if (name == "flat-max") return std::make_unique<FlatKind>(name, scene, FlatGrid::Rule::maximum_diameter);
    if (name == "flat-min") return std::make_unique<FlatKind>(name, scene, FlatGrid::Rule::minimum_diameter);
    throw InputError("unknown detector '" + name + "' (expected " + listed_or(cluster_detector_names()) + ")");
}

}  // namespace granary
