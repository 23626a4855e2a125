#include "filling/dense_pack.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/errors.hpp"

namespace granary {
namespace {

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION         // tests/fuzz/README.md
constexpr double least_balls = 100, most_balls = 1000;  // in a tile
constexpr int most_sweeps = 600;
#else
constexpr double least_balls = 3000, most_balls = 300'000;  // in a tile
constexpr int most_sweeps = 6000;
#endif
constexpr double least_edge = 6;  // in diameters of the largest ball
// The tile's balls stand so much farther apart than they must: places are rounded when the tile is laid.
constexpr double room = 1e-9;

}  // namespace

DenseTile dense_tile(const BallKind& balls, double solid_fraction, double accepted_overlap, std::uint64_t seed) {
    const SizeDistribution sizes = sizes_of(balls);
    const double volume = 4.0 / 3.0 * std::numbers::pi * sizes.moment(3);
    const double wide = least_edge * 2 * sizes.largest;
    const double n = std::max(least_balls, std::ceil(solid_fraction * wide * wide * wide / volume));
    if (n > most_balls)
        throw InputError(
            fmt::format("a dense packing of these sizes would need a tile of {:.0f} balls (expected at most "
                        "{:.0f}: the largest ball is too rare); use method = \"rain\"",
                        n, most_balls));
    PackTask task;
    for (double k = 0; k < n; ++k) task.diameters.push_back(2 * (1 + room) * sizes.radius((k + 0.5) / n));
    task.solid_fraction = solid_fraction;
    task.accepted_overlap = accepted_overlap;
    task.most_sweeps = most_sweeps;
    task.seed = seed;
    RelaxedPack pack = relaxed_pack(task);
    if (pack.largest_overlap > accepted_overlap)
        throw InputError(
            fmt::format("balls of these sizes cannot be packed as densely as {:.3g} (expected a smaller "
                        "solid_fraction, or max_overlap of at least {:.2g})",
                        solid_fraction, 2 * pack.largest_overlap));
    for (PackBall& b : pack.balls) b.radius /= 1 + room;
    std::stable_sort(pack.balls.begin(), pack.balls.end(),
                     [](const PackBall& a, const PackBall& b) { return a.centre.z < b.centre.z; });
    return {pack.edge, std::move(pack.balls), pack.largest_overlap};
}

DenseSites::DenseSites(const DenseTile& tile, const Vec3d& lower, const Vec3d& upper) : tile_(tile), lower_(lower) {
    for (int axis = 0; axis < 3; ++axis) {
        const double length = granary::at(upper, axis) - granary::at(lower, axis);
        n_[static_cast<std::size_t>(axis)] = static_cast<std::uint64_t>(std::ceil(length / tile.edge));
    }
}

// Layer of tiles, then ball of the tile by its height, then tile of the layer.
PackBall DenseSites::at(std::uint64_t site) const {
    const std::uint64_t in_layer = n_[0] * n_[1], x = site % n_[0], y = site % in_layer / n_[0];
    const std::uint64_t rest = site / in_layer, z = rest / tile_.balls.size();
    PackBall ball = tile_.balls[rest % tile_.balls.size()];
    ball.centre += lower_ + tile_.edge * Vec3d{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
    return ball;
}

}  // namespace granary
