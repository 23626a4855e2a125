#include "core/insertion.hpp"
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include "core/errors.hpp"
#include "core/random.hpp"

namespace granary {
namespace {

// The nearest image of a distance.
Vec3d nearest(Vec3d d, const Domain& domain) {
    for (int k = 0; k < 3; ++k) {
        if (!domain.periodic[static_cast<std::size_t>(k)]) continue;
        const double period = at(domain.upper, k) - at(domain.lower, k);
        at(d, k) -= period * std::nearbyint(at(d, k) / period);
    }
    return d;
}

// Touching counts as overlap. Squares are enough: sqrt is monotonic and gives back s for s*s exactly, so that
// a pair that passes also has norm(d) >= s.
bool overlap(const Vec3d& a, double r_a, const Vec3d& b, double r_b, const Domain& domain) {
    const Vec3d d = nearest(a - b, domain);
    const double s = r_a + r_b;
    return dot(d, d) <= s * s;
}

}  // namespace

// Trials by cells of their bounding box; chains of trials hang on each cell. Which cells are visited never changes
// an answer: every candidate is tested exactly, visiting one twice does no harm.
class TrialCells {
  public:
    TrialCells(std::span<const NewBody> trials, const Domain& domain) : trials_(trials), domain_(domain) {
        constexpr double inf = std::numeric_limits<double>::infinity();
        lower_ = {inf, inf, inf}, upper_ = {-inf, -inf, -inf};
        for (const NewBody& t : trials) {
            largest_ = std::max(largest_, t.radius);
            for (int k = 0; k < 3; ++k) {
                at(lower_, k) = std::min(at(lower_, k), at(t.position, k));
                at(upper_, k) = std::max(at(upper_, k), at(t.position, k));
            }
        }
        // Cells of two largest diameters, but not many more cells than trials.
        const double most = std::max(1.0, std::floor(2 * std::cbrt(static_cast<double>(trials.size()))));
        for (int k = 0; k < 3; ++k) {
            const double length = at(upper_, k) - at(lower_, k);
            const double n = trials.empty() ? 1.0 : std::clamp(std::floor(length / (4 * largest_)), 1.0, most);
            n_[static_cast<std::size_t>(k)] = static_cast<std::size_t>(n);
            at(per_length_, k) = length > 0 ? n / length : 0.0;
        }
        first_.assign(n_[0] * n_[1] * n_[2], none);
        next_.assign(trials.size(), none);
    }

    void add(std::size_t trial) {
        const Vec3d& x = trials_[trial].position;
        const std::size_t c = (cell(x, 2) * n_[1] + cell(x, 1)) * n_[0] + cell(x, 0);
        next_[trial] = first_[c];
        first_[c] = trial;
    }

    // f(trial) for every added trial that may touch the ball, until f says true; did it?
    template <class F> bool until(const Vec3d& x, double radius, F&& f) const {
        // Some roundings more than any touching pair needs, those of a shift by the period among them.
        const double reach = (radius + largest_) * (1 + 1e-9) + 1e-12 * norm(domain_.upper - domain_.lower);
        return along<2>(x, reach, f);
    }

  private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    std::size_t cell(const Vec3d& x, int k) const {
        const double last = static_cast<double>(n_[static_cast<std::size_t>(k)] - 1);
        return static_cast<std::size_t>(std::clamp((at(x, k) - at(lower_, k)) * at(per_length_, k), 0.0, last));
    }

    // Goes through the images of x along axis k that reach the box, then on to the next axis.
    template <int k, class F> bool along(Vec3d x, double reach, F& f) const {
        const bool periodic = domain_.periodic[static_cast<std::size_t>(k)];
        const double period = periodic ? at(domain_.upper, k) - at(domain_.lower, k) : 0.0;
        const double here = at(x, k);
        for (int image = periodic ? -1 : 0; image <= (periodic ? 1 : 0); ++image) {
            at(x, k) = here + image * period;
            if (!(at(x, k) + reach >= at(lower_, k) && at(x, k) - reach <= at(upper_, k))) continue;
            if constexpr (k > 0) {
                if (along<k - 1>(x, reach, f)) return true;
            } else {
                if (visit(x, reach, f)) return true;
            }
        }
        return false;
    }

    template <class F> bool visit(const Vec3d& x, double reach, F& f) const {
        const Vec3d low = x - Vec3d{reach, reach, reach}, high = x + Vec3d{reach, reach, reach};
        for (std::size_t z = cell(low, 2); z <= cell(high, 2); ++z)
            for (std::size_t y = cell(low, 1); y <= cell(high, 1); ++y)
                for (std::size_t c = cell(low, 0); c <= cell(high, 0); ++c)
                    for (std::size_t t = first_[(z * n_[1] + y) * n_[0] + c]; t != none; t = next_[t])
                        if (f(t)) return true;
        return false;
    }

