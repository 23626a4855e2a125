#include "app/fill_region.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace granary {

namespace {

constexpr double rounding = 1e-6;  // share of the radius by which a box that is meant to be as wide may be wider

bool stays(const Case& c, const WallSpec& w) {
    if (w.motion.empty()) return true;
    return std::any_of(c.motions.begin(), c.motions.end(),
                       [&](const MotionSpec& m) { return m.name == w.motion && m.type == MotionType::rotate; });
}

// The axis x, y, z = 0, 1, 2 along which it stands; -1: askew.
int axis_of(const WallSpec& w) {
    const Vec3d along = w.top - w.bottom;
    for (int k = 0; k < 3; ++k)
        if (std::abs(at(along, k)) >= (1 - 1e-9) * norm(along)) return k;
    return -1;
}

// How a box lies to a cylinder.
struct Lie {
    bool around_middle = false;  // the middle of the box is inside
    bool between_sides = false;  // across its axis the box is nowhere wider than the cylinder
    bool cut = false;            // corners are beyond the shell
};

Lie lie_of(const WallSpec& w, int axis, const Vec3d& lower, const Vec3d& upper) {
    const Vec3d middle = 0.5 * (lower + upper);
    const auto [low, high] = std::minmax({at(w.bottom, axis), at(w.top, axis)});
    double off = 0, corner = 0;
    bool between = true;
    for (int k = 0; k < 3; ++k) {
        if (k == axis) continue;
        const double centre = at(w.bottom, k);
        const double farthest = std::max(centre - at(lower, k), at(upper, k) - centre);
        off += (at(middle, k) - centre) * (at(middle, k) - centre), corner += farthest * farthest;
        between &= farthest <= (1 + rounding) * w.radius;
    }
    const bool meets = at(upper, axis) > low && at(lower, axis) < high;
    return {at(middle, axis) > low && at(middle, axis) < high && off < w.radius * w.radius, between,
            meets && corner > (1 + rounding) * w.radius * w.radius};
}

template <class F> void for_each_cylinder(const Case& c, F&& f) {
    for (const WallSpec& w : c.walls)
        if (w.type == WallType::cylinder && stays(c, w) && axis_of(w) >= 0) f(w, axis_of(w));
}

}  // namespace

Tube tube_around(const Case& c, const Vec3d& lower, const Vec3d& upper) {
    Tube tube;
    for_each_cylinder(c, [&](const WallSpec& w, int axis) {
        const Lie lie = lie_of(w, axis, lower, upper);
        if (!lie.around_middle || !lie.between_sides || w.radius <= tube.radius) return;
        tube = {w.bottom, {}, w.radius};
        at(tube.axis, axis) = 1;
    });
    return tube;
}

std::vector<std::string> fill_remarks(const Case& c) {
    std::vector<std::string> remarks;
    const auto look = [&](const std::string& whose, const Vec3d& lower, const Vec3d& upper) {
        if (tube_around(c, lower, upper).radius > 0) return;
        for_each_cylinder(c, [&](const WallSpec& w, int axis) {
            const Lie lie = lie_of(w, axis, lower, upper);
            if (lie.around_middle && lie.cut)
                remarks.push_back(
                    fmt::format("the box of {} is wider than the cylinder \"{}\" around its middle: balls appear on "
                                "both sides of that wall",
                                whose, w.name));
        });
    };
    const bool round_silo = c.silo && c.silo->bin == BinType::cylinder;
    for (const StageSpec& s : c.stages)
        if (s.type == StageType::fill && !round_silo && s.lower && s.upper)
            look(fmt::format("the stage \"{}\"", s.name), *s.lower, *s.upper);
    for (std::size_t k = 0; k < c.insert.size(); ++k)
        if (const InsertSpec& i = c.insert[k]; i.inlet != InletType::disc)
            look(i.name.empty() ? fmt::format("insert[{}]", k) : fmt::format("the insert \"{}\"", i.name), i.lower,
                 i.upper);
    return remarks;
}

}  // namespace granary
