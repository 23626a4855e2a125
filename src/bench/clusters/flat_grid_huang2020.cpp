#include "bench/clusters/flat_grid_huang2020.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace granary {

namespace {

constexpr Index none = std::numeric_limits<Index>::max();

}  // namespace

FlatGrid::FlatGrid(const DetectScene& scene, Rule rule)
    : scene_(scene),
      rule_(rule),
      edge_(rule == Rule::maximum_diameter ? scene.reach() * (1 + 1e-9)
                                           : scene.smallest_diameter * std::numbers::sqrt2 / 2),
      inverse_(1 / edge_),
      largest_radius_(scene.largest_diameter / 2) {
    std::size_t n = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const double length = at(scene.domain.upper, axis) - at(scene.domain.lower, axis);
        cells_[axis] = static_cast<int>(length * inverse_) + 1;
        n *= static_cast<std::size_t>(cells_[axis]);
    }
    head_.resize(n), next_.resize(scene.size());
    sort();
}

int FlatGrid::cell(double x, int axis) const {
    return std::clamp(static_cast<int>(std::floor((x - at(scene_.domain.lower, axis)) * inverse_)), 0,
                      cells_[axis] - 1);
}

void FlatGrid::sort() {
    std::fill(head_.begin(), head_.end(), none);
    for (Index i = 0; i < scene_.size(); ++i) {
        const double* q = scene_.quads.data() + std::size_t{4} * i;
        const std::size_t at_cell =
            (static_cast<std::size_t>(cell(q[2], 2)) * cells_[1] + cell(q[1], 1)) * cells_[0] + cell(q[0], 0);
        next_[i] = head_[at_cell], head_[at_cell] = i;
    }
}

void FlatGrid::search() {
    couples_.clear();
    tests_ = 0;
    for (Index i = 0; i < scene_.size(); ++i) {
        const double* q = scene_.quads.data() + std::size_t{4} * i;
        std::array<int, 3> first, last;
        for (int axis = 0; axis < 3; ++axis) {
            if (rule_ == Rule::maximum_diameter) {
                const int here = cell(q[axis], axis);
                first[axis] = std::max(here - 1, 0), last[axis] = std::min(here + 1, cells_[axis] - 1);
            } else {
                const double reach = (q[3] + largest_radius_ + scene_.margin) * (1 + 1e-9);
                first[axis] = cell(q[axis] - reach, axis), last[axis] = cell(q[axis] + reach, axis);
            }
        }
        for (int z = first[2]; z <= last[2]; ++z)
            for (int y = first[1]; y <= last[1]; ++y) {
                const std::size_t row = (static_cast<std::size_t>(z) * cells_[1] + y) * cells_[0];
                for (int x = first[0]; x <= last[0]; ++x)
                    // A list has the largest number first: those after i stand in front.
                    for (Index j = head_[row + x]; j != none && j > i; j = next_[j]) {
                        ++tests_;
                        if (in_contact<3>(q, scene_.quads.data() + std::size_t{4} * j, scene_.margin))
                            couples_.push_back({i, j});
                    }
            }
    }
}

void FlatGrid::for_each_pair(const std::function<void(Index, Index)>& f) const {
    for (const Couple& c : couples_) f(c.contactor, c.target);
}

}  // namespace granary
