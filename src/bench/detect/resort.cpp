// The re-sort of a dense bed that has moved, as between two rebuilds of a run: MR sort against two ways of sorting
// anew. All get the cubes of the bodies in their old order and must give the same new order; what follows, moving the
// bodies, is the same for all and timed apart.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "bench/detect/experiments.hpp"
#include "bench/detect/measure.hpp"
#include "core/errors.hpp"
#include "search/cubes.hpp"
#include "search/mr_sort_munjiza2006.hpp"

namespace granary {

namespace {

constexpr double skin = 0.08;  // d, as in the bed benchmark: a rebuild is due when some ball has moved half of it
constexpr double bed_fraction = 0.55;
constexpr std::uint64_t bed_balls = 1'000'000;
constexpr std::size_t payload_bytes = 106;  // position, velocity, spin, id, material: what a rebuild moves for a ball

struct Bed {
    DetectScene scene;
    Cubes cubes;
    std::vector<Id> id;  // in the old order, as are the next three
    std::vector<Cube> old_cube, new_cube;
    Index size() const { return static_cast<Index>(id.size()); }
};

// std::sort of (cube, id), with the place carried along.
class ComparisonSort {
  public:
    void sort(const Bed& bed, RoomVector<Index>& order) {
        keys_.resize(bed.size()), order.resize(bed.size());
        for (Index i = 0; i < bed.size(); ++i) keys_[i] = {bed.new_cube[i], static_cast<Index>(bed.id[i]), i};
        std::sort(keys_.begin(), keys_.end(),
                  [](const Key& a, const Key& b) { return a.cube != b.cube ? a.cube < b.cube : a.id < b.id; });
        for (Index i = 0; i < bed.size(); ++i) order[i] = keys_[i].place;
    }

  private:
    struct Key {
        Cube cube;
        Index id, place;
    };
    LargeVector<Key> keys_;
};

// Radix sort of the cubes' linear numbers, least digit first, from whatever order there was; then, within a cube, by
// id.
class RadixSort {
  public:
    void sort(const Bed& bed, RoomVector<Index>& order) {
        const Index n = bed.size();
        keys_.resize(n), spare_.resize(n), order.resize(n);
        const auto nx = static_cast<std::uint64_t>(bed.cubes.count[0]),
                   ny = static_cast<std::uint64_t>(bed.cubes.count[1]);
        std::uint64_t greatest = 0;
        for (Index i = 0; i < n; ++i) {
            const Cube c = bed.new_cube[i];
            const std::uint64_t number =
                (static_cast<std::uint64_t>(digit(c, 2)) * ny + static_cast<std::uint64_t>(digit(c, 1))) * nx +
                static_cast<std::uint64_t>(digit(c, 0));
            keys_[i] = {number, i}, greatest = std::max(greatest, number);
        }
        for (int shift = 0; greatest >> shift != 0; shift += digit_width) pass(shift);
        for (Index i = 0; i < n; ++i) {  // cubes hold a ball or two: insertion
            Index k = i;
            for (; k > 0 && keys_[k - 1].number == keys_[i].number && bed.id[order[k - 1]] > bed.id[keys_[i].place];
                 --k)
                order[k] = order[k - 1];
            order[k] = keys_[i].place;
        }
    }

