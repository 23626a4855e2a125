#include "walls/wall_shapes.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include "core/errors.hpp"
#include "walls/mesh_grid.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary {
namespace {

constexpr double on_surface = 1e-12;  // share of the size below which a direction is rounding noise
constexpr double same_point = 1e-6;   // share of the ball's radius within which contacts are one
constexpr double right_angle = 1e-6;  // |cos| accepted between the edges of a rectangle, as typed by hand

// From a known nearest point on a rim. The fallback is the normal for x on the rim itself.
SurfacePoint at_rim(const Vec3d& point, const Vec3d& x, const Vec3d& fallback, double size) {
    const Vec3d d = x - point;
    const double distance = norm(d);
    const bool noise = distance <= on_surface * size;
    return {point, noise ? fallback : (1.0 / distance) * d, distance, true};
}

// From the height h of x over a flat face whose normal is n.
SurfacePoint at_flat_face(const Vec3d& x, double h, const Vec3d& n, double size) {
    return {x - h * n, h < -on_surface * size ? -n : n, std::abs(h), false};
}

// A position split along and across an axis: d = z u + rho direction.
struct Meridian {
    double z, rho;
    Vec3d direction;  // unit, at right angles to u
    bool on_axis = false;
};

// The meridian taken for a point on the axis, for u and -u the same.
Vec3d first_meridian(const Vec3d& u) {
    const Vec3d p = perpendicular(u);
    const bool back = p.x != 0 ? p.x < 0 : p.y != 0 ? p.y < 0 : p.z < 0;
    return back ? -p : p;
}

Meridian split(const Vec3d& d, const Vec3d& u, double size) {
    const double z = dot(d, u);
    Vec3d across = d - z * u;
    across -= dot(across, u) * u;  // once more: near the axis the first rounding is as large as rho
    const double rho = norm(across);
    if (rho <= on_surface * size) return {z, rho, first_meridian(u), true};
    return {z, rho, (1.0 / rho) * across};
}

}  // namespace

Vec3d perpendicular(const Vec3d& a) {
    // Cross with the axis that a leans to least, so that the product is never short.
    const double x = std::abs(a.x), y = std::abs(a.y), z = std::abs(a.z);
    const Vec3d axis = x <= y && x <= z ? Vec3d{1, 0, 0} : y <= z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    const Vec3d p = cross(a, axis);
    return (1.0 / norm(p)) * p;
}

SurfacePoint closest(const Plane& s, const Vec3d& x) {
    const double h = dot(x - s.point, s.normal);
    return {x - h * s.normal, s.normal, h, false};
}

SurfacePoint closest(const Rectangle& s, const Vec3d& x) {
    const Vec3d d = x - s.corner;
    const Vec3d across = cross(s.edge_a, s.edge_b);
    const Vec3d n = (1.0 / norm(across)) * across;
    const double aa = dot(s.edge_a, s.edge_a), bb = dot(s.edge_b, s.edge_b);
    const double a = dot(d, s.edge_a) / aa, b = dot(d, s.edge_b) / bb;
    const double a_in = std::clamp(a, 0.0, 1.0), b_in = std::clamp(b, 0.0, 1.0);
    const double size = std::sqrt(std::max(aa, bb));
    if (a == a_in && b == b_in) return at_flat_face(x, dot(d, n), n, size);
    return at_rim(s.corner + a_in * s.edge_a + b_in * s.edge_b, x, n, size);
}

SurfacePoint closest(const Disc& s, const Vec3d& x) {
    const Meridian m = split(x - s.centre, s.normal, s.radius);
    if (m.rho <= s.radius) return at_flat_face(x, m.z, s.normal, s.radius);
    return at_rim(s.centre + s.radius * m.direction, x, s.normal, s.radius);
}

SurfacePoint closest(const Annulus& s, const Vec3d& x) {
    const Meridian m = split(x - s.centre, s.normal, s.outer);
    if (m.rho >= s.inner && m.rho <= s.outer) return at_flat_face(x, m.z, s.normal, s.outer);
    const double rim = m.rho < s.inner ? s.inner : s.outer;
    SurfacePoint at = at_rim(s.centre + rim * m.direction, x, s.normal, s.outer);
    at.all_round = m.on_axis;
    return at;
}

