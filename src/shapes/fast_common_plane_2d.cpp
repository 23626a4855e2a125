#include "shapes/fast_common_plane_2d.hpp"
#include <cmath>

namespace granary {
namespace {

double dot2(const Vec2d& a, const Vec2d& b) { return a.x * b.x + a.y * b.y; }
Vec2d minus2(const Vec2d& a, const Vec2d& b) { return {a.x - b.x, a.y - b.y}; }

class LineSearch {
  public:
    LineSearch(const FlatPolygon& i, const FlatPolygon& j) : i_(i), j_(j), size_(i.size + j.size) {}

    CommonLine find(const Vec2d& start) {
        line_.normal = start, line_.gap = gap_along(start);
        for (int times = 0; times < 12; ++times) {
            const bool apart = line_.gap >= 1e-4 * size_;
            const double way = apart ? 0 : 1e-4 * size_ - line_.gap;
            shift_ = {way * line_.normal.x, way * line_.normal.y};
            best_ = line_.normal, best_gap_ = line_.gap + way;
            for (int round = 0; round < 40 && improve(); ++round) {}
            shift_ = {};
            const double gap = gap_along(best_), before = line_.gap;
            if (gap > before) line_.normal = best_, line_.gap = gap;
            if (apart || gap <= before + 1e-12 * size_) break;
        }
        return line_;
    }

  private:
    bool improve() {
        ++line_.rounds;
        optimal_ = false;
        const double before = best_gap_;
        const Vec2d n = best_;
        a_ = i_.support({-n.x, -n.y}, a_), b_ = j_.support(n, b_);
        const std::uint32_t a = a_, b = b_;
        candidates_of(a, b);
        if (!optimal_) {
            const auto tied_i = other_end(i_, {-n.x, -n.y}, a), tied_j = other_end(j_, n, b);
            if (tied_i != a) candidates_of(tied_i, b);
            if (tied_j != b && !optimal_) candidates_of(a, tied_j);
            if (tied_i != a && tied_j != b && !optimal_) candidates_of(tied_i, tied_j);
        }
        return !optimal_ && best_gap_ > before + 1e-12 * size_;
    }

    // A neighbour as near as the corner, or the corner itself.
    std::uint32_t other_end(const FlatPolygon& p, const Vec2d& n, std::uint32_t c) const {
        const auto m = static_cast<std::uint32_t>(p.corner.size());
        const double limit = dot2(n, p.corner[c]) - 1e-9 * size_;
        const std::uint32_t next = c + 1 == m ? 0 : c + 1, last = c == 0 ? m - 1 : c - 1;
        return dot2(n, p.corner[next]) >= limit ? next : dot2(n, p.corner[last]) >= limit ? last : c;
    }

    double gap_along(const Vec2d& n) {
        ++line_.candidates;
        a_ = i_.support({-n.x, -n.y}, a_), b_ = j_.support(n, b_);
        return dot2(n, minus2(i_.corner[a_], j_.corner[b_])) + dot2(n, shift_);
    }

