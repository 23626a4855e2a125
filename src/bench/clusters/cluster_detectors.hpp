// The detectors of `granary bench clusters`, with what they count.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>
#include "bench/detect/detectors.hpp"

namespace granary {

class ClusterDetector {
  public:
    explicit ClusterDetector(std::string name) : name_(std::move(name)) {}
    virtual ~ClusterDetector() = default;
    const std::string& name() const { return name_; }
    virtual BenchDetector& detector() = 0;
    // CPU time of grid subdivision that the last search contains, s.
    virtual double subdivision_inside_search() const { return 0; }
    virtual std::vector<std::pair<std::string, std::uint64_t>> counts() const { return {}; }

  private:
    std::string name_;
};

// two-level: as the program does it. two-level-grid, two-level-local: a secondary grid for every pair of clusters and
// for every cluster with itself, along the global axes and in the local frame (18), (19). flat-max, flat-min: the
// paper's single-level grids. mr, mmr: the flat detectors of the program.
std::unique_ptr<ClusterDetector> make_cluster_detector(const std::string& name, const DetectScene& scene);

}  // namespace granary
