#include "plan/servo_gain.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include "contact/contact_model.hpp"
#include "core/elementary.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary {

namespace {

constexpr double share_of_limit = 0.125;

// Of the surface, whatever its direction: a plate may also rub. A plane is as wide as the domain.
double area_of(const WallShape& shape, const Domain& domain) {
    const Vec3d d = domain.upper - domain.lower;
    struct Area {
        Vec3d d;
        double operator()(const Plane&) const { return std::max({d.x * d.y, d.y * d.z, d.z * d.x}); }
        double operator()(const Rectangle& r) const { return norm(cross(r.edge_a, r.edge_b)); }
        double operator()(const Disc& s) const { return std::numbers::pi * s.radius * s.radius; }
        double operator()(const Annulus& s) const { return std::numbers::pi * (s.outer * s.outer - s.inner * s.inner); }
        double operator()(const Cylinder& s) const { return 2 * std::numbers::pi * s.radius * norm(s.top - s.bottom); }
        double operator()(const ConeFrustum& s) const {
            const double slant = elementary::hypot(norm(s.top - s.bottom), s.top_radius - s.bottom_radius);
            return std::numbers::pi * (s.bottom_radius + s.top_radius) * slant;
        }
        double operator()(const Mesh& m) const { return m.surface ? m.surface->report().area : 0; }
    };
    return std::visit(Area{d}, shape);
}

// Of a wall in a plane: how long it is there. Its area is that of a strip across the plane.
double length_in_plane(const WallShape& shape, const Setup::Plane& plane, const Domain& domain) {
    const auto across = [&](const Vec3d& v) { return std::abs(at(v, plane.normal)); };
    double width = 1;
    if (const auto* r = std::get_if<Rectangle>(&shape)) width = std::max(across(r->edge_a), across(r->edge_b));
    else if (const auto* c = std::get_if<Cylinder>(&shape)) width = across(c->top - c->bottom);
    else if (const auto* m = std::get_if<Mesh>(&shape))
        width = m->surface ? across(m->surface->upper() - m->surface->lower()) : 0;
    else width = 0;
    if (width > 0) return area_of(shape, domain) / width;
    const Vec3d d = domain.upper - domain.lower;
    return std::max(at(d, (plane.normal + 1) % 3), at(d, (plane.normal + 2) % 3));
}

// One ball at a wall, pressed on with a force.
struct Felt {
    double stiffness = 0, damping = 0;  // N/m, N s/m
};

Felt felt(const ContactModel& law, std::size_t wall, std::size_t ball, double radius, double mass, double force) {
    const auto push = [&](double overlap, double approach) {
        return law.normal_force(wall, ball, radius, mass, overlap, approach);
    };
    // The overlap that carries the force: forces rise with it. Cohesion may pull up to some overlap.
    double low = 0, high = radius;
    for (int k = 0; k < 100; ++k) {
        const double middle = 0.5 * (low + high);
        (push(middle, 0) < force ? low : high) = middle;
    }
    const double h = 1e-3 * high, u = 1e-6;
    return {std::max(0.0, (push(high + h, 0) - push(high - h, 0)) / (2 * h)),
            std::max(0.0, (push(high, u) - push(high, 0)) / u)};
}

double three_digits(double x) {
    const double digit = elementary::pow(10.0, std::floor(elementary::log10(x)) - 2);
    return std::floor(x / digit) * digit;
}

}  // namespace

double servo_gain(const Setup& setup, std::size_t motion, double dt, const ServoBed& bed) {
    const WallMotion& m = setup.motions[motion];
    // Discs stand in a row. Polygons may lie flat, and are stiffer then than a disc: the larger number, as in space,
    // stands for that.
    const bool in_a_row = setup.plane.given() && setup.shapes.empty();
    double area = 0;  // or length, m
    for (const Wall& w : setup.walls)
        if (w.motion == motion)
            area += in_a_row ? length_in_plane(w.shape, setup.plane, setup.domain) : area_of(w.shape, setup.domain);
    const double interval = static_cast<double>(servo_interval) * dt;
    double gain = std::numeric_limits<double>::infinity();
    const auto law = make_contact_model(setup.materials, setup.pairs, setup.law);
    for (const Wall& w : setup.walls) {
        if (w.motion != motion) continue;
        for (std::size_t b = 0; b < bed.smallest.size(); ++b) {
            const double r = bed.smallest[b];
            if (!(r < std::numeric_limits<double>::infinity())) continue;
            // A row that fits exactly must not count one more by rounding.
            const double room =
                in_a_row ? std::ceil(area / (2 * r) * (1 - 1e-9)) : std::ceil(area / (2 * std::numbers::sqrt3 * r * r));
            const double n = std::max(1.0, std::min(room, bed.count));
            const double mass =
                make_ball(0, {}, r, setup.materials[b].density, 0, {}, setup.plane.thickness).mass;  // or of a disc
            const Felt one = felt(*law, w.material, b, r, mass, m.force / n);
            const double felt_by_all = n * (one.damping + 0.5 * one.stiffness * interval);
            gain = std::min(gain, share_of_limit / felt_by_all);
        }
    }
    return gain < std::numeric_limits<double>::infinity() ? three_digits(gain) : m.speed / m.force;
}

}  // namespace granary
