#include "shapes/fast_common_plane_nezami2003.hpp"
#include <cmath>

namespace granary {
namespace {

constexpr int most_rounds = 40, most_moves = 12;
constexpr std::size_t most_tied = 16;
constexpr double tie = 1e-9, moved_apart = 1e-4, gain = 1e-12;  // of the size

// Corners of one body as near to the plane as the nearest.
struct TiedCorners {
    std::uint32_t corner[most_tied];
    std::size_t n = 0;

    void find(const CornersInSpace& body, const Vec3d& direction, std::uint32_t nearest, double width) {
        n = 0;
        corner[n++] = nearest;
        const double limit = dot(direction, body.corner[nearest]) - width;
        for (std::size_t k = 0; k < n; ++k)
            for (const std::uint32_t c : body.body->neighbours_of(corner[k])) {
                if (n == most_tied || dot(direction, body.corner[c]) < limit) continue;
                bool known = false;
                for (std::size_t l = 0; l < n; ++l) known |= corner[l] == c;
                if (!known) corner[n++] = c;
            }
    }
};

class PlaneSearch {
  public:
    PlaneSearch(const CornersInSpace& i, const CornersInSpace& j)
        : i_(i),
          j_(j),
          size_(i.body->outer_radius() * i.size + j.body->outer_radius() * j.size) {}

    // Moved apart anew along each plane found, until the gap no longer grows; bodies that are apart are left where they
    // are.
    CommonPlane find(const Vec3d& start) {
        plane_.normal = start;
        plane_.gap = gap_along(start);
        for (int times = 0; times < most_moves; ++times) {
            const bool apart = plane_.gap >= moved_apart * size_;
            shift_ = apart ? Vec3d{} : (moved_apart * size_ - plane_.gap) * plane_.normal;
            best_ = plane_.normal, best_gap_ = plane_.gap + dot(shift_, best_);
            climb();
            shift_ = {};
            const double gap = gap_along(best_), before = plane_.gap;
            if (gap > before) plane_.normal = best_, plane_.gap = gap;
            if (apart || gap <= before + gain * size_) break;
        }
        return plane_;
    }

  private:
    void climb() {
        for (int round = 0; round < most_rounds; ++round) {
            ++plane_.rounds;
            const double before = best_gap_;
            const Vec3d n = best_;
            optimal_ = false;
            a_ = i_.support(-n, a_), b_ = j_.support(n, b_);
            tied_i_.find(i_, -n, a_, tie * size_), tied_j_.find(j_, n, b_, tie * size_);
            each_tied([&](std::uint32_t a, std::uint32_t b) { try_bisector(a, b); });
            if (optimal_) return;
            if (!(best_gap_ > before + gain * size_))
                each_tied([&](std::uint32_t a, std::uint32_t b) { try_features(a, b); });
            if (optimal_ || !(best_gap_ > before + gain * size_)) return;
        }
        plane_.capped = true;
    }

    template <class Visit> void each_tied(Visit&& visit) const {
        for (std::size_t p = 0; p < tied_i_.n; ++p)
            for (std::size_t q = 0; q < tied_j_.n; ++q) {
                visit(tied_i_.corner[p], tied_j_.corner[q]);
                if (optimal_) return;
            }
    }

    double gap_along(const Vec3d& n) {
        ++plane_.candidates;
        a_ = i_.support(-n, a_), b_ = j_.support(n, b_);
        return dot(n, (i_.corner[a_] - j_.corner[b_]) + shift_);
    }

    // It may make a large step: all corners are looked at.
    void try_bisector(std::uint32_t a, std::uint32_t b) {
        const Vec3d ab = (i_.corner[a] - j_.corner[b]) + shift_;
        const double length = norm(ab);
        if (!(length > best_gap_ + gain * size_)) return;
        const Vec3d n = (1 / length) * ab;
        const double gap = gap_along(n);
        if (gap > best_gap_) best_gap_ = gap, best_ = n;
        if (gap >= length - gain * size_) optimal_ = true;  // a and b are the nearest points of the bodies
    }