SurfacePoint closest(const Cylinder& s, const Vec3d& x) {
    return closest(ConeFrustum{s.bottom, s.top, s.radius, s.radius}, x);
}

SurfacePoint closest(const ConeFrustum& s, const Vec3d& x) {
    // In the meridian half-plane through x the surface is the segment from (bottom_radius, 0) to
    // (top_radius, height), and the nearest point of the surface lies in that half-plane.
    const Vec3d axis = s.top - s.bottom;
    const double height = norm(axis), size = height + s.bottom_radius + s.top_radius;
    const Vec3d u = (1.0 / height) * axis;
    const Meridian m = split(x - s.bottom, u, size);
    const double widening = s.top_radius - s.bottom_radius;
    const double slant = std::sqrt(height * height + widening * widening);
    const double n_rho = height / slant, n_z = -widening / slant;  // away from the axis
    const double rho = m.rho - s.bottom_radius;
    const double t = (rho * widening + m.z * height) / (slant * slant);  // 0 at the bottom, 1 at the top
    const double t_in = std::clamp(t, 0.0, 1.0);
    const Vec3d outwards = n_rho * m.direction + n_z * u;
    const double radius = s.bottom_radius + t_in * widening;
    const Vec3d point = s.bottom + (t_in * height) * u + radius * m.direction;
    SurfacePoint at;
    if (t != t_in) {
        at = at_rim(point, x, -outwards, size);
    } else {
        const double h = rho * n_rho + m.z * n_z;
        at = {point, h > on_surface * size ? outwards : -outwards, std::abs(h), false};
    }
    at.all_round = m.on_axis && radius > on_surface * size;  // the tip of a cone is one point
    return at;
}

SurfacePoint closest(const Mesh& s, const Vec3d& from) {
    const Vec3d x = s.pose.home_point(from);
    SurfacePoint nearest;
    nearest.distance = std::numeric_limits<double>::infinity();
    const auto look = [&](std::uint32_t t) {
        const TriangleFrame& f = s.surface->frame(t);
        const NearestOnTriangle q = closest(f, x);
        if (q.distance >= nearest.distance) return;
        const bool face = q.region == Region::face, noise = q.distance == 0;
        nearest = {q.point, f.normal, q.distance, !face};
        if (!face && !noise) nearest.normal = (1.0 / q.distance) * (x - q.point);
        else if (dot(x - f.a, f.normal) < 0) nearest.normal = -f.normal;
    };
    if (s.grid) {
        for (const std::uint32_t t : s.grid->near(x)) look(t);
    } else {
        for (std::uint32_t t = 0; t < s.surface->size(); ++t) look(t);
    }
    return in_place(s, nearest);
}

SurfacePoint in_place(const Mesh& s, const SurfacePoint& home) {
    return {s.pose.point(home.point), s.pose.direction(home.normal), home.distance, home.on_rim};
}

SurfacePoint closest(const WallShape& shape, const Vec3d& x) {
    return std::visit([&](const auto& s) { return closest(s, x); }, shape);
}

Vec3d axis_of_symmetry(const WallShape& shape) {
    return std::visit(
        [](const auto& s) -> Vec3d {
            if constexpr (requires { s.top; }) return (1.0 / norm(s.top - s.bottom)) * (s.top - s.bottom);
            else if constexpr (requires { s.centre; }) return s.normal;
            else return {};
        },
        shape);
}

bool contains(const WallShape& shape, const Vec3d& p, double tolerance) {
    return std::abs(closest(shape, p).distance) <= tolerance;
}

