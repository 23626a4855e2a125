// The fixed cubes of
//   Lazarević, Dvornik & Fresl (2002), KoG 6, section 3 to 5: figure 5, and the choice of Delta in (6).
// Figure 5 sets a dense system, b_k = 20 balls in a cube, and a sparse one, b_k = 1, beside the n^2 loops. A ball is in
// all the cubes that it cuts, almost six with the sizes of table 1, so b_k = 20 means more than three centres a cube:
// balls of these sizes then overlap. Only the search is timed here, which does not mind; they are dropped anywhere.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "bench/detect/experiments.hpp"
#include "bench/detect/measure.hpp"

namespace granary {

namespace {

// Table 1, in units of the largest diameter, 0.45 m.
constexpr double smallest_diameter = 0.215 / 0.225, table_delta = 0.05 / 0.45;
constexpr std::uint64_t silo_balls = 22'741;
constexpr std::uint64_t most_for_all_pairs = 20'000;  // 200 million tests

// Mean number of cubes of edge a that a ball of radius r cuts: the volume within r of a cube over that of the cube.
double cubes_cut(double r, double a) {
    constexpr double pi = std::numbers::pi;
    return (a * a * a + 6 * a * a * r + 3 * pi * a * r * r + 4 * pi / 3 * r * r * r) / (a * a * a);
}

void set_counts(ResultRow& row, const DetectorCounts& c) {
    if (c.cubes_per_ball >= 0) row.set("cubes_per_ball", c.cubes_per_ball);
    if (c.balls_per_cube >= 0) row.set("balls_per_cube", c.balls_per_cube);
    if (c.most_balls_in_a_cube >= 0)
        row.set("most_balls_in_a_cube", c.most_balls_in_a_cube).set("paper_most_balls_in_a_cube", 20u);
    if (c.examinations_per_ball >= 0)
        row.set("examinations_per_ball", c.examinations_per_ball).set("fewest_examinations", c.fewest_examinations);
    if (c.most_examinations >= 0)
        row.set("most_examinations", c.most_examinations).set("paper_examinations", "6 to 10");
    if (c.pair_tests_per_ball >= 0) row.set("pair_tests_per_ball", c.pair_tests_per_ball);
}

}  // namespace

void lazarevic_figure_5(const BenchDetect& options, ResultTable& table) {
    const auto detectors = chosen(options, {"fixed-cubes", "mr", "all-pairs"});
    const double a = 1 + table_delta, r = 0.25 * (1 + smallest_diameter);
    for (const bool dense : {true, false})
        for (const std::uint64_t n :
             {10, 20, 50, 100, 200, 500, 1'000, 2'000, 5'000, 10'000, 20'000, 50'000, 100'000}) {
            if (n > options.largest) continue;
            const double n_cubes = static_cast<double>(n) * cubes_cut(r, a) / (dense ? 20 : 1);
            DetectScene scene = random_scene(n, a * std::cbrt(n_cubes), smallest_diameter, 5);
            tell(fmt::format("lazarevic-5, {} balls, {}", n, dense ? "dense" : "sparse"));
            MeasureTask task;
            task.repeats = options.repeats;
            task.settings.delta = table_delta;
            // Few balls are done in microseconds: more detections, so that the clock does not matter.
            task.detections = std::clamp<std::uint64_t>(100'000 / n, 10, 1'000);
            if (n > 1'000) task.detections = n > 5'000 ? 2 : 5;
            for (const std::string& name : detectors)
                if (name != "all-pairs" || n <= most_for_all_pairs) task.detectors.push_back(name);
            if (task.detectors.empty()) continue;
            for (const MeasuredDetector& m : measure(scene, task)) {
                ResultRow row;
                row.set("experiment", "lazarevic-5").set("detector", m.name).set("mode", dense ? "dense" : "sparse");
                row.set("bodies", n).set("delta", table_delta);
                set_measured(row, scene, m);
                set_counts(row, m.counts);
                table.add(std::move(row));
            }
        }
}

void delta_sweep(const BenchDetect& options, ResultTable& table) {
    const auto detectors = chosen(options, {"fixed-cubes", "mr"});
    const std::uint64_t n = std::min(silo_balls, options.largest);
    PackTask task;
    task.diameters =
        log_uniform_diameters(std::min<std::uint64_t>(n, 4000), smallest_diameter, 1, SizeReading::by_number);
    task.solid_fraction = 0.55;
    tell("delta-sweep: making a pack");
    const RelaxedPack pack = relaxed_pack(task);
    for (const double delta : {1e-3, 0.01, 0.03, 0.06, table_delta, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5, 2.0}) {
        DetectScene scene = tiled_scene(pack, n, trifle);
        tell(fmt::format("delta-sweep, {} balls, Delta {:.3g} d", scene.size(), delta));
        MeasureTask measure_task;
        measure_task.detectors = detectors;
        measure_task.repeats = options.repeats;
        measure_task.settings.delta = delta;
        measure_task.moved = true, measure_task.scatter = 0, measure_task.amplitude = 0.02;
        for (const MeasuredDetector& m : measure(scene, measure_task)) {
            ResultRow row;
            row.set("experiment", "delta-sweep").set("detector", m.name).set("mode", "moved");
            row.set("bodies", scene.size()).set("delta", delta).set("paper_delta", table_delta);
            set_measured(row, scene, m);
            set_counts(row, m.counts);
            row.set("pack_largest_overlap", pack.largest_overlap);
            table.add(std::move(row));
        }
    }
}

}  // namespace granary
