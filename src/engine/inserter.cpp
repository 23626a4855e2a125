#include "engine/inserter.hpp"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <limits>
#include <optional>
#include "filling/cluster_copies.hpp"
#include "filling/insertion_queue.hpp"

namespace granary {

struct Inserter::Event {
    const Scene& scene;
    LedgerCounts& counts;
    const Take& take;
    Index known;  // bodies from here on entered at this event

    const InsertionSpec& spec(std::size_t k) const { return scene.setup.insertions[k]; }

    // On the lattice, and in the plane if there is one.
    Vec3d place(Vec3d x) const {
        x = scene.lattice.snap(x);
        if (scene.setup.plane.given()) at(x, scene.setup.plane.normal) = scene.setup.plane.at;
        return x;
    }

    // Calls f with batches of the balls that this rank has, newcomers of this event left out.
    template <class F> void for_batches_of_balls(F&& f) const {
        std::vector<PlacedBall> batch;
        const auto add = [&](Index i) {
            if (scene.new_cube[i] == no_cube) return;
            batch.push_back({scene.bodies.x(i), scene.bodies.radius(i)});
            if (batch.size() == 65536) f(std::span<const PlacedBall>(batch)), batch.clear();
        };
        for (const Range& range : scene.real)
            for (Index i = range.begin; i < range.end; ++i) add(i);
        for (Index i = scene.newcomers.begin; i < known; ++i) add(i);
        f(std::span<const PlacedBall>(batch));
    }

    std::vector<PlacedBall> balls_of_closed_walls() const {
        std::vector<PlacedBall> balls;
        for (const WallBall& w : scene.wall_balls)
            if (scene.wall_open[w.wall] == 0) balls.push_back({w.centre, w.radius});
        return balls;
    }

    bool has_surface(std::size_t wall) const { return scene.wall_open[wall] == 0 && !scene.setup.is_of_balls(wall); }

    // The numbers of the trials that lie in this rank's layers; place(t): of trial t.
    template <class Place> std::vector<std::size_t> trials_here(std::size_t n, Place&& place) const {
        std::vector<std::size_t> here;
        for (std::size_t t = 0; t < n; ++t)
            if (scene.hood.owns(digit(scene.hood.cubes.of(place(t)), 2))) here.push_back(t);
        return here;
    }

    // Walls and balls placed before: the owner of the place sees them. Bodies: their owner does.
    std::vector<double> room_at(const InsertionSpec& spec, std::span<const Vec3d> places,
                                std::span<const PlacedBall> placed) const {
        const Domain& domain = scene.hood.cubes.domain();
        const double largest = tested_radius(spec, spec.balls.radius_max);
        std::vector<double> room(places.size(), std::numeric_limits<double>::infinity()), least(places.size());
        const std::vector<std::size_t> here = trials_here(places.size(), [&](std::size_t t) { return places[t]; });
        std::vector<Vec3d> mine;
        for (const std::size_t t : here) mine.push_back(places[t]);
        std::vector<double> room_here = room_in_region(spec, mine);
        for (std::size_t w = 0; w < scene.walls.size(); ++w)
            if (has_surface(w))
                for (std::size_t t = 0; t < mine.size(); ++t)
                    if (room_here[t] > 0)
                        room_here[t] = std::min(room_here[t], closest(scene.walls[w].shape, mine[t]).distance);
        limit_room(placed, mine, largest, domain, room_here);
        limit_room(balls_of_closed_walls(), mine, largest, domain, room_here);
        for (std::size_t t = 0; t < here.size(); ++t) room[here[t]] = room_here[t];
        for_batches_of_balls(
            [&](std::span<const PlacedBall> batch) { limit_room(batch, places, largest, domain, room); });
        boost::mpi::all_reduce(scene.comm, room.data(), static_cast<int>(room.size()), least.data(),
                               boost::mpi::minimum<double>());
        return least;
    }

