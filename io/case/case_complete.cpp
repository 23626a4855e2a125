#include "io/case/case_complete.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/elementary.hpp"
#include "io/case/case_schema.hpp"
#include "io/case/case_silo.hpp"
#include "io/formats/words.hpp"

namespace granary {
namespace {

// Room around a silo, in diameters of the largest ball.
constexpr double room_beside = 2, room_above = 4, room_to_outlet = 4, room_below_outlet = 2;
// A rain begins in the uppermost part of the bin: a tenth of it, but so many diameters at least.
constexpr double rain_share = 0.1, rain_diameters = 4;
constexpr double rain_share_of_room = 0.1;
constexpr double longest_settling = 10;              // s
constexpr double rain_patience = 2, rain_extra = 1;  // times what the rate asks for, and s

constexpr double inlet_room = 1e-6;      // above the largest ball, as a share
constexpr double unit_rounding = 1e-15;  // a normal so near to unit length is left as it is

// ---- Gates ---------------------------------------------------------------------------------------------------------

std::string meant(const std::string& name, const std::vector<std::string>& names) {
    const std::string near = nearest(name, names);
    return near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near);
}

template <class T> std::vector<std::string> names_of(const std::vector<T>& all) {
    std::vector<std::string> names;
    for (const T& one : all) names.push_back(one.name);
    return names;
}

template <class T> T* find_named(std::vector<T>& all, const std::string& name) {
    const auto it = std::find_if(all.begin(), all.end(), [&](const T& one) { return one.name == name; });
    return it == all.end() ? nullptr : &*it;
}

// `opens` of a gate must name a stage.
void known_stage(const std::string& key, const std::string& name, Case& c, CaseReport& report) {
    if (name.empty() || find_named(c.stages, name)) return;
    const std::vector<std::string> names = names_of(c.stages);
    report.add_at(key,
                  fmt::format("{} names an unknown stage (expected {}, got \"{}\"{})", key,
                              names.empty() ? "a case with [[stages]]" : listed_or(names), name, meant(name, names)),
                  {"stages", "stages[].name", "stages[].type"});
}

// The gate of a silo opens where a stage says so, or else at the first discharge.
void choose_gate_opening(SiloSpec& silo, const std::vector<StageSpec>& stages) {
    if (!silo.opens.empty() || silo.opens_at) return;
    for (const StageSpec& s : stages)
        if (std::find(s.open.begin(), s.open.end(), "gate") != s.open.end()) {
            silo.opens = s.name;
            return;
        }
    for (const StageSpec& s : stages)
        if (s.type == StageType::discharge) {
            silo.opens = s.name;
            return;
        }
}

void open_wall(const std::string& name, std::size_t stage, Case& c, CaseReport& report) {
    const std::string key = fmt::format("stages[{}].open", stage);
    WallSpec* wall = find_named(c.walls, name);
    if (!wall) {
        const std::vector<std::string> names = names_of(c.walls);
        report.add_at(key,
                      fmt::format("{} names an unknown wall (expected {}, got \"{}\"{})", key,
                                  names.empty() ? "a case with [[walls]] or a [silo]" : listed_or(names), name,
                                  meant(name, names)),
                      {"walls", "walls[].name", "silo"});
        return;
    }
    if (wall->opens.empty() && !wall->opens_at) wall->opens = c.stages[stage].name;
    if (wall->opens != c.stages[stage].name)
        report.add_at(
            key,
            fmt::format("{} names \"{}\", which opens {} (expected a wall that opens at this stage)", key, name,
                        wall->opens_at ? fmt::format("at {} s", *wall->opens_at)
                                       : fmt::format("at the stage \"{}\"", wall->opens)),
            {"walls[].opens", "walls[].opens_at", "silo"});
}

// Afterwards gates and stages say the same.
void link_gates(Case& c, CaseReport& report) {
    for (std::size_t i = 0; i < c.walls.size(); ++i)
        if (!c.walls[i].of_silo) known_stage(fmt::format("walls[{}].opens", i), c.walls[i].opens, c, report);
    if (c.silo) known_stage("silo.opens", c.silo->opens, c, report);
    for (std::size_t i = 0; i < c.motions.size(); ++i)
        known_stage(fmt::format("motions[{}].stage", i), c.motions[i].stage, c, report);
    for (std::size_t i = 0; i < c.stages.size(); ++i)
        for (const std::string& name : c.stages[i].open) open_wall(name, i, c, report);
    for (StageSpec& s : c.stages) {
        s.open.clear();
        for (const WallSpec& w : c.walls)
            if (w.opens == s.name) s.open.push_back(w.name);
    }
}

// ---- Silo and stages -----------------------------------------------------------------------------------------------

void complete_silo(SiloSpec& s) {
    if (s.outlet == OpeningType::slot && s.bin == BinType::rectangle && !s.outlet_length) s.outlet_length = s.depth;
    if (s.gate_material.empty()) s.gate_material = s.material;
}

void complete_region(StageSpec& s, const SiloSpec& silo, double largest) {
    const auto [lower, upper] = silo_box(silo);
    const double height = std::max(rain_share * silo.h_c, rain_diameters * 2 * largest);
    const double from = s.method == InsertionMethod::rain   ? upper.z - std::min(height, silo.h_c)
                        : s.method == InsertionMethod::pack ? bin_floor(silo)
                                                            : silo.bottom;
    s.lower = Vec3d{lower.x, lower.y, from}, s.upper = upper;
}

// A rain that is left to choose its rate is quick but does not jam: in free fall through its region, a tenth of the
// room (of the round bin within a box) is ball. rate = 0.1 A h/(V t): A h the region, V the mean ball, t = (sqrt(v^2 +
// 2 g h) - v)/g the time to fall out of it.
void complete_rate(StageSpec& s, const Case& c) {
    if (s.type != StageType::fill || s.method != InsertionMethod::rain || s.rate || s.mass_rate) return;
    const Case::GrainSizes grains = c.grain_sizes(s.radii, s.grains);
    if (!s.lower || !s.upper || !grains.whole) return;
    const double g = norm(c.gravity), v = norm(s.velocity);
    if (!(g > 0 || v > 0)) return;
    const Vec3d size = *s.upper - *s.lower, along = g > 0 ? (1 / g) * c.gravity : (1 / v) * s.velocity;
    const double h = std::abs(along.x) * size.x + std::abs(along.y) * size.y + std::abs(along.z) * size.z;
    const double t = g > 0 ? (std::sqrt(v * v + 2 * g * h) - v) / g : h / v;
    const bool square = c.silo && c.silo->bin == BinType::rectangle;
    double volume = size.x * size.y * size.z * (square ? 1 : std::numbers::pi / 4);
    if (c.silo && !square) volume = std::min(volume, std::numbers::pi / 4 * c.silo->d_c * c.silo->d_c * size.z);
    const double rate = rain_share_of_room * volume / (grains.mean_volume * t);
    if (!(rate > 0) || !std::isfinite(rate)) return;
    const double digit = elementary::pow(10.0, std::floor(elementary::log10(rate)) - 1);  // two digits
    s.rate = std::max(1.0, std::floor(rate / digit)) * digit;
}

// Of a rain whose balls all find room, s; 0 if it cannot be known.
double rain_time(const StageSpec& s, const Case& c) {
    const double n = n_balls(s, c);
    if (s.rate) return n / *s.rate;
    const double mass = s.mass ? *s.mass : n * c.mean_mass(s.radii, s.grains, s.material, s.mix);
    return s.mass_rate ? mass / *s.mass_rate : 0.0;
}

void complete_time(StageSpec& s, const Case& c) {
    if (s.time) return;
    if (s.type == StageType::settle) s.time = longest_settling;
    if (s.type == StageType::fill && s.method == InsertionMethod::rain)
        s.time = rain_patience * rain_time(s, c) + rain_extra;
}

// A disc is a flat box as high as the largest ball; a tube cuts it round when balls are placed.
void complete_inlet(InsertSpec& i, double largest) {
    if (i.inlet != InletType::disc) return;
    Vec3d half{i.inlet_radius, i.inlet_radius, i.inlet_radius};
    at(half, i.inlet_axis) = largest * (1 + inlet_room);
    i.lower = i.centre - half, i.upper = i.centre + half;
}

// ---- Around the silo -----------------------------------------------------------------------------------------------

// The measure of room: the largest ball, or a part of the silo if the balls are in files.
double ball_diameter(const Case& c) {
    const auto [lower, upper] = silo_box(*c.silo);
    const double r = c.largest_radius();
    return r > 0 ? 2 * r : 0.05 * std::min(upper.x - lower.x, upper.y - lower.y);
}

void add_outlet(Case& c) {
    const SiloSpec& s = *c.silo;
    c.outlets.push_back(
        {"outlet", {s.centre[0], s.centre[1], s.bottom - room_to_outlet * ball_diameter(c)}, {0, 0, 1}});
}

std::pair<Vec3d, Vec3d> box_around(const Case& c) {
    const double d = ball_diameter(c);
    Domain box;
    std::tie(box.lower, box.upper) = silo_box(*c.silo);
    box.lower -= d * Vec3d{room_beside, room_beside, room_to_outlet + room_below_outlet};
    box.upper += d * Vec3d{room_beside, room_beside, room_above};
    const auto hold = [&](const Vec3d& p) {
        for (int axis = 0; axis < 3; ++axis) {
            at(box.lower, axis) = std::min(at(box.lower, axis), at(p, axis));
            at(box.upper, axis) = std::max(at(box.upper, axis), at(p, axis));
        }
    };
    for (const BodiesSpec& b : c.bodies)
        if (b.source == BodySource::ball || b.source == BodySource::cluster) hold(b.position);
        else if (b.source != BodySource::file) hold(b.lower), hold(b.upper);
    for (const InsertSpec& i : c.insert) hold(i.lower), hold(i.upper);
    for (const StageSpec& s : c.stages)
        if (s.lower && s.upper) hold(*s.lower), hold(*s.upper);
    for (const Outlet& o : c.outlets)
        if (o.normal.z == 1) box.lower.z = std::min(box.lower.z, o.point.z - room_below_outlet * d);
    return {box.lower, box.upper};
}

// ---- Materials -----------------------------------------------------------------------------------------------------

void mark_uses(Case& c) {
    for (MaterialSpec& m : c.materials) {
        const auto uses = [&](const auto& thing) { return thing.material == m.name; };
        const auto any = [&](const auto& all) { return std::any_of(all.begin(), all.end(), uses); };
        const auto any_ball = [&](const auto& all) {
            return std::any_of(all.begin(), all.end(), [&](const auto& thing) {
                const std::vector<std::string>& with = thing.mix.mixed_with;
                return uses(thing) || std::find(with.begin(), with.end(), m.name) != with.end();
            });
        };
        const auto any_cluster = [&](const auto& all) {
            return std::any_of(all.begin(), all.end(), [&](const auto& thing) {
                const GrainForm* form = c.find_grain(thing.grains);
                return form && form->material == m.name;
            });
        };
        m.of_balls = any_cluster(c.bodies) || any_cluster(c.insert) || any_cluster(c.stages) || any_ball(c.bodies) ||
                     any_ball(c.insert) || any_ball(c.stages) || (c.start && m.density);
        m.of_walls = any(c.walls) || (c.silo && (uses(*c.silo) || c.silo->gate_material == m.name));
    }
}

}  // namespace

