#include "walls/rigid_frame.hpp"
#include <algorithm>
#include "core/elementary.hpp"

namespace granary {
namespace {

constexpr double same_axis = 1e-12;  // sine of the angle, and share of the size, within which two axes are one

WallShape put(const Plane& s, const Pose& p) { return Plane{p.point(s.point), p.direction(s.normal)}; }
WallShape put(const Rectangle& s, const Pose& p) {
    return Rectangle{p.point(s.corner), p.direction(s.edge_a), p.direction(s.edge_b)};
}
WallShape put(const Disc& s, const Pose& p) { return Disc{p.point(s.centre), p.direction(s.normal), s.radius}; }
WallShape put(const Annulus& s, const Pose& p) {
    return Annulus{p.point(s.centre), p.direction(s.normal), s.inner, s.outer};
}
WallShape put(const Cylinder& s, const Pose& p) { return Cylinder{p.point(s.bottom), p.point(s.top), s.radius}; }
WallShape put(const ConeFrustum& s, const Pose& p) {
    return ConeFrustum{p.point(s.bottom), p.point(s.top), s.bottom_radius, s.top_radius};
}

WallShape put(const Mesh& s, const Pose& p) { return Mesh{s.surface, s.grid, p.after(s.pose)}; }

Vec3d across(const Vec3d& d, const Vec3d& axis) { return d - dot(d, axis) * axis; }

// Is the axis of a round shape, through a with the direction u, the axis of the turn?
bool one_axis(const Vec3d& a, const Vec3d& u, double size, const Vec3d& point, const Vec3d& axis) {
    return norm(cross(u, axis)) <= same_axis * norm(u) && norm(across(a - point, axis)) <= same_axis * size;
}

struct TurnsIntoItself {
    const Vec3d &point, &axis;
    bool operator()(const Plane& s) const { return norm(cross(s.normal, axis)) <= same_axis; }
    bool operator()(const Rectangle&) const { return false; }
    bool operator()(const Mesh&) const { return false; }
    bool operator()(const Disc& s) const { return one_axis(s.centre, s.normal, s.radius, point, axis); }
    bool operator()(const Annulus& s) const { return one_axis(s.centre, s.normal, s.outer, point, axis); }
    bool operator()(const Cylinder& s) const { return one_axis(s.bottom, s.top - s.bottom, s.radius, point, axis); }
    bool operator()(const ConeFrustum& s) const {
        return one_axis(s.bottom, s.top - s.bottom, std::max(s.bottom_radius, s.top_radius), point, axis);
    }
};

double farthest_corner(const BoundingBox& box, const Vec3d& point, const Vec3d& axis) {
    double far = 0;
    for (int k = 0; k < 8; ++k) {
        const Vec3d corner{(k & 1) != 0 ? box.upper.x : box.lower.x, (k & 2) != 0 ? box.upper.y : box.lower.y,
                           (k & 4) != 0 ? box.upper.z : box.lower.z};
        far = std::max(far, norm(across(corner - point, axis)));
    }
    return far;
}

}  // namespace

Pose turned_about(const Vec3d& point, const Vec3d& axis, double angle) {
    if (angle == 0) return {};
    // Rodrigues: R = cos I + (1 - cos) a a^T + sin [a]x
    const auto [s, c] = elementary::sin_cos(angle);
    const double k = 1 - c;
    const Vec3d& a = axis;
    Pose p;
    p.row[0] = {c + k * a.x * a.x, k * a.x * a.y - s * a.z, k * a.x * a.z + s * a.y};
    p.row[1] = {k * a.y * a.x + s * a.z, c + k * a.y * a.y, k * a.y * a.z - s * a.x};
    p.row[2] = {k * a.z * a.x - s * a.y, k * a.z * a.y + s * a.x, c + k * a.z * a.z};
    p.turned = true;
    p.shift = point - p.direction(point);
    return p;
}

WallShape moved(const WallShape& home, const Pose& pose) {
    return std::visit([&](const auto& s) { return put(s, pose); }, home);
}

double lever_of(const WallShape& home, const Vec3d& point, const Vec3d& axis, const BoundingBox& box) {
    if (std::visit(TurnsIntoItself{point, axis}, home)) return 0;
    const double in_box = farthest_corner(box, point, axis);
    if (std::holds_alternative<Plane>(home)) return in_box;  // infinite
    return std::min(in_box, farthest_corner(bounding_box(home), point, axis));
}

}  // namespace granary
