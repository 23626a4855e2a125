#include "shapes/fast_common_plane_nezami2003.hpp"
#include <cmath>

namespace granary {
namespace {

constexpr int most_rounds = 40;
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

    CommonPlane find(Vec3d n) {
        CommonPlane plane;
        double original = gap_along(n, {}, plane);
        if (original < moved_apart * size_) shift_ = (moved_apart * size_ - original) * n;
        best_ = n, best_gap_ = original + dot(shift_, n);
        for (plane.capped = true; plane.rounds < most_rounds;) {
            ++plane.rounds;
            const double before = best_gap_;
            const Vec3d now = best_;
            a_ = i_.support(-now, a_), b_ = j_.support(now, b_);
            round(now, plane);
            if (!(best_gap_ > before + gain * size_)) {
                plane.capped = false;
                break;
            }
        }
        plane.normal = best_;
        plane.gap = gap_along(best_, {}, plane);
        return plane;
    }

  private:
    double gap_along(const Vec3d& n, const Vec3d& shift, CommonPlane& plane) {
        ++plane.candidates;
        a_ = i_.support(-n, a_), b_ = j_.support(n, b_);
        return dot(n, (i_.corner[a_] - j_.corner[b_]) + shift);
    }

    // A direction that may be better; ab: from a corner of j to one of i, moved apart, which bounds its gap from above.
    void consider(Vec3d n, const Vec3d& ab, CommonPlane& plane) {
        const double square = dot(n, n);
        if (!(square > 0)) return;
        n *= 1 / std::sqrt(square);
        if (!(dot(n, ab) > best_gap_ + gain * size_)) return;
        const double gap = gap_along(n, shift_, plane);
        if (gap > best_gap_) best_gap_ = gap, best_ = n;
    }

    void round(const Vec3d& n, CommonPlane& plane) {
        tied_i_.find(i_, -n, a_, tie * size_), tied_j_.find(j_, n, b_, tie * size_);
        for (std::size_t p = 0; p < tied_i_.n; ++p)
            for (std::size_t q = 0; q < tied_j_.n; ++q)
                if (candidates_of(tied_i_.corner[p], tied_j_.corner[q], plane)) return;
    }

    // True: the bisector has its own two corners as the nearest, and no plane is better.
    bool candidates_of(std::uint32_t a, std::uint32_t b, CommonPlane& plane) {
        const Vec3d at_a = i_.corner[a], at_b = j_.corner[b], ab = (at_a - at_b) + shift_;
        const double length = norm(ab);
        if (!(length > best_gap_ + gain * size_)) return false;  // it bounds all of them
        consider(ab, ab, plane);
        if (best_gap_ >= length - gain * size_) return true;
        const auto neighbours_a = i_.body->neighbours_of(a), neighbours_b = j_.body->neighbours_of(b);
        for (const std::uint32_t k : neighbours_a) consider(across(ab, i_.corner[k] - at_a), ab, plane);
        for (const std::uint32_t k : neighbours_b) consider(across(ab, j_.corner[k] - at_b), ab, plane);
        for (const std::uint32_t f : i_.body->faces_of(a))
            consider(-rotate(i_.orientation, i_.body->faces()[f].normal), ab, plane);
        for (const std::uint32_t f : j_.body->faces_of(b))
            consider(rotate(j_.orientation, j_.body->faces()[f].normal), ab, plane);
        for (const std::uint32_t k : neighbours_a)
            for (const std::uint32_t l : neighbours_b) {
                const Vec3d n = cross(i_.corner[k] - at_a, j_.corner[l] - at_b);
                consider(dot(n, ab) < 0 ? -n : n, ab, plane);
            }
        return false;
    }

    static Vec3d across(const Vec3d& ab, const Vec3d& edge) { return ab - (dot(ab, edge) / dot(edge, edge)) * edge; }

    const CornersInSpace &i_, &j_;
    double size_;
    Vec3d shift_, best_;
    double best_gap_ = 0;
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
    Vec3d n = start;
    if (dot(n, n) == 0) n = i.centre - j.centre;
    if (dot(n, n) == 0) n = {0, 0, 1};
    return PlaneSearch(i, j).find((1 / norm(n)) * n);
}

CommonPlane fast_common_plane(const ConvexPolyhedron& a, const Placed& i, const ConvexPolyhedron& b, const Placed& j,
                              const Vec3d& start) {
    return fast_common_plane(CornersInSpace(a, i, i.centre), CornersInSpace(b, j, i.centre), start);
}

}  // namespace granary
