// Rules about places and sizes: domain, boxes of balls, radii, periodic lengths, walls, outlets.
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "io/case_rules.hpp"

namespace granary {
namespace {

constexpr const char* axis_names[3] = {"x", "y", "z"};

// Overlaps and misfits below this share of a length are rounding of the numbers in the file.
constexpr double rounding = 1e-9;

// Random places in a box cannot get denser than a random close packing.
constexpr double densest_random = 0.64;

// A box of centres in a section that is given by its path.
struct Box {
    std::string path;
    Vec3d lower, upper;
    RadiusSpec radii;
    std::string key(const char* name) const { return path + "." + name; }
};

std::vector<Box> boxes_of(const Case& c) {
    std::vector<Box> boxes;
    for (std::size_t i = 0; i < c.bodies.size(); ++i)
        if (c.bodies[i].source != BodySource::file)
            boxes.push_back({fmt::format("bodies[{}]", i), c.bodies[i].lower, c.bodies[i].upper, c.bodies[i].radii});
    for (std::size_t i = 0; i < c.insert.size(); ++i)
        boxes.push_back({fmt::format("insert[{}]", i), c.insert[i].lower, c.insert[i].upper, c.insert[i].radii});
    return boxes;
}

void check_domain(const Domain& d, CaseReport& report) {
    for (int axis = 0; axis < 3; ++axis)
        if (!(at(d.upper, axis) > at(d.lower, axis)))
            report.add_at("domain.upper",
                          fmt::format("domain.upper is not above domain.lower along {} (expected above {}, got {})",
                                      axis_names[axis], at(d.lower, axis), at(d.upper, axis)),
                          {"domain.lower"});
}

void check_box(const Box& b, const Domain& d, CaseReport& report) {
    const std::string lower = b.key("lower"), upper = b.key("upper"), source = b.key("source");
    for (int axis = 0; axis < 3; ++axis) {
        const double low = at(b.lower, axis), high = at(b.upper, axis);
        if (high < low)
            report.add_at(upper,
                          fmt::format("{} is below {} along {} (expected at least {}, got {})", upper, lower,
                                      axis_names[axis], low, high),
                          {lower, source});
        if (low < at(d.lower, axis))
            report.add_at(lower,
                          fmt::format("{} lies outside of the domain along {} (expected at least {}, got {})", lower,
                                      axis_names[axis], at(d.lower, axis), low),
                          {"domain.lower", "domain.upper", source});
        if (high > at(d.upper, axis))
            report.add_at(upper,
                          fmt::format("{} lies outside of the domain along {} (expected at most {}, got {})", upper,
                                      axis_names[axis], at(d.upper, axis), high),
                          {"domain.lower", "domain.upper", source});
    }
}

// One radius, or both ends of a spread; balls smaller than the domain.
void check_radii(const Box& b, const Domain& d, CaseReport& report) {
    const RadiusSpec& r = b.radii;
    const std::string one = b.key("radius"), least = b.key("radius_min"), most = b.key("radius_max"),
                      source = b.key("source");
    if (!r.radius && !r.radius_min && !r.radius_max)
        return report.add_at(
            one, fmt::format("{} is missing (expected a number in m, above 0, or radius_min and radius_max)", one),
            {least, most, source});
    if (!r.radius && !r.radius_max)
        return report.add_at(most, fmt::format("{} is missing (expected beside radius_min)", most),
                             {one, least, source});
    if (!r.radius && !r.radius_min)
        return report.add_at(least, fmt::format("{} is missing (expected beside radius_max)", least),
                             {one, most, source});
    if (r.smallest() > r.largest())
        report.add_at(
            most, fmt::format("{} is below radius_min (expected at least {}, got {})", most, r.smallest(), r.largest()),
            {least});
    for (int axis = 0; axis < 3; ++axis) {
        const double extent = at(d.upper, axis) - at(d.lower, axis);
        if (extent > 0 && 2 * r.largest() > extent) {
            const std::string& key = r.radius ? one : most;
            report.add_at(
                key,
                fmt::format("{} is too large for the domain (expected at most {}, half of its length along {}, got {})",
                            key, extent / 2, axis_names[axis], r.largest()),
                {"domain.lower", "domain.upper"});
            break;
        }
    }
}

void check_lattice(const BodiesSpec& b, const Box& box, CaseReport& report) {
    if (b.source != BodySource::lattice) return;
    const std::string spacing = box.key("spacing"), counts = box.key("counts");
    const std::vector<std::string> needed = {spacing,
                                             counts,
                                             box.key("lower"),
                                             box.key("upper"),
                                             box.key("source"),
                                             box.key("jitter"),
                                             box.key("radius"),
                                             box.key("radius_min"),
                                             box.key("radius_max")};
    if (!b.spacing && !b.counts)
        return report.add_at(spacing, fmt::format("{} or {} is missing (expected one of them)", spacing, counts),
                             needed);
    const std::string& key = b.spacing ? spacing : counts;
    const auto n = b.lattice_counts();
    const Vec3d step = b.lattice_spacing();
    for (int axis = 0; axis < 3; ++axis) {
        const std::int64_t along = n[static_cast<std::size_t>(axis)];
        if (along < 1)
            return report.add_at(key,
                                 fmt::format("{} is longer than the box along {} (expected at most {}, got {})", key,
                                             axis_names[axis], at(b.upper, axis) - at(b.lower, axis), *b.spacing),
                                 needed);
        const double room = at(step, axis) - 2 * b.jitter, diameter = 2 * b.radii.largest();
        if (along > 1 && room < diameter * (1 - rounding))
            return report.add_at(
                key,
                fmt::format("{} makes balls overlap along {} (expected a distance of at least {}, two largest "
                            "radii and twice the jitter, got {})",
                            key, axis_names[axis], diameter + 2 * b.jitter, at(step, axis)),
                needed);
    }
}

void check_random(const BodiesSpec& b, const Box& box, CaseReport& report) {
    if (b.source != BodySource::random) return;
    const double r = b.radii.smallest(), edge = 2 * b.radii.largest();
    const Vec3d size = b.upper - b.lower;
    const double room = (size.x + edge) * (size.y + edge) * (size.z + edge);  // the box is that of the centres
    const double ball = 4.0 / 3.0 * std::numbers::pi * r * r * r;
    if (static_cast<double>(b.count) * ball > densest_random * room)
        report.add_at(box.key("count"),
                      fmt::format("{} balls do not fit into the box (expected at most {:.0f}, a share of {} of its "
                                  "volume)",
                                  b.count, std::floor(densest_random * room / ball), densest_random),
                      {box.key("lower"), box.key("upper"), box.key("radius"), box.key("radius_min"),
                       box.key("radius_max"), box.key("source")});
}

// Gap up to which cohesion acts between balls, as far as the case says; 0 without cohesion.
double cohesion_reach(const Case& c) {
    if (c.law.type != LawType::kelvin_voigt) return 0;
    double reach = 0;
    for (const MaterialSpec& m : c.materials) {
        if (!m.of_balls || !m.contact.stiffness || !m.contact.cohesion) continue;
        // Two equal springs in a row are half as stiff; the other rules leave equal values as they are.
        const double k = *m.contact.stiffness * (c.law.stiffness_mixing == MixingSpec::series ? 0.5 : 1.0);
        const bool overridden = std::any_of(c.pairs.begin(), c.pairs.end(), [&](const PairSpec& p) {
            return p.first == m.name && p.second == m.name && (p.contact.stiffness || p.contact.cohesion);
        });
        if (!overridden) reach = std::max(reach, *m.contact.cohesion / k);
    }
    for (const PairSpec& p : c.pairs)
        if (p.contact.stiffness && p.contact.cohesion)
            reach = std::max(reach, *p.contact.cohesion / *p.contact.stiffness);
    return reach;
}

// Three cubes at least along a periodic axis, or a ball would meet its own image. What is not known yet (an automatic
// skin, balls from files) counts as zero here.
void check_periodic(const Case& c, CaseReport& report) {
    const double cube = 2 * c.largest_radius() + cohesion_reach(c) + c.run.skin.value_or(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        const double length = at(c.domain.upper, axis) - at(c.domain.lower, axis);
        if (!c.domain.periodic[static_cast<std::size_t>(axis)] || length <= 0 || length >= 3 * cube) continue;
        report.add_at(
            "domain.periodic",
            fmt::format("the domain is too short along {0} to be periodic (expected at least {1}, three times "
                        "largest diameter + reach of cohesion + skin, got {2})",
                        axis_names[axis], 3 * cube, length),
            {"domain.lower", "domain.upper", "run.skin"});
    }
}

void check_wall(const WallSpec& w, const std::string& path, CaseReport& report) {
    const auto key = [&](const char* name) { return path + "." + name; };
    const auto not_zero = [&](const char* name, const Vec3d& v) {
        if (norm(v) == 0)
            report.add_at(key(name), fmt::format("{} has no length (expected a direction)", key(name)), {key("type")});
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
                              fmt::format("{} is not at a right angle to edge_a (expected a rectangle)", key("edge_b")),
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
    }
}

// Heights of the corners of a box above a plane: least and greatest.
std::pair<double, double> heights(const Vec3d& lower, const Vec3d& upper, const Outlet& o) {
    double least = 0, most = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double n = at(o.normal, axis);
        const double a = n * (at(lower, axis) - at(o.point, axis)), b = n * (at(upper, axis) - at(o.point, axis));
        least += std::min(a, b), most += std::max(a, b);
    }
    return {least, most};
}

void check_outlet(const Outlet& o, const std::string& path, const Case& c, CaseReport& report) {
    const std::string normal = path + ".normal", point = path + ".point";
    if (norm(o.normal) == 0)
        return report.add_at(normal, fmt::format("{} has no length (expected a direction)", normal));
    const std::vector<std::string> needed = {normal, "domain.lower", "domain.upper"};
    const auto [least, most] = heights(c.domain.lower, c.domain.upper, o);
    if (least > 0)
        report.add_at(point,
                      fmt::format("{} lies outside of the domain (expected a plane that balls reach before they leave "
                                  "the domain)",
                                  point),
                      needed);
    if (most < 0)
        return report.add_at(
            point,
            fmt::format("{} has the whole domain behind it (expected the normal to point to where balls "
                        "come from)",
                        point),
            needed);
    for (const Box& b : boxes_of(c))
        if (heights(b.lower, b.upper, o).second < 0)
            report.add_at(b.key("upper"),
                          fmt::format("{} and the rest of the box lie behind outlet \"{}\" (expected in front of it)",
                                      b.key("upper"), o.name),
                          {b.key("lower"), b.key("source"), point, normal});
}

}  // namespace

void check_geometry(const Case& c, CaseReport& report) {
    check_domain(c.domain, report);
    for (const Box& b : boxes_of(c)) check_box(b, c.domain, report), check_radii(b, c.domain, report);
    for (std::size_t i = 0; i < c.bodies.size(); ++i) {
        const Box box{fmt::format("bodies[{}]", i), c.bodies[i].lower, c.bodies[i].upper, c.bodies[i].radii};
        check_lattice(c.bodies[i], box, report), check_random(c.bodies[i], box, report);
    }
    check_periodic(c, report);
    for (std::size_t i = 0; i < c.walls.size(); ++i) check_wall(c.walls[i], fmt::format("walls[{}]", i), report);
    for (std::size_t i = 0; i < c.outlets.size(); ++i)
        check_outlet(c.outlets[i], fmt::format("outlets[{}]", i), c, report);
}

}  // namespace granary
