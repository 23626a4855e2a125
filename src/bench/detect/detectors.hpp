// The detectors behind one small interface for timing. A detection is sort, move, search, each timed apart; follow,
// which tells a detector where the bodies are now, belongs to none of them: in a run the bodies' own storage moves.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>
#include "bench/detect/scene.hpp"
#include "core/bodies.hpp"

namespace granary {

// What a detector can tell about the work of its last detection; a negative number: nothing.
struct DetectorCounts {
    double cubes_per_ball = -1, balls_per_cube = -1, most_balls_in_a_cube = -1;
    double examinations_per_ball = -1, fewest_examinations = -1, most_examinations = -1;  // of signs and distances
    double pair_tests_per_ball = -1;
    double steps = -1;  // of MMR
};

class BenchDetector {
  public:
    BenchDetector() = default;
    BenchDetector(const BenchDetector&) = delete;
    BenchDetector& operator=(const BenchDetector&) = delete;
    virtual ~BenchDetector() = default;

    virtual void follow(const DetectScene& scene) = 0;
    virtual void sort() = 0;
    virtual void move() {}  // of the bodies to their new places, where a detector does that
    virtual void search() = 0;

    // Calls f(number, number) for each pair of the last search.
    virtual void for_each_pair(const std::function<void(Index, Index)>& f) const = 0;
    virtual std::uint64_t n_pairs() const = 0;
    // What the detector keeps or needs while it works, besides the bodies' quads and ids and the pairs it reports.
    virtual std::uint64_t bytes() const = 0;
    virtual double changed_share() const { return -1; }  // of the bodies, that changed their cell before the last sort
    virtual DetectorCounts counts() { return {}; }
};

struct DetectorSettings {
    double delta = 0;  // cubes are so much longer than the reach, d; 0: as a detector likes
    double alpha = 2;  // of MMR
};

struct DetectorKind {
    std::string name;
    std::function<std::unique_ptr<BenchDetector>(const DetectScene&, const DetectorSettings&)> make;  // and sorts once
};

const std::vector<DetectorKind>& detector_kinds();
const DetectorKind& detector_kind(const std::string& name);  // throws InputError

// The same for the same set of pairs, in whatever order they come.
std::uint64_t pair_digest(const BenchDetector& detector);

}  // namespace granary
