#include "decomposition/search_over_ranks.hpp"

#include "decomposition/cluster_pairs.hpp"

namespace granary {

SearchOverRanks::SearchOverRanks() : by_owners_(std::make_unique<OwnerCounts>()) {}
SearchOverRanks::~SearchOverRanks() = default;

void SearchOverRanks::search(const boost::mpi::communicator& comm, const Slabs& slabs, Detector detector, double alpha,
                             const SearchTask& task, PairList& pairs) {
    if (detector != Detector::two_level || comm.size() == 1) {
        alone_.search(detector, alpha, task, pairs);
        return;
    }
    if (owners_ == nullptr) owners_ = std::make_unique<OwnerWorkspace>();
    two_level_search_by_owners(comm, slabs, task, pairs, two_level_of_runs(alpha), *owners_);
    *by_owners_ += owners_->counts;
}

std::uint64_t SearchOverRanks::bytes() const { return alone_.bytes() + (owners_ == nullptr ? 0 : owners_->room()); }

const OwnerCounts& SearchOverRanks::by_owners() const { return *by_owners_; }

}  // namespace granary
