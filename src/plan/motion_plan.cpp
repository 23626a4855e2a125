#include "plan/motion_plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/elementary.hpp"
#include "engine/simulation.hpp"
#include "core/errors.hpp"

namespace granary {

namespace {

constexpr int looks = 64;  // at the way of a wall, from its beginning to its end

// Key of a motion: one of the case, or that of a gate which slides.
std::string key_of(const Case& c, const Setup& setup, std::size_t motion) {
    if (motion < c.motions.size()) return fmt::format("motions[{}].name", motion);
    for (std::size_t w = 0; w < c.walls.size(); ++w)
        if (c.walls[w].name == setup.motions[motion].name)
            return c.walls[w].of_silo ? "silo.slides" : fmt::format("walls[{}].slides", w);
    return "motions";
}

bool apart(const BoundingBox& a, const Domain& d) {
    for (int axis = 0; axis < 3; ++axis)
        if (at(a.upper, axis) < at(d.lower, axis) || at(a.lower, axis) > at(d.upper, axis)) return true;
    return false;
}

// How long a motion goes on, s: by its own keys, or until the run ends at the latest.
struct Length {
    double time = 0;
    bool sure = false;  // it does go on so long
};

Length length_of(const Case& c, const std::vector<Stage>& stages, const WallMotion& m, std::size_t number) {
    if (m.duration < WallMotion::never) return {m.duration, true};
    if (m.has_table()) return {m.table.times.back(), true};
    const std::string stage = number < c.motions.size() ? c.motions[number].stage : "";
    double time = stage.empty() ? -m.start : 0;
    bool counts = stage.empty();
    for (const Stage& s : stages) {
        counts |= s.name == stage;
        if (counts) time += static_cast<double>(s.longest) * s.dt;
    }
    return {std::max(0.0, time), c.stages.empty()};
}

// The first time, from the beginning of its motion, at which a wall is seen to have left the domain; negative: never.
double leaves_at(const Wall& wall, const WallMotion& m, const Domain& domain, double length) {
    if (apart(bounding_box(wall.shape), domain)) return -1;  // it was never inside
    const MotionState state{0, 0, 0, 0, 0};
    for (int k = 1; k <= looks; ++k) {
        const double t = length * k / looks;
        if (apart(bounding_box(moved(wall.shape, pose_of(m, motion_at(m, state, t)))), domain)) return t;
    }
    return -1;
}

std::string vec_text(const Vec3d& a) { return fmt::format("({:.6g}, {:.6g}, {:.6g})", a.x, a.y, a.z); }

std::string axis_text(const MotionSpec& m) {
    return fmt::format("about the axis through {} m along {}", vec_text(m.point), vec_text(m.axis));
}

std::string form_text(const MotionSpec& m) {
    const auto table = [&](const char* of) {
        return fmt::format("table of {}{}{}", of, m.file.empty() ? "" : " in " + m.file, m.smooth ? ", smooth" : "");
    };
    switch (m.type) {
        case MotionType::translate: return fmt::format("translates with {} m/s", vec_text(m.velocity));
        case MotionType::rotate:
            return fmt::format("rotates at {:.6g} rpm {}", m.rpm ? *m.rpm : m.rate.value_or(0) * 30 / std::numbers::pi,
                               axis_text(m));
        case MotionType::vibrate:
            return fmt::format("vibrates by {} m at {:.6g} Hz", vec_text(m.amplitude), m.frequency);
        case MotionType::swing:
            return fmt::format("swings by {:.6g} rad at {:.6g} Hz {}", m.angle, m.frequency, axis_text(m));
        case MotionType::shift_table: return table("displacements");
        case MotionType::angle_table: return table("angles") + " " + axis_text(m);
        case MotionType::servo: break;
    }
    return fmt::format("presses with {:.6g} N along {}, at most {:.6g} m/s, gain {:.4g} m/s/N", m.force,
                       vec_text(m.direction), m.speed, m.gain.value_or(0));
}

std::string when_text(const std::string& stage, double start) {
    return stage.empty() ? fmt::format("from {:.6g} s", start) : fmt::format("from the stage \"{}\"", stage);
}

// How far the surface of a wall reaches from an axis, m.
class ReachFrom {
  public:
    ReachFrom(const Vec3d& point, const Vec3d& axis) : point_(point), axis_(axis) {}
    double operator()(const Plane&) const { return 0; }  // without end: told by the box of the domain
    double operator()(const Rectangle& s) const {
        return std::max(
            {of(s.corner), of(s.corner + s.edge_a), of(s.corner + s.edge_b), of(s.corner + s.edge_a + s.edge_b)});
    }
    double operator()(const Disc& s) const { return circle(s.centre, s.normal, s.radius); }
    double operator()(const Annulus& s) const { return circle(s.centre, s.normal, s.outer); }
    double operator()(const Cylinder& s) const {
        const Vec3d along = s.top - s.bottom;
        return std::max(circle(s.bottom, along, s.radius), circle(s.top, along, s.radius));
    }
    double operator()(const ConeFrustum& s) const {
        const Vec3d along = s.top - s.bottom;
        return std::max(circle(s.bottom, along, s.bottom_radius), circle(s.top, along, s.top_radius));
    }
    double operator()(const Mesh& s) const {
        double far = 0;
        if (s.surface)
            for (const Vec3d& corner : s.surface->corners()) far = std::max(far, of(s.pose.point(corner)));
        return far;
    }

