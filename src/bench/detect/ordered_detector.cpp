#include "bench/detect/ordered_detector.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include "search/mr_sort_munjiza2006.hpp"

namespace granary {

OrderedDetector::OrderedDetector(const DetectScene& scene, const DetectorSettings& settings)
    : cubes_(scene.domain, scene.reach() + settings.delta),
      margin_(scene.margin) {
    const Index n = scene.size();
    bodies_.reserve(n + 4);  // searches read past the end
    std::fill_n(bodies_.position.data(), std::size_t{4} * (n + 4), 0.0);
    if (!scene.cluster.empty()) bodies_.add(When::clusters);
    bodies_.size = n;
    bodies_.owned = {0, n};
    bodies_.real = {{0, n}};
    std::copy(scene.quads.begin(), scene.quads.end(), bodies_.position.data());
    for (Index i = 0; i < n; ++i) bodies_.id(i) = i;
    for (Index i = 0; i < n && !scene.cluster.empty(); ++i) bodies_.cluster(i) = scene.cluster[i];
    new_cube_.resize(n);
    for (Index i = 0; i < n; ++i) bodies_.cube(i) = new_cube_[i] = cubes_.of(bodies_.x(i));
    // The first sort: all are newcomers.
    mr_sort({bodies_.cube.data(), new_cube_.data(), bodies_.id.data(), {}, {0, n}}, order_);
    move();
}

void OrderedDetector::follow(const DetectScene& scene) {
    for (Index i = 0; i < bodies_.size; ++i)
        std::copy_n(scene.quads.data() + 4 * bodies_.id(i), 4, bodies_.position.data() + std::size_t{4} * i);
}

void OrderedDetector::sort() {
    n_movers_ = 0;
    for (Index i = 0; i < bodies_.size; ++i) {
        new_cube_[i] = cubes_.of(bodies_.x(i));
        n_movers_ += new_cube_[i] != bodies_.cube(i);
    }
    const std::array runs{Range{0, bodies_.size}};
    mr_sort({bodies_.cube.data(), new_cube_.data(), bodies_.id.data(), runs, {bodies_.size, bodies_.size}}, order_);
}

// As a rebuild does it: every column through a spare one, here that of the forces. A run moves velocity and spin as
// well.
void OrderedDetector::move() {
    const Index n = bodies_.size;
    const auto move_column = [&](auto* column, std::size_t width) {
        auto* spare = reinterpret_cast<std::remove_pointer_t<decltype(column)>*>(bodies_.force.data());
        for (Index p = 0; p < n; ++p) std::copy_n(column + width * order_[p], width, spare + width * p);
    };
    const auto move_numbers = [&](Id* column) {
        move_column(column, 1);
        std::memcpy(column, bodies_.force.data(), n * sizeof(Id));
    };
    move_numbers(bodies_.id.data());
    if (bodies_.has(When::clusters)) move_numbers(bodies_.cluster.data());
    for (Index p = 0; p < n; ++p) bodies_.cube(p) = new_cube_[order_[p]];
    move_column(bodies_.position.data(), 4);
    std::swap(bodies_.position, bodies_.force);
}

void OrderedDetector::search() { search_in_order(task(), pairs_); }

void OrderedDetector::for_each_pair(const std::function<void(Index, Index)>& f) const {
    for (Index i = 0; i < pairs_.n_bodies; ++i)
        for (Index slot = pairs_.begin(i); slot < pairs_.begin(i + 1); ++slot)
            f(static_cast<Index>(bodies_.id(i)), static_cast<Index>(bodies_.id(pairs_.partner_of(slot))));
}

// Cube now and before, place in the order; MR sort lists those that moved twice, in streams and merged.
std::uint64_t OrderedDetector::bytes() const {
    return bodies_.size * (2 * sizeof(Cube) + sizeof(Index)) + n_movers_ * 2 * sizeof(Index) + search_bytes();
}

double OrderedDetector::changed_share() const {
    return static_cast<double>(n_movers_) / std::max(1.0, static_cast<double>(bodies_.size));
}

}  // namespace granary
