// What a plane between two bodies may do while corners a and b stay the nearest to it: the edges at the two, four at a
// time, and those of them that lie in the plane (fast_common_plane_nezami2003.hpp).
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include "core/simd.hpp"
#include "shapes/fast_common_plane_nezami2003.hpp"

namespace granary {

// An edge at a, or one at b turned round: a normal n leaves both corners the nearest where n . along >= 0 for all.
struct FanEdge {
    Vec3d along;           // m
    std::uint32_t to = 0;  // the corner at its other end
    bool of_a = false;
};

class EdgeFan {
  public:
    void set(const CornersInSpace& i, std::uint32_t a, const CornersInSpace& j, std::uint32_t b) {
        at_a_.set<false>(i, a), at_b_.set<true>(j, b);
    }
    // Another corner as near as a, or as b?
    bool has_ties(const Vec3d& n, double width) const { return at_a_.any_below(n, width) || at_b_.any_below(n, width); }
    // Are a and b the nearest, to within `slack`?
    bool leaves(const Vec3d& n, double slack) const { return !has_ties(n, -slack); }
    // The edge that is violated most, as an angle: false if none is by more than `slack`.
    bool worst(const Vec3d& n, double slack, FanEdge& edge) const {
        const Worst lanes{{broadcast4(n.x), broadcast4(n.y), broadcast4(n.z)}, broadcast4(slack * slack * dot(n, n))};
        Real4 least{}, four{};
        at_a_.look(lanes, 0, least, four), at_b_.look(lanes, at_a_.n_fours, least, four);
        const Real4 two = smaller(least, shuffled<2, 3, 0, 1>(least, least));
        const Real4 all = smaller(two, shuffled<1, 0, 3, 2>(two, two));
        if (!(all[0] < 0)) return false;
        const auto lane =
            static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(lane_bits(least == all)) | 8u));
        const auto f = static_cast<std::size_t>(four[lane]);
        edge.of_a = f < at_a_.n_fours;
        if (edge.of_a) at_a_.take(f, lane, edge);
        else at_b_.take(f - at_a_.n_fours, lane, edge);
        return true;
    }

  private:
    struct Worst {
        Vec3<Real4> n;
        Real4 limit;  // of (n . along)^2
    };
    struct Four {
        Real4 x, y, z;     // of the edges
        Real4 per_square;  // 1/(x^2 + y^2 + z^2)
    };
    // Edges at one corner. Behind the last the first is repeated.
    struct Half {
        std::uint32_t corner = ~0u;
        std::size_t n_fours = 0;
        std::span<const std::uint32_t> to;
        Four four[ConvexPolyhedron::most_corners / 4 + 1];

        Half() {}  // NOLINT: what lies behind n_fours is not set, it is much
        template <bool turned> void set(const CornersInSpace& body, std::uint32_t c) {
            if (c == corner) return;
            corner = c, to = body.body->neighbours_of(c), n_fours = (to.size() + 3) / 4;
            const auto quad = [](const Vec3d& x) { return Real4{x.x, x.y, x.z, 0}; };
            const Real4 here = quad(body.corner[c]);
            for (std::size_t f = 0; f < n_fours; ++f) {
                const auto one = [&](std::size_t k) {
                    const Real4 there = quad(body.corner[to[4 * f + k < to.size() ? 4 * f + k : 0]]);
                    return turned ? here - there : there - here;
                };
                Real4 x = one(0), y = one(1), z = one(2), w = one(3);
                transpose(x, y, z, w);
                four[f] = {x, y, z, broadcast4(1) / (x * x + y * y + z * z)};
            }
        }
        void look(const Worst& lanes, std::size_t before, Real4& least, Real4& where_least) const {
            const Real4 zero{};
            for (std::size_t f = 0; f < n_fours; ++f) {
                const Real4 v = lanes.n.x * four[f].x + lanes.n.y * four[f].y + lanes.n.z * four[f].z, square = v * v;
                const Real4 angle = where((v < zero) & (square > lanes.limit), -(square * four[f].per_square), zero);
                where_least = where(angle < least, broadcast4(static_cast<double>(before + f)), where_least);
                least = smaller(angle, least);
            }
        }
        bool any_below(const Vec3d& n, double width) const {
            const Real4 nx = broadcast4(n.x), ny = broadcast4(n.y), nz = broadcast4(n.z);
            Mask4 below{};
            for (std::size_t f = 0; f < n_fours; ++f)
                below |= nx * four[f].x + ny * four[f].y + nz * four[f].z <= broadcast4(width);
            return any(below);
        }
        void take(std::size_t f, std::size_t lane, FanEdge& edge) const {
            edge.along = {four[f].x[lane], four[f].y[lane], four[f].z[lane]};
            edge.to = to[4 * f + lane < to.size() ? 4 * f + lane : 0];
        }
    };

    Half at_a_, at_b_;
};

