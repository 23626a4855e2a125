// The rebuild: everything that changes the order of the bodies, and so the bits, happens here and only here.
#include "engine/simulation.hpp"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <cmath>
#include <limits>
#include <mutex>
#include "decomposition/exchange.hpp"
#include "decomposition/migrate.hpp"
#include "decomposition/reductions.hpp"
#include "decomposition/rendezvous.hpp"
#include "engine/held_here.hpp"
#include "motion/rigid_rotation.hpp"
#include "motion/staleness.hpp"
#include "core/errors.hpp"
#include "core/parallel.hpp"
#include "core/state_problems.hpp"

namespace granary {

namespace {

double threads_differ() { return threads_here() > 1 && !threads_compute_alike() ? 1.0 : 0.0; }

// Of StayingSprings' marks: a body that is not inside the domain, until it is known what becomes of it.
constexpr char waits_outside = 2;

void check_threads(double differ) {
    if (differ > 0)
        throw RunError(
            "a thread rounds otherwise than the others, or takes small numbers for zero: foreign code has "
            "changed its settings, and the bits of the run would depend on the number of threads");
}

}  // namespace

// Bodies go to their owners, slice after slice; then their springs. The order in which they come does not matter: the
// sort that follows has one of its own.
void Simulation::take_initial_bodies() {
    std::vector<double> count(hood_.cubes.layers(), 0.0);
    std::vector<NewBody> placed;
    const auto place_one = [&](NewBody& b) {
        b.position = motion_.lattice.snap(b.position), b.entry_time += setup_.start_time;
        if (b.held != 0) b.velocity = b.spin = {};  // whatever moves it gives it one at each step
    };
    const auto place = [&](std::span<const NewBody> slice) {
        placed.assign(slice.begin(), slice.end());
        for (NewBody& b : placed) place_one(b);
    };
    const auto layer_of = [&](const NewBody& b) { return digit(hood_.cubes.of(b.position), 2); };
    setup_.start.for_bodies(comm_, [&](std::span<const NewBody> slice) {
        place(slice);
        for (const NewBody& b : placed)
            ++count[layer_of(b)], ++counts_.inserted, counts_.next_id = std::max(counts_.next_id, b.id + 1);
    });
    std::vector<double> all(count.size());
    boost::mpi::all_reduce(comm_, count.data(), static_cast<int>(count.size()), all.data(), std::plus<double>());
    counts_.inserted = boost::mpi::all_reduce(comm_, counts_.inserted, std::plus<std::uint64_t>());
    counts_.next_id = boost::mpi::all_reduce(comm_, counts_.next_id, boost::mpi::maximum<Id>());
    hood_.cut_by_count(setup_, all);

    const auto mine = static_cast<std::size_t>(hood_.given_here(all));
    bodies_.reserve(static_cast<Index>(1.03 * held_here(hood_, comm_.rank(), all)) + 1024);
    room_.lend(bodies_.reference, mine), room_.lend(bodies_.torque, mine);  // still empty
    scratch_->new_cube.reserve(mine);
    scratch_->history.start(0);
    scratch_->history.reserve(mine, 0);
    if (setup_.start.saved) {
        using Saved = StartShares::SavedBody;
        const std::vector<Column> taken_over = columns_taken_over();
        std::vector<Saved> sent;
        setup_.start.saved(comm_, [&](std::span<const Saved> slice) {
            sent.assign(slice.begin(), slice.end());
            for (Saved& b : sent) place_one(b.body);
            for (const Saved& b :
                 to_owners<Saved>(comm_, sent, [&](const Saved& s) { return hood_.slabs.owner(layer_of(s.body)); })) {
                add_newcomer(b.body, {});
                if (!taken_over.empty()) bodies_.put(bodies_.size - 1, b.columns, taken_over);
            }
        });
    } else {
        setup_.start.for_bodies(comm_, [&](std::span<const NewBody> slice) {
            place(slice);
            for (const NewBody& b :
                 to_owners<NewBody>(comm_, placed, [&](const NewBody& n) { return hood_.slabs.owner(layer_of(n)); }))
                add_newcomer(b, {});
        });
    }
    scratch_->n_first = bodies_.size;
}

// Behind the last place; sorted in by the rebuild under way.
void Simulation::add_newcomer(const NewBody& body, std::span<const ContactHistory::Entry> springs) {
    const Index at = bodies_.size;
    if (at == bodies_.capacity()) bodies_.reserve(at + at / 8 + 1024);
    bodies_.put(at, body);
    if (body.rigid_shape != 0) start_turning(bodies_, at, setup_.shapes);
    for (int axis = 0; axis < 3 && bodies_.has(When::gear); ++axis)
        bodies_.acceleration(at, axis) = granary::at(setup_.gravity, axis);
    ++bodies_.size;
    scratch_->new_cube.push_back(hood_.cubes.of(body.position));
    scratch_->history.append(springs);
}

void Simulation::rebuild() {
    PhaseTimes& times = requests_.times;
    const bool first = hood_.rebuilds == 0;
    const bool some_come_in = first || inserter_.due(setup_, clock_.step());
    Agreed agreed;
    {
        PhaseTimer timer(times, Phase::migrate);
        Reach reach = Reach::neighbours;
        if (!first) {
            room_.lend(bodies_.reference, bodies_.size);  // where bodies were at the last sort: no more
            begin_scratch();
            agreed = assign_cubes();
            if (forces_.bonds.possible())
                forces_.bonds.before_sort(comm_, bodies_, hood_, scratch_->new_cube, setup_.dt);
            const Slabs before = hood_.slabs;
            const bool cuts_move = hood_.choose_cuts(setup_, clock_.step(), times.worked());
            if (cuts_move) forces_.move_layers(comm_, setup_, before, hood_.slabs);
            if (cuts_move || agreed.some_go_far) reach = Reach::all;
            room_.lend(bodies_.torque, bodies_.size);  // spent
            note_history();
        }
        const Index n_known = first ? 0 : bodies_.size;
        const std::vector<Range> ranges = first ? std::vector<Range>{{0, bodies_.size}} : bodies_.real;
        const Range immigrants =
            migrate(comm_, hood_.slabs, bodies_, ranges, scratch_->new_cube, scratch_->history, reach);
        hood_.migrations += immigrants.size();
        scratch_->newcomers = {n_known, bodies_.size};
        insert_due_bodies();
        scratch_->newcomers.end = bodies_.size;
    }
    sort_and_settle();
    if (!first) {
        PhaseTimer timer(times, Phase::carry);
        room_.lend(bodies_.force, bodies_.size);  // the sort needed it
        scratch_->springs.take(forces_.pairs, scratch_->stays, pieces_for(bodies_.size));
    }
    search();
    if (first && setup_.start.contacts) take_springs([&](const auto& use) { setup_.start.for_contacts(comm_, use); });
    carry_history();
    if (forces_.bonds.possible()) forces_.bonds.check(comm_, bodies_, hood_, first);
    find_held();
    end_scratch();
    hood_.begin_interval(bodies_);
    ++hood_.rebuilds;
    rebuild_asked_ = false;
    if (some_come_in) agreed.speed = agree_on_speed();
    check_speed(agreed.speed);
    walls_.remember(clock_.time());
    hood_.staleness.rebuilt(clock_.step(), std::max(agreed.speed, wall_extremes().speed));
    requests_.agreed_ = std::max(requests_.agreed_, agreed.request);
}

double Simulation::agree_on_speed() {
    const double mine[2] = {extremes(bodies_).speed, threads_differ()};
    double all[2];
    boost::mpi::all_reduce(comm_, mine, 2, all, boost::mpi::maximum<double>());
    check_threads(all[1]);
    return all[0];
}

void Simulation::insert_due_bodies() {
    const Inserter::Scene scene{comm_,
                                setup_,
                                clock_,
                                bodies_,
                                bodies_.real,
                                scratch_->newcomers,
                                scratch_->new_cube,
                                hood_,
                                motion_.lattice,
                                walls_.walls(),
                                forces_.wall_open,
                                forces_.wall_balls.balls()};
    inserter_.insert(scene, counts_, [&](const NewBody& b, std::span<const ContactHistory::Entry> bonds) {
        if (!hood_.owns(digit(hood_.cubes.of(b.position), 2))) return;
        add_newcomer(b, bonds);
        forces_.bonds.expect_new(bonds);
        note_entering_energy(b);
    });
}

void Simulation::sort_and_settle() {
    {
        PhaseTimer timer(requests_.times, Phase::sort);
        hood_.sort(bodies_, scratch_->new_cube, scratch_->newcomers, scratch_->places);
    }
    hood_.settle(bodies_, scratch_->places, scratch_->new_cube, requests_.times);
}

void Simulation::end_scratch() {
    scratch_.reset();
    room_.give_back();
}

void Simulation::search() {
    PhaseTimer timer(requests_.times, Phase::search);
    forces_.search(comm_, setup_, bodies_, hood_, walls_);
    counts_.outlets.find(bodies_, setup_.outlets, setup_.skin);
}

void Simulation::carry_history() {
    PhaseTimer timer(requests_.times, Phase::carry);
    forces_.carry(bodies_, hood_, {scratch_->springs, scratch_->stays, scratch_->history, scratch_->places});
    forces_.count_work(comm_, bodies_, hood_);
}

// Wraps periodic axes and finds every real body's new cube; a ball that left through an outlet gets none, nor does one
// that is deleted outside the domain.
Simulation::Agreed Simulation::assign_cubes() {
    counts_.outlets.for_each_crossed([&](Index i) { note_leaving_energy(i); });
    scratch_->new_cube.reserve(bodies_.size + bodies_.size / 16 + 256);  // for newcomers too
    scratch_->new_cube.assign(bodies_.size, no_cube);
    scratch_->stays.assign(bodies_.size, 0);
    RoomVector<char>& stays = scratch_->stays;
    for (const Range& range : bodies_.real) std::fill(stays.begin() + range.begin, stays.begin() + range.end, char{1});
    counts_.outlets.for_each_crossed([&](Index i) { stays[i] = 0; });
    // First those that are inside, side by side. The others are few, and what becomes of them has an order.
    static const std::string find_cubes = "engine::find_cubes";
    std::mutex only_one;
    NewCubes found;
    in_pieces_of(find_cubes, bodies_.real, [&](const auto& for_each_range) {
        NewCubes of_piece;
        for_each_range([&](Range range) { find_cubes_inside(range, of_piece); });
        const std::lock_guard lock(only_one);
        found.join(of_piece);
    });
    std::optional<DeletedBall> first;
    if (found.some_wait)
        for (const Range& range : bodies_.real)
            for (Index i = range.begin; i < range.end; ++i)
                if (stays[i] == waits_outside) bring_inside(i, found, first);
    if (!found.finite) found.fastest = std::numeric_limits<double>::infinity();
    enum { trouble, goes_far, speed, request, unlike, n };
    const double some_deleted = first ? 1 : 0;
    const double mine[n] = {found.bad ? 2 : some_deleted, found.far ? 1.0 : 0.0, std::sqrt(found.fastest),
                            requests_.mine_, threads_differ()};
    double all[n];
    boost::mpi::all_reduce(comm_, mine, n, all, boost::mpi::maximum<double>());
    if (all[trouble] == 2) stop_for_bad_bodies();
    check_threads(all[unlike]);
    if (all[trouble] == 1 && !counts_.first_deleted()) counts_.agree_on_first_deleted(comm_, first);
    return {all[goes_far] > 0, all[speed], all[request]};
}

void Simulation::NewCubes::join(const NewCubes& other) {
    bad |= other.bad, far |= other.far, finite &= other.finite, some_wait |= other.some_wait;
    fastest = std::max(fastest, other.fastest);
}

void Simulation::find_cube(Index i, NewCubes& found) {
    const Cube cube = hood_.cubes.of(bodies_.x(i));
    scratch_->new_cube[i] = cube;
    const int layer = digit(cube, 2);
    found.far |= !hood_.owns(layer) && !hood_.is_near(hood_.slabs.owner(layer));
    const double speed = square_of_speed(bodies_, i);
    found.finite &= speed < std::numeric_limits<double>::infinity();  // false for NaN as well
    found.fastest = std::max(found.fastest, speed);
}

void Simulation::find_cubes_inside(Range range, NewCubes& found) {
    const Domain& domain = hood_.cubes.domain();
    for (Index i = range.begin; i < range.end; ++i) {
        if (scratch_->stays[i] == 0) continue;
        bool inside = true;  // not where it is no number
        for (int axis = 0; axis < 3; ++axis) {
            const double x = bodies_.position(i, axis);
            inside &= x >= at(domain.lower, axis) && x < at(domain.upper, axis);
        }
        if (inside) find_cube(i, found);
        else scratch_->stays[i] = waits_outside, found.some_wait = true;
    }
}

// Over periodic faces; or the body is deleted, or this run must stop.
void Simulation::bring_inside(Index i, NewCubes& found, std::optional<DeletedBall>& first) {
    const Domain& domain = hood_.cubes.domain();
    char& stays = scratch_->stays[i] = 1;
    bool outside = false;
    for (int axis = 0; axis < 3; ++axis) {
        double& x = bodies_.position(i, axis);
        const double lower = at(domain.lower, axis), upper = at(domain.upper, axis);
        if (x >= lower && x < upper) continue;
        if (domain.periodic[axis]) {
            const double shift = x < lower ? upper - lower : lower - upper;
            x += shift;
            if (setup_.energy && bodies_.velocity(i, 3) != 0)  // gravity along a period: it gains or loses height
                forces_.energy.add(hood_.layer_of(bodies_, i), EnergySums::in,
                                   -at(setup_.gravity, axis) * shift / bodies_.velocity(i, 3));
            stays = 0;
            ++hood_.wraps;
        }
        const bool in = x >= lower && x <= upper;
        found.bad |= !in && domain.periodic[axis];
        outside |= !in && !domain.periodic[axis];
    }
    if (outside && may_delete(i)) return delete_body(i, first);
    found.bad |= outside;
    if (!found.bad) find_cube(i, found);
}

void Simulation::delete_body(Index i, std::optional<DeletedBall>& first) {
    note_leaving_energy(i);
    counts_.delete_body(bodies_, i);
    scratch_->stays[i] = 0;
    if (!first || bodies_.id(i) < first->id)
        first = DeletedBall{bodies_.id(i),     clock_.step(),      clock_.time(),
                            bodies_.radius(i), norm(bodies_.v(i)), setup_.axes.out(bodies_.x(i))};
}

void Simulation::note_history() {
    for (const Range& range : bodies_.real)
        for (Index i = range.begin; i < range.end; ++i)
            if (scratch_->new_cube[i] != no_cube && !hood_.owns(digit(scratch_->new_cube[i], 2)))
                scratch_->stays[i] = 0;
    forces_.bonds.choose_stayers(scratch_->stays);
    scratch_->history.collect(
        bodies_, forces_.pairs, forces_.wall_records(), scratch_->stays,
        [&](Index i) { return hood_.is_real(bodies_, i); },
        [&](auto&& f) { forces_.bonds.for_each_record_to_note(f), forces_.shapes.for_each_record(f); });
}

}  // namespace granary
