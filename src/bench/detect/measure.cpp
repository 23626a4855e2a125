#include "bench/detect/measure.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include "core/errors.hpp"

namespace granary {

namespace {

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return n == 0 ? 0 : 0.5 * (values[(n - 1) / 2] + values[n / 2]);
}

}  // namespace

Seconds now() {
    timespec cpu{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    const auto wall = std::chrono::steady_clock::now().time_since_epoch();
    return {static_cast<double>(cpu.tv_sec) + 1e-9 * static_cast<double>(cpu.tv_nsec),
            std::chrono::duration<double>(wall).count()};
}

Seconds cost_of_clock() {
    static const Seconds cost = [] {
        std::vector<double> cpu, wall;
        for (int k = 0; k < 1001; ++k) {
            const Seconds before = now(), after = now();
            cpu.push_back(after.cpu - before.cpu), wall.push_back(after.wall - before.wall);
        }
        return Seconds{median(cpu), median(wall)};
    }();
    return cost;
}

double machine_load() {
    double load = -1;
    std::ifstream("/proc/loadavg") >> load;
    return load;
}

double MeasuredDetector::best_cpu() const {
    double best = repeats.front().total().cpu;
    for (const DetectionTimes& r : repeats) best = std::min(best, r.total().cpu);
    return best;
}

std::vector<MeasuredDetector> measure(DetectScene& scene, const MeasureTask& task) {
    std::vector<Shaker> shaker;
    if (task.moved) shaker.emplace_back(scene, task.scatter, task.amplitude);
    std::vector<std::unique_ptr<BenchDetector>> detectors;
    std::vector<MeasuredDetector> measured;
    for (const std::string& name : task.detectors) {
        detectors.push_back(detector_kind(name).make(scene, task.settings));
        MeasuredDetector m;
        m.name = name, m.detections = task.detections;
        measured.push_back(m);
        if (task.detections == 1) continue;
        detectors.back()->sort(), detectors.back()->move(), detectors.back()->search();  // lists get their size
    }
    for (std::uint64_t repeat = 0; repeat < task.repeats; ++repeat)
        for (std::size_t d = 0; d < detectors.size(); ++d) {
            BenchDetector& detector = *detectors[d];
            MeasuredDetector& m = measured[d];
            DetectionTimes times;
            for (std::uint64_t k = 0; k < task.detections; ++k) {
                if (task.moved) {
                    shaker[0].shake(k + 1);
                    detector.follow(scene);
                }
                times.sort += time_of([&] { detector.sort(); });
                times.move += time_of([&] { detector.move(); });
                times.search += time_of([&] { detector.search(); });
                m.bytes = std::max(m.bytes, detector.bytes());
            }
            m.repeats.push_back(times);
            m.pairs = detector.n_pairs(), m.digest = pair_digest(detector);
            m.changed_share = detector.changed_share(), m.counts = detector.counts();
        }
    check_same(measured, fmt::format("{} bodies", scene.size()));
    return measured;
}

void check_same(const std::vector<MeasuredDetector>& measured, const std::string& where) {
    for (const MeasuredDetector& m : measured)
        if (m.pairs != measured[0].pairs || m.digest != measured[0].digest)
            throw RunError(fmt::format("{}: {} found {} pairs, {} found {}{}: one of them is wrong", where, m.name,
                                       m.pairs, measured[0].name, measured[0].pairs,
                                       m.pairs == measured[0].pairs ? ", but not the same" : ""));
}

void set_measured(ResultRow& row, const DetectScene& scene, const MeasuredDetector& m) {
    const auto times = [&](const std::string& name, auto&& of) {
        std::vector<double> cpu, wall;
        for (const DetectionTimes& r : m.repeats) cpu.push_back(of(r).cpu), wall.push_back(of(r).wall);
        row.set(name + "_cpu_best", *std::min_element(cpu.begin(), cpu.end())).set(name + "_cpu_median", median(cpu));
        row.set(name + "_wall_best", *std::min_element(wall.begin(), wall.end()));
        row.set(name + "_wall_median", median(wall));
    };
    row.set("detections", m.detections).set("repeats", m.repeats.size());
    times("sort", [](const DetectionTimes& t) { return t.sort; });
    times("move", [](const DetectionTimes& t) { return t.move; });
    times("search", [](const DetectionTimes& t) { return t.search; });
    times("total", [](const DetectionTimes& t) { return t.total(); });
    const double bodies = static_cast<double>(scene.size());
    row.set("ns_per_body", 1e9 * m.best_cpu() / (bodies * static_cast<double>(m.detections)));
    row.set("pairs", m.pairs);
    row.set("integers_per_body", static_cast<double>(m.bytes) / (sizeof(std::int32_t) * bodies));
    if (m.changed_share >= 0) row.set("changed_share", m.changed_share);
    row.set("load", machine_load());
}

}  // namespace granary