void complete_stages(Case& c, const CaseReport& report) {
    const std::vector<std::string> types = split_list(find_key("stages", "type")->extra.choices);
    for (std::size_t i = 0; i < c.stages.size(); ++i) {
        StageSpec& s = c.stages[i];
        if (s.name.empty() && report.is_sound(fmt::format("stages[{}].type", i)))
            s.name = types[static_cast<std::size_t>(s.type)];
        if (s.dt == 0 && !s.dt_auto) s.dt = c.run.dt, s.dt_auto = c.run.dt_auto;
    }
    for (Outlet& o : c.outlets) {
        const double length = norm(o.normal);
        if (length > 0 && std::abs(length - 1) > unit_rounding) o.normal = (1.0 / length) * o.normal;
    }
}

void complete_case(Case& c, CaseReport& report) {
    const bool has_silo = c.silo && report.is_sound_within("silo");
    if (c.silo && !has_silo) report.mark_unsound("silo");
    if (has_silo) {
        complete_silo(*c.silo);
        choose_gate_opening(*c.silo, c.stages);
        const std::vector<WallSpec> walls = silo_walls(*c.silo);
        c.walls.insert(c.walls.end(), walls.begin(), walls.end());
    }
    link_gates(c, report);
    for (InsertSpec& i : c.insert) complete_inlet(i, c.grain_sizes(i.radii, i.grains).largest);
    for (StageSpec& s : c.stages) {
        if (s.type == StageType::fill && has_silo && !s.lower && !s.upper)
            complete_region(s, *c.silo, c.grain_sizes(s.radii, s.grains).largest);
        complete_rate(s, c);
        complete_time(s, c);
    }
    if (has_silo && !report.is_given("outlets")) add_outlet(c);
    if (has_silo && !report.is_given("domain", "lower")) std::tie(c.domain.lower, c.domain.upper) = box_around(c);
    if (!has_silo && !report.is_given("domain")) report.mark_unsound("domain");
    mark_uses(c);
}

}  // namespace granary
