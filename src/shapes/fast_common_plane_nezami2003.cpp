#include "shapes/fast_common_plane_nezami2003.hpp"
#include <array>
#include <bit>
#include <cmath>
#include "core/simd.hpp"

namespace granary {
namespace {

constexpr int most_rounds = 40, most_moves = 12, most_edges = 30;
constexpr std::size_t most_tied = 16;
constexpr double tie = 1e-9, moved_apart = 1e-4, gain = 1e-12;  // of the size

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

// Edges at two corners, those at b turned round, four at a time: a normal n leaves both the nearest where n . e >= 0
// for all.
class EdgeFan {
  public:
    void set(const CornersInSpace& i, std::uint32_t a, const CornersInSpace& j, std::uint32_t b) {
        if (a == a_ && b == b_) return;
        a_ = a, b_ = b, n_ = 0;
        for (const std::uint32_t k : i.body->neighbours_of(a)) put(i.corner[k] - i.corner[a]);
        fill(), fours_of_a_ = n_ / 4;
        for (const std::uint32_t k : j.body->neighbours_of(b)) put(j.corner[b] - j.corner[k]);
        fill();
        for (std::size_t f = 0; f < n_ / 4; ++f) {
            const Real4 square = x4(f) * x4(f) + y4(f) * y4(f) + z4(f) * z4(f);
            per_square_[f] = broadcast4(1) / where(square > broadcast4(0), square, broadcast4(1));
        }
    }
    // Another corner as near as a, or as b?
    bool has_ties(const Vec3d& n, double width) const {
        const Real4 nx = broadcast4(n.x), ny = broadcast4(n.y), nz = broadcast4(n.z), within = broadcast4(width);
        for (std::size_t f = 0; f < n_ / 4; ++f)
            if (any((nx * x4(f) + ny * y4(f) + nz * z4(f) <= within) & real_[f])) return true;
        return false;
    }
    // The edge that is violated most, as an angle: false if none is by more than `slack`.
    bool worst(const Vec3d& n, double slack, Vec3d& edge, bool& of_a) const {
        const Real4 nx = broadcast4(n.x), ny = broadcast4(n.y), nz = broadcast4(n.z), zero{};
        const Real4 limit = broadcast4(slack * slack * dot(n, n));
        Real4 least{}, four{};
        for (std::size_t f = 0; f < n_ / 4; ++f) {
            const Real4 v = nx * x4(f) + ny * y4(f) + nz * z4(f), square = v * v;
            const Real4 angle = where((v < zero) & (square > limit), -(square * per_square_[f]), zero);
            four = where(angle < least, broadcast4(static_cast<double>(f)), four);
            least = smaller(angle, least);
        }
        std::size_t lane = 0;
        for (std::size_t k = 1; k < 4; ++k)
            if (least[k] < least[lane]) lane = k;
        if (!(least[lane] < 0)) return false;
        const auto f = static_cast<std::size_t>(four[lane]);
        edge = {x_[4 * f + lane], y_[4 * f + lane], z_[4 * f + lane]};
        of_a = f < fours_of_a_;
        return true;
    }

  private:
    static constexpr std::size_t most = 2 * ConvexPolyhedron::most_corners + 8;
    Real4 x4(std::size_t f) const { return load4(&x_[4 * f]); }
    Real4 y4(std::size_t f) const { return load4(&y_[4 * f]); }
    Real4 z4(std::size_t f) const { return load4(&z_[4 * f]); }
    void put(const Vec3d& e) {
        x_[n_] = e.x, y_[n_] = e.y, z_[n_] = e.z;
        real_[n_ / 4][n_ % 4] = -1;
        ++n_;
    }
    void fill() {
        for (; n_ % 4 != 0; ++n_) x_[n_] = y_[n_] = z_[n_] = 0, real_[n_ / 4][n_ % 4] = 0;
    }

    std::uint32_t a_ = ~0u, b_ = ~0u;
    std::size_t n_ = 0, fours_of_a_ = 0;
    alignas(32) double x_[most], y_[most], z_[most];
    std::array<Real4, most / 4> per_square_;
    std::array<Mask4, most / 4> real_;
};

class PlaneSearch {
  public:
    PlaneSearch(const CornersInSpace& i, const CornersInSpace& j)
        : i_(i),
          j_(j),
          size_(i.body->outer_radius() * i.size + j.body->outer_radius() * j.size) {}

