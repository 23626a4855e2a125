// Bodies of many sizes, after
//   Munjiza, Rougier & John (2006), Int. J. Numer. Meth. Engng 66, 46-71, section 7, figures 31 and 32, eqs. (34),
//   (36).
// Packs of solid fraction 0.5, made by relaxing a small one and tiling it. Distribution (36) is read by number and by
// mass. Beside both stands MR on equal balls, T_MR of (34): T_MMR < n T_MR with n the number of steps, (31).
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "bench/detect/experiments.hpp"
#include "bench/detect/measure.hpp"
#include "core/errors.hpp"

namespace granary {

namespace {

constexpr double solid_fraction = 0.5;
constexpr double least_edge = 3.1;    // of a pack, in largest diameters
constexpr double margin_share = 0.1;  // of the smallest diameter: how near a pair must be to be reported
constexpr std::uint64_t large_pack = 4000;

double mean_volume(const std::vector<double>& diameters) {
    double sum = 0;
    for (const double d : diameters) sum += std::numbers::pi / 6 * d * d * d;
    return sum / static_cast<double>(diameters.size());
}

struct Distribution {
    const char* name;
    double ratio;
    SizeReading reading;
};

// Enough balls for a cube that can be tiled, and for a pack that is not all the same.
RelaxedPack make_pack(const Distribution& distribution, std::uint64_t largest) {
    const auto diameters = [&](std::uint64_t n) {
        return log_uniform_diameters(n, 1 / distribution.ratio, 1, distribution.reading);
    };
    const double least = solid_fraction * least_edge * least_edge * least_edge / mean_volume(diameters(100'000));
    const auto n = std::max(static_cast<std::uint64_t>(std::ceil(least)), std::min(large_pack, largest));
    if (n > largest) return {};
    PackTask task;
    task.diameters = diameters(n), task.solid_fraction = solid_fraction;
    return relaxed_pack(task);
}

void add_row(const Distribution& distribution, const RelaxedPack& pack, const DetectScene& scene,
             const MeasuredDetector& m, double equal_ns, ResultTable& table) {
    ResultRow row;
    row.set("experiment", "mmr-sizes").set("detector", m.name).set("mode", "rest").set("bodies", scene.size());
    row.set("distribution", distribution.name).set("ratio", distribution.ratio);
    set_measured(row, scene, m);
    row.set("pack_balls", pack.balls.size()).set("pack_edge", pack.edge);
    row.set("pack_largest_overlap", pack.largest_overlap).set("pack_sweeps", static_cast<std::uint64_t>(pack.sweeps));
    row.set("paper_integers", 5u).set("paper_integers_least", 2u);  // (25), (35)
    const double n_steps = std::max(1.0, std::round(std::log2(distribution.ratio)));
    if (m.name == "mmr") {
        row.set("paper_steps", n_steps);  // alpha = 2: (31), (32)
        if (m.counts.steps >= 0) row.set("steps", m.counts.steps);
        const double ns = 1e9 * m.best_cpu() / (static_cast<double>(scene.size()) * static_cast<double>(m.detections));
        if (equal_ns > 0) row.set("t_over_n_t_mr", ns / (n_steps * equal_ns));  // (34): below 1
    }
    table.add(std::move(row));
}

// MR on balls of many sizes tests thousands of pairs a ball: once is enough, and not on the largest systems.
bool mr_is_slow(const Distribution& d) { return d.reading == SizeReading::by_mass && d.ratio > 8; }

}  // namespace

void mmr_sizes(const BenchDetect& options, ResultTable& table) {
    const auto detectors = chosen(options, {"mmr", "mr"});
    std::vector<std::pair<std::uint64_t, double>> equal_ns;  // of MR, by number of bodies asked for
    const auto equal_at = [&](std::uint64_t n) {
        for (const auto& [bodies, ns] : equal_ns)
            if (bodies == n) return ns;
        return 0.0;
    };
    for (const Distribution& distribution : {Distribution{"equal", 1, SizeReading::by_number},
                                             Distribution{"by-number", options.ratio, SizeReading::by_number},
                                             Distribution{"by-mass", options.ratio, SizeReading::by_mass}}) {
        tell(fmt::format("mmr-sizes, {}: making a pack", distribution.name));
        const RelaxedPack pack = make_pack(distribution, options.largest);
        if (pack.balls.empty()) {
            tell(fmt::format("mmr-sizes, {}: left out, a pack of ratio {} needs more than {} balls", distribution.name,
                             distribution.ratio, options.largest));
            continue;
        }
        tell(fmt::format("mmr-sizes, {}: {} balls, largest overlap left {:.2g} of the smaller diameter after {} sweeps",
                         distribution.name, pack.balls.size(), pack.largest_overlap, pack.sweeps));
        std::uint64_t last = 0;
        for (const std::uint64_t n : {2'000, 8'000, 27'000, 125'000, 493'039, 1'000'000, 2'000'376, 5'000'211}) {
            if (n > options.largest || n < options.smallest || (n == 2'000 && options.largest >= 8'000)) continue;
            DetectScene scene = tiled_scene(pack, n, margin_share / distribution.ratio);
            if (scene.size() == last) continue;  // less than a tile more
            last = scene.size();
            tell(fmt::format("mmr-sizes, {}, {} bodies", distribution.name, scene.size()));
            const bool apart = mr_is_slow(distribution);
            MeasureTask task;
            task.repeats = n > 1'000'000 ? 1 : options.repeats;
            for (const std::string& name : detectors)
                if (!apart || name != "mr") task.detectors.push_back(name);
            std::vector<MeasuredDetector> measured;
            if (!task.detectors.empty()) measured = measure(scene, task);
            if (apart && task.detectors.size() < detectors.size() && n <= 1'000'000) {
                task.detectors = {"mr"}, task.detections = task.repeats = 1;
                const MeasuredDetector mr = measure(scene, task).front();
                measured.push_back(mr);
                check_same(measured, "mmr-sizes");
            }
            if (distribution.ratio == 1)
                for (const MeasuredDetector& m : measured)
                    if (m.name == "mr")
                        equal_ns.emplace_back(
                            n, 1e9 * m.best_cpu() /
                                   (static_cast<double>(scene.size()) * static_cast<double>(m.detections)));
            for (const MeasuredDetector& m : measured) add_row(distribution, pack, scene, m, equal_at(n), table);
        }
    }
}

}  // namespace granary
