// Rules about places and sizes: domain, periodic lengths, walls, outlets. Those of balls are in case_packing.cpp.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "contact/laws.hpp"
#include "io/case/case_rules.hpp"
#include "io/case/case_silo.hpp"

namespace granary {
namespace {

void check_domain(const Domain& d, CaseReport& report) {
    for (int axis = 0; axis < 3; ++axis)
        if (!(at(d.upper, axis) > at(d.lower, axis)))
            report.add_at("domain.upper",
                          fmt::format("domain.upper is not above domain.lower along {} (expected above {}, got {})",
                                      axis_names[axis], at(d.lower, axis), at(d.upper, axis)),
                          {"domain.lower"});
}

// Gap up to which the law acts between balls, as far as the case says; 0 without cohesion.
double cohesion_reach(const Case& c) {
    double reach = 0;
    const auto of = [&](double stiffness, double cohesion) {
        PairValues values;
        values.stiffness = stiffness, values.cohesion = cohesion;
        return reach_of(c.law.type, values);
    };
    for (const MaterialSpec& m : c.materials) {
        if (!m.of_balls || !m.contact.stiffness || !m.contact.cohesion) continue;
        // Two equal springs in a row are half as stiff; the other rules leave equal values as they are.
        const double k = *m.contact.stiffness * (c.law.stiffness_mixing == Mixing::series ? 0.5 : 1.0);
        const bool overridden = std::any_of(c.pairs.begin(), c.pairs.end(), [&](const PairSpec& p) {
            return p.first == m.name && p.second == m.name && (p.contact.stiffness || p.contact.cohesion);
        });
        if (!overridden) reach = std::max(reach, of(k, *m.contact.cohesion));
    }
    for (const PairSpec& p : c.pairs)
        if (p.contact.stiffness && p.contact.cohesion)
            reach = std::max(reach, of(*p.contact.stiffness, *p.contact.cohesion));
    return reach;
}

// Two cubes at least along a periodic axis, or a ball could touch another one on both sides at once, and nobody could
// tell the two contacts apart. What is not known yet (an automatic skin, balls from files) counts as zero here.
void check_periodic(const Case& c, CaseReport& report) {
    const double cube = 2 * c.largest_body() + cohesion_reach(c) + c.run.skin.value_or(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        const double length = at(c.domain.upper, axis) - at(c.domain.lower, axis);
        if (!c.domain.periodic[static_cast<std::size_t>(axis)] || length <= 0 || length >= 2 * cube) continue;
        report.add_at("domain.periodic",
                      fmt::format("the domain is too short along {0} to be periodic (expected at least {1:.6g}, twice "
                                  "the largest diameter, reach of cohesion and skin together, got {2:.6g}: a ball "
                                  "could touch another one "
                                  "on both sides)",
                                  axis_names[axis], 2 * cube, length),
                      {"domain.lower", "domain.upper", "run.skin"});
    }
}

void check_wall(const WallSpec& w, const std::string& path, CaseReport& report) {
    const auto key = [&](const char* name) { return path + "." + name; };
    const auto not_zero = [&](const char* name, const Vec3d& v) {
        if (norm(v) == 0)
            report.add_at(key(name), fmt::format("{} is zero (expected a direction)", key(name)), {key("type")});
    };
    switch (w.type) {
        case WallType::plane:
        case WallType::disc: not_zero("normal", w.normal); break;
        case WallType::annulus:
            not_zero("normal", w.normal);
            if (w.inner_radius >= w.outer_radius)
                report.add_at(key("outer_radius"),
                              fmt::format("{} is not above inner_radius (expected above {}, got {})",
                                          key("outer_radius"), w.inner_radius, w.outer_radius),
                              {key("inner_radius"), key("type")});
            break;
        case WallType::rectangle:
            not_zero("edge_a", w.edge_a), not_zero("edge_b", w.edge_b);
            if (std::abs(dot(w.edge_a, w.edge_b)) > rounding * norm(w.edge_a) * norm(w.edge_b))
                report.add_at(key("edge_b"),
                              fmt::format("{} is not perpendicular to edge_a (expected a rectangle)", key("edge_b")),
                              {key("edge_a"), key("type")});
            break;
        case WallType::cone:
            if (w.bottom_radius == 0 && w.top_radius == 0)
                report.add_at(key("top_radius"),
                              fmt::format("{} and bottom_radius are both 0 (expected one above 0)", key("top_radius")),
                              {key("bottom_radius"), key("type")});
            [[fallthrough]];
        case WallType::cylinder:
            if (w.bottom == w.top)
                report.add_at(key("top"),
                              fmt::format("{} is the same as bottom (expected the other end of the axis)", key("top")),
                              {key("bottom"), key("type")});
            break;
        case WallType::mesh: break;  // looked at when its file is read
    }
}

void check_outlet(const Outlet& o, const std::string& path, const Case& c, CaseReport& report) {
    const std::string normal = path + ".normal", point = path + ".point";
    if (norm(o.normal) == 0) return report.add_at(normal, fmt::format("{} is zero (expected a direction)", normal));
    const std::vector<std::string> needed = {normal, "domain.lower", "domain.upper"};
    const auto [least, most] = heights_above(o, c.domain.lower, c.domain.upper);
    if (least > 0)
        report.add_at(point,
                      fmt::format("{} is outside the domain (expected a plane that balls reach before they leave "
                                  "the domain)",
                                  point),
                      needed);
    if (most < 0)
        return report.add_at(
            point,
            fmt::format("{} has the whole domain behind it (expected a normal that points to the side that "
                        "balls come from)",
                        point),
            needed);
    if (!c.silo) return;
    const auto [lower, upper] = silo_box(*c.silo);
    if (heights_above(o, lower, upper).first < -rounding * (upper.z - lower.z))
        report.add_at(point,
                      fmt::format("{} has a part of the silo behind it (expected a plane below the gate, at z = {})",
                                  point, c.silo->bottom),
                      {normal, "silo"});
}

void check_frame_region(const OutputSpec& o, CaseReport& report) {
    if (o.region_lower.has_value() != o.region_upper.has_value()) {
        const char* missing = o.region_lower ? "output.region_upper" : "output.region_lower";
        const char* given = o.region_lower ? "output.region_lower" : "output.region_upper";
        return report.add_at(missing, fmt::format("{} is missing (expected together with {})", missing, given),
                             {given});
    }
    for (int axis = 0; o.region_lower && axis < 3; ++axis)
        if (!(at(*o.region_upper, axis) > at(*o.region_lower, axis)))
            report.add_at("output.region_upper",
                          fmt::format("output.region_upper is not above region_lower along {} (expected above {}, got "
                                      "{})",
                                      axis_names[axis], at(*o.region_lower, axis), at(*o.region_upper, axis)),
                          {"output.region_lower"});
}

}  // namespace

std::pair<double, double> heights_above(const Outlet& o, const Vec3d& lower, const Vec3d& upper) {
    double least = 0, most = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double n = at(o.normal, axis);
        const double a = n * (at(lower, axis) - at(o.point, axis)), b = n * (at(upper, axis) - at(o.point, axis));
        least += std::min(a, b), most += std::max(a, b);
    }
    return {least, most};
}

void check_geometry(const Case& c, CaseReport& report) {
    check_domain(c.domain, report);
    check_periodic(c, report);
    for (std::size_t i = 0; i < written_walls(c).size(); ++i)
        check_wall(c.walls[i], fmt::format("walls[{}]", i), report);
    for (std::size_t i = 0; i < c.outlets.size(); ++i)
        check_outlet(c.outlets[i], fmt::format("outlets[{}]", i), c, report);
    check_frame_region(c.output, report);
}

}  // namespace granary