    // Moved apart anew along each plane found, until the gap no longer grows; bodies that are apart are left where they
    // are. A start that is remembered is near: the planes at its corners are tried before their bisector.
    CommonPlane find(const Vec3d& start, bool remembered) {
        near_ = remembered;
        a_ = i_.start(-start), b_ = j_.start(start);
        plane_.normal = start;
        plane_.gap = gap_along(start);
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

  private:
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

    // Edges and faces at a and b: of the planes that leave both the nearest the one with the greatest gap. These
    // normals form a cone, n . e >= 0 for every edge e at a, and for those at b turned round. The best one is ab
    // projected to the cone: ab + sum of l e, l >= 0, of least length, found by taking up the edge that is violated
    // most until none is (Lawson & Hanson, non-negative least squares). It holds one edge (vertex-edge) or two: one of
    // each body (edge-edge), or two of one (face).
    void try_features(std::uint32_t a, std::uint32_t b) {
        const Vec3d ab = (i_.corner[a] - j_.corner[b]) + shift_;
        const double bound = best_gap_ + gain * size_;
        if (bound > 0 && !(dot(ab, ab) > bound * bound)) return;  // its length bounds all of them
        fan_.set(i_, a, j_, b);
        Active active;
        Vec3d n = ab;
        for (int times = 0; times < most_edges; ++times) {
            ++plane_.candidates;
            Vec3d edge;
            bool of_a = false;
            if (!fan_.worst(n, tie * size_, edge, of_a)) {
                take(active, n, ab, a, b);
                return;
            }
            if (!active.add(edge, of_a, ab, n)) return;  // no plane between them leaves both the nearest
        }
    }

    // The edges that a plane holds, at most two.
    struct Active {
        Vec3d edge[3];
        bool of_a[3] = {};
        double part[3] = {};  // l
        int n = 0;

        // One more; those that are no longer held go. False: there is no normal left.
        bool add(const Vec3d& e, bool mine, const Vec3d& ab, Vec3d& normal) {
            edge[n] = e, of_a[n] = mine, part[n] = 0, ++n;
            for (;;) {
                double to[3];
                if (n == 1) {
                    to[0] = -dot(ab, edge[0]) / dot(edge[0], edge[0]);
                } else if (n == 2) {
                    const double uu = dot(edge[0], edge[0]), uv = dot(edge[0], edge[1]), vv = dot(edge[1], edge[1]),
                                 u = dot(ab, edge[0]), v = dot(ab, edge[1]), d = uu * vv - uv * uv;
                    if (!(d > 0)) return false;
                    to[0] = (uv * v - vv * u) / d, to[1] = (uv * u - uu * v) / d;
                } else {
                    const Vec3d across = cross(edge[1], edge[2]);
                    const double d = dot(edge[0], across);
                    if (d == 0) return false;
                    to[0] = -dot(ab, across) / d, to[1] = -dot(ab, cross(edge[2], edge[0])) / d;
                    to[2] = -dot(ab, cross(edge[0], edge[1])) / d;
                }
                int leaves = -1;
                double way = 1;
                for (int k = 0; k < n; ++k)
                    if (to[k] <= 0)
                        if (const double w = part[k] / (part[k] - to[k]); leaves < 0 || w < way) way = w, leaves = k;
                if (leaves < 0) {
                    if (n == 3) return false;  // ab is inside the edges: they overlap
                    for (int k = 0; k < n; ++k) part[k] = to[k];
                    if (n == 1) normal = ab + part[0] * edge[0];
                    else {
                        const Vec3d m = cross(edge[0], edge[1]);
                        normal = (dot(ab, m) / dot(m, m)) * m;
                    }
                    return dot(normal, normal) > 0;
                }
                if (n == 1 || !(way >= 0)) return false;
                for (int k = 0; k < n; ++k) part[k] += way * (to[k] - part[k]);
                --n;
                for (int k = leaves; k < n; ++k) edge[k] = edge[k + 1], of_a[k] = of_a[k + 1], part[k] = part[k + 1];
            }
        }
    };

    // A plane that leaves a and b the nearest. Optimal where the nearest points, a or b moved along the edges held, lie
    // in the bodies.
    void take(const Active& held, const Vec3d& raw, const Vec3d& ab, std::uint32_t a, std::uint32_t b) {
        const Vec3d n = (1 / norm(raw)) * raw;
        if (const double gap = dot(n, ab); gap > best_gap_) best_gap_ = gap, best_ = n, best_a_ = a, best_b_ = b;
        if (held.n < 2 || held.of_a[0] != held.of_a[1]) {
            optimal_ = true;
            for (int k = 0; k < held.n; ++k) optimal_ &= held.part[k] <= 1;
            return;
        }
        const CornersInSpace& body = held.of_a[0] ? i_ : j_;
        const Vec3d x = held.of_a[0] ? j_.corner[b] - shift_ : i_.corner[a] + shift_;
        const Vec3d out = rotate_back(body.orientation, held.of_a[0] ? -n : n);
        for (const std::uint32_t f : body.body->faces_of(held.of_a[0] ? a : b))
            if (dot(body.body->faces()[f].normal, out) > 1 - 1e-12) {
                optimal_ = in_face(body, f, n, x);
                return;
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
    line = (1 / norm(line)) * line;
    if (dot(start, start) == 0) return PlaneSearch(i, j).find(line, false);
    CommonPlane plane = PlaneSearch(i, j).find((1 / norm(start)) * start, true);
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
