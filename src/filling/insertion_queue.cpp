#include "filling/insertion_queue.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include "core/random.hpp"
#include "filling/trial_cells.hpp"

namespace granary {

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
    if (s.vessel)
        for (std::size_t t = 0; t < places.size(); ++t)
            if (room[t] > 0 && !s.vessel(places[t])) room[t] = 0;
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

}  // namespace granary