    std::span<const NewBody> trials_;
    const Domain& domain_;
    Vec3d lower_, upper_, per_length_;
    double largest_ = 0;
    std::array<std::size_t, 3> n_{};
    std::vector<std::size_t> first_, next_;
};

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
            fail(s, fmt::format("along {} the box goes from {} to {} m; it must hold a ball of {} m across", "xyz"[k],
                                low, high, 2 * s.balls.radius_max));
    }
    if (s.total == 0) fail(s, "the total number of balls is 0; expected at least 1");
    if (!(s.mass >= 0) || !std::isfinite(s.mass)) fail(s, "the mass wanted must be a positive number");
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
        const auto by_now = static_cast<std::uint64_t>(s.due * static_cast<double>(event + 1) + rounding);
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
        const Lattice lattice = cells_of(s);
        for_each(lattice, seed, first, end, [&](const NewBody& b) {
            const RandomKey key{seed, Purpose::lattice, lattice.stream, b.id, 0};  // as the lattice drew, at first_id 0
            made.push_back(draw_ball(s.balls, key, 0, s.axes.in(b.position), b.radius + allowance(s)));
        });
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

std::vector<Vec3d> places(const InsertionSpec& s, std::uint64_t seed, std::uint64_t event, std::uint64_t first,
                          std::uint64_t end) {
    const double r = s.balls.radius_max;
    Vec3d rim{r, r, r};
    for (int k = 0; k < 3; ++k)
        if (s.spans_period[static_cast<std::size_t>(k)]) at(rim, k) = 0;
    std::vector<Vec3d> made;
    made.reserve(end - first);
    // In the axes of the user: the same rain whichever way the slabs lie.
    const Vec3d lower = s.axes.out(s.lower + rim), upper = s.axes.out(s.upper - rim);
    for (std::uint64_t trial = first; trial < end; ++trial) {
        const RandomKey key{seed, Purpose::insertion, s.stream, event, static_cast<std::uint32_t>(trial)};
        made.push_back(s.axes.in(uniform(key, 1, lower, upper)));
    }
    return made;
}

NewBody queued_ball(const InsertionSpec& s, std::uint64_t seed, std::uint64_t number, const Vec3d& place) {
    const RandomKey key{seed, Purpose::inserted_ball, s.stream, number, 0};
    return draw_ball(s.balls, key, 0, place, draw_radius(s.balls, key));
}

std::vector<double> room_in_region(const InsertionSpec& s, std::span<const Vec3d> places) {
    std::vector<double> room(places.size(), std::numeric_limits<double>::infinity());
    if (s.inside.radius > 0)
        for (std::size_t t = 0; t < places.size(); ++t) {
            const Vec3d d = places[t] - s.inside.point;
            room[t] = std::min(room[t], s.inside.radius - norm(d - dot(d, s.inside.axis) * s.inside.axis));
        }
    return room;
}

void limit_room(std::span<const PlacedBall> bodies, std::span<const Vec3d> places, double largest, const Domain& domain,
                std::span<double> room) {
    std::vector<NewBody> seats(places.size());
    for (std::size_t t = 0; t < places.size(); ++t) seats[t].position = places[t], seats[t].radius = largest;
    TrialCells cells(seats, domain);
    for (std::size_t t = 0; t < seats.size(); ++t) cells.add(t);
    for (const PlacedBall& b : bodies)
        cells.until(b.position, b.radius, [&](std::size_t t) {
            // Less by more than any rounding: who fits does not touch, in rounded numbers too.
            const double distance = norm(nearest(places[t] - b.position, domain));
            room[t] = std::min(room[t], distance - b.radius - 1e-14 * distance);
            return false;
        });
}

QueueSeats::QueueSeats(std::span<const Vec3d> places, std::span<const double> room, double largest,
                       const Domain& domain)
    : seats_(places.size()),
      room_(room),
      domain_(domain) {
    for (std::size_t t = 0; t < places.size(); ++t) seats_[t].position = places[t], seats_[t].radius = largest;
    taken_ = std::make_unique<TrialCells>(seats_, domain);
}

QueueSeats::~QueueSeats() = default;

std::optional<std::size_t> QueueSeats::next(double radius) {
    for (; at_ < seats_.size(); ++at_) {
        if (!(radius < room_[at_])) continue;
        const Vec3d& x = seats_[at_].position;
        if (!taken_->until(x, radius, [&](std::size_t o) {
                return overlap(x, radius, seats_[o].position, seats_[o].radius, domain_);
            }))
            return at_;
    }
    return {};
}

void QueueSeats::take(std::size_t place, double radius) {
    seats_[place].radius = radius;
    taken_->add(place);
    at_ = place + 1;
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
    if (ball.mass < each * (1 - rounding)) return {};
    const double share = std::min(1.0, each / ball.mass), radius = ball.radius * std::cbrt(share);
    if (radius < s.balls.radius_min * (1 - rounding)) return {};  // of a heavy material: it would be too small
    const double density = ball.mass / make_ball(0, {}, ball.radius, 1, 0, {}).mass;
    return make_ball(ball.id, ball.position, radius, s.balls.mixed.empty() ? s.balls.density : density, ball.material,
                     ball.velocity);
}

bool mass_is_met(const InsertionSpec& s, double inserted) { return s.mass - inserted < masses(s)[0] * (1 - rounding); }

}  // namespace granary