  private:
    static constexpr int digit_width = 11;
    struct Key {
        std::uint64_t number;
        Index place;
    };
    void pass(int shift) {
        std::array<Index, (1 << digit_width) + 1> begin{};
        constexpr std::uint64_t mask = (1 << digit_width) - 1;
        for (const Key& k : keys_) ++begin[((k.number >> shift) & mask) + 1];
        for (std::size_t d = 1; d < begin.size(); ++d) begin[d] += begin[d - 1];
        for (const Key& k : keys_) spare_[begin[(k.number >> shift) & mask]++] = k;
        std::swap(keys_, spare_);
    }
    LargeVector<Key> keys_, spare_;
};

Bed make_bed(const RelaxedPack& pack, std::uint64_t n) {
    Bed bed;
    bed.scene = tiled_scene(pack, n, skin);
    bed.cubes = Cubes(bed.scene.domain, bed.scene.reach());
    bed.id.resize(bed.scene.size());
    for (Index i = 0; i < bed.size(); ++i) bed.id[i] = i;
    bed.old_cube.resize(bed.size()), bed.new_cube.resize(bed.size());
    return bed;
}

void look_up_cubes(const Bed& bed, std::vector<Cube>& cube) {
    for (Index i = 0; i < bed.size(); ++i) {
        const double* x = bed.scene.quads.data() + 4 * bed.id[i];
        cube[i] = bed.cubes.of({x[0], x[1], x[2]});
    }
}

}  // namespace

void resort(const BenchDetect& options, ResultTable& table) {
    const std::uint64_t n = std::min(bed_balls, options.largest);
    PackTask task;
    task.diameters.assign(std::clamp<std::uint64_t>(n, 60, 4000), 1.0);
    task.solid_fraction = bed_fraction;
    tell("resort: making a pack");
    const RelaxedPack pack = relaxed_pack(task);

    // Half the skin is the farthest that a ball moves between rebuilds, most move less; and ten times that, a bed in
    // turmoil.
    for (const double farthest : {0.0, 0.5 * skin, 5 * skin}) {
        Bed bed = make_bed(pack, n);
        Shaker shaker(bed.scene, 0,
                      farthest / (2 * std::sqrt(3.0)));  // from one corner of the shaken cube to the other
        RoomVector<Index> order(bed.size()), first;
        ComparisonSort comparison;
        RadixSort radix;
        look_up_cubes(bed, bed.new_cube);
        comparison.sort(bed, order);
        tell(fmt::format("resort, {} balls, moved by up to {} d", bed.size(), farthest));

        const std::array<std::string, 3> names{"mr-sort", "std-sort", "radix-sort"};
        std::array<MeasuredDetector, 3> measured;
        double movers = 0;
        LargeVector<char> payload(payload_bytes * bed.size()), spare(payload_bytes * bed.size());
        constexpr std::uint64_t rounds = 5;
        for (std::uint64_t repeat = 0; repeat < options.repeats; ++repeat) {
            std::array<DetectionTimes, 3> times;
            for (std::uint64_t round = 1; round <= rounds; ++round) {
                // The last new order becomes the old one.
                std::vector<Id> id(bed.size());
                for (Index p = 0; p < bed.size(); ++p) id[p] = bed.id[order[p]];
                bed.id = std::move(id);
                look_up_cubes(bed, bed.old_cube);
                shaker.shake(repeat * rounds + round);
                look_up_cubes(bed, bed.new_cube);
                for (Index i = 0; i < bed.size(); ++i) movers += bed.old_cube[i] != bed.new_cube[i];

                const std::array runs{Range{0, bed.size()}};
                for (std::size_t k = 0; k < names.size(); ++k) {
                    times[k].sort += time_of([&] {
                        if (k == 0) mr_sort({bed.old_cube.data(), bed.new_cube.data(), bed.id.data(), runs, {}}, order);
                        else if (k == 1) comparison.sort(bed, order);
                        else radix.sort(bed, order);
                    });
                    if (k == 0) first = order;
                    else if (order != first)
                        throw RunError(fmt::format("resort: {} and {} give different orders", names[0], names[k]));
                    times[k].move += time_of([&] {
                        for (std::size_t p = 0; p < order.size(); ++p)
                            std::copy_n(payload.data() + payload_bytes * order[p], payload_bytes,
                                        spare.data() + payload_bytes * p);
                    });
                }
            }
            for (std::size_t k = 0; k < names.size(); ++k) measured[k].repeats.push_back(times[k]);
        }
        for (std::size_t k = 0; k < names.size(); ++k) {
            MeasuredDetector& m = measured[k];
            m.name = names[k], m.detections = rounds;
            m.changed_share =
                movers / (static_cast<double>(rounds * options.repeats) * static_cast<double>(bed.size()));
            ResultRow row;
            row.set("experiment", "resort").set("detector", m.name).set("mode", farthest > 0 ? "moved" : "rest");
            row.set("bodies", bed.size()).set("farthest_move", farthest);
            set_measured(row, bed.scene, m);
            row.set("pack_largest_overlap", pack.largest_overlap);
            table.add(std::move(row));
        }
    }
}

}  // namespace granary
