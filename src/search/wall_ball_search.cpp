#include "search/wall_ball_search.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace granary {

namespace {

// The nine rows around a cube, in ascending order of z, then y: offsets of their first cube.
constexpr std::array<Cube, 9> rows() {
    std::array<Cube, 9> offset{};
    for (std::size_t k = 0; k < 9; ++k)
        offset[k] = (Cube{k / 3} - 1) * cube_step[2] + (Cube{k % 3} - 1) * cube_step[1] - cube_step[0];
    return offset;
}

}  // namespace

void WallBallSearch::place(std::vector<WallBall> balls, const Cubes& cubes) {
    // A centre outside of the domain counts into the cube at its border: that only brings it nearer in cubes, so none
    // is missed.
    std::vector<std::size_t> order(balls.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto key = [&](std::size_t k) { return std::pair(cubes.of(balls[k].centre), balls[k].number); };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
    balls_.clear(), cube_.clear();
    for (const std::size_t k : order) balls_.push_back(balls[k]), cube_.push_back(cubes.of(balls[k].centre));
}

void WallBallSearch::find(const Bodies& bodies, double margin, std::span<const char> open,
                          std::vector<WallBallCandidate>& found) const {
    found.clear();
    if (balls_.empty()) return;
    constexpr std::array<Cube, 9> offset = rows();
    const std::size_t n = balls_.size();
    std::array<std::size_t, 9> begin{}, end{};
    Cube looked_around = no_cube;
    const auto move_on = [&](Cube c) {
        if (looked_around == no_cube)  // the rank's first cube: what lies below is of no concern
            for (std::size_t k = 0; k < 9; ++k)
                begin[k] = end[k] = static_cast<std::size_t>(
                    std::lower_bound(cube_.begin(), cube_.end(), c + offset[k]) - cube_.begin());
        for (std::size_t k = 0; k < 9; ++k) {
            const Cube first = c + offset[k], last = first + 2 * cube_step[0];
            while (begin[k] < n && cube_[begin[k]] < first) ++begin[k];
            end[k] = std::max(end[k], begin[k]);
            while (end[k] < n && cube_[end[k]] <= last) ++end[k];
        }
        looked_around = c;
    };
    for (const Range& range : bodies.real)
        for (Index i = range.begin; i < range.end; ++i) {
            if (bodies.cube(i) != looked_around) move_on(bodies.cube(i));
            const Vec3d x = bodies.x(i);
            for (std::size_t k = 0; k < 9; ++k)
                for (std::size_t w = begin[k]; w < end[k]; ++w) {
                    const Vec3d d = x - balls_[w].centre;
                    const double reach = bodies.radius(i) + balls_[w].radius + margin;
                    if (!(dot(d, d) < reach * reach) || (!open.empty() && open[balls_[w].wall] != 0)) continue;
                    found.push_back({i, static_cast<std::uint32_t>(w), {0, 0, 0}});
                }
        }
}

}  // namespace granary
