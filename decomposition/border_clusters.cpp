#include "decomposition/border_clusters.hpp"

#include <algorithm>
#include <bit>
#include <boost/mpi/collectives.hpp>
#include <cmath>
#include <optional>
#include "core/position_lattice.hpp"
#include "decomposition/cluster_pairs.hpp"
#include "decomposition/exchange.hpp"

namespace granary {

namespace {

__extension__ typedef __int128 Wide;  // sums of coordinates times weights
__extension__ typedef unsigned __int128 UnsignedWide;

// Share of a period that a sphere may take. Up to this any two elements are less than half a period apart, and the sums
// do not depend on where they begin.
constexpr double widest = 0.5;

// What one rank has of a border cluster: coordinates in steps of the lattice relative to an element of it, weighted by
// volumes on a scale of the cubes.
struct Part {
    Id label;
    std::int64_t anchor[3];
    std::uint64_t sum[3][2];  // Wide, in two halves
    std::uint64_t weight, count;
};

Wide wide(const std::uint64_t (&halves)[2]) {
    return static_cast<Wide>(static_cast<UnsignedWide>(halves[1]) << 64 | halves[0]);
}
void halve(Wide value, std::uint64_t (&halves)[2]) {
    halves[0] = static_cast<std::uint64_t>(static_cast<UnsignedWide>(value));
    halves[1] = static_cast<std::uint64_t>(static_cast<UnsignedWide>(value) >> 64);
}
// Rounded down, so that it is the same wherever the sum begins.
std::int64_t quotient(Wide sum, std::uint64_t weight) {
    const Wide divisor = static_cast<Wide>(weight), q = sum / divisor;
    return static_cast<std::int64_t>(sum % divisor < 0 ? q - 1 : q);
}

// What all ranks have, in their order, on all ranks.
template <class T>
std::vector<T> gather_all(const boost::mpi::communicator& comm, const std::vector<T>& mine, OwnerCounts& counts) {
    counts.messages += static_cast<std::uint64_t>(comm.size() - 1);
    counts.bytes += static_cast<std::uint64_t>(comm.size() - 1) * mine.size() * sizeof(T);
    return gather_everywhere<T>(comm, mine);
}

// Whether a label is among few, asked for every body: most are told by a bit that they are not.
class LabelSet {
  public:
    explicit LabelSet(std::vector<Id> labels) : labels_(std::move(labels)) {
        std::sort(labels_.begin(), labels_.end());
        labels_.erase(std::unique(labels_.begin(), labels_.end()), labels_.end());
        const std::size_t words = std::bit_ceil(labels_.size() / 4 + 1);
        shift_ = 58 - std::countr_zero(words);
        bits_.assign(words, 0);
        for (const Id label : labels_) bits_[place(label) / 64] |= std::uint64_t{1} << place(label) % 64;
    }
    bool has(Id label) const {
        return (bits_[place(label) / 64] >> place(label) % 64 & 1) != 0 &&
               std::binary_search(labels_.begin(), labels_.end(), label);
    }
    const std::vector<Id>& labels() const { return labels_; }

  private:
    std::size_t place(Id label) const { return label * 0x9e3779b97f4a7c15 >> shift_; }
    std::vector<Id> labels_;
    std::vector<std::uint64_t> bits_;
    int shift_ = 0;
};

class Lattice {
  public:
    explicit Lattice(const Domain& domain) : domain_(domain), step_(PositionLattice(domain).step()) {
        for (int axis = 0; axis < 3; ++axis)
            period_[axis] = domain.periodic[axis] ? steps(at(domain.upper, axis)) - steps(at(domain.lower, axis)) : 0;
    }
    std::int64_t steps(double x) const { return std::llround(x / step_); }
    // From one to another coordinate, the short way round.
    std::int64_t between(std::int64_t from, std::int64_t to, int axis) const {
        const std::int64_t period = period_[axis];
        std::int64_t way = to - from;
        if (period == 0) return way;
        way %= period;
        if (way < 0) way += period;
        return 2 * way >= period ? way - period : way;
    }
    double inside(std::int64_t x, int axis) const {
        const std::int64_t lower = steps(at(domain_.lower, axis));
        if (period_[axis] != 0) {
            x = (x - lower) % period_[axis];
            x += x < 0 ? period_[axis] + lower : lower;
        }
        return static_cast<double>(x) * step_;
    }
    double period(int axis) const { return static_cast<double>(period_[axis]) * step_; }