    // Edges and faces at a and b, of which those planes count that leave both the nearest: then ab gives the gap. The
    // best one holds at least one edge whose other end is nearer to the bisector; a plane along one such edge that is
    // allowed is it.
    void try_features(std::uint32_t a, std::uint32_t b) {
        const Vec3d at_a = i_.corner[a], at_b = j_.corner[b], ab = (at_a - at_b) + shift_;
        if (!(norm(ab) > best_gap_ + gain * size_)) return;  // it bounds all of them
        const auto near_a = i_.body->neighbours_of(a), near_b = j_.body->neighbours_of(b);
        const double slack = tie * size_;
        const auto consider = [&](const Vec3d& raw) {  // raw: not of unit length
            const double along = dot(raw, ab), square = dot(raw, raw), least = best_gap_ - gain * size_;
            if (!(along > 0) || !(along * along > least * least * square)) return false;
            ++plane_.candidates;
            const double limit = slack * std::sqrt(square);
            for (const std::uint32_t k : near_a)
                if (dot(raw, i_.corner[k] - at_a) < -limit) return false;
            for (const std::uint32_t k : near_b)
                if (dot(raw, j_.corner[k] - at_b) > limit) return false;
            const Vec3d n = (1 / std::sqrt(square)) * raw;
            if (const double gap = dot(n, ab); gap > best_gap_) best_gap_ = gap, best_ = n;
            return true;
        };
        // Of a feasible plane along one edge at an end of ab: if the foot of the other end lies within the edge, these
        // are the nearest points. part: -(ab . edge)/edge^2, with ab from the end that is not on the edge.
        const auto within = [](double part) { return part >= 0 && part <= 1; };
        const auto nearer_i = [&](std::uint32_t k) { return dot(ab, i_.corner[k] - at_a) < 0; };
        const auto nearer_j = [&](std::uint32_t k) { return dot(ab, j_.corner[k] - at_b) > 0; };
        for (const std::uint32_t k : near_a) {
            if (!nearer_i(k)) continue;
            const Vec3d e = i_.corner[k] - at_a;
            if (!consider(across(ab, e))) continue;
            optimal_ = within(-dot(ab, e) / dot(e, e));
            return;
        }
        for (const std::uint32_t k : near_b) {
            if (!nearer_j(k)) continue;
            const Vec3d e = j_.corner[k] - at_b;
            if (!consider(across(ab, e))) continue;
            optimal_ = within(dot(ab, e) / dot(e, e));
            return;
        }
        for (const std::uint32_t k : near_a) {
            const bool nearer = nearer_i(k);
            const Vec3d u = i_.corner[k] - at_a;
            for (const std::uint32_t l : near_b) {
                if (!nearer && !nearer_j(l)) continue;
                const Vec3d v = j_.corner[l] - at_b;
                Vec3d n = cross(u, v);
                if (dot(n, ab) < 0) n = -n;
                if (!consider(n)) continue;
                // Nearest points of the lines a + s u, b + t v: ab + s u - t v along n.
                const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), d = uu * vv - uv * uv;
                const double s = (uv * dot(ab, v) - vv * dot(ab, u)) / d, t = (uu * dot(ab, v) - uv * dot(ab, u)) / d;
                if (within(s) && within(t)) {
                    optimal_ = true;
                    return;
                }
            }
        }
        for (const std::uint32_t f : i_.body->faces_of(a)) {
            const Vec3d n = -rotate(i_.orientation, i_.body->faces()[f].normal);
            if (consider(n) && (optimal_ = in_face(i_, f, n, at_b - shift_))) return;
        }
        for (const std::uint32_t f : j_.body->faces_of(b)) {
            const Vec3d n = rotate(j_.orientation, j_.body->faces()[f].normal);
            if (consider(n) && (optimal_ = in_face(j_, f, n, at_a + shift_))) return;
        }
    }

    // Does x lie over a face with normal n or -n?
    static bool in_face(const CornersInSpace& body, std::uint32_t f, const Vec3d& n, const Vec3d& x) {
        const auto ring = body.body->corners_of(f);
        bool left = true, right = true;
        for (std::size_t k = 0; k < ring.size(); ++k) {
            const Vec3d &p = body.corner[ring[k]], &q = body.corner[ring[k + 1 < ring.size() ? k + 1 : 0]];
            const double side = dot(cross(q - p, x - p), n);
            left &= side >= 0, right &= side <= 0;
        }
        return left || right;
    }

    static Vec3d across(const Vec3d& ab, const Vec3d& edge) { return ab - (dot(ab, edge) / dot(edge, edge)) * edge; }

    const CornersInSpace &i_, &j_;
    double size_;
    CommonPlane plane_;
    Vec3d shift_, best_;
    double best_gap_ = 0;
    bool optimal_ = false;  // the nearest points of the bodies were found
    std::uint32_t a_ = 0, b_ = 0;
    TiedCorners tied_i_, tied_j_;
};

}  // namespace

CornersInSpace::CornersInSpace(const ConvexPolyhedron& polyhedron, const Placed& at, const Vec3d& from)
    : body(&polyhedron),
      centre(at.centre - from),
      orientation(at.orientation),
      size(at.size) {
    const Vec3d ex = at.size * rotate(at.orientation, Vec3d{1, 0, 0}),
                ey = at.size * rotate(at.orientation, Vec3d{0, 1, 0}),
                ez = at.size * rotate(at.orientation, Vec3d{0, 0, 1});
    corner.reserve(polyhedron.corners().size());
    for (const Vec3d& c : polyhedron.corners()) corner.push_back(centre + (c.x * ex + c.y * ey + c.z * ez));
}

std::uint32_t CornersInSpace::support(const Vec3d& direction, std::uint32_t start) const {
    std::uint32_t best = start;
    double height = dot(direction, corner[best]);
    for (bool climbed = true; climbed;) {
        climbed = false;
        for (const std::uint32_t k : body->neighbours_of(best))
            if (const double h = dot(direction, corner[k]); h > height) best = k, height = h, climbed = true;
    }
    return best;
}

CommonPlane fast_common_plane(const CornersInSpace& i, const CornersInSpace& j, const Vec3d& start) {
    Vec3d line = i.centre - j.centre;
    if (dot(line, line) == 0) line = {0, 0, 1};
    line = (1 / norm(line)) * line;
    if (dot(start, start) == 0) return PlaneSearch(i, j).find(line);
    CommonPlane plane = PlaneSearch(i, j).find((1 / norm(start)) * start);
    if (plane.gap >= 0) return plane;
    // A start far off may lead through the bodies, to a plane that has both centroids on one side.
    const CommonPlane other = PlaneSearch(i, j).find(line);
    if (other.gap >= 0 || (dot(plane.normal, line) <= 0 && other.gap > plane.gap)) plane = other;
    return plane;
}

CommonPlane fast_common_plane(const ConvexPolyhedron& a, const Placed& i, const ConvexPolyhedron& b, const Placed& j,
                              const Vec3d& start) {
    return fast_common_plane(CornersInSpace(a, i, i.centre), CornersInSpace(b, j, i.centre), start);
}

}  // namespace granary
