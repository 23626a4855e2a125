// Balls that enter while the run goes on. Every rank makes the same trials, marks those its own bodies block, and after the marks
// are joined all ranks accept the same ones; the owner of the place takes the ball in.
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <functional>
#include <optional>
#include "app/simulation.hpp"

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

// Trials of one batch: small enough to cost no memory, large enough that joining the marks costs no time.
constexpr std::uint64_t batch_of_trials = 65536;
// Of each ball in the first batch of an event: so many that few balls make a second one necessary, which costs a collective.
constexpr std::uint64_t places_at_first = 4;

void Simulation::insert_event(std::size_t k) {
    const InsertionSpec& spec = setup_.insertions[k];
    const bool pack = spec.method != InsertionMethod::rain;  // balls of a packing are never in each other's way
    const std::uint64_t event = event_number(spec, step_), end = n_trials(spec);
    const std::uint64_t want = wanted(spec, inserted_by_[k], event);
    const auto enough = [&] { return done_by_[k] != 0 || enough_mass(spec, mass_by_[k], event); };
    const Index known = bodies_.size;
    std::vector<PlacedBall> placed;  // at this event, by whichever rank
    std::uint64_t got = 0;
    Queue queue{drawn_by_[k], std::clamp<std::uint64_t>(end / std::max<std::uint64_t>(1, want), 1, places_at_first)};
    for (std::uint64_t first = 0, last = 0; first < end && got < want && !enough(); first = last) {
        last = std::min(end, first + batch_of_trials);
        if (!pack) {  // whole balls of the queue
            queue.ball = drawn_by_[k], queue.places = std::min(queue.places, last - first);
            last = first + std::min((last - first) / queue.places, want - got) * queue.places;
        }
        std::vector<NewBody> tried = trials(spec, setup_.seed, event, first, last, queue);
        for (NewBody& t : tried) t.position = motion_.lattice.snap(t.position);
        std::vector<NewBody> tested = tried;
        for (NewBody& t : tested) t.radius = tested_radius(spec, t.radius);
        const std::vector<char> blocked = blocked_trials(spec, tested, known, placed);
        for (const std::size_t t : accept(tested, blocked, want - got, cubes_.domain(), pack ? 0 : queue.places)) {
            ++drawn_by_[k];
            if (!take_in(k, tried[t])) continue;
            ++got;
            if (enough()) break;
            if (!pack) placed.push_back({tested[t].position, tested[t].radius});
        }
        queue.places *= 2;  // whoever found none tries more
    }
    if (pack) done_by_[k] = 1;
}

// Blocked by a wall or a ball placed before: every rank sees that for itself. By a body: its owner does.
std::vector<char> Simulation::blocked_trials(const InsertionSpec& spec, std::span<const NewBody> tested, Index known,
                                             std::span<const PlacedBall> placed) const {
    std::vector<char> blocked = blocked_by(placed, tested, cubes_.domain()), all(tested.size());
    mark_outside(spec, tested, blocked);
    for (std::size_t t = 0; t < tested.size(); ++t)
        for (std::size_t w = 0; w < walls().size() && blocked[t] == 0; ++w)
            blocked[t] = wall_open_[w] == 0 && !setup_.is_of_balls(w) &&
                         closest(walls()[w].shape, tested[t].position).distance <= tested[t].radius;
    std::vector<PlacedBall> batch;
    for (const WallBall& w : wall_balls_.balls())
        if (wall_open_[w.wall] == 0) batch.push_back({w.centre, w.radius});
    const auto mark = [&] {
        const std::vector<char> marks = blocked_by(batch, tested, cubes_.domain());
        for (std::size_t t = 0; t < marks.size(); ++t) blocked[t] |= marks[t];
        batch.clear();
    };
    const auto add = [&](Index i) {
        if (scratch_.new_cube[i] == no_cube) return;
        batch.push_back({bodies_.x(i), bodies_.radius(i)});
        if (batch.size() == 65536) mark();
    };
    for (const Range& run : bodies_.real)
        for (Index i = run.begin; i < run.end; ++i) add(i);
    for (Index i = scratch_.newcomers.begin; i < known; ++i) add(i);
    mark();
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
