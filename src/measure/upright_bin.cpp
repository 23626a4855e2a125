#include "measure/upright_bin.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include "measure/wall_bins.hpp"

namespace granary {

namespace {

constexpr double askew = 1e-3;  // sine of an angle that still counts as none

// A flat upright wall.
struct Side {
    Vec3d normal, middle;  // unit; a point of the wall
    double low, high;      // heights over the origin
    bool plane;            // without end; its normal points at the balls
};

std::optional<Side> side_of(const WallShape& shape, const Vec3d& up, const Domain& domain) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    if (const auto* plane = std::get_if<Plane>(&shape)) {
        if (std::abs(dot(plane->normal, up)) > askew) return {};
        const Vec3d centre = 0.5 * (domain.lower + domain.upper);
        return Side{plane->normal, centre - dot(centre - plane->point, plane->normal) * plane->normal, -inf, inf, true};
    }
    const auto* flat = std::get_if<Rectangle>(&shape);
    if (flat == nullptr) return {};
    const Vec3d across = cross(flat->edge_a, flat->edge_b), normal = across * (1 / norm(across));
    if (std::abs(dot(normal, up)) > askew) return {};
    const double a = dot(flat->edge_a, up), b = dot(flat->edge_b, up), corner = dot(flat->corner, up);
    return Side{normal, flat->corner + 0.5 * (flat->edge_a + flat->edge_b), corner + std::min({0.0, a, b, a + b}),
                corner + std::max({0.0, a, b, a + b}), false};
}

}  // namespace

double UprightBin::area() const {
    return round() ? std::numbers::pi * radius * radius : 4 * norm(half_a) * norm(half_b);
}

double UprightBin::hydraulic_diameter() const {
    return round() ? 2 * radius : 4 * area() / (4 * (norm(half_a) + norm(half_b)));
}

double UprightBin::across() const { return round() ? 2 * radius : 2 * std::min(norm(half_a), norm(half_b)); }

bool UprightBin::holds(const Vec3d& x, double& z) const {
    const double length = height();
    const Vec3d u = (1 / length) * (top - bottom), d = x - bottom;
    z = dot(d, u);
    if (!(z >= 0 && z < length)) return false;
    if (round()) return norm(d - z * u) <= radius;
    return std::abs(dot(d, half_a)) <= dot(half_a, half_a) && std::abs(dot(d, half_b)) <= dot(half_b, half_b);
}

UprightBin bin_of(const Cylinder& cylinder, const Vec3d& up) {
    const Cylinder c = upright(cylinder, up);
    return {c.bottom, c.top, c.radius, {}, {}};
}

std::optional<UprightBin> rectangular_bin(std::span<const Wall> walls, std::size_t wall, const Vec3d& up,
                                          const Domain& domain) {
    const std::optional<Side> own = side_of(walls[wall].shape, up, domain);
    if (!own) return {};
    const Vec3d along = cross(up, own->normal);
    // Nearest walls, from the middle of this one: opposite, on either side of it; and to the left and the right.
    constexpr double inf = std::numeric_limits<double>::infinity();
    double ahead = inf, behind = inf, left = -inf, right = inf;
    for (std::size_t w = 0; w < walls.size(); ++w) {
        const std::optional<Side> s = w == wall ? std::nullopt : side_of(walls[w].shape, up, domain);
        if (!s || std::max(s->low, own->low) >= std::min(s->high, own->high)) continue;  // below or above it
        const bool parallel = norm(cross(s->normal, own->normal)) < askew;
        const Vec3d direction = parallel ? own->normal : along;
        if (!parallel && std::abs(dot(s->normal, own->normal)) > askew) continue;
        const double at = dot(s->middle - own->middle, direction);
        // Planes know on which side of them the bin is; the middle of a plane need not be in the bin.
        const bool is_left = own->plane && s->plane ? dot(s->normal, along) > 0 : at < 0;
        if (parallel && at != 0) (at > 0 ? ahead : behind) = std::min(at > 0 ? ahead : behind, std::abs(at));
        else if (!parallel && is_left) left = std::max(left, at);
        else if (!parallel) right = std::min(right, at);
    }
    const double to_other = own->plane || ahead < behind ? ahead : -behind;  // a plane faces the balls
    if (!(std::abs(to_other) < inf && left > -inf && right < inf && left < right)) return {};
    double low = own->low, high = own->high;
    if (own->plane) {
        low = high = 0;
        for (int k = 0; k < 3; ++k) {
            const double a = at(up, k) * at(domain.lower, k), b = at(up, k) * at(domain.upper, k);
            low += std::min(a, b), high += std::max(a, b);
        }
    }
    UprightBin bin;
    const Vec3d foot = own->middle + 0.5 * to_other * own->normal + 0.5 * (left + right) * along;
    bin.bottom = foot + (low - dot(foot, up)) * up, bin.top = foot + (high - dot(foot, up)) * up;
    bin.half_a = 0.5 * std::abs(to_other) * own->normal, bin.half_b = 0.5 * (right - left) * along;
    return bin;
}

}  // namespace granary
