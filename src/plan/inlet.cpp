#include "plan/inlet.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include "plan/case_setup.hpp"
#include "plan/fill_region.hpp"
#include "core/errors.hpp"

namespace granary {

namespace {

constexpr double share_of_box = 0.12;  // of an inlet's box that is filled at one event at most
constexpr std::uint32_t trials_a_ball = 20;
constexpr double catch_up = 2;  // times what is due at an event may come in, if room was scarce before
constexpr double most_at_once = 1e6;

// Time that a ball takes to fall out of the inlet, s.
double time_to_clear(const InsertionSpec& s, const Case& c) {
    const double g = norm(c.gravity);
    const Vec3d down = g > 0 ? c.gravity * (1 / g) : Vec3d{0, 0, -1}, size = s.axes.out(s.upper - s.lower);
    const double height = std::abs(down.x) * size.x + std::abs(down.y) * size.y + std::abs(down.z) * size.z;
    const double v = norm(s.balls.velocity);
    return g > 0 ? (std::sqrt(v * v + 2 * g * height) - v) / g : height / std::max(v, 1e-9);
}

// As many balls an event as the rate asks while the last ones fall out of the inlet, but not more than find room.
double balls_an_event(const InsertionSpec& s, const Case& c, double rate, double mean_volume, double volume) {
    const double room = std::max(1.0, std::floor(share_of_box * volume / mean_volume));
    return std::clamp(std::round(rate * time_to_clear(s, c)), 1.0, std::min(room, most_at_once));
}

void set_amount(InsertionSpec& to, const std::optional<std::int64_t>& count, const std::optional<double>& mass) {
    if (!mass) {
        to.total = static_cast<std::uint64_t>(count.value_or(0));
        return;
    }
    to.mass = *mass, to.total = static_cast<std::uint64_t>(*mass / mass_limits(to.balls)[0]) + 1;
}

void find_periods(InsertionSpec& to, const Domain& domain) {
    for (int axis = 0; axis < 3; ++axis)
        to.spans_period[axis] = domain.periodic[axis] && at(to.lower, axis) == at(domain.lower, axis) &&
                                at(to.upper, axis) == at(domain.upper, axis);
}

// Within the round bin or the mesh that is around its box.
void keep_inside(const Case& c, const Setup& setup, const Vec3d& lower, const Vec3d& upper, InsertionSpec& to) {
    const Tube tube = tube_around(c, lower, upper);
    to.inside = {to.axes.in(tube.point), to.axes.in(tube.axis), tube.radius};
    if (const MeshAround mesh = mesh_around(c, setup, lower, upper); mesh.holds) to.vessel = mesh.holds;
}

Hopper hopper_of(const SiloSpec& s) {
    Hopper h;
    if (s.hopper == HopperType::flat) return h;
    h.outlet = s.bottom, h.top = s.bottom + s.h_h, h.centre = s.centre;
    h.round = s.hopper == HopperType::cone;
    h.at_outlet = h.round ? std::array{s.d_h / 2, s.d_h / 2} : std::array{s.outlet_width / 2, s.depth / 2};
    h.at_top = h.round ? std::array{s.d_c / 2, s.d_c / 2} : std::array{s.width / 2, s.depth / 2};
    return h;
}

}  // namespace

std::uint64_t in_steps(double time, double dt) {
    return static_cast<std::uint64_t>(std::max(1LL, std::llround(time / dt)));
}

InsertionSpec inlet_of(const Case& c, const InsertSpec& i, const Setup& setup, double dt, std::uint16_t stream) {
    const Axes axes(c.run.slab_axis);
    InsertionSpec to;
    to.name = i.name, to.axes = axes, to.stream = stream;
    to.lower = axes.in(i.lower), to.upper = axes.in(i.upper);
    find_periods(to, setup.domain);
    to.balls = ball_kind(c, i);
    to.balls.velocity = axes.in(i.velocity);
    set_amount(to, i.total, i.mass);
    if (i.inlet == InletType::disc) {
        Vec3d normal;
        at(normal, i.inlet_axis) = 1;
        to.inside = {axes.in(i.centre), axes.in(normal), i.inlet_radius};
    } else {
        keep_inside(c, setup, i.lower, i.upper, to);
    }
    double interval = i.interval.value_or(0);
    if (i.per_event) {
        to.per_event = static_cast<std::uint32_t>(*i.per_event);
    } else {
        const double rate = i.rate ? *i.rate : i.mass_rate.value_or(0) / mean_mass(to.balls);
        // An even flow: a tenth of the time to clear the inlet, but not a rebuild for every ball or every step.
        if (!i.interval) {
            const double clear = time_to_clear(to, c);
            interval = std::max({0.1 * clear, 1 / rate, std::min(20 * dt, clear)});
        }
        interval = static_cast<double>(in_steps(interval, dt)) * dt;  // so that the rate is met to the last ball
        if (i.rate) to.due = *i.rate * interval;
        else to.mass_due = *i.mass_rate * interval;
        const double most = std::ceil(catch_up * rate * interval);
        if (most * static_cast<double>(i.trials) > 1e9)
            throw InputError(
                fmt::format("insert '{}': {:.3g} balls at one event are too many (expected a shorter interval "
                            "or a lower rate)",
                            i.name, most));
        to.per_event = static_cast<std::uint32_t>(std::max(1.0, most));
    }
    to.trials_per_event = static_cast<std::uint32_t>(static_cast<double>(to.per_event) * static_cast<double>(i.trials));
    if (i.stage.empty()) {
        to.start_time = i.start, to.interval_time = interval;
        set_steps(to, dt);
    } else {
        to.first_step = static_cast<std::uint64_t>(std::llround(i.start / dt)), to.interval = in_steps(interval, dt);
    }
    validate(to);
    return to;
}

InsertionSpec filling_of(const Case& c, const StageSpec& s, const Setup& setup, std::uint16_t stream) {
    const Axes axes(c.run.slab_axis);
    InsertionSpec to;
    to.name = s.name, to.axes = axes, to.stream = stream;
    to.lower = axes.in(s.lower.value_or(Vec3d{})), to.upper = axes.in(s.upper.value_or(Vec3d{}));
    find_periods(to, setup.domain);
    to.balls = ball_kind(c, s);
    to.balls.velocity = axes.in(s.velocity);
    to.max_overlap = s.max_overlap;
    if (c.silo && c.silo->bin == BinType::cylinder)
        to.inside = {axes.in(Vec3d{c.silo->centre[0], c.silo->centre[1], 0}), axes.in(Vec3d{0, 0, 1}),
                     0.5 * c.silo->d_c};
    else if (s.lower && s.upper) keep_inside(c, setup, *s.lower, *s.upper, to);
    set_amount(to, s.count, s.mass);
    to.method = s.method;
    if (s.method == InsertionMethod::rain) {
        const double mean_volume = c.grain_sizes(s.radii, s.grains).mean_volume;
        const double rate = s.rate ? *s.rate : s.mass_rate.value_or(0) / mean_mass(to.balls);
        const Vec3d size = to.upper - to.lower;
        const double per_event = balls_an_event(to, c, rate, mean_volume, size.x * size.y * size.z);
        to.per_event = static_cast<std::uint32_t>(per_event);
        to.trials_per_event = trials_a_ball * to.per_event;
        to.interval = in_steps(per_event / rate, s.dt);
    } else {
        to.per_event = to.trials_per_event = static_cast<std::uint32_t>(std::min<std::uint64_t>(to.total, 0xffffffffu));
    }
    if (s.method == InsertionMethod::dense) {
        if (c.silo) to.hopper = hopper_of(*c.silo);
        try {
            to.tile = std::make_shared<const DenseTile>(
                // Of clusters the overlap is a share of their smallest elements.
                dense_tile(to.balls, s.solid_fraction,
                           0.5 * s.max_overlap * (body_radii(to.balls)[0] / to.balls.radius_min), c.run.seed));
        } catch (const InputError& e) {
            throw InputError(fmt::format("the stage \"{}\": {}", s.name, e.what()));
        }
    }
    validate(to);
    return to;
}

}  // namespace granary
