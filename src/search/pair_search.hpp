// One search by whichever detector a run has chosen, with the lists that detectors keep from search to search. They are
// made when a detector first needs them: a run without clusters has none of those of the search in two levels. Who
// includes this does not see the detectors.
#pragma once
#include <cstdint>
#include <memory>
#include "search/candidates.hpp"
#include "search/detector.hpp"

namespace granary {

class PairSearch {
  public:
    PairSearch();
    ~PairSearch();
    PairSearch(PairSearch&&) noexcept;
    PairSearch& operator=(PairSearch&&) noexcept;

    void search(Detector detector, double alpha, const SearchTask& task, PairList& pairs);
    std::uint64_t bytes() const;  // of lists, besides the pairs

  private:
    struct Rooms;
    std::unique_ptr<Rooms> rooms_;
};

}  // namespace granary
