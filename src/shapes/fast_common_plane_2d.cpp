#include "shapes/fast_common_plane_2d.hpp"
#include <cmath>

namespace granary {
namespace {

double dot2(const Vec2d& a, const Vec2d& b) { return a.x * b.x + a.y * b.y; }
Vec2d minus2(const Vec2d& a, const Vec2d& b) { return {a.x - b.x, a.y - b.y}; }

class LineSearch {
  public:
    LineSearch(const FlatPolygon& i, const FlatPolygon& j, bool all_ties)
        : i_(i), j_(j), all_ties_(all_ties), size_(i.size + j.size) {}

    CommonLine find(const Vec2d& start) {
        line_.normal = start, line_.gap = gap_along(start);
        for (int times = 0; times < 12; ++times) {
            const bool apart = line_.gap >= 1e-4 * size_;
            const double way = apart ? 0 : 1e-4 * size_ - line_.gap;
            shift_ = {way * line_.normal.x, way * line_.normal.y};
            best_ = line_.normal, best_gap_ = line_.gap + way;
            for (int round = 0; round < 40 && improve(); ++round) {
            }
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
        const double before = best_gap_;
        const Vec2d n = best_;
        a_ = i_.support({-n.x, -n.y}, a_), b_ = j_.support(n, b_);
        const std::uint32_t a = a_, b = b_;
        if (candidates_of(a, b)) return best_gap_ > before + 1e-12 * size_;
        if (all_ties_) {
            const auto tied_i = other_end(i_, {-n.x, -n.y}, a), tied_j = other_end(j_, n, b);
            if (tied_i != a) candidates_of(tied_i, b);
            if (tied_j != b) candidates_of(a, tied_j);
            if (tied_i != a && tied_j != b) candidates_of(tied_i, tied_j);
        }
        return best_gap_ > before + 1e-12 * size_;
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

    void consider(const Vec2d& n) {
        const double gap = gap_along(n);
        if (gap > best_gap_) best_gap_ = gap, best_ = n;
    }

    // True: the bisector is the answer.
    bool candidates_of(std::uint32_t a, std::uint32_t b) {
        const Vec2d ab = {i_.corner[a].x - j_.corner[b].x + shift_.x, i_.corner[a].y - j_.corner[b].y + shift_.y};
        const double length = std::sqrt(dot2(ab, ab));
        if (length <= best_gap_ + 1e-12 * size_) return true;  // no plane between these two is better
        if (length > 0) consider({ab.x / length, ab.y / length});
        if (best_gap_ >= length - 1e-12 * size_) return true;
        edges_at(i_, a, ab), edges_at(j_, b, ab);
        return false;
    }

    void edges_at(const FlatPolygon& p, std::uint32_t c, const Vec2d& ab) {
        const auto m = static_cast<std::uint32_t>(p.corner.size());
        for (const std::uint32_t k : {c + 1 == m ? 0 : c + 1, c == 0 ? m - 1 : c - 1}) {
            const Vec2d e = minus2(p.corner[k], p.corner[c]);
            const double side = e.x * ab.y - e.y * ab.x, length = std::sqrt(dot2(e, e)) * (side < 0 ? -1 : 1);
            const Vec2d n{-e.y / length, e.x / length};
            if (dot2(n, ab) > best_gap_) consider(n);
        }
    }

    const FlatPolygon &i_, &j_;
    bool all_ties_;
    double size_;
    CommonLine line_;
    Vec2d shift_, best_;
    double best_gap_ = 0;
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

CommonLine fast_common_line(const FlatPolygon& i, const FlatPolygon& j, const Vec2d& start, bool all_ties) {
    Vec2d n = start;
    if (dot2(n, n) == 0) n = minus2(i.centroid, j.centroid);
    if (dot2(n, n) == 0) n = {0, 1};
    const double length = std::sqrt(dot2(n, n));
    return LineSearch(i, j, all_ties).find({n.x / length, n.y / length});
}

}  // namespace granary