  private:
    Domain domain_;
    double step_;
    std::int64_t period_[3];
};

}  // namespace

std::uint32_t BorderClusters::number_of(Id label) const {
    const auto it = std::lower_bound(clusters.begin(), clusters.end(), label,
                                     [](const BorderCluster& c, Id id) { return c.label < id; });
    return it != clusters.end() && it->label == label ? static_cast<std::uint32_t>(it - clusters.begin()) : none;
}

BorderClusters::BorderClusters(const boost::mpi::communicator& comm, const Slabs& slabs, const SearchTask& task,
                               Index most_elements, OwnerCounts& counts) {
    const Bodies& b = task.bodies;
    const int me = comm.rank();
    double largest = 0;
    for (Index i = 0; i < b.size; ++i) largest = std::max(largest, b.radius(i));
    largest_radius = boost::mpi::all_reduce(comm, largest, boost::mpi::maximum<double>());

    // Labels next to another slab. A body with its own id as label is a single ball unless others with that label are
    // near; a cluster that is missed because of that is resolved by each rank. So is a body without a label.
    const auto other = [&](const std::optional<int>& rank) { return rank && *rank != me; };
    const bool below = other(slabs.below(me)), above = other(slabs.above(me));
    const auto at_border = [&](Index i) {
        const int layer = digit(b.cube(i), 2);
        return (below && layer <= slabs.first(me)) || (above && layer >= slabs.end(me) - 1);
    };
    std::vector<Id> labels;
    for (Index i = 0; i < b.size; ++i)
        if (b.cluster(i) != no_cluster && b.cluster(i) != b.id(i) && at_border(i)) labels.push_back(b.cluster(i));
    const LabelSet near(std::move(labels));
    labels.clear();
    for (const Range& range : b.real)
        for (Index i = range.begin; i < range.end; ++i)
            if (near.has(b.cluster(i)) && at_border(i)) labels.push_back(b.cluster(i));
    const LabelSet border(gather_all(comm, LabelSet(std::move(labels)).labels(), counts));

    const Lattice lattice(task.cubes.domain());
    // What this rank holds of them; of its real ones the parts of their sums.
    for (Index i = 0; i < b.size; ++i)
        if (border.has(b.cluster(i))) held.push_back(i);
    std::vector<std::pair<Id, Index>> mine;
    for (const Index i : held)
        if (is_real(task, i)) mine.emplace_back(b.cluster(i), i);
    std::sort(mine.begin(), mine.end());
    const auto for_each_label = [&](auto&& f) {
        for (std::size_t k = 0; k < mine.size();) {
            std::size_t end = k;
            while (end < mine.size() && mine[end].first == mine[k].first) ++end;
            f(std::span<const std::pair<Id, Index>>(mine.data() + k, end - k));
            k = end;
        }
    };
    std::vector<Part> parts;
    const double scale = 1024 / std::min({task.cubes.edge.x, task.cubes.edge.y, task.cubes.edge.z});
    for_each_label([&](std::span<const std::pair<Id, Index>> of) {
        Part part{};
        part.label = of.front().first, part.count = of.size();
        std::array<Wide, 3> sum{};
        for (int axis = 0; axis < 3; ++axis) part.anchor[axis] = lattice.steps(b.position(of.front().second, axis));
        for (const auto& [label, i] : of) {
            const auto r = static_cast<std::uint64_t>(std::max(1LL, std::llround(b.radius(i) * scale)));
            const std::uint64_t weight = r * r * r;
            part.weight += weight;
            for (int axis = 0; axis < 3; ++axis)
                sum[axis] += static_cast<Wide>(weight) *
                             lattice.between(part.anchor[axis], lattice.steps(b.position(i, axis)), axis);
        }
        for (int axis = 0; axis < 3; ++axis) halve(sum[axis], part.sum[axis]);
        parts.push_back(part);
    });
    parts = gather_all(comm, parts, counts);
    std::stable_sort(parts.begin(), parts.end(), [](const Part& p, const Part& q) { return p.label < q.label; });

    for (std::size_t k = 0; k < parts.size();) {
        const Part& first = parts[k];
        std::array<Wide, 3> sum{};
        std::uint64_t weight = 0, count = 0;
        std::size_t end = k;
        for (; end < parts.size() && parts[end].label == first.label; ++end) {
            const Part& part = parts[end];
            weight += part.weight, count += part.count;
            for (int axis = 0; axis < 3; ++axis)
                sum[axis] += wide(part.sum[axis]) + static_cast<Wide>(part.weight) *
                                                        lattice.between(first.anchor[axis], part.anchor[axis], axis);
        }
        if (count > 1 && count <= most_elements) {
            BorderCluster cluster{first.label, {}, 0};
            for (int axis = 0; axis < 3; ++axis) {
                at(cluster.centre, axis) = lattice.inside(first.anchor[axis] + quotient(sum[axis], weight), axis);
            }
            clusters.push_back(cluster);
        }
        k = end;
    }

    // Radii are maxima over the ranks.
    std::vector<double> radius(clusters.size(), 0.0), all_radii(clusters.size());
    for (const auto& [label, i] : mine) {
        const std::uint32_t k = number_of(label);
        if (k == none) continue;
        double square = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double d = at(b.x(i), axis) - at(clusters[k].centre, axis), period = lattice.period(axis);
            const double way = period > 0 ? d - period * std::floor(d / period + 0.5) : d;
            square += way * way;
        }
        radius[k] = std::max(radius[k], std::sqrt(square) + b.radius(i));
    }
    if (!clusters.empty())
        boost::mpi::all_reduce(comm, radius.data(), static_cast<int>(radius.size()), all_radii.data(),
                               boost::mpi::maximum<double>());
    counts.messages += static_cast<std::uint64_t>(comm.size() - 1);
    counts.bytes += static_cast<std::uint64_t>(comm.size() - 1) * sizeof(double) * radius.size();
    std::vector<BorderCluster> kept;
    for (std::size_t k = 0; k < clusters.size(); ++k) {
        clusters[k].radius = all_radii[k] * (1 + 1e-12);
        bool fits = true;
        for (int axis = 0; axis < 3; ++axis)
            fits &= lattice.period(axis) == 0 || 2 * clusters[k].radius <= widest * lattice.period(axis);
        if (fits) kept.push_back(clusters[k]);
    }
    clusters = std::move(kept);

    first_.assign(clusters.size() + 1, 0);
    for (const auto& [label, i] : mine)
        if (const std::uint32_t k = number_of(label); k != none) ++first_[k + 1], elements_.push_back(i);
    for (std::size_t k = 0; k < clusters.size(); ++k) first_[k + 1] += first_[k];
}

}  // namespace granary
