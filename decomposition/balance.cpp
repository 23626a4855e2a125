#include "decomposition/balance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace granary {

namespace {

double share(std::span<const double> layer_cost, const std::vector<int>& cuts, std::size_t rank) {
    return std::accumulate(layer_cost.begin() + cuts[rank], layer_cost.begin() + cuts[rank + 1], 0.0);
}

// Where cuts may lie if no rank may take more than `most`.
class Fitting {
  public:
    Fitting(const std::vector<double>& up_to, std::span<const double> pace, int n_ranks)
        : up_to_(up_to),
          pace_(pace),
          n_ranks_(n_ranks) {}

    // The last face that the rank reaches from this one. A trifle is allowed for rounding.
    int reach(int from, int rank, double most) const {
        const double end = up_to_[from] + most / pace(rank) * (1 + 1e-12);
        return static_cast<int>(std::upper_bound(up_to_.begin() + from, up_to_.end(), end) - up_to_.begin()) - 1;
    }
    bool fits(double most) const {
        int face = 0;
        for (int r = 0; r < n_ranks_; ++r) face = reach(face, r, most);
        return face == n_layers();
    }
    // The lowest face of the cut below each rank such that it and those above it can take the rest.
    std::vector<int> lowest(double most) const {
        std::vector<int> low(n_ranks_ + 1, n_layers());
        for (int r = n_ranks_ - 1; r > 0; --r) {
            const double begin = up_to_[low[r + 1]] - most / pace(r) * (1 + 1e-12);
            low[r] = static_cast<int>(std::lower_bound(up_to_.begin(), up_to_.end(), begin) - up_to_.begin());
            while (low[r] < low[r + 1] && reach(low[r], r, most) < low[r + 1]) ++low[r];  // rounding
        }
        low[0] = 0;
        return low;
    }
    double pace(int rank) const { return pace_.empty() ? 1.0 : pace_[rank]; }
    int n_layers() const { return static_cast<int>(up_to_.size()) - 1; }

  private:
    const std::vector<double>& up_to_;  // cost below each face
    std::span<const double> pace_;
    int n_ranks_;
};

}  // namespace

std::vector<int> balanced_cuts(std::span<const double> layer_cost, int n_ranks, std::span<const double> pace) {
    const int n = static_cast<int>(layer_cost.size());
    const double whole = std::accumulate(layer_cost.begin(), layer_cost.end(), 0.0);
    // A trifle for every layer, so that empty space is shared too and filling finds its ranks spread.
    const double floor = whole > 0 ? 1e-6 * whole / n : 1.0;
    std::vector<double> up_to(n + 1, 0.0);
    for (int k = 0; k < n; ++k) up_to[k + 1] = up_to[k] + layer_cost[k] + floor;
    const Fitting fitting(up_to, pace, n_ranks);

    // The smallest largest share, by halving.
    double too_little = 0, enough = 0;
    for (int r = 0; r < n_ranks; ++r) enough = std::max(enough, up_to[n] * fitting.pace(r));
    for (int k = 0; k < 60; ++k) {
        const double middle = 0.5 * (too_little + enough);
        (fitting.fits(middle) ? enough : too_little) = middle;
    }

    std::vector<double> even(n_ranks + 1, 0.0);  // shares of equal time
    for (int r = 0; r < n_ranks; ++r) even[r + 1] = even[r] + 1 / fitting.pace(r);
    const std::vector<int> lowest = fitting.lowest(enough);
    std::vector<int> cuts(n_ranks + 1, n);
    cuts[0] = 0;
    for (int r = 1; r < n_ranks; ++r) {
        const double goal = up_to[n] * even[r] / even[n_ranks];
        int k = static_cast<int>(std::lower_bound(up_to.begin(), up_to.end(), goal) - up_to.begin());
        if (k > 0 && goal - up_to[k - 1] < up_to[k] - goal) --k;  // the nearer face
        const int highest = fitting.reach(cuts[r - 1], r - 1, enough);
        cuts[r] = std::clamp(k, std::max(cuts[r - 1], std::min(lowest[r], highest)), highest);
    }
    return cuts;
}

double imbalance(std::span<const double> layer_cost, const std::vector<int>& cuts, std::span<const double> pace) {
    double whole = 0, most = 0;
    for (std::size_t r = 0; r + 1 < cuts.size(); ++r) {
        const double mine = share(layer_cost, cuts, r) * (pace.empty() ? 1.0 : pace[r]);
        whole += mine;
        most = std::max(most, mine);
    }
    return whole > 0 ? most * static_cast<double>(cuts.size() - 1) / whole : 1.0;
}

void Balance::learn_paces(std::span<const double> layer_cost, const std::vector<int>& cuts,
                          std::span<const double> rank_seconds, std::uint64_t steps) {
    const std::size_t n = rank_seconds.size();
    if (!measuring_) {
        seconds_then_.assign(rank_seconds.begin(), rank_seconds.end());
        work_.assign(n, 0.0);
        steps_then_ = steps;
        measuring_ = true;
        return;
    }
    // The lists of the steps since the last look had this much work.
    for (std::size_t r = 0; r < n; ++r)
        work_[r] += static_cast<double>(steps - steps_then_) * share(layer_cost, cuts, r);
    steps_then_ = steps;
    double seconds = 0, work = 0;
    for (std::size_t r = 0; r < n; ++r) seconds += rank_seconds[r] - seconds_then_[r], work += work_[r];
    if (seconds < rules_.least_seconds * static_cast<double>(n) || work <= 0) return;

    std::vector<double> seen(n, 1.0);
    for (std::size_t r = 0; r < n; ++r) {
        // Too little work to tell, or none.
        if (work_[r] < 0.2 * work / static_cast<double>(n)) continue;
        seen[r] = std::clamp((rank_seconds[r] - seconds_then_[r]) / work_[r] * work / seconds, 0.5, 2.0);
        if (std::abs(seen[r] - 1) < rules_.least_difference) seen[r] = 1;
    }
    if (pace_.empty()) pace_.assign(n, 1.0);
    for (std::size_t r = 0; r < n; ++r) pace_[r] = 0.5 * (pace_[r] + seen[r]);
    measuring_ = false;
}

std::optional<CutMove> Balance::look(std::span<const double> layer_cost, const std::vector<int>& cuts,
                                     std::span<const double> rank_seconds, std::uint64_t steps) {
    if (rules_.by_time) learn_paces(layer_cost, cuts, rank_seconds, steps);
    restlessness_ *= 0.75;
    if (cost_.size() != layer_cost.size()) cost_.assign(layer_cost.begin(), layer_cost.end());
    for (std::size_t k = 0; k < cost_.size(); ++k) cost_[k] = 0.5 * (cost_[k] + layer_cost[k]);
    CutMove move;
    move.before = imbalance(cost_, cuts, pace_);
    if (move.before < rules_.tolerated) return {};
    move.cuts = balanced_cuts(cost_, static_cast<int>(cuts.size()) - 1, pace_);
    move.after = imbalance(cost_, move.cuts, pace_);
    if (move.cuts == cuts || move.after > move.before - rules_.least_gain - restlessness_) return {};
    restlessness_ += rules_.restless;
    measuring_ = false;  // what was measured belongs to the old cuts
    return move;
}

}  // namespace granary
