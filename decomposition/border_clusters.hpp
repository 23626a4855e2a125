// Clusters that have elements next to another rank's slab, and their spheres over all ranks. See cluster_pairs.hpp.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <span>
#include <vector>
#include "decomposition/slabs.hpp"
#include "search/candidates.hpp"

namespace granary {

struct OwnerCounts;

struct BorderCluster {
    Id label;
    Vec3d centre;   // (12), in the domain
    double radius;  // (13), m
};

class BorderClusters {
  public:
    // Collective. Clusters of more than most_elements, and those wider than half a period, are left out.
    BorderClusters(const boost::mpi::communicator& comm, const Slabs& slabs, const SearchTask& task,
                   Index most_elements, OwnerCounts& counts);

    static constexpr std::uint32_t none = 0xffffffff;
    std::vector<BorderCluster> clusters;  // of all ranks, ascending by label; the same on all ranks
    double largest_radius = 0;            // of all balls on all ranks, m
    std::vector<Index> held;              // bodies here, real or not, whose labels are those of clusters next to a slab

    std::uint32_t number_of(Id label) const;
    std::span<const Index> elements_of(std::uint32_t number) const {  // this rank's real ones
        return {elements_.data() + first_[number], elements_.data() + first_[number + 1]};
    }

  private:
    std::vector<Index> elements_, first_;
};

}  // namespace granary
