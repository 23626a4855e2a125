#include "shapes/polyhedron_at_ellipsoid.hpp"
#include <array>
#include <cmath>

namespace granary {
namespace {

Vec3d times(const Vec3d& a, const Vec3d& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

// Everything in the frame of the ellipsoid, from its centre.
class NearestToEllipsoid {
  public:
    NearestToEllipsoid(const ConvexPolyhedron& body, const Placed& i, const Vec3d& axes, const Placed& j)
        : body_(body),
          axes_(axes),
          inverse_{1 / axes.x, 1 / axes.y, 1 / axes.z},
          size_(i.size) {
        turn_ = conjugate(j.orientation) * i.orientation;
        centre_ = rotate_back(j.orientation, i.centre - j.centre);
    }

    double support(const Vec3d& n) const {
        const Vec3d s = times(axes_, n);
        return std::sqrt(dot(s, s));
    }

    // The normal from the ellipsoid to the polyhedron; point: of the polyhedron, nearest.
    Vec3d find(Vec3d& point) {
        // Faces: the distance of the origin from each, in support lengths of the ellipsoid, which are those of the unit
        // ball.
        std::array<std::uint64_t, ConvexPolyhedron::most_faces / 64> seen{};
        double farthest = 0;
        std::size_t best = 0;
        for (std::size_t f = 0; f < body_.faces().size(); ++f) {
            const Vec3d n = rotate(turn_, body_.faces()[f].normal);
            const double d = -(dot(n, centre_) + body_.faces()[f].offset * size_) / support(n);
            if (d > 0) seen[f / 64] |= std::uint64_t{1} << (f % 64);
            if (f == 0 || d > farthest) farthest = d, best = f;
        }
        const Vec3d face_normal = rotate(turn_, body_.faces()[best].normal);
        point = foot_of(face_normal, farthest);
        if (farthest <= 0 || is_in_face(best, point)) return -face_normal;
        // Edges of faces that the origin sees.
        double least = 0;
        bool any = false;
        Vec3d nearest;
        for (const auto& e : body_.edges()) {
            const auto sees = [&](std::uint32_t f) { return (seen[f / 64] >> (f % 64)) & 1; };
            if (!sees(e.left) && !sees(e.right)) continue;
            const Vec3d p = times(inverse_, corner(e.from)), q = times(inverse_, corner(e.to)), d = q - p;
            double t = -dot(p, d) / dot(d, d);
            t = t < 0 ? 0 : t > 1 ? 1 : t;
            const Vec3d x = p + t * d;
            if (const double square = dot(x, x); !any || square < least) any = true, least = square, nearest = x;
        }
        point = times(axes_, nearest);
        const Vec3d n = times(inverse_, nearest);
        return (1 / norm(n)) * n;
    }

  private:
    Vec3d corner(std::uint32_t c) const { return centre_ + size_ * rotate(turn_, body_.corners()[c]); }

    // Point of a face's plane that is nearest to the origin when stretched; outward normal n, d: how far the origin is
    // in front of it, in support lengths.
    Vec3d foot_of(const Vec3d& n, double d) const { return (-d / support(n)) * times(axes_, times(axes_, n)); }

    bool is_in_face(std::size_t f, const Vec3d& x) const {
        const Vec3d own = (1 / size_) * rotate_back(turn_, x - centre_), n = body_.faces()[f].normal;
        const auto ring = body_.corners_of(f);
        for (std::size_t k = 0; k < ring.size(); ++k) {
            const Vec3d &p = body_.corners()[ring[k]], &q = body_.corners()[ring[k + 1 < ring.size() ? k + 1 : 0]];
            if (dot(cross(q - p, own - p), n) < 0) return false;
        }
        return true;
    }

    const ConvexPolyhedron& body_;
    Vec3d axes_, inverse_;
    double size_;
    Quaterniond turn_;
    Vec3d centre_;
};

}  // namespace

bool touch_polyhedron_ellipsoid(const ConvexPolyhedron& a, const Placed& i, const Vec3d& semi_axes, const Placed& j,
                                ConvexTouch& touch) {
    NearestToEllipsoid search(a, i, semi_axes, j);
    Vec3d point;
    const Vec3d n = search.find(point);
    const double h = search.support(n);
    touch = {};
    touch.normal = rotate(j.orientation, n);
    touch.overlap = h - dot(n, point);
    const Vec3d surface = (1 / h) * times(semi_axes, times(semi_axes, n));
    touch.point = (j.centre - i.centre) + rotate(j.orientation, 0.5 * (point + surface));
    touch.effective_radius = semi_axes.x * semi_axes.y * semi_axes.z / (h * h);
    return touch.overlap > 0;
}

bool touch_polyhedron_ball(const ConvexPolyhedron& a, const Placed& i, const Vec3d& centre, double radius,
                           ConvexTouch& touch) {
    return touch_polyhedron_ellipsoid(a, i, {radius, radius, radius}, {centre, {1, 0, 0, 0}, 1}, touch);
}

ConvexTouch seen_from_partner(const ConvexTouch& touch, const Vec3d& to_other) {
    ConvexTouch other = touch;
    other.normal = -touch.normal;
    other.point = touch.point - to_other;
    return other;
}

}  // namespace granary
