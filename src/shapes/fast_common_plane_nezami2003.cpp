#include "shapes/fast_common_plane_nezami2003.hpp"
#include <cmath>
#include "shapes/edge_fan.hpp"

namespace granary {
namespace {

constexpr int most_rounds = 40, most_moves = 12, most_edges = 30, most_steps = 12;
constexpr std::size_t most_tied = 16;
constexpr double tie = 1e-9, moved_apart = 1e-4, gain = 1e-12, rounding = 1e-15;  // of the size

// Corners of one body as near to the plane as the nearest.
struct TiedCorners {
    std::uint32_t corner[most_tied];
    std::size_t n = 0;

    void set(std::uint32_t nearest) { corner[0] = nearest, n = 1; }
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

    // Of bodies that are apart, from corner to corner: a direction from j to i of any length. False: not found so.
    // Where the plane is a remembered one that does not hold them apart the other search is the shorter one.
    bool walk_from(const Vec3d& start, bool remembered) {
        set_corners(start);
        const double gap = dot(start, i_.corner[a_] - j_.corner[b_]);
        return (!remembered || gap >= moved_apart * size_ * norm(start)) && walk();
    }

    // Moved apart anew along each plane found, until the gap no longer grows; bodies that are apart are left where they
    // are. A start that is remembered is near: the planes at its corners are tried before their bisector.
    CommonPlane find(const Vec3d& start, bool remembered) {
        near_ = remembered;
        set_corners(start);
        plane_.normal = start;
        plane_.gap = dot(start, i_.corner[a_] - j_.corner[b_]);
        for (int times = 0; times < most_moves; ++times) {
            const bool apart = plane_.gap >= moved_apart * size_;
            shift_ = apart ? Vec3d{} : (moved_apart * size_ - plane_.gap) * plane_.normal;
            best_ = plane_.normal, best_gap_ = plane_.gap + dot(shift_, best_), best_a_ = a_, best_b_ = b_;
            climb();
            near_ = true;
            shift_ = {};
            const double gap = gap_along(best_), before = plane_.gap;
            if (gap > before) plane_.normal = best_, plane_.gap = gap;
            if (apart || gap <= before + gain * size_) break;
        }
        return plane_;
    }

    const CommonPlane& plane() const { return plane_; }

  private:
    // The nearest to a plane with this normal.
    void set_corners(const Vec3d& normal) {
        ++plane_.candidates;
        a_ = i_.support(-normal, i_.start(-normal)), b_ = j_.support(normal, j_.start(normal));
    }

