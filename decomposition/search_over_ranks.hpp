// The search of a run by its detector: what each rank finds by itself (search/pair_search.hpp), or pairs of clusters
// across slabs by their owner ranks (cluster_pairs.hpp). The list is the same. Who includes this does not see the
// detectors.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <memory>
#include "decomposition/slabs.hpp"
#include "search/pair_search.hpp"

namespace granary {

struct OwnerCounts;
struct OwnerWorkspace;

class SearchOverRanks {
  public:
    SearchOverRanks();
    ~SearchOverRanks();
    SearchOverRanks(const SearchOverRanks&) = delete;
    SearchOverRanks& operator=(const SearchOverRanks&) = delete;

    // Collective.
    void search(const boost::mpi::communicator& comm, const Slabs& slabs, Detector detector, double alpha,
                const SearchTask& task, PairList& pairs);
    std::uint64_t bytes() const;           // of lists, besides the pairs
    const OwnerCounts& by_owners() const;  // of all searches, on this rank

  private:
    PairSearch alone_;
    std::unique_ptr<OwnerWorkspace> owners_;  // made when it is first needed
    std::unique_ptr<OwnerCounts> by_owners_;
};

}  // namespace granary
