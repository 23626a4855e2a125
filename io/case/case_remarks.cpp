#include "io/case/case_remarks.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include "io/case/case_clusters.hpp"
#include "io/case/case_shapes.hpp"
#include "io/case/case_rules.hpp"

namespace granary {
namespace {

constexpr double lightest = 50;  // kg/m^3, of a solid that somebody would pour into a silo

// The box around a wall of finite size.
struct Box {
    Vec3d lower, upper;
    explicit Box(const Vec3d& p) : lower(p), upper(p) {}
    void hold(const Vec3d& p) {
        for (int axis = 0; axis < 3; ++axis) {
            at(lower, axis) = std::min(at(lower, axis), at(p, axis));
            at(upper, axis) = std::max(at(upper, axis), at(p, axis));
        }
    }
    // A circle reaches r sqrt(1 - n^2) along an axis on which its unit normal has the component n.
    void hold_circle(const Vec3d& centre, const Vec3d& normal, double radius) {
        Vec3d reach;
        for (int axis = 0; axis < 3; ++axis) {
            const double n = at(normal, axis) / norm(normal);
            at(reach, axis) = radius * std::sqrt(std::max(0.0, 1 - n * n));
        }
        hold(centre - reach), hold(centre + reach);
    }
};

Box box_of(const WallSpec& w) {
    switch (w.type) {
        case WallType::rectangle: {
            Box box(w.corner);
            box.hold(w.corner + w.edge_a), box.hold(w.corner + w.edge_b), box.hold(w.corner + w.edge_a + w.edge_b);
            return box;
        }
        case WallType::disc:
        case WallType::annulus: {
            Box box(w.centre);
            box.hold_circle(w.centre, w.normal, w.type == WallType::disc ? w.radius : w.outer_radius);
            return box;
        }
        case WallType::plane:
        case WallType::mesh:
        case WallType::cylinder:
        case WallType::cone: break;
    }
    const bool cone = w.type == WallType::cone;
    Box box(w.bottom);
    box.hold_circle(w.bottom, w.top - w.bottom, cone ? w.bottom_radius : w.radius);
    box.hold_circle(w.top, w.top - w.bottom, cone ? w.top_radius : w.radius);
    return box;
}

// Would balls on the other side of the periodic faces across this axis miss a part of the wall?
bool is_cut(const WallSpec& w, const Domain& d, int axis, double radius) {
    if (w.type == WallType::mesh) return false;  // not known before its file is read
    if (w.type == WallType::plane) return std::abs(at(w.normal, axis)) > rounding * norm(w.normal);
    const Box box = box_of(w);
    const double low = at(d.lower, axis), high = at(d.upper, axis), slack = rounding * (high - low);
    const bool over_all = at(box.lower, axis) <= low + slack && at(box.upper, axis) >= high - slack;
    return !over_all && (at(box.lower, axis) < low + radius || at(box.upper, axis) > high - radius);
}

}  // namespace

std::vector<std::string> remarks_on(const Case& c) {
    std::vector<std::string> remarks;
    for (const WallSpec& w : c.walls)
        for (int axis = 0; axis < 3; ++axis)
            if (c.domain.periodic[static_cast<std::size_t>(axis)] && is_cut(w, c.domain, axis, c.largest_body()))
                remarks.push_back(
                    fmt::format("the wall \"{}\" meets a periodic face along {}, but walls do not repeat with the "
                                "period: balls beyond the face do not touch it",
                                w.name, axis_names[axis]));
    for (const MotionSpec& m : c.motions)
        if (std::none_of(c.walls.begin(), c.walls.end(), [&](const WallSpec& w) { return w.motion == m.name; }) &&
            std::none_of(c.hold.begin(), c.hold.end(), [&](const HoldSpec& h) { return h.motion == m.name; }))
            remarks.push_back(fmt::format("the motion \"{}\" moves no wall", m.name));
    for (const MaterialSpec& m : c.materials)
        if (m.of_balls && m.density && *m.density < lightest)
            remarks.push_back(
                fmt::format("the density of \"{}\" is {:.4g} kg/m^3, less than that of cork or foam: is it in g/cm^3? "
                            "(density = {:.4g})",
                            m.name, *m.density, 1000 * *m.density));
    if (c.start && !c.bodies.empty())
        remarks.push_back("[[bodies]] are not used: with [start] the balls are those of its state");
    for (std::string& remark : remarks_on_clusters(c)) remarks.push_back(std::move(remark));
    for (std::string& remark : remarks_on_shapes(c)) remarks.push_back(std::move(remark));
    return remarks;
}

}  // namespace granary
