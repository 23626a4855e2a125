// Every pair tested: the truth that the detectors are compared with. Quadratic; for tests and small systems.
#pragma once
#include "search/candidates.hpp"

namespace granary {

void all_pairs_search(const SearchTask& task, PairList& pairs);

}  // namespace granary
