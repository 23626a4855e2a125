// Timing of detectors on one scene.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>
#include "bench/detect/detectors.hpp"
#include "bench/detect/result_table.hpp"

namespace granary {

struct Seconds {
    double cpu = 0, wall = 0;
    Seconds& operator+=(const Seconds& b) {
        cpu += b.cpu, wall += b.wall;
        return *this;
    }
};

Seconds now();
Seconds cost_of_clock();  // what an empty time_of would show; asking for CPU time takes half a microsecond
template <class F> Seconds time_of(F&& f) {
    const Seconds clock = cost_of_clock(), before = now();
    f();
    const Seconds after = now();
    return {std::max(0.0, after.cpu - before.cpu - clock.cpu), std::max(0.0, after.wall - before.wall - clock.wall)};
}

double machine_load();  // the system's mean over a minute

// A repeat is so many detections one after the other, as in the papers; its times are their sums.
struct DetectionTimes {
    Seconds sort, move, search;
    Seconds total() const {
        Seconds sum = sort;
        sum += move, sum += search;
        return sum;
    }
};

struct MeasuredDetector {
    std::string name;
    std::uint64_t detections = 0;
    std::vector<DetectionTimes> repeats;
    std::uint64_t pairs = 0, digest = 0;  // of the last detection
    std::uint64_t bytes = 0;              // the most after any detection
    double changed_share = -1;
    DetectorCounts counts;

    double best_cpu() const;  // of all of a repeat
};

struct MeasureTask {
    std::vector<std::string> detectors;
    DetectorSettings settings;
    std::uint64_t detections = 10, repeats = 3;
    bool moved = false;                    // bodies move between detections, else they rest
    double scatter = 1, amplitude = 0.05;  // how, if they do: see Shaker; d
};

// Throws RunError unless all reported the same pairs.
void check_same(const std::vector<MeasuredDetector>& measured, const std::string& where);

// Making a detector and its first detection are not timed. Repeats of different detectors take turns. All must report
// the same pairs, else RunError.
std::vector<MeasuredDetector> measure(DetectScene& scene, const MeasureTask& task);

// Columns that every timed row has: times with best and median, pairs, memory, load of the machine.
void set_measured(ResultRow& row, const DetectScene& scene, const MeasuredDetector& measured);

}  // namespace granary
