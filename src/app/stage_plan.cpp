#include "app/stage_plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>
#include "app/case_setup.hpp"

namespace granary {

namespace {

constexpr double share_of_box = 0.12;  // of an inlet's box that is filled at one event at most
constexpr std::uint32_t trials_a_ball = 20;
constexpr std::uint64_t fill_look = 100;  // steps

std::uint64_t in_steps(double time, double dt) {
    return static_cast<std::uint64_t>(std::max(1LL, std::llround(time / dt)));
}

// Rain through a box: as many balls an event as the rate asks while the last ones fall out of the box, but not more than find room.
void set_events(InsertionSpec& to, const StageSpec& s, double g, double height, double volume) {
    const double mean_volume = s.radii.mean_volume();
    const double rate = s.rate ? *s.rate : s.mass_rate.value_or(0) / (to.balls.density * mean_volume);
    const double v = norm(to.balls.velocity);
    const double clear = g > 0 ? (std::sqrt(v * v + 2 * g * height) - v) / g : height / std::max(v, 1e-9);
    const double room = std::max(1.0, std::floor(share_of_box * volume / mean_volume));
    const double per_event = std::clamp(std::round(rate * clear), 1.0, std::min(room, 1e6));
    to.per_event = static_cast<std::uint32_t>(per_event);
    to.trials_per_event = trials_a_ball * to.per_event;
    to.interval = in_steps(per_event / rate, s.dt);
}

InsertionSpec insertion(const Case& c, const StageSpec& s, const Setup& setup, std::uint16_t stream) {
    const Axes axes(c.run.slab_axis);
    InsertionSpec to;
    to.name = s.name, to.axes = axes;
    to.lower = axes.in(s.lower.value_or(Vec3d{})), to.upper = axes.in(s.upper.value_or(Vec3d{}));
    for (int axis = 0; axis < 3; ++axis)
        to.spans_period[axis] = setup.domain.periodic[axis] && at(to.lower, axis) == at(setup.domain.lower, axis) &&
                                at(to.upper, axis) == at(setup.domain.upper, axis);
    to.balls = ball_kind(c, s.radii, s.material, s.velocity);
    to.balls.velocity = axes.in(s.velocity);
    to.max_overlap = s.max_overlap;
    to.stream = stream;
    if (c.silo && c.silo->bin == BinType::cylinder)
        to.inside = {axes.in(Vec3d{c.silo->centre[0], c.silo->centre[1], 0}), axes.in(Vec3d{0, 0, 1}),
                     0.5 * c.silo->d_c};
    if (s.mass) {
        const double smallest = 4.0 / 3.0 * std::numbers::pi * std::pow(to.balls.radius_min, 3) * to.balls.density;
        to.mass = *s.mass, to.total = static_cast<std::uint64_t>(*s.mass / smallest) + 1;
    } else {
        to.total = static_cast<std::uint64_t>(s.count.value_or(0));
    }
    const Vec3d size = to.upper - to.lower;
    if (s.method == FillMethod::pack) {
        to.method = InsertionMethod::pack;
        to.per_event = to.trials_per_event = static_cast<std::uint32_t>(std::min<std::uint64_t>(to.total, 0xffffffffu));
    } else {
        const double g = norm(c.gravity);
        const Vec3d down = g > 0 ? c.gravity * (1 / g) : Vec3d{0, 0, -1};
        const Vec3d user = axes.out(size);
        const double height = std::abs(down.x) * user.x + std::abs(down.y) * user.y + std::abs(down.z) * user.z;
        set_events(to, s, g, height, size.x * size.y * size.z);
    }
    validate(to);
    return to;
}

// Is this a gate that slides?
bool slides(const Case& c, const std::string& wall) {
    return std::any_of(c.walls.begin(), c.walls.end(),
                       [&](const WallSpec& w) { return w.name == wall && w.slides_open(); });
}

}  // namespace

std::vector<Stage> make_stages(const Case& c, const Setup& setup, ResolvedNotes& chosen) {
    std::vector<Stage> stages;
    if (c.stages.empty()) {
        Stage run;
        run.name = "run", run.dt = c.run.dt, run.longest = static_cast<std::uint64_t>(c.run.n_steps());
        return {run};
    }
    auto stream = static_cast<std::uint16_t>(c.insert.size() + c.bodies.size());
    for (std::size_t k = 0; k < c.stages.size(); ++k) {
        const StageSpec& s = c.stages[k];
        Stage to;
        to.name = s.name, to.dt = s.dt;
        to.longest = s.time ? in_steps(*s.time, s.dt) : 0;
        if (s.check_every > 0) to.look_every = in_steps(s.check_every, s.dt);
        for (std::size_t w = 0; w < setup.walls.size(); ++w)
            if (std::find(s.open.begin(), s.open.end(), setup.walls[w].name) != s.open.end()) {
                if (slides(c, setup.walls[w].name)) to.begins.push_back(setup.walls[w].motion);
                else to.opens.push_back(w);
            }
        for (std::size_t m = 0; m < c.motions.size(); ++m)
            if (c.motions[m].stage == s.name) to.begins.push_back(m);
        switch (s.type) {
            case StageType::fill:
                to.type = Stage::Type::fill;
                to.look_every = fill_look;
                to.insertions = {insertion(c, s, setup, stream++)};
                break;
            case StageType::settle: {
                // Slow enough: a ball could climb a ten-thousandth of its diameter.
                const double r = setup.largest_radius;
                double density = 0;
                for (const Material& m : setup.materials)
                    if (!m.wall_only) density = std::max(density, m.density);
                const double weight = 4.0 / 3.0 * std::numbers::pi * r * r * r * density * norm(c.gravity);
                to.type = Stage::Type::settle;
                to.rest_energy = s.energy.value_or(1e-4 * weight * 2 * r);
                if (!s.energy) chosen.values[fmt::format("stages[{}].energy", k)] = to.rest_energy;
                break;
            }
            case StageType::discharge:
                to.type = Stage::Type::discharge;
                to.until_empty = s.empty;
                to.stall = s.stall_time > 0 ? in_steps(s.stall_time, s.dt) : 0;
                break;
            case StageType::run: break;
        }
        stages.push_back(std::move(to));
    }
    return stages;
}

std::vector<TimedGate> timed_gates(const Case& c, const Setup& setup) {
    std::vector<TimedGate> gates;
    for (const WallSpec& w : c.walls) {
        if (!w.opens_at || w.slides_open()) continue;  // what slides has its time with it
        for (std::size_t k = 0; k < setup.walls.size(); ++k)
            if (setup.walls[k].name == w.name) gates.push_back({k, setup.start_time + *w.opens_at});
    }
    return gates;
}

}  // namespace granary