namespace {

BoundingBox joined(const BoundingBox& a, const BoundingBox& b) {
    return {{std::min(a.lower.x, b.lower.x), std::min(a.lower.y, b.lower.y), std::min(a.lower.z, b.lower.z)},
            {std::max(a.upper.x, b.upper.x), std::max(a.upper.y, b.upper.y), std::max(a.upper.z, b.upper.z)}};
}

// A circle reaches r sqrt(1 - n_k^2) along axis k.
BoundingBox around_circle(const Vec3d& centre, const Vec3d& n, double radius) {
    const auto reach = [&](double n_k) { return radius * std::sqrt(std::max(0.0, 1.0 - n_k * n_k)); };
    const Vec3d r{reach(n.x), reach(n.y), reach(n.z)};
    return {centre - r, centre + r};
}

BoundingBox box_of(const Plane&) {
    constexpr double inf = std::numeric_limits<double>::infinity();
    return {{-inf, -inf, -inf}, {inf, inf, inf}};
}
BoundingBox box_of(const Rectangle& s) {
    const Vec3d far = s.corner + s.edge_a + s.edge_b, a = s.corner + s.edge_a, b = s.corner + s.edge_b;
    return joined(joined({s.corner, s.corner}, {far, far}), joined({a, a}, {b, b}));
}
BoundingBox box_of(const Disc& s) { return around_circle(s.centre, s.normal, s.radius); }
BoundingBox box_of(const Annulus& s) { return around_circle(s.centre, s.normal, s.outer); }
BoundingBox box_of(const ConeFrustum& s) {
    const Vec3d axis = s.top - s.bottom;
    const Vec3d u = (1.0 / norm(axis)) * axis;
    return joined(around_circle(s.bottom, u, s.bottom_radius), around_circle(s.top, u, s.top_radius));
}
BoundingBox box_of(const Mesh& s) {
    const Vec3d &low = s.surface->lower(), &high = s.surface->upper();
    const Vec3d first = s.pose.point(low);
    BoundingBox box{first, first};
    for (int k = 1; k < 8; ++k) {
        const Vec3d p =
            s.pose.point({(k & 1) != 0 ? high.x : low.x, (k & 2) != 0 ? high.y : low.y, (k & 4) != 0 ? high.z : low.z});
        box = joined(box, {p, p});
    }
    return box;
}
BoundingBox box_of(const Cylinder& s) { return box_of(ConeFrustum{s.bottom, s.top, s.radius, s.radius}); }

Vec3d unit(const Vec3d& a) { return (1.0 / norm(a)) * a; }

WallShape normal_form(const Plane& s) { return Plane{s.point, unit(s.normal)}; }
WallShape normal_form(const Rectangle& s) {
    const double slip = dot(s.edge_a, s.edge_b) / dot(s.edge_a, s.edge_a);
    return Rectangle{s.corner, s.edge_a, s.edge_b - slip * s.edge_a};
}
WallShape normal_form(const Disc& s) { return Disc{s.centre, unit(s.normal), s.radius}; }
WallShape normal_form(const Annulus& s) { return Annulus{s.centre, unit(s.normal), s.inner, s.outer}; }
WallShape normal_form(const Cylinder& s) { return s; }
WallShape normal_form(const ConeFrustum& s) { return s; }
WallShape normal_form(const Mesh& s) { return s; }

// Looks for what is wrong with one wall; the first complaint ends it.
struct Checker {
    const std::string& name;

    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("wall '{}': {}", name, what));
    }
    void number(const char* what, double a) const {
        if (!std::isfinite(a)) fail(fmt::format("{} is {}; give a finite number", what, a));
    }
    void vector(const char* what, const Vec3d& a) const { number(what, a.x), number(what, a.y), number(what, a.z); }
    // Long enough to have a direction: a square that underflows or overflows would not.
    void direction(const char* what, const Vec3d& a, const char* remedy) const {
        vector(what, a);
        const double square = dot(a, a);
        if (!std::isnormal(square))
            fail(fmt::format("{} ({}, {}, {}) has no usable length; {}", what, a.x, a.y, a.z, remedy));
    }
    void positive(const char* what, double a) const {
        number(what, a);
        if (!(a > 0)) fail(fmt::format("{} is {} m; give a length above 0", what, a));
    }

    void operator()(const Plane& s) const {
        vector("point", s.point);
        direction("normal", s.normal, "give a vector that points to the side where the balls are");
    }
    void operator()(const Rectangle& s) const {
        vector("corner", s.corner);
        direction("first edge", s.edge_a, "give the vector along one side");
        direction("second edge", s.edge_b, "give the vector along the other side");
        const double cosine = dot(s.edge_a, s.edge_b) / (norm(s.edge_a) * norm(s.edge_b));
        if (std::abs(cosine) > right_angle)
            fail(
                fmt::format("the edges of a rectangle must be perpendicular, but the cosine of their angle is "
                            "{:.3g}; change one edge so that their dot product is 0",
                            cosine));
    }
    void operator()(const Disc& s) const {
        vector("centre", s.centre);
        direction("normal", s.normal, "give a vector perpendicular to the disc");
        positive("radius", s.radius);
    }
    void operator()(const Annulus& s) const {
        vector("centre", s.centre);
        direction("normal", s.normal, "give a vector perpendicular to the annulus");
        positive("inner radius", s.inner);
        positive("outer radius", s.outer);
        if (s.inner >= s.outer)
            fail(fmt::format("the inner radius {} m must be smaller than the outer radius {} m", s.inner, s.outer));
    }
    void axis(const Vec3d& bottom, const Vec3d& top) const {
        vector("bottom centre", bottom);
        vector("top centre", top);
        direction("the axis from bottom to top", top - bottom,
                  "move the two centres apart; for a flat ring take an annulus");
    }
    void operator()(const Cylinder& s) const {
        axis(s.bottom, s.top);
        positive("radius", s.radius);
    }
    void operator()(const ConeFrustum& s) const {
        axis(s.bottom, s.top);
        number("bottom radius", s.bottom_radius);
        number("top radius", s.top_radius);
        if (s.bottom_radius < 0 || s.top_radius < 0)
            fail(fmt::format("the radii are {} m and {} m; none may be below 0", s.bottom_radius, s.top_radius));
        if (s.bottom_radius == 0 && s.top_radius == 0) fail("both radii are 0; give at least one above 0");
    }
    void operator()(const Mesh& s) const {
        if (!s.surface || s.surface->size() == 0) fail("the mesh has no triangles; give a file that has");
    }
};

}  // namespace