    // Bisector of a and b, and planes along their edges. Only edges whose other end is nearer to the bisector can hold
    // a plane.
    void candidates_of(std::uint32_t a, std::uint32_t b) {
        const Vec2d ab = {i_.corner[a].x - j_.corner[b].x + shift_.x, i_.corner[a].y - j_.corner[b].y + shift_.y};
        const double square = dot2(ab, ab), least = best_gap_ + 1e-12 * size_;
        if (least > 0 && square <= least * least) return;  // no plane between these two is better
        const auto m = static_cast<std::uint32_t>(i_.corner.size()), n = static_cast<std::uint32_t>(j_.corner.size());
        const Vec2d at_i[2] = {minus2(i_.corner[a + 1 == m ? 0 : a + 1], i_.corner[a]),
                               minus2(i_.corner[a == 0 ? m - 1 : a - 1], i_.corner[a])};
        const Vec2d at_j[2] = {minus2(j_.corner[b + 1 == n ? 0 : b + 1], j_.corner[b]),
                               minus2(j_.corner[b == 0 ? n - 1 : b - 1], j_.corner[b])};
        const double i0 = dot2(ab, at_i[0]), i1 = dot2(ab, at_i[1]), j0 = dot2(ab, at_j[0]), j1 = dot2(ab, at_j[1]);
        if (i0 >= 0 && i1 >= 0 && j0 <= 0 && j1 <= 0) {  // they stay the nearest: at once
            ++line_.candidates;
            best_gap_ = std::sqrt(square), best_ = {ab.x / best_gap_, ab.y / best_gap_};
            optimal_ = true;
            return;
        }
        const auto along = [&](const Vec2d& e, const Vec2d& other, double part, const Vec2d(&across)[2], double sign) {
            // n at right angles to e, towards ab; a and b must stay the nearest.
            const double side = e.x * ab.y - e.y * ab.x, turn = side < 0 ? -1 : 1;
            const Vec2d raw{-turn * e.y, turn * e.x};
            const double length = std::sqrt(dot2(e, e)), slack = 1e-9 * size_ * length;
            if (turn * side <= best_gap_ * length) return;
            ++line_.candidates;
            if (sign * dot2(raw, other) < -slack || sign * dot2(raw, across[0]) > slack ||
                sign * dot2(raw, across[1]) > slack)
                return;
            best_ = {raw.x / length, raw.y / length}, best_gap_ = turn * side / length;
            optimal_ = part <= 1;  // the foot of the other corner lies within the edge
        };
        if (i0 < 0) along(at_i[0], at_i[1], -i0 / dot2(at_i[0], at_i[0]), at_j, 1);
        if (i1 < 0) along(at_i[1], at_i[0], -i1 / dot2(at_i[1], at_i[1]), at_j, 1);
        if (j0 > 0) along(at_j[0], at_j[1], j0 / dot2(at_j[0], at_j[0]), at_i, -1);
        if (j1 > 0) along(at_j[1], at_j[0], j1 / dot2(at_j[1], at_j[1]), at_i, -1);
        if (optimal_) return;
        // None that is allowed may be better, yet the bisector may lead on: its gap over all corners.
        const double length = std::sqrt(square);
        const Vec2d bisector{ab.x / length, ab.y / length};
        if (const double gap = gap_along(bisector); gap > best_gap_) best_gap_ = gap, best_ = bisector;
    }

    const FlatPolygon &i_, &j_;
    double size_;
    CommonLine line_;
    Vec2d shift_, best_;
    double best_gap_ = 0;
    bool optimal_ = false;  // the nearest points were found
    std::uint32_t a_ = 0, b_ = 0;
};

}  // namespace

FlatPolygon::FlatPolygon(std::vector<Vec2d> corners) : corner(std::move(corners)) {
    double area = 0;
    for (std::size_t k = 1; k + 1 < corner.size(); ++k) {
        const Vec2d a = minus2(corner[k], corner[0]), b = minus2(corner[k + 1], corner[0]);
        const double part = a.x * b.y - a.y * b.x;
        area += part;
        centroid.x += part * (a.x + b.x), centroid.y += part * (a.y + b.y);
    }
    centroid = {corner[0].x + centroid.x / (3 * area), corner[0].y + centroid.y / (3 * area)};
    for (const Vec2d& c : corner) {
        const Vec2d d = minus2(c, centroid);
        const double r = std::sqrt(dot2(d, d));
        if (r > size) size = r;
    }
}

std::uint32_t FlatPolygon::support(const Vec2d& n, std::uint32_t start) const {
    const auto m = static_cast<std::uint32_t>(corner.size());
    std::uint32_t best = start;
    double height = dot2(n, corner[best]);
    for (const bool up : {true, false})
        for (;;) {
            const std::uint32_t k = up ? (best + 1 == m ? 0 : best + 1) : (best == 0 ? m - 1 : best - 1);
            const double h = dot2(n, corner[k]);
            if (!(h > height)) break;
            best = k, height = h;
        }
    return best;
}

CommonLine fast_common_line(const FlatPolygon& i, const FlatPolygon& j, const Vec2d& start) {
    Vec2d n = start;
    if (dot2(n, n) == 0) n = minus2(i.centroid, j.centroid);
    if (dot2(n, n) == 0) n = {0, 1};
    const double length = std::sqrt(dot2(n, n));
    return LineSearch(i, j).find({n.x / length, n.y / length});
}

}  // namespace granary