    void climb() {
        for (int round = 0; round < most_rounds; ++round) {
            ++plane_.rounds;
            const double before = best_gap_;
            const Vec3d n = best_;
            optimal_ = false;
            const std::uint32_t a = a_ = best_a_, b = b_ = best_b_;
            fan_.set(i_, a, j_, b);
            if (fan_.has_ties(n, tie * size_)) {
                tied_i_.find(i_, -n, a, tie * size_), tied_j_.find(j_, n, b, tie * size_);
            } else {
                tied_i_.set(a), tied_j_.set(b);
            }
            const auto bisectors = [&] { each_tied([&](std::uint32_t p, std::uint32_t q) { try_bisector(p, q); }); };
            const auto features = [&] { each_tied([&](std::uint32_t p, std::uint32_t q) { try_features(p, q); }); };
            const auto no_gain = [&] { return !optimal_ && !(best_gap_ > before + gain * size_); };
            const bool is_near = near_ && round == 0;
            if (is_near) features();
            if (!is_near || !optimal_) bisectors();
            if (!is_near && no_gain()) features();
            if (optimal_ || no_gain()) return;
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
        if (gap > best_gap_) best_gap_ = gap, best_ = n, best_a_ = a_, best_b_ = b_;
        if (gap >= length - gain * size_) optimal_ = true;  // a and b are the nearest points of the bodies
    }

    // The best plane that leaves a and b the nearest, then the best one at the corners towards which the nearest points
    // of its edges or its face lie, until these points are in both bodies. That is the proof: no other corner is looked
    // at.
    bool walk() {
        std::uint32_t a = a_, b = b_;
        for (int step = 0; step < most_steps; ++step) {
            ++plane_.rounds;
            const Vec3d ab = i_.corner[a] - j_.corner[b];
            fan_.set(i_, a, j_, b);
            HeldEdges held;
            Vec3d raw;
            if (!best_that_leaves(ab, held, raw)) return false;
            const std::uint32_t from_a = a, from_b = b;
            if (!held.one_face()) {
                for (int k = 0; k < held.n; ++k)
                    if (held.part[k] > 1) (held.edge[k].of_a ? a : b) = held.edge[k].to;
            } else if (held.part[0] + held.part[1] > 1 && !over_face(held, (1 / norm(raw)) * raw, a, b)) {
                const FanEdge& to = held.edge[held.part[0] > held.part[1] ? 0 : 1];
                (to.of_a ? a : b) = to.to;
            }
            if (a != from_a || b != from_b) continue;
            const Vec3d n = (1 / norm(raw)) * raw;
            a_ = a, b_ = b;
            plane_.normal = n;
            plane_.gap = fan_.leaves(n, rounding * size_) ? dot(n, ab) : gap_along(n);
            return true;
        }
        return false;
    }

    // The best plane that leaves a and b, whose fan is set, the nearest: not of unit length, with the edges it holds.
    // It is the bisector; or it holds one edge (vertex-edge) or two: one of each body (edge-edge), or two of one
    // (face). False: there is none between the bodies.
    bool best_that_leaves(const Vec3d& ab, HeldEdges& held, Vec3d& raw) {
        Vec3d n = raw = ab;
        for (int times = 0; times < most_edges; ++times) {
            ++plane_.candidates;
            FanEdge edge;
            if (!fan_.worst(n, tie * size_, edge)) return true;
            if (!held.add(edge, ab, n, raw)) return false;
        }
        return false;
    }

    // Edges and faces at a and b: of the planes that leave both the nearest the one with the greatest gap.
    void try_features(std::uint32_t a, std::uint32_t b) {
        const Vec3d ab = (i_.corner[a] - j_.corner[b]) + shift_;
        const double bound = best_gap_ + gain * size_;
        if (bound > 0 && !(dot(ab, ab) > bound * bound)) return;  // its length bounds all of them
        fan_.set(i_, a, j_, b);
        HeldEdges held;
        Vec3d n;
        if (best_that_leaves(ab, held, n)) take(held, n, ab, a, b);
    }

    // A plane that leaves a and b the nearest. Optimal where the nearest points, a or b moved along the edges held, lie
    // in the bodies.
    void take(const HeldEdges& held, const Vec3d& raw, const Vec3d& ab, std::uint32_t a, std::uint32_t b) {
        const Vec3d n = (1 / norm(raw)) * raw;
        if (const double gap = dot(n, ab); gap > best_gap_) best_gap_ = gap, best_ = n, best_a_ = a, best_b_ = b;
        if (!held.one_face()) {
            optimal_ = true;
            for (int k = 0; k < held.n; ++k) optimal_ &= held.part[k] <= 1;
            return;
        }
        optimal_ = over_face(held, n, a, b);
    }

    // Of a plane that holds two edges of one body, at a or b: does the other corner lie over that face?
    bool over_face(const HeldEdges& held, const Vec3d& n, std::uint32_t a, std::uint32_t b) const {
        const bool of_a = held.edge[0].of_a;
        const CornersInSpace& body = of_a ? i_ : j_;
        const Vec3d x = of_a ? j_.corner[b] - shift_ : i_.corner[a] + shift_;
        const Vec3d out = rotate_back(body.orientation, of_a ? -n : n);
        for (const std::uint32_t f : body.body->faces_of(of_a ? a : b))
            if (dot(body.body->faces()[f].normal, out) > 1 - 1e-12) return in_face(body, f, n, x);
        return false;
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

    const CornersInSpace &i_, &j_;
    double size_;
    CommonPlane plane_;
    Vec3d shift_, best_;
    double best_gap_ = 0;
    bool optimal_ = false;  // the nearest points of the bodies were found
    bool near_ = false;     // the start is
    std::uint32_t a_ = 0, b_ = 0, best_a_ = 0, best_b_ = 0;
    TiedCorners tied_i_, tied_j_;
    EdgeFan fan_;
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

bool CornersInSpace::holds(const Vec3d& point) const {
    const Vec3d own = rotate_back(orientation, point - centre);
    for (const ConvexPolyhedron::Face& f : body->faces())
        if (dot(f.normal, own) > f.offset * size) return false;
    return true;
}

std::uint32_t CornersInSpace::start(const Vec3d& direction) const {
    return body->start_of(rotate_back(orientation, direction));
}

CommonPlane fast_common_plane(const CornersInSpace& i, const CornersInSpace& j, const Vec3d& start) {
    Vec3d line = i.centre - j.centre;
    if (dot(line, line) == 0) line = {0, 0, 1};
    const bool remembered = dot(start, start) != 0;
    PlaneSearch search(i, j);
    if (search.walk_from(remembered ? start : line, remembered)) return search.plane();
    line = (1 / norm(line)) * line;
    if (!remembered) return search.find(line, false);
    CommonPlane plane = search.find((1 / norm(start)) * start, true);
    if (plane.gap >= 0) return plane;
    // A start far off may lead through the bodies, to a plane that has both centroids on one side, or miss one that
    // separates them. Neither has happened where a nearest corner lies in the partner.
    if (dot(plane.normal, line) > 0) {
        const std::uint32_t a = i.support(-plane.normal, i.start(-plane.normal)),
                            b = j.support(plane.normal, j.start(plane.normal));
        if (j.holds(i.corner[a]) || i.holds(j.corner[b])) return plane;
    }
    const CommonPlane other = PlaneSearch(i, j).find(line, false);
    if (other.gap >= 0 || (dot(plane.normal, line) <= 0 && other.gap > plane.gap)) plane = other;
    return plane;
}

CommonPlane fast_common_plane(const ConvexPolyhedron& a, const Placed& i, const ConvexPolyhedron& b, const Placed& j,
                              const Vec3d& start) {
    return fast_common_plane(CornersInSpace(a, i, i.centre), CornersInSpace(b, j, i.centre), start);
}

}  // namespace granary
