#include "core/state_source.hpp"

namespace granary {

std::set<Id> crossed_in(const StateHeader& header) {
    const auto at = header.run.integers.find(crossed_name);
    return at == header.run.integers.end() ? std::set<Id>() : std::set<Id>(at->second.begin(), at->second.end());
}

}  // namespace granary
