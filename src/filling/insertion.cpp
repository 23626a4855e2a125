#include "filling/insertion.hpp"
#include <algorithm>
#include <cmath>
#include <limits>
#include <fmt/format.h>
#include "core/elementary.hpp"
#include "core/errors.hpp"
#include "core/random.hpp"
#include "filling/trial_cells.hpp"

namespace granary {
namespace {

[[noreturn]] void fail(const InsertionSpec& s, const std::string& what) {
    throw InputError(fmt::format("insertion '{}': {}", s.name, what));
}

constexpr double rounding = 1e-9;  // share of a mass

// Masses of the smallest, the mean and the largest ball, kg.
std::array<double, 3> masses(const InsertionSpec& s) {
    const auto [least, most] = mass_limits(s.balls);
    return {least, mean_mass(s.balls), most};
}

// The lattice of a packing, in the axes of the user: its sites go upwards along z. Its balls are as small as they are
// tested, so that its cells keep them apart.
Lattice cells_of(const InsertionSpec& s) {
    const double less = allowance(s);
    const Vec3d all{less, less, less};
    Lattice l;
    l.name = s.name, l.lower = s.axes.out(s.lower) + all, l.upper = s.axes.out(s.upper) - all;
    l.balls = s.balls, l.jitter = 1;
    l.balls.radius_min -= less, l.balls.radius_max -= less;
    if (l.balls.grains.radius > 0) l.balls.grains.radius -= less;
    l.spacing = 2 * l.balls.radius_max * (1 + 1e-9);
    l.stream = static_cast<std::uint16_t>(0x8000 | s.stream);  // apart from the makers of first bodies
    return l;
}

}  // namespace

void validate(const InsertionSpec& s) {
    validate(s.balls, fmt::format("insertion '{}'", s.name));
    for (int k = 0; k < 3; ++k) {
        const double low = at(s.lower, k), high = at(s.upper, k);
        const double room = s.spans_period[static_cast<std::size_t>(k)] ? 0.0 : 2 * s.balls.radius_max;
        if (!std::isfinite(low) || !std::isfinite(high) || !(high > low) || !(high - low >= room))
            fail(s, fmt::format("along {} the box goes from {} to {} m; it must have room for a ball of {} m across",
                                "xyz"[k], low, high, 2 * s.balls.radius_max));
    }
    if (s.total == 0) fail(s, "the total number of balls is 0; expected at least 1");
    if (!(s.mass >= 0) || !std::isfinite(s.mass)) fail(s, "the mass must be a positive number");
    if (!(s.max_overlap >= 0 && s.max_overlap <= 0.5)) fail(s, "max_overlap must be from 0 to 0.5");
    if (s.method == InsertionMethod::pack) cells(cells_of(s));
    if (s.method == InsertionMethod::dense && !s.tile) fail(s, "a dense packing needs its tile");
    if (s.per_event == 0) fail(s, "the number of balls at one event is 0; expected at least 1");
    if (s.trials_per_event < s.per_event)
        fail(s, fmt::format("{} trials cannot place {} balls at one event; allow at least as many trials as balls",
                            s.trials_per_event, s.per_event));
    if (s.interval == 0) fail(s, "the interval between events is 0 steps; expected at least 1");
}

std::uint64_t wanted(const InsertionSpec& s, std::uint64_t inserted, std::uint64_t event) {
    if (inserted >= s.total) return 0;
    std::uint64_t due = std::min<std::uint64_t>(s.per_event, s.total - inserted);
    if (s.due > 0) {
        constexpr double most = 9e18;  // that a number of balls can be
        const auto by_now =
            static_cast<std::uint64_t>(std::min(most, s.due * static_cast<double>(event + 1) + rounding));
        due = std::min(due, by_now > inserted ? by_now - inserted : 0);
    }
    return due;
}

bool is_behind(const InsertionSpec& s, std::uint64_t inserted, double mass, std::uint64_t step) {
    constexpr double enough = 0.9;
    const std::uint64_t events = events_until(s, step);
    if (events < s.first_event + 10) return false;
    const auto n = static_cast<double>(events);
    const double ball = mean_mass(s.balls), all = static_cast<double>(s.total);
    if (s.mass_due > 0) {
        const double due = std::min({s.mass_due * n, s.mass > 0 ? s.mass : s.mass_due * n, all * ball});
        return mass < enough * due - masses(s)[2];
    }
    if (s.mass > 0 && mass_is_met(s, mass)) return false;
    return s.due > 0 && static_cast<double>(inserted) < enough * std::min(s.due * n, all) - 1;
}

CameIn came_in(const InsertionSpec& s, std::uint64_t inserted, double mass, std::uint64_t step) {
    const std::uint64_t events = events_until(s, step);
    const auto n = static_cast<double>(events);
    if (s.mass_due > 0 || s.mass > 0) {
        double due = s.mass > 0 ? s.mass : std::numeric_limits<double>::infinity();
        if (s.mass_due > 0) due = std::min(due, s.mass_due * n);
        else due = std::min(due, mean_mass(s.balls) * (s.due > 0 ? s.due * n : n * s.per_event));
        const double count_due = mean_mass(s.balls) * static_cast<double>(s.total);
        if (s.mass <= 0) due = std::min(due, count_due);
        const bool met = (s.mass > 0 && mass_is_met(s, mass)) || (s.mass <= 0 && inserted >= s.total);
        return {met || mass >= due - masses(s)[2], fmt::format("{:.6g} of {:.6g} kg", mass, due)};
    }
    const double by_now = s.due > 0 ? std::floor(s.due * n + rounding) : n * s.per_event;
    const double due = std::min(by_now, static_cast<double>(s.total));
    return {static_cast<double>(inserted) >= due, fmt::format("{} of {:.0f} balls", inserted, due)};
}

void set_steps(InsertionSpec& s, double dt, std::uint64_t step, double time) {
    if (s.interval_time <= 0) return;
    const auto in_steps = [&](double t) { return static_cast<std::uint64_t>(std::llround(std::max(0.0, t) / dt)); };
    const std::uint64_t passed = step == 0 ? 0 : events_until(s, step);
    const std::uint64_t ahead = in_steps(s.start_time + static_cast<double>(passed) * s.interval_time - time);
    s.first_step = step + (step == 0 ? ahead : std::max<std::uint64_t>(1, ahead));
    s.first_event = passed;
    s.interval = std::max<std::uint64_t>(1, in_steps(s.interval_time));
}

std::uint64_t n_trials(const InsertionSpec& s) {
    if (s.method == InsertionMethod::dense) return DenseSites(*s.tile, s.axes.out(s.lower), s.axes.out(s.upper)).size();
    return s.method == InsertionMethod::pack ? count(cells_of(s)) : s.trials_per_event;
}

std::vector<NewBody> trials(const InsertionSpec& s, std::uint64_t seed, std::uint64_t first, std::uint64_t end) {
    std::vector<NewBody> made;
    made.reserve(end - first);
    if (s.method == InsertionMethod::pack) {
        Lattice one = cells_of(s);
        const CellGrid grid = cells(one);
        one.balls.sizes.reset();
        for (std::uint64_t site = first; site < end; ++site) {
            const RandomKey key{seed, Purpose::lattice, one.stream, site, 0};  // as the lattice draws, at first_id 0
            const double radius = draw_radius(s.balls, key);
            one.balls.radius_min = one.balls.radius_max = radius - allowance(s);
            const Vec3d x = body(one, grid, seed, site).position;
            made.push_back(draw_ball(s.balls, key, 0, s.axes.in(x), radius));
        }
    } else if (s.method == InsertionMethod::dense) {
        const DenseSites sites(*s.tile, s.axes.out(s.lower), s.axes.out(s.upper));
        for (std::uint64_t site = first; site < end; ++site) {
            const RandomKey key{seed, Purpose::dense_pack, s.stream, site, 0};
            const PackBall ball = sites.at(site);
            made.push_back(draw_ball(s.balls, key, 0, s.axes.in(ball.centre), ball.radius));
        }
    }
    return made;
}

std::vector<char> blocked_by(std::span<const PlacedBall> bodies, std::span<const NewBody> trials,
                             const Domain& domain) {
    TrialCells cells(trials, domain);
    for (std::size_t t = 0; t < trials.size(); ++t) cells.add(t);
    std::vector<char> blocked(trials.size(), 0);
    for (const PlacedBall& b : bodies)
        cells.until(b.position, b.radius, [&](std::size_t t) {
            if (overlap(b.position, b.radius, trials[t].position, trials[t].radius, domain)) blocked[t] = 1;
            return false;
        });
    return blocked;
}

std::vector<std::size_t> accept(std::span<const NewBody> trials, std::span<const char> blocked, std::uint64_t max_count,
                                const Domain& domain) {
    TrialCells accepted_cells(trials, domain);
    std::vector<std::size_t> accepted;
    for (std::size_t t = 0; t < trials.size() && accepted.size() < max_count; ++t) {
        if (blocked[t]) continue;
        const NewBody& a = trials[t];
        const bool in_the_way = accepted_cells.until(a.position, a.radius, [&](std::size_t o) {
            return overlap(a.position, a.radius, trials[o].position, trials[o].radius, domain);
        });
        if (in_the_way) continue;
        accepted_cells.add(t);
        accepted.push_back(t);
    }
    return accepted;
}

void mark_outside(const Tube& tube, std::span<const NewBody> trials, std::span<char> blocked) {
    if (tube.radius <= 0) return;
    for (std::size_t t = 0; t < trials.size(); ++t) {
        const Vec3d d = trials[t].position - tube.point;
        const Vec3d off_axis = d - dot(d, tube.axis) * tube.axis;
        if (norm(off_axis) + trials[t].radius > tube.radius) blocked[t] = 1;
    }
}

void mark_outside(const InsertionSpec& s, std::span<const NewBody> trials, std::span<char> blocked) {
    mark_outside(s.inside, trials, blocked);
    const Vec3d lower = s.axes.out(s.lower), upper = s.axes.out(s.upper);
    const Hopper& h = s.hopper;
    for (std::size_t t = 0; t < trials.size(); ++t) {
        if (blocked[t] != 0) continue;
        if (s.vessel && !s.vessel(trials[t].position)) blocked[t] = 1;
        const Vec3d x = s.axes.out(trials[t].position);
        if (s.method == InsertionMethod::dense)
            for (int k = 0; k < 3; ++k)
                if (at(x, k) - trials[t].radius < at(lower, k) || at(x, k) + trials[t].radius > at(upper, k))
                    blocked[t] = 1;
        if (!(h.top > h.outlet) || x.z >= h.top) continue;
        const double share = (x.z - h.outlet) / (h.top - h.outlet), dx = x.x - h.centre[0], dy = x.y - h.centre[1];
        const double wide = h.at_outlet[0] + share * (h.at_top[0] - h.at_outlet[0]),
                     deep = h.at_outlet[1] + share * (h.at_top[1] - h.at_outlet[1]);
        if (share < 0 || (h.round ? dx * dx + dy * dy > wide * wide : std::abs(dx) > wide || std::abs(dy) > deep))
            blocked[t] = 1;
    }
}

std::optional<NewBody> fitted_to_mass(const InsertionSpec& s, const NewBody& ball, double still_wanted) {
    const auto [least, mean, most] = masses(s);
    // So many balls of the mean mass can all be a little lighter or heavier to make up for half a ball.
    const double few = std::max(2.0, std::ceil(mean / std::min(most - mean, mean - least)));
    const double n = std::max(1.0, std::round(still_wanted / mean)), each = still_wanted / n;
    const bool can_be_met = each >= least * (1 - rounding) && each <= most * (1 + rounding);
    if (still_wanted > few * mean || !can_be_met) return ball.mass <= still_wanted ? std::optional(ball) : std::nullopt;
    if ((ball.shape != 0 || ball.rigid_shape != 0) && s.balls.grains.radius > 0)  // one of a size of its own
        return ball.mass <= still_wanted ? std::optional(ball) : std::nullopt;
    if (ball.mass < each * (1 - rounding)) return {};
    const bool disc = s.balls.thickness > 0;
    const double share = std::min(1.0, each / ball.mass);
    const double radius = ball.radius * (disc ? std::sqrt(share) : elementary::cbrt(share));
    if (radius < s.balls.radius_min * (1 - rounding)) return {};  // of a heavy material: it would be too small
    const double density = ball.mass / make_ball(0, {}, ball.radius, 1, 0, {}, s.balls.thickness).mass;
    const bool one_density = s.balls.mixed.empty() && !s.balls.grains.any();
    NewBody smaller = make_ball(ball.id, ball.position, radius, one_density ? s.balls.density : density, ball.material,
                                ball.velocity, s.balls.thickness);
    smaller.shape = ball.shape, smaller.rigid_shape = ball.rigid_shape;
    return smaller;
}

bool mass_is_met(const InsertionSpec& s, double inserted) { return s.mass - inserted < masses(s)[0] * (1 - rounding); }

}  // namespace granary