  private:
    double of(const Vec3d& x) const {
        const Vec3d d = x - point_;
        return norm(d - dot(d, axis_) * axis_);
    }
    double circle(const Vec3d& centre, const Vec3d& normal, double radius) const {
        const Vec3d n = normal * (1 / norm(normal)), u = perpendicular(n), v = cross(n, u);
        double far = 0;
        for (int k = 0; k < 360; ++k) {
            const double a = k * std::numbers::pi / 180;
            far = std::max(far, of(centre + radius * (elementary::cos(a) * u + elementary::sin(a) * v)));
        }
        return far;
    }
    Vec3d point_, axis_;
};

// The greatest speed of any surface that a motion carries, m/s.
double surface_speed(const Setup& setup, const MovingWalls& walls, std::size_t motion) {
    const WallMotion& m = setup.motions[motion];
    const GreatestSpeed most = greatest_speed(m);
    double reach = 0;
    for (const Wall& w : setup.walls) {
        if (w.motion != motion || !m.turns()) continue;
        if (std::holds_alternative<Plane>(w.shape)) return walls.greatest(motion);
        reach = std::max(reach, std::visit(ReachFrom(m.point, m.axis), w.shape));
    }
    return most.shift + reach * most.turn;
}

}  // namespace

void check_motions(const Case& c, const Setup& setup, const std::vector<Stage>& stages, const Vec3d& cube_edge,
                   const CasePlaces& places, std::vector<std::string>& remarks) {
    const MovingWalls walls = moving_walls(setup, std::max({cube_edge.x, cube_edge.y, cube_edge.z}));
    double dt = setup.dt;
    for (const Stage& s : stages) dt = std::max(dt, s.dt);
    for (std::size_t k = 0; k < setup.motions.size(); ++k) {
        const std::string text = too_fast_wall(walls, k, dt, cube_edge);
        if (!text.empty()) throw InputError(places.at(key_of(c, setup, k), text));
    }
    for (const Wall& w : setup.walls) {
        if (!w.moves() || w.motion >= c.motions.size()) continue;  // a gate may slide out of the way
        const WallMotion& m = setup.motions[w.motion];
        if (m.type == WallMotion::Type::servo) continue;
        const Length length = length_of(c, stages, m, w.motion);
        const double t = leaves_at(w, m, setup.domain, length.time);
        if (t < 0) continue;
        const std::string text = fmt::format(
            "the motion \"{}\" moves the wall \"{}\" out of the domain: {:.3g} s after its start no "
            "part of it is inside; use a shorter duration, or a larger [domain]",
            m.name, w.name, t);
        if (length.sure) throw InputError(places.at(key_of(c, setup, w.motion), text));
        remarks.push_back(text);
    }
}

std::vector<std::string> motion_lines(const Case& c, const Setup& setup) {
    std::vector<std::string> lines;
    const MovingWalls walls = moving_walls(setup, 2 * setup.largest_radius);
    for (std::size_t k = 0; k < setup.motions.size(); ++k) {
        std::string names;
        if (k < c.motions.size()) {
            const MotionSpec& m = c.motions[k];
            for (const WallSpec& w : c.walls)
                if (w.motion == m.name)
                    names += fmt::format("{}{}{}", names.empty() ? "" : ", ", w.name,
                                         w.copies > 1 ? fmt::format(" ({} copies)", w.copies) : "");
            std::string line = fmt::format("{}: {}, {}", m.name, form_text(m), when_text(m.stage, m.start.value_or(0)));
            if (m.duration) line += fmt::format(" for {:.6g} s", *m.duration);
            if (m.ramp > 0) line += fmt::format(", ramp {:.6g} s", m.ramp);
            lines.push_back(fmt::format("{}; surfaces at most {:.4g} m/s; walls: {}", line,
                                        surface_speed(setup, walls, k), names.empty() ? "none" : names));
            continue;
        }
        for (const WallSpec& w : c.walls)
            if (w.name == setup.motions[k].name)
                lines.push_back(fmt::format("{}: slides by {} m within {:.6g} s, {}", w.name, vec_text(w.slides),
                                            w.slide_time, when_text(w.opens, w.opens_at.value_or(0))));
    }
    return lines;
}

}  // namespace granary