    // Blocked by a wall: the owner of the place sees that. By a body: its owner does.
    std::vector<char> blocked_trials(const InsertionSpec& spec, std::span<const NewBody> tested) const {
        const Domain& domain = scene.hood.cubes.domain();
        std::vector<char> blocked(tested.size(), 0), all(tested.size());
        const std::vector<std::size_t> here =
            trials_here(tested.size(), [&](std::size_t t) { return tested[t].position; });
        std::vector<NewBody> mine;
        for (const std::size_t t : here) mine.push_back(tested[t]);
        std::vector<char> blocked_here = blocked_by(balls_of_closed_walls(), mine, domain);
        mark_outside(spec, mine, blocked_here);
        for (std::size_t t = 0; t < mine.size(); ++t)
            for (std::size_t w = 0; w < scene.walls.size() && blocked_here[t] == 0; ++w)
                blocked_here[t] =
                    has_surface(w) && closest(scene.walls[w].shape, mine[t].position).distance <= mine[t].radius;
        for (std::size_t t = 0; t < here.size(); ++t) blocked[here[t]] = blocked_here[t];
        for_batches_of_balls([&](std::span<const PlacedBall> balls) {
            const std::vector<char> marks = blocked_by(balls, tested, domain);
            for (std::size_t t = 0; t < marks.size(); ++t) blocked[t] |= marks[t];
        });
        boost::mpi::all_reduce(scene.comm, blocked.data(), static_cast<int>(blocked.size()), all.data(),
                               boost::mpi::maximum<char>());
        return all;
    }
};

namespace {

// Of a place that may lie beyond a periodic face. Exact: both are on the lattice.
Vec3d inside(Vec3d x, const Domain& domain) {
    for (int axis = 0; axis < 3; ++axis) {
        if (!domain.periodic[static_cast<std::size_t>(axis)]) continue;
        const double length = at(domain.upper, axis) - at(domain.lower, axis);
        if (at(x, axis) < at(domain.lower, axis)) at(x, axis) += length;
        else if (at(x, axis) >= at(domain.upper, axis)) at(x, axis) -= length;
    }
    return x;
}

}  // namespace

void Inserter::resize(std::size_t n) { bodies_.resize(n), drawn_.resize(n), mass_.resize(n), done_.resize(n); }

bool Inserter::due(const Setup& setup, std::uint64_t step) const {
    for (std::size_t k = 0; k < setup.insertions.size(); ++k)
        if (is_event(setup.insertions[k], step) && !done(setup, k)) return true;
    return false;
}

bool Inserter::done(const Setup& setup, std::size_t k) const {
    return done_[k] != 0 || bodies_[k] >= setup.insertions[k].total;
}

void Inserter::insert(const Scene& scene, LedgerCounts& counts, const Take& take) {
    for (std::size_t k = 0; k < scene.setup.insertions.size(); ++k) {
        if (!is_event(scene.setup.insertions[k], scene.clock.step()) || done(scene.setup, k)) continue;
        const Event event{scene, counts, take, scene.bodies.size};
        if (event.spec(k).method == InsertionMethod::rain) rain(event, k);
        else packing(event, k);
    }
}

// Trials of one batch: small enough to cost no memory, large enough that joining the marks costs no time.
constexpr std::uint64_t batch_of_trials = 65536;

void Inserter::rain(const Event& event, std::size_t k) {
    const InsertionSpec& spec = event.spec(k);
    const std::uint64_t seed = event.scene.setup.seed;
    const std::uint64_t number = event_number(spec, event.scene.clock.step()), end = n_trials(spec);
    const std::uint64_t want = wanted(spec, bodies_[k], number);
    const auto enough = [&] { return done_[k] != 0 || enough_mass(spec, mass_[k], number); };
    std::vector<PlacedBall> placed;  // at this event, by whichever rank
    std::uint64_t got = 0;
    for (std::uint64_t first = 0; first < end && got < want && !enough(); first += batch_of_trials) {
        std::vector<Vec3d> tried = places(spec, seed, number, first, std::min(end, first + batch_of_trials));
        for (Vec3d& x : tried) x = event.place(x);
        const std::vector<double> room = event.room_at(spec, tried, placed);
        QueueSeats seats(tried, room, tested_radius(spec, spec.balls.radius_max), event.scene.hood.cubes.domain());
        while (got < want && !enough()) {
            NewBody ball = queued_ball(spec, seed, drawn_[k], {});
            const double tested = tested_radius(spec, ball.radius);
            const std::optional<std::size_t> seat = seats.next(tested);
            if (!seat) break;
            ball.position = tried[*seat];
            ++drawn_[k];
            if (!take_in(event, k, ball)) continue;
            ++got;
            seats.take(*seat, tested);
            placed.push_back({ball.position, tested});
        }
    }
}

void Inserter::packing(const Event& event, std::size_t k) {
    const InsertionSpec& spec = event.spec(k);
    const std::uint64_t end = n_trials(spec),
                        want = wanted(spec, bodies_[k], event_number(spec, event.scene.clock.step()));
    std::uint64_t got = 0;
    for (std::uint64_t first = 0; first < end && got < want && done_[k] == 0; first += batch_of_trials) {
        std::vector<NewBody> tried =
            trials(spec, event.scene.setup.seed, first, std::min(end, first + batch_of_trials));
        for (NewBody& t : tried) t.position = event.place(t.position);
        std::vector<NewBody> tested = tried;
        for (NewBody& t : tested) t.radius = tested_radius(spec, t.radius);
        const std::vector<char> blocked = event.blocked_trials(spec, tested);
        for (const std::size_t t : accept(tested, blocked, want - got, event.scene.hood.cubes.domain())) {
            if (!take_in(event, k, tried[t])) continue;
            ++got;
            if (done_[k] != 0) break;
        }
    }
    done_[k] = 1;
}

// One ball of insertion k, the same on every rank. False: it does not help to meet the mass.
bool Inserter::take_in(const Event& event, std::size_t k, NewBody b) {
    const InsertionSpec& spec = event.spec(k);
    const Setup& setup = event.scene.setup;
    if (spec.mass > 0) {
        const std::optional<NewBody> fitted = fitted_to_mass(spec, b, spec.mass - mass_[k]);
        if (!fitted) return false;
        b = *fitted;
        if (mass_is_met(spec, mass_[k] + b.mass)) done_[k] = 1;
    }
    b.id = event.counts.next_id;
    b.entry_time = event.scene.clock.time();
    // Stored velocities are half a step behind. At the very start all of them are still to be put there, these too.
    if (setup.integrator == Integrator::verlet && (event.scene.clock.step() > 0 || setup.started))
        b.velocity -= setup.gravity * (0.5 * setup.dt);
    ++bodies_[k];
    mass_[k] += b.mass;
    mass_of_all_ += b.mass;
    if (b.shape != 0) {
        take_cluster(event, b);
        return true;
    }
    if (b.rigid_shape != 0) {
        const ShapeTemplate& shape = setup.shapes[b.rigid_shape - 1u];
        if (shape.turned_at_random && setup.plane.given()) {
            turn_at_random_about(setup.plane.normal, b, setup.seed);
        } else if (shape.turned_at_random) {
            turn_at_random(b, setup.seed);  // in the axes of the user, so that slabs along another axis give the same
            setup.axes.turn_in(b.orientation + 1);
        } else stand_as_given(b, shape);
    }
    ++event.counts.next_id, ++event.counts.inserted;
    event.take(b, {});
    return true;
}

// Its elements, each where a period puts it. Worked out in the axes of the user, so that slabs along another axis give
// the same bits.
void Inserter::take_cluster(const Event& event, const NewBody& grain) {
    const Setup& setup = event.scene.setup;
    const ClusterTemplate& shape = setup.clusters[grain.shape - 1u];
    NewBody placed = grain;
    placed.position = setup.axes.out(grain.position), placed.velocity = setup.axes.out(grain.velocity);
    if (shape.turned_at_random) turn_at_random(placed, setup.seed);
    const BondMaking making{setup.seed, event.scene.clock.time()};
    std::vector<ContactHistory::Entry> bonds;
    for (std::uint32_t e = 0; e < shape.elements.size(); ++e) {
        NewBody element = turned_in(element_of(shape, placed, e), setup.axes);
        element.position = inside(event.scene.lattice.snap(element.position), event.scene.hood.cubes.domain());
        bonds.clear();
        add_bonds_of(shape, placed, e, making, bonds);
        for (ContactHistory::Entry& bond : bonds) turn_in(setup.axes, bond);
        event.take(element, bonds);
    }
    event.counts.next_id += shape.elements.size(), event.counts.inserted += shape.elements.size();
    ++clusters_;
}

}  // namespace granary
