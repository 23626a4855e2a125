#include "shapes/common_plane_as_printed_nezami2003.hpp"
#include <cmath>

namespace granary {
namespace {

constexpr int most_rounds = 40;

double dot_flat(const Vec2d& a, const Vec2d& b) { return a.x * b.x + a.y * b.y; }

// Of all corners, the first of those that are nearest.
std::uint32_t nearest_corner(const FlatPolygon& p, const Vec2d& direction) {
    std::uint32_t best = 0;
    for (std::uint32_t k = 1; k < p.corner.size(); ++k)
        if (dot_flat(direction, p.corner[k]) > dot_flat(direction, p.corner[best])) best = k;
    return best;
}

}  // namespace

PrintedLine common_line_as_printed(const FlatPolygon& i, const FlatPolygon& j) {
    PrintedLine found;
    CommonLine& line = found.line;
    Vec2d shift;
    const auto unit = [](const Vec2d& v) {
        const double length = std::sqrt(dot_flat(v, v));
        return Vec2d{v.x / length, v.y / length};
    };
    const auto between = [&](std::uint32_t a, std::uint32_t b) {
        return Vec2d{i.corner[a].x - j.corner[b].x + shift.x, i.corner[a].y - j.corner[b].y + shift.y};
    };
    const auto gap_along = [&](const Vec2d& n) {
        return dot_flat(n, between(nearest_corner(i, {-n.x, -n.y}), nearest_corner(j, n)));
    };
    // Step 1.
    Vec2d n = unit({i.centroid.x - j.centroid.x, i.centroid.y - j.centroid.y});
    const double least = 1e-4 * (i.size + j.size), at_start = gap_along(n);
    if (at_start < least) shift = {(least - at_start) * n.x, (least - at_start) * n.y};
    const auto edge_normal = [&](const FlatPolygon& p, std::uint32_t from, std::uint32_t to, const Vec2d& towards) {
        const Vec2d e{p.corner[to].x - p.corner[from].x, p.corner[to].y - p.corner[from].y};
        const Vec2d across = unit({-e.y, e.x});
        return dot_flat(across, towards) < 0 ? Vec2d{-across.x, -across.y} : across;
    };
    while (!found.halted && line.rounds < most_rounds) {
        ++line.rounds;
        // Step 2.
        const std::uint32_t a = nearest_corner(i, {-n.x, -n.y}), b = nearest_corner(j, n);
        const auto n_i = static_cast<std::uint32_t>(i.corner.size()), n_j = static_cast<std::uint32_t>(j.corner.size());
        const Vec2d ab = between(a, b);
        // Step 3. The bisector is the answer at once where A and B stay the nearest.
        Vec2d best = unit(ab);
        ++line.candidates;
        double best_gap = gap_along(best);
        if (best_gap < std::sqrt(dot_flat(ab, ab)) * (1 - 1e-14)) {
            for (const Vec2d& m :
                 {edge_normal(i, a, a + 1 == n_i ? 0 : a + 1, ab), edge_normal(i, a, a == 0 ? n_i - 1 : a - 1, ab),
                  edge_normal(j, b, b + 1 == n_j ? 0 : b + 1, ab), edge_normal(j, b, b == 0 ? n_j - 1 : b - 1, ab)}) {
                ++line.candidates;
                if (const double gap = gap_along(m); gap > best_gap) best_gap = gap, best = m;
            }
        }
        // Step 4.
        found.halted = std::abs(best.x - n.x) < 1e-12 && std::abs(best.y - n.y) < 1e-12;
        n = best;
    }
    shift = {};
    line.normal = n, line.gap = gap_along(n);
    return found;
}

}  // namespace granary