// The edges that a plane holds, at most two. Normals that leave a and b the nearest form a cone, n . e >= 0 for every
// edge of the fan. Of the unit ones the next to ab has the greatest gap; it is ab projected to the cone: ab + sum of
// l e, l >= 0, of least length, found by taking up the edge that is violated most until none is (Lawson & Hanson,
// non-negative least squares).
struct HeldEdges {
    FanEdge edge[3];
    double part[3] = {};  // l
    int n = 0;

    // One more; those that are no longer held go. False: there is no normal left. normal: of any length; raw: that of
    // the projection.
    bool add(const FanEdge& e, const Vec3d& ab, Vec3d& normal, Vec3d& raw) {
        edge[n] = e, part[n] = 0, ++n;
        for (;;) {
            if (n == 3 && !drop_one_of_three(ab)) return false;
            const Vec3d &p = edge[0].along, &q = edge[1].along;
            const double uu = dot(p, p), u = dot(ab, p);
            if (n == 1) {
                if (!(u < 0)) return false;
                part[0] = -u / uu;
                normal = uu * ab - u * p, raw = ab + part[0] * p;
                break;
            }
            const double uv = dot(p, q), vv = dot(q, q), v = dot(ab, q), d = uu * vv - uv * uv;
            if (!(d > 0)) return false;
            const double s = uv * v - vv * u, t = uv * u - uu * v;
            if (s > 0 && t > 0) {
                part[0] = s / d, part[1] = t / d;
                const Vec3d m = cross(p, q);
                const double along = dot(ab, m);
                normal = along < 0 ? -m : m, raw = (along / dot(m, m)) * m;
                break;
            }
            const double to[2] = {s / d, t / d};
            if (!drop(to)) return false;
        }
        return dot(normal, normal) > 0;
    }
    bool one_face() const { return n == 2 && edge[0].of_a == edge[1].of_a; }

  private:
    // Of three, all of which cannot be held: ab inside them means that the bodies overlap.
    bool drop_one_of_three(const Vec3d& ab) {
        const Vec3d &p = edge[0].along, &q = edge[1].along, &r = edge[2].along;
        const Vec3d across = cross(q, r);
        const double d = dot(p, across);
        if (d == 0) return false;
        const double to[3] = {-dot(ab, across) / d, -dot(ab, cross(r, p)) / d, -dot(ab, cross(p, q)) / d};
        return drop(to);
    }
    // On the way from the parts to these the first that is no longer held goes. False: none does.
    bool drop(const double* to) {
        int leaves = -1;
        double way = 1;
        for (int k = 0; k < n; ++k)
            if (to[k] <= 0)
                if (const double w = part[k] / (part[k] - to[k]); leaves < 0 || w < way) way = w, leaves = k;
        if (leaves < 0 || !(way >= 0)) return false;
        for (int k = 0; k < n; ++k) part[k] += way * (to[k] - part[k]);
        --n;
        for (int k = leaves; k < n; ++k) edge[k] = edge[k + 1], part[k] = part[k + 1];
        return true;
    }
};

}  // namespace granary
