#include "bench/detect/detectors.hpp"

#include <algorithm>
#include "bench/detect/ordered_detector.hpp"
#include "core/errors.hpp"
#include "io/formats/words.hpp"
#include "search/fixed_cubes_lazarevic2002.hpp"
#include "search/mmr_search_munjiza2006.hpp"
#include "search/mr_as_printed_munjiza2006.hpp"
#include "search/mr_search_munjiza2006.hpp"
#include "search/quick_sort_munjiza2006.hpp"

namespace granary {

namespace {

class Mr final : public OrderedDetector {
  public:
    using OrderedDetector::OrderedDetector;

  private:
    void search_in_order(const SearchTask& task, PairList& pairs) override { mr_search(task, pairs); }
};

class Mmr final : public OrderedDetector {
  public:
    Mmr(const DetectScene& scene, const DetectorSettings& settings) : OrderedDetector(scene, settings) {
        mmr_.alpha = settings.alpha;
    }
    DetectorCounts counts() override {
        DetectorCounts c;
        c.steps = work_.steps;
        return c;
    }

  private:
    void search_in_order(const SearchTask& task, PairList& pairs) override { mmr_search(task, pairs, mmr_, work_); }
    std::uint64_t search_bytes() const override { return work_.bytes() - work_.found.bytes(); }  // found: the pairs

    MmrSettings mmr_;
    MmrWorkspace work_;
};

// Its own sorting, of balls into cubes, is a part of its search.
class FixedCubes final : public OrderedDetector {
  public:
    FixedCubes(const DetectScene& scene, const DetectorSettings& settings) : OrderedDetector(scene, {}) {
        if (settings.delta > 0) fixed_.delta = settings.delta / scene.reach();
    }
    DetectorCounts counts() override {  // by one more search, so that counting costs none of the time
        FixedCubesCounts found;
        PairList pairs;
        fixed_cubes_search(task(), pairs, fixed_, work_, &found);
        const double balls = std::max(1.0, static_cast<double>(found.balls));
        DetectorCounts c;
        c.cubes_per_ball = static_cast<double>(found.entries) / balls;
        c.balls_per_cube = static_cast<double>(found.entries) / std::max(1.0, static_cast<double>(found.cubes));
        c.most_balls_in_a_cube = static_cast<double>(found.most_in_a_cube);
        c.examinations_per_ball = static_cast<double>(found.examinations) / balls;
        c.fewest_examinations = static_cast<double>(found.fewest);
        c.most_examinations = static_cast<double>(found.most);
        c.pair_tests_per_ball = static_cast<double>(found.pair_tests) / balls;
        return c;
    }

  private:
    void search_in_order(const SearchTask& task, PairList& pairs) override {
        fixed_cubes_search(task, pairs, fixed_, work_);
    }
    std::uint64_t search_bytes() const override { return work_.bytes() - work_.found.bytes(); }

    FixedCubesSettings fixed_;
    FixedCubesWorkspace work_;
};

// Those that leave the bodies where they are and list couples of numbers.
class NumberedDetector : public BenchDetector {
  public:
    explicit NumberedDetector(const DetectScene& scene) : scene_(scene) {}
    void follow(const DetectScene&) final {}  // they read the scene itself
    void for_each_pair(const std::function<void(Index, Index)>& f) const final {
        for (const Couple& c : couples_) f(c.contactor, c.target);
    }
    std::uint64_t n_pairs() const final { return couples_.size(); }

  protected:
    const double* quads() const { return scene_.quads.data(); }
    static MrCells<3> cells(const DetectScene& scene, const DetectorSettings& settings) {
        const auto array = [](const Vec3d& a) { return std::array{a.x, a.y, a.z}; };
        return MrCells<3>::over(array(scene.domain.lower), array(scene.domain.upper), scene.reach() + settings.delta);
    }

    const DetectScene& scene_;
    std::vector<Couple> couples_;
};

class LinkedList final : public NumberedDetector {
  public:
    LinkedList(const DetectScene& scene, const DetectorSettings& settings)
        : NumberedDetector(scene),
          list_(cells(scene, settings), quads(), scene.size()) {}
    void sort() override { list_.sort(quads()); }
    void search() override { list_.search(quads(), scene_.margin, couples_); }
    std::uint64_t bytes() const override { return list_.bytes(); }

  private:
    MrAsPrinted<3> list_;
};

class QuickSort final : public NumberedDetector {
  public:
    QuickSort(const DetectScene& scene, const DetectorSettings& settings, bool bisect)
        : NumberedDetector(scene),
          boxes_(cells(scene, settings), quads(), scene.size()),
          bisect_(bisect) {
        boxes_.sort(quads());
    }
    void sort() override { boxes_.sort(quads()); }
    void search() override {
        if (bisect_) boxes_.binary_search(quads(), scene_.margin, couples_);
        else boxes_.mr_search(quads(), scene_.margin, couples_);
    }
    std::uint64_t bytes() const override { return boxes_.bytes(); }

  private:
    QuickSortDetector boxes_;
    bool bisect_;
};

class AllPairs final : public NumberedDetector {
  public:
    AllPairs(const DetectScene& scene, const DetectorSettings&) : NumberedDetector(scene) {}
    void sort() override {}
    void search() override {
        couples_.clear();
        for (Index i = 0; i < scene_.size(); ++i)
            for (Index j = i + 1; j < scene_.size(); ++j)
                if (in_contact<3>(quads() + std::size_t{4} * i, quads() + std::size_t{4} * j, scene_.margin))
                    couples_.push_back({i, j});
    }
    std::uint64_t bytes() const override { return 0; }
};

template <class D> std::unique_ptr<BenchDetector> make(const DetectScene& scene, const DetectorSettings& settings) {
    return std::make_unique<D>(scene, settings);
}
template <bool bisect>
std::unique_ptr<BenchDetector> make_quick(const DetectScene& scene, const DetectorSettings& settings) {
    return std::make_unique<QuickSort>(scene, settings, bisect);
}

}  // namespace

const std::vector<DetectorKind>& detector_kinds() {
    static const std::vector<DetectorKind> kinds{
        {"mr", make<Mr>},
        {"mmr", make<Mmr>},
        {"fixed-cubes", make<FixedCubes>},
        {"mr-as-printed", make<LinkedList>},
        {"quick-mr", make_quick<false>},
        {"quick-binary", make_quick<true>},
        {"all-pairs", make<AllPairs>},
    };
    return kinds;
}

const DetectorKind& detector_kind(const std::string& name) {
    std::vector<std::string> names;
    for (const DetectorKind& kind : detector_kinds()) {
        if (kind.name == name) return kind;
        names.push_back(kind.name);
    }
    throw InputError("unknown detector '" + name + "' (expected " + listed_or(names) + ")");
}

std::uint64_t pair_digest(const BenchDetector& detector) {
    std::uint64_t sum = 0;
    detector.for_each_pair([&](Index a, Index b) {
        std::uint64_t h = (std::uint64_t{std::min(a, b)} << 32 | std::max(a, b)) * 0x9E3779B97F4A7C15ULL;
        h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9ULL;
        sum += h ^ (h >> 32);
    });
    return sum;
}

}  // namespace granary
