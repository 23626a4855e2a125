#include "decomposition/slabs.hpp"

#include <algorithm>
#include <numeric>

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

std::vector<int> balanced_cuts(const std::vector<double>& layer_cost, int n_ranks) {
    const int n = static_cast<int>(layer_cost.size());
    const double whole = std::accumulate(layer_cost.begin(), layer_cost.end(), 0.0);
    // A trifle for every layer, so that empty space is shared too and filling finds its ranks spread.
    const double floor = whole > 0 ? 1e-6 * whole / n : 1.0;
    std::vector<double> up_to(n + 1, 0.0);
    for (int k = 0; k < n; ++k) up_to[k + 1] = up_to[k] + layer_cost[k] + floor;
    std::vector<int> cuts(n_ranks + 1, n);
    cuts[0] = 0;
    for (int r = 1; r < n_ranks; ++r) {
        const double goal = up_to[n] * r / n_ranks;
        int k = static_cast<int>(std::lower_bound(up_to.begin(), up_to.end(), goal) - up_to.begin());
        if (k > 0 && goal - up_to[k - 1] < up_to[k] - goal) --k;  // the nearer face
        cuts[r] = std::clamp(k, cuts[r - 1], n);
    }
    return cuts;
}

double imbalance(const std::vector<double>& layer_cost, const std::vector<int>& cuts) {
    double whole = 0, most = 0;
    for (std::size_t r = 0; r + 1 < cuts.size(); ++r) {
        const double mine = std::accumulate(layer_cost.begin() + cuts[r], layer_cost.begin() + cuts[r + 1], 0.0);
        whole += mine;
        most = std::max(most, mine);
    }
    return whole > 0 ? most * static_cast<double>(cuts.size() - 1) / whole : 1.0;
}

}  // namespace granary
