// Balls that enter while the run goes on. Every rank makes the same trials and says which its own bodies block (a packing) or how much
// room they leave (a rain). What stands still, such as walls, is looked at by the rank that owns the place of the trial. After that is joined all ranks
// accept the same trials, and the owner of the place takes the ball in.
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <functional>
#include <limits>
#include <optional>
#include "engine/simulation.hpp"
#include "filling/insertion_queue.hpp"

namespace granary {

bool Simulation::insertion_due(std::uint64_t step) const {
    for (std::size_t k = 0; k < setup_.insertions.size(); ++k)
        if (is_event(setup_.insertions[k], step) && !insertion_done(k)) return true;
    return false;
}

bool Simulation::insertion_done(std::size_t k) const {
    return done_by_[k] != 0 || inserted_by_[k] >= setup_.insertions[k].total;
}

void Simulation::insert_due_bodies() {
    for (std::size_t k = 0; k < setup_.insertions.size(); ++k)
        if (is_event(setup_.insertions[k], step_) && !insertion_done(k)) insert_event(k);
}

namespace {

// The numbers of the trials that lie in the layers of a rank; place(t): of trial t.
template <class Place>
std::vector<std::size_t> trials_of(const Slabs& slabs, int rank, const Cubes& cubes, std::size_t n, Place&& place) {
    std::vector<std::size_t> here;
    for (std::size_t t = 0; t < n; ++t) {
        const int layer = digit(cubes.of(place(t)), 2);
        if (layer >= slabs.first(rank) && layer < slabs.end(rank)) here.push_back(t);
    }
    return here;
}

}  // namespace

// Trials of one batch: small enough to cost no memory, large enough that joining the marks costs no time.
constexpr std::uint64_t batch_of_trials = 65536;

void Simulation::insert_event(std::size_t k) {
    if (setup_.insertions[k].method == InsertionMethod::rain) insert_rain(k);
    else insert_packing(k);
}

void Simulation::insert_rain(std::size_t k) {
    const InsertionSpec& spec = setup_.insertions[k];
    const std::uint64_t event = event_number(spec, step_), end = n_trials(spec);
    const std::uint64_t want = wanted(spec, inserted_by_[k], event);
    const auto enough = [&] { return done_by_[k] != 0 || enough_mass(spec, mass_by_[k], event); };
    const Index known = bodies_.size;
    std::vector<PlacedBall> placed;  // at this event, by whichever rank
    std::uint64_t got = 0;
    for (std::uint64_t first = 0; first < end && got < want && !enough(); first += batch_of_trials) {
        std::vector<Vec3d> tried = places(spec, setup_.seed, event, first, std::min(end, first + batch_of_trials));
        for (Vec3d& x : tried) x = motion_.lattice.snap(x);
        const std::vector<double> room = room_at(spec, tried, known, placed);
        QueueSeats seats(tried, room, tested_radius(spec, spec.balls.radius_max), cubes_.domain());
        while (got < want && !enough()) {
            NewBody ball = queued_ball(spec, setup_.seed, drawn_by_[k], {});
            const double tested = tested_radius(spec, ball.radius);
            const std::optional<std::size_t> seat = seats.next(tested);
            if (!seat) break;
            ball.position = tried[*seat];
            ++drawn_by_[k];
            if (!take_in(k, ball)) continue;
            ++got;
            seats.take(*seat, tested);
            placed.push_back({ball.position, tested});
        }
    }
}

void Simulation::insert_packing(std::size_t k) {
    const InsertionSpec& spec = setup_.insertions[k];
    const std::uint64_t end = n_trials(spec), want = wanted(spec, inserted_by_[k], event_number(spec, step_));
    const Index known = bodies_.size;
    std::uint64_t got = 0;
    for (std::uint64_t first = 0; first < end && got < want && done_by_[k] == 0; first += batch_of_trials) {
        std::vector<NewBody> tried = trials(spec, setup_.seed, first, std::min(end, first + batch_of_trials));
        for (NewBody& t : tried) t.position = motion_.lattice.snap(t.position);
        std::vector<NewBody> tested = tried;
        for (NewBody& t : tested) t.radius = tested_radius(spec, t.radius);
        const std::vector<char> blocked = blocked_trials(spec, tested, known);
        for (const std::size_t t : accept(tested, blocked, want - got, cubes_.domain())) {
            if (!take_in(k, tried[t])) continue;
            ++got;
            if (done_by_[k] != 0) break;
        }
    }
    done_by_[k] = 1;
}

// Calls f with batches of the balls that this rank has, newcomers of this event left out.
template <class F> void Simulation::for_batches_of_balls(Index known, F&& f) const {
    std::vector<PlacedBall> batch;
    const auto add = [&](Index i) {
        if (scratch_.new_cube[i] == no_cube) return;
        batch.push_back({bodies_.x(i), bodies_.radius(i)});
        if (batch.size() == 65536) f(std::span<const PlacedBall>(batch)), batch.clear();
    };
    for (const Range& run : bodies_.real)
        for (Index i = run.begin; i < run.end; ++i) add(i);
    for (Index i = scratch_.newcomers.begin; i < known; ++i) add(i);
    f(std::span<const PlacedBall>(batch));
}

std::vector<PlacedBall> Simulation::balls_of_closed_walls() const {
    std::vector<PlacedBall> balls;
    for (const WallBall& w : wall_balls_.balls())
        if (wall_open_[w.wall] == 0) balls.push_back({w.centre, w.radius});
    return balls;
}

// Walls and balls placed before: the owner of the place sees them. Bodies: their owner does.
std::vector<double> Simulation::room_at(const InsertionSpec& spec, std::span<const Vec3d> places, Index known,
                                        std::span<const PlacedBall> placed) const {
    const double largest = tested_radius(spec, spec.balls.radius_max);
    std::vector<double> room(places.size(), std::numeric_limits<double>::infinity()), least(places.size());
    const std::vector<std::size_t> here =
        trials_of(slabs_, comm_.rank(), cubes_, places.size(), [&](std::size_t t) { return places[t]; });
    std::vector<Vec3d> mine;
    for (const std::size_t t : here) mine.push_back(places[t]);
    std::vector<double> room_here = room_in_region(spec, mine);
    for (std::size_t w = 0; w < walls().size(); ++w)
        if (wall_open_[w] == 0 && !setup_.is_of_balls(w))
            for (std::size_t t = 0; t < mine.size(); ++t)
                if (room_here[t] > 0)
                    room_here[t] = std::min(room_here[t], closest(walls()[w].shape, mine[t]).distance);
    limit_room(placed, mine, largest, cubes_.domain(), room_here);
    limit_room(balls_of_closed_walls(), mine, largest, cubes_.domain(), room_here);
    for (std::size_t t = 0; t < here.size(); ++t) room[here[t]] = room_here[t];
    for_batches_of_balls(
        known, [&](std::span<const PlacedBall> batch) { limit_room(batch, places, largest, cubes_.domain(), room); });
    boost::mpi::all_reduce(comm_, room.data(), static_cast<int>(room.size()), least.data(),
                           boost::mpi::minimum<double>());
    return least;
}

// Blocked by a wall: the owner of the place sees that. By a body: its owner does.
std::vector<char> Simulation::blocked_trials(const InsertionSpec& spec, std::span<const NewBody> tested,
                                             Index known) const {
    std::vector<char> blocked(tested.size(), 0), all(tested.size());
    const std::vector<std::size_t> here =
        trials_of(slabs_, comm_.rank(), cubes_, tested.size(), [&](std::size_t t) { return tested[t].position; });
    std::vector<NewBody> mine;
    for (const std::size_t t : here) mine.push_back(tested[t]);
    std::vector<char> blocked_here = blocked_by(balls_of_closed_walls(), mine, cubes_.domain());
    mark_outside(spec, mine, blocked_here);
    for (std::size_t t = 0; t < mine.size(); ++t)
        for (std::size_t w = 0; w < walls().size() && blocked_here[t] == 0; ++w)
            blocked_here[t] = wall_open_[w] == 0 && !setup_.is_of_balls(w) &&
                              closest(walls()[w].shape, mine[t].position).distance <= mine[t].radius;
    for (std::size_t t = 0; t < here.size(); ++t) blocked[here[t]] = blocked_here[t];
    for_batches_of_balls(known, [&](std::span<const PlacedBall> balls) {
        const std::vector<char> marks = blocked_by(balls, tested, cubes_.domain());
        for (std::size_t t = 0; t < marks.size(); ++t) blocked[t] |= marks[t];
    });
    boost::mpi::all_reduce(comm_, blocked.data(), static_cast<int>(blocked.size()), all.data(),
                           boost::mpi::maximum<char>());
    return all;
}

// One ball of insertion k, the same on every rank; its owner keeps it. False: it does not help to meet the mass.
bool Simulation::take_in(std::size_t k, NewBody b) {
    const InsertionSpec& spec = setup_.insertions[k];
    if (spec.mass > 0) {
        const std::optional<NewBody> fitted = fitted_to_mass(spec, b, spec.mass - mass_by_[k]);
        if (!fitted) return false;
        b = *fitted;
        if (mass_is_met(spec, mass_by_[k] + b.mass)) done_by_[k] = 1;
    }
    b.id = next_id_++;
    b.entry_time = time();
    // Stored velocities are half a step behind. At the very start all of them are still to be put there, these too.
    if (setup_.integrator == Integrator::verlet && (step_ > 0 || setup_.started))
        b.velocity -= setup_.gravity * (0.5 * setup_.dt);
    ++inserted_by_[k], ++inserted_;
    mass_by_[k] += b.mass;
    mass_inserted_ += b.mass;
    const int layer = digit(cubes_.of(b.position), 2), me = comm_.rank();
    if (layer >= slabs_.first(me) && layer < slabs_.end(me)) {
        add_newcomer(b, {});
        note_entering_energy(b);
    }
    return true;
}

}  // namespace granary