BoundingBox bounding_box(const WallShape& shape) {
    return std::visit([](const auto& s) { return box_of(s); }, shape);
}

void validate(const Wall& wall) { std::visit(Checker{wall.name}, wall.shape); }

WallShape normalised(const WallShape& shape) {
    return std::visit([](const auto& s) { return normal_form(s); }, shape);
}

Wall make_wall(std::string name, const WallShape& shape, std::uint16_t material) {
    Wall wall{std::move(name), shape, material};
    validate(wall);
    wall.shape = normalised(shape);
    return wall;
}

void prepare_meshes(std::span<Wall> walls, double reach) {
    for (Wall& wall : walls)
        if (Mesh* mesh = std::get_if<Mesh>(&wall.shape); mesh && (!mesh->grid || mesh->grid->reach() < reach))
            mesh->grid = std::make_shared<const MeshGrid>(*mesh->surface, reach);
}

void drop_doubled_contacts(std::span<const Wall> walls, std::span<WallContact> contacts, double radius) {
    const double tolerance = same_point * radius;
    for (WallContact& c : contacts) c.dropped = false;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        for (std::size_t j = 0; j < contacts.size() && !contacts[i].dropped; ++j) {
            if (j == i || contacts[j].wall == contacts[i].wall) continue;
            const SurfacePoint &mine = contacts[i].at, &other = contacts[j].at;
            const bool together = norm(mine.point - other.point) <= tolerance;
            if (!mine.on_rim) {
                contacts[i].dropped = !other.on_rim && together && j < i;
            } else if (!other.on_rim) {
                contacts[i].dropped = contains(walls[contacts[j].wall].shape, mine.point, tolerance);
            } else if (!contacts[j].dropped) {  // a dropped rim drops no other: one of a ring of rims must stay
                contacts[i].dropped = together ? j < i : contains(walls[contacts[j].wall].shape, mine.point, tolerance);
            }
        }
    }
}

}  // namespace granary
