#include "walls/wall_ball_net.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/elementary.hpp"
#include "core/errors.hpp"
#include "core/random.hpp"

namespace granary {

namespace {

class NetMaker {
  public:
    NetMaker(const Wall& wall, std::uint32_t number, const WallBallNet& net, std::vector<WallBall>& balls)
        : wall_(wall),
          number_(number),
          net_(net),
          balls_(balls),
          back_(0.5 * (net.radius_min + net.radius_max)) {}

    void operator()(const Plane&) const {
        throw InputError("wall '" + wall_.name + "': a plane has no end and cannot be made of balls");
    }
    void operator()(const Mesh&) const {
        throw InputError("wall '" + wall_.name + "': a wall of triangles cannot be made of balls");
    }
    void operator()(const Cylinder& c) { frustum(c.bottom, c.top, c.radius, c.radius); }
    void operator()(const ConeFrustum& c) { frustum(c.bottom, c.top, c.bottom_radius, c.top_radius); }
    void operator()(const Disc& d) { flat_rings(d.centre, d.normal, 0, d.radius); }
    void operator()(const Annulus& a) { flat_rings(a.centre, a.normal, a.inner, a.outer); }
    void operator()(const Rectangle& r) {
        const Vec3d normal = away((1.0 / norm(cross(r.edge_a, r.edge_b))) * cross(r.edge_a, r.edge_b),
                                  r.corner + 0.5 * (r.edge_a + r.edge_b));
        const double n = steps(norm(r.edge_a)), m = steps(norm(r.edge_b));
        for (double j = 0; j <= m; ++j)
            for (double i = 0; i <= n; ++i) add(r.corner + (i / n) * r.edge_a + (j / m) * r.edge_b + back_ * normal);
    }

  private:
    // From rim to rim: so many steps, none longer than the spacing.
    double steps(double length) const { return std::max(1.0, std::ceil(length / net_.spacing * (1 - 1e-12))); }
    Vec3d away(const Vec3d& normal, const Vec3d& at_wall) const {
        return dot(normal, at_wall - net_.inner) < 0 ? -normal : normal;
    }

    void frustum(const Vec3d& bottom, const Vec3d& top, double r_bottom, double r_top) {
        const double height = norm(top - bottom);
        const Vec3d axis = (1.0 / height) * (top - bottom);
        const double slant = elementary::hypot(height, r_top - r_bottom), m = steps(slant);
        // Outward normal of the surface: along the radius, and down where the wall leans outwards on its way up.
        const double outward = height / slant, along = -(r_top - r_bottom) / slant;
        for (double k = 0; k <= m; ++k) {
            const double share = k / m, r = r_bottom + share * (r_top - r_bottom) + back_ * outward;
            ring(bottom + (share * height + back_ * along) * axis, axis, r, k);
        }
    }
    void flat_rings(const Vec3d& centre, const Vec3d& normal, double inner, double outer) {
        const double m = steps(outer - inner);
        const Vec3d middle = centre + back_ * away(normal, centre);
        for (double k = 0; k <= m; ++k) ring(middle, normal, inner + (outer - inner) * k / m, k);
    }
    void ring(const Vec3d& middle, const Vec3d& axis, double radius, double k) {
        if (radius <= 0) return add(middle);
        const Vec3d u = perpendicular(axis), v = cross(axis, u);
        const double n = std::max(3.0, steps(2 * std::numbers::pi * radius));
        const double shift = std::fmod(k, 2.0) * 0.5;
        for (double i = 0; i < n; ++i) {
            const double angle = 2 * std::numbers::pi * (i + shift) / n;
            const auto [s, c] = elementary::sin_cos(angle);
            add(middle + radius * (c * u + s * v));
        }
    }

    void add(const Vec3d& centre) {
        const RandomKey key{net_.seed, Purpose::wall_balls, static_cast<std::uint16_t>(number_), site_++, 0};
        balls_.push_back({centre, net_.radius_min + (net_.radius_max - net_.radius_min) * uniform(key, 0),
                          static_cast<std::uint32_t>(balls_.size()), number_, wall_.material});
    }

    const Wall& wall_;
    const std::uint32_t number_;
    const WallBallNet& net_;
    std::vector<WallBall>& balls_;
    const double back_;  // m, by which centres are set back
    std::uint64_t site_ = 0;
};

}  // namespace

void add_wall_balls(const Wall& wall, std::uint32_t number, const WallBallNet& net, std::vector<WallBall>& balls) {
    std::visit(NetMaker(wall, number, net, balls), wall.shape);
}

}  // namespace granary
