#include "decomposition/slabs.hpp"

#include <algorithm>

namespace granary {

Slabs::Slabs(std::vector<int> cuts, bool periodic) : cuts_(std::move(cuts)), periodic_(periodic) {}

int Slabs::owner(int layer) const {
    // The last rank whose interval starts at or below the layer; empty intervals before it start there too.
    const auto next = std::upper_bound(cuts_.begin(), cuts_.end() - 1, layer);
    return static_cast<int>(next - cuts_.begin()) - 1;
}

std::optional<int> Slabs::below(int rank) const {
    if (empty(rank)) return {};
    if (first(rank) > 0) return owner(first(rank) - 1);
    return periodic_ ? std::optional(owner(n_layers() - 1)) : std::nullopt;
}

std::optional<int> Slabs::above(int rank) const {
    if (empty(rank)) return {};
    if (end(rank) < n_layers()) return owner(end(rank));
    return periodic_ ? std::optional(owner(0)) : std::nullopt;
}

}  // namespace granary
