// The rebuild: everything that changes the order of the bodies, and so the bits, happens here and only here.
#include "engine/simulation.hpp"

#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <limits>
#include <numeric>
#include "decomposition/exchange.hpp"
#include "decomposition/migrate.hpp"
#include "decomposition/rendezvous.hpp"
#include "search/all_pairs.hpp"
#include "search/mr_search_munjiza2006.hpp"
#include "search/mr_sort_munjiza2006.hpp"

namespace granary {

namespace {

// Counted work, in nanoseconds of a typical core: what a ball, a candidate and a contact cost in a step.
constexpr double ball_cost = 12, candidate_cost = 7, contact_cost = 24;
// What a candidate at a wall costs.
constexpr double wall_candidate_cost = 40;
// What a candidate at a wall ball costs: a distance, and a contact for some.
constexpr double wall_ball_candidate_cost = 12;
constexpr double usual_contact_share = 0.5;

}  // namespace

void Simulation::take_initial_bodies() {
    if (setup_.in_shares()) return take_shares();
    std::vector<double> count(cubes_.layers(), 0.0);
    double n_given = 0, n_springs = 0;
    const auto place = [&](const NewBody& b) {
        NewBody placed = b;
        placed.position = motion_.lattice.snap(b.position);
        placed.entry_time += setup_.start_time;
        return placed;
    };
    const auto layer_of = [&](const NewBody& b) { return digit(cubes_.of(b.position), 2); };
    setup_.bodies([&](const NewBody& b, auto springs) {
        ++count[layer_of(place(b))], ++n_given;
        next_id_ = std::max(next_id_, b.id + 1);
        n_springs += static_cast<double>(springs.size());
    });
    inserted_ = static_cast<std::uint64_t>(n_given);
    cut_by_count(count);

    const int me = comm_.rank();
    const double mine = given_here(count);
    bodies_.reserve(static_cast<Index>(mine * 1.1) + 1024);
    scratch_.book.start(0);
    scratch_.book.reserve(static_cast<std::size_t>(mine), 0.5 * n_springs * mine / std::max(1.0, n_given));
    std::vector<ContactHistory::Entry> kept;
    setup_.bodies([&](const NewBody& b, std::span<const ContactHistory::Entry> springs) {
        const NewBody placed = place(b);
        const int layer = layer_of(placed);
        if (layer < slabs_.first(me) || layer >= slabs_.end(me)) return;
        kept.assign(springs.begin(), springs.end());
        if (!at_border(cubes_.of(placed.position)))  // as in any rebuild, the smaller id holds the spring
            std::erase_if(
                kept, [&](const ContactHistory::Entry& e) { return e.partner.is_body() && e.partner.number() < b.id; });
        add_newcomer(placed, kept);
    });
}

// Bodies go to their owners, slice after slice; then their springs.
void Simulation::take_shares() {
    std::vector<double> count(cubes_.layers(), 0.0);
    std::vector<NewBody> placed;
    const auto place = [&](std::span<const NewBody> slice) {
        placed.assign(slice.begin(), slice.end());
        for (NewBody& b : placed) b.position = motion_.lattice.snap(b.position), b.entry_time += setup_.start_time;
    };
    const auto layer_of = [&](const NewBody& b) { return digit(cubes_.of(b.position), 2); };
    setup_.shares.bodies([&](std::span<const NewBody> slice) {
        place(slice);
        for (const NewBody& b : placed) ++count[layer_of(b)], ++inserted_, next_id_ = std::max(next_id_, b.id + 1);
    });
    std::vector<double> all(count.size());
    boost::mpi::all_reduce(comm_, count.data(), static_cast<int>(count.size()), all.data(), std::plus<double>());
    inserted_ = boost::mpi::all_reduce(comm_, inserted_, std::plus<std::uint64_t>());
    next_id_ = boost::mpi::all_reduce(comm_, next_id_, boost::mpi::maximum<Id>());
    cut_by_count(all);

    bodies_.reserve(static_cast<Index>(given_here(all) * 1.1) + 1024);
    scratch_.book.start(0);
    setup_.shares.bodies([&](std::span<const NewBody> slice) {
        place(slice);
        for (const NewBody& b :
             to_owners<NewBody>(comm_, placed, [&](const NewBody& n) { return slabs_.owner(layer_of(n)); }))
            add_newcomer(b, {});
    });
    take_springs(setup_.shares.contacts);
}

// Balls in each layer of all ranks.
void Simulation::cut_by_count(std::vector<double> count) {
    slabs_ = Slabs(balanced_cuts(count, comm_.size()), setup_.domain.periodic[2]);
    if (setup_.choose_cuts) slabs_ = Slabs(setup_.choose_cuts(0, count, slabs_.cuts()), setup_.domain.periodic[2]);
}

double Simulation::given_here(const std::vector<double>& count) const {
    return std::accumulate(count.begin() + slabs_.first(comm_.rank()), count.begin() + slabs_.end(comm_.rank()), 0.0);
}

// Of the newcomers, which are all there is yet.
void Simulation::take_springs(const ContactSlices& contacts) {
    scratch_.book.clear();  // before the next one is made
    scratch_.book = springs_of(comm_, {bodies_.id.data(), bodies_.size}, contacts,
                               [&](Index place) { return at_border(scratch_.new_cube[place]); });
}

bool Simulation::at_border(Cube cube) const {
    bool border = false;
    for (int axis = 0; axis < 3; ++axis)
        border |= digit(cube, axis) == 0 || digit(cube, axis) == cubes_.count[axis] - 1;
    return border || digit(cube, 2) == slabs_.first(comm_.rank()) || digit(cube, 2) == slabs_.end(comm_.rank()) - 1;
}

// Behind the last place; sorted in by the rebuild under way.
void Simulation::add_newcomer(const NewBody& body, std::span<const ContactHistory::Entry> springs) {
    const Index at = bodies_.size;
    if (at == bodies_.capacity()) bodies_.reserve(at + at / 8 + 1024);
    bodies_.put(at, body);
    for (int axis = 0; axis < 3 && bodies_.has(When::gear); ++axis)
        bodies_.acceleration(at, axis) = granary::at(setup_.gravity, axis);
    ++bodies_.size;
    scratch_.new_cube.push_back(cubes_.of(body.position));
    scratch_.book.append(springs);
}

void Simulation::rebuild_neighbourhood() {
    const bool first = mine_.rebuilds == 0;
    {
        PhaseTimer timer(times_, Phase::migrate);
        if (!first) {
            assign_cubes();
            choose_cuts();
            note_history();
        }
        const Index n_known = first ? 0 : bodies_.size;
        const std::vector<Range> runs = first ? std::vector<Range>{{0, bodies_.size}} : bodies_.real;
        const Range immigrants = migrate(comm_, slabs_, bodies_, runs, scratch_.new_cube, scratch_.book);
        mine_.migrations += immigrants.size();
        scratch_.newcomers = {n_known, bodies_.size};
        insert_due_bodies();
        scratch_.newcomers.end = bodies_.size;
    }
    sort_and_settle();
    search();
    carry_history();
    count_work();
    scratch_ = {};
    ++mine_.rebuilds;
    rebuild_asked_ = false;
    const double mine[2] = {extremes(bodies_).speed, wish_};
    double all[2];
    boost::mpi::all_reduce(comm_, mine, 2, all, boost::mpi::maximum<double>());
    check_speed(all[0]);
    walls_.remember(time());
    staleness_.rebuilt(step_, std::max(all[0], wall_extremes().speed));
    wished_ = std::max(wished_, all[1]);
}

// Wraps periodic axes and finds every real body's new cube; a ball that left through an outlet gets none, nor does one that is deleted outside the
// domain.
void Simulation::assign_cubes() {
    note_leaving_energy();
    scratch_.new_cube.assign(bodies_.size, no_cube);
    scratch_.moved.assign(bodies_.size, 0);
    outlets_.for_each_crossed([&](Index i) { scratch_.moved[i] = 1; });
    const Domain& domain = cubes_.domain();
    bool bad = false;
    std::optional<DeletedBall> first;
    for (const Range& run : bodies_.real)
        for (Index i = run.begin; i < run.end; ++i) {
            if (scratch_.moved[i] != 0) continue;
            bool outside = false;
            for (int axis = 0; axis < 3; ++axis) {
                double& x = bodies_.position(i, axis);
                const double lower = at(domain.lower, axis), upper = at(domain.upper, axis);
                if (x >= lower && x < upper) continue;
                if (domain.periodic[axis]) {
                    const double shift = x < lower ? upper - lower : lower - upper;
                    x += shift;
                    if (setup_.energy)  // gravity along a period: whoever is put back gains or loses height
                        energy_.add(layer_of(i), EnergyBook::in,
                                    -at(setup_.gravity, axis) * shift / bodies_.velocity(i, 3));
                    scratch_.moved[i] = 1;
                    ++mine_.wraps;
                }
                const bool in = x >= lower && x <= upper;
                bad |= !in && domain.periodic[axis];
                outside |= !in && !domain.periodic[axis];
            }
            if (outside && may_delete(i)) {
                delete_body(i, first);
                continue;
            }
            bad |= outside;
            scratch_.new_cube[i] = cubes_.of(bodies_.x(i));
        }
    const int all = boost::mpi::all_reduce(comm_, bad ? 2 : first ? 1 : 0, boost::mpi::maximum<int>());
    if (all == 2) stop_for_bad_bodies();
    if (all == 1 && !first_deleted_) agree_on_first_deleted(first);
}

void Simulation::delete_body(Index i, std::optional<DeletedBall>& first) {
    note_leaving_energy(i);
    ++deleted_, mass_deleted_.add(1.0 / bodies_.velocity(i, 3), mass_unit_);
    scratch_.moved[i] = 1;
    if (!first || bodies_.id(i) < first->id)
        first = DeletedBall{
            bodies_.id(i), step_, time(), bodies_.radius(i), norm(bodies_.v(i)), setup_.axes.out(bodies_.x(i))};
}

void Simulation::agree_on_first_deleted(const std::optional<DeletedBall>& mine) {
    DeletedBall first = mine.value_or(DeletedBall());
    // Signed: Open MPI 4.1 takes the least of unsigned 64-bit numbers as if they were signed.
    const std::int64_t id = mine ? static_cast<std::int64_t>(mine->id) : std::numeric_limits<std::int64_t>::max();
    const std::int64_t lowest = boost::mpi::all_reduce(comm_, id, boost::mpi::minimum<std::int64_t>());
    const int owner =
        boost::mpi::all_reduce(comm_, id == lowest ? comm_.rank() : comm_.size(), boost::mpi::minimum<int>());
    MPI_Bcast(&first, sizeof first, MPI_BYTE, owner, comm_);
    first_deleted_ = first;
}

void Simulation::choose_cuts() {
    if (comm_.size() == 1) return;
    if (!setup_.choose_cuts && (setup_.rebalance_every == 0 || mine_.rebuilds % setup_.rebalance_every != 0)) return;
    const std::vector<double> cost = gather_layers(comm_, slabs_, layer_cost_, 1);
    std::vector<int> cuts;
    if (setup_.choose_cuts) {
        cuts = setup_.choose_cuts(mine_.rebuilds, cost, slabs_.cuts());
    } else {
        std::vector<double> seconds(comm_.size());
        boost::mpi::all_gather(comm_, times_.worked(), seconds);
        const std::optional<CutMove> move = balance_.look(cost, slabs_.cuts(), seconds, step_);
        if (!move) return;
        cuts = move->cuts;
        last_move_ = {step_, move->before, move->after};
    }
    if (cuts == slabs_.cuts()) return;
    ++mine_.cut_moves;
    const Slabs next(cuts, setup_.domain.periodic[2]);
    move_layers(slabs_, next);
    slabs_ = next;
}

// What is summed up over time goes with its layer.
void Simulation::move_layers(const Slabs& from, const Slabs& to) {
    const auto moved = [&](std::span<const double> mine, std::size_t width) {
        const int n = static_cast<int>(width);
        return layers_of(to, comm_.rank(), gather_layers(comm_, from, mine, n), n);
    };
    if (setup_.energy) energy_.set_layers(moved(energy_.layers(), EnergyBook::width));
    if (setup_.mean_loads) loads_.set_integrals(moved(loads_.integrals(), WallLoads::items * setup_.walls.size()));
}

void Simulation::note_history() {
    const int me = comm_.rank();
    for (const Range& run : bodies_.real)
        for (Index i = run.begin; i < run.end; ++i) {
            if (scratch_.new_cube[i] == no_cube) continue;
            const int layer = digit(scratch_.new_cube[i], 2);
            if (layer < slabs_.first(me) || layer >= slabs_.end(me)) scratch_.moved[i] = 1;
        }
    scratch_.book.collect(bodies_, pairs_, wall_springs(), scratch_.moved, [&](Index i) { return is_real(i); });
}

// New order of the real bodies, images woven in, everything moved to its place, ghosts made.
void Simulation::sort_and_settle() {
    {
        PhaseTimer timer(times_, Phase::sort);
        std::vector<Index> order;
        mr_sort({bodies_.cube.data(), scratch_.new_cube.data(), bodies_.id.data(), bodies_.real, scratch_.newcomers},
                order);
        images_.weave(cubes_, order, scratch_.new_cube.data(), scratch_.places);
    }
    const auto& places = scratch_.places;
    const Index n = static_cast<Index>(places.size());
    const int me = comm_.rank(), first = slabs_.first(me), n_layers = slabs_.end(me) - first;

    // The rank's layers within the new order.
    layer_begin_.assign(n_layers + 1, 0);
    for (const auto& p : places) ++layer_begin_[digit(p.cube, 2) - first + 1];
    for (int k = 0; k < n_layers; ++k) layer_begin_[k + 1] += layer_begin_[k];
    const Index lowest_size = n_layers > 0 ? layer_begin_[1] : 0;
    const Index highest_size = n_layers > 0 ? n - layer_begin_[n_layers - 1] : 0;
    Halo::Counts ghosts;
    {
        PhaseTimer timer(times_, Phase::ghosts);
        ghosts = Halo::count(comm_, slabs_, lowest_size, highest_size);
    }
    {
        PhaseTimer timer(times_, Phase::sort);
        const Index offset = ghosts.below, size = offset + n + ghosts.above;
        if (size + 4 > bodies_.capacity()) bodies_.reserve(size + size / 16 + 1024);  // searches read past the end
        PeriodicImages::take_new_order(bodies_, places, offset);
        for (Index& b : layer_begin_) b += offset;
        bodies_.size = size;
        bodies_.owned = {offset, offset + n};
        images_.place(cubes_, places, offset, scratch_.new_cube.size(), bodies_);
        std::fill_n(bodies_.force.data(), std::size_t{4} * size, 0.0);
        std::fill_n(bodies_.torque.data(), std::size_t{4} * size, 0.0);
    }
    PhaseTimer timer(times_, Phase::ghosts);
    const Range lowest{bodies_.owned.begin, bodies_.owned.begin + lowest_size};
    const Range highest{bodies_.owned.end - highest_size, bodies_.owned.end};
    halo_.create(comm_, slabs_, cubes_, bodies_, lowest, highest);
    split_runs(slabs_.below(me) ? lowest : Range{lowest.begin, lowest.begin},
               slabs_.above(me) ? highest : Range{highest.end, highest.end});
    for (const Range& run : bodies_.real)
        for (Index i = run.begin; i < run.end; ++i)
            for (int axis = 0; axis < 3; ++axis) bodies_.reference(i, axis) = bodies_.position(i, axis);
}

// Runs of real bodies in the layers that are sent each step, and the others.
void Simulation::split_runs(Range lowest, Range highest) {
    if (highest.begin < lowest.end) highest.begin = std::min(lowest.end, highest.end);  // one layer, sent both ways
    lowest_ = lowest, highest_ = highest;
    boundary_.clear(), interior_.clear();
    const auto add = [](std::vector<Range>& to, Index begin, Index end) {
        if (begin < end) to.push_back({begin, end});
    };
    for (const Range& run : bodies_.real) {
        add(boundary_, run.begin, std::min(run.end, lowest.end));
        add(interior_, std::max(run.begin, lowest.end), std::min(run.end, highest.begin));
        add(boundary_, std::max(run.begin, highest.begin), run.end);
    }
}

void Simulation::search() {
    PhaseTimer timer(times_, Phase::search);
    const SearchTask task{bodies_, cubes_, reach_ + setup_.skin, law_->facts().has_history};
    switch (setup_.detector) {
        case Detector::mr: mr_search(task, pairs_); break;
        case Detector::mmr: mmr_search(task, pairs_, {.alpha = setup_.alpha}, mmr_work_); break;
        case Detector::fixed_cubes: fixed_cubes_search(task, pairs_, {}, fixed_cubes_work_); break;
        case Detector::all_pairs: all_pairs_search(task, pairs_); break;
    }
    const bool rolling = law_->facts().keeps_rolling_spring;
    if (rolling) pairs_.add_rolling_springs();
    pair_forces_.prepare(pairs_);
    wall_contacts_.find(bodies_, walls_.walls(), reach_ + setup_.skin, walls_without_surface());
    if (rolling) wall_contacts_.add_rolling_springs();
    wall_balls_.find(bodies_, reach_ + setup_.skin, wall_open_, wall_ball_contacts_.candidates());
    wall_ball_contacts_.prepare(rolling);
    outlets_.find(bodies_, setup_.outlets, setup_.skin);
    expect_loads();
}

void Simulation::expect_loads() {
    loads_.start(layer_begin_.size() - 1, setup_.walls.size());
    for (const WallCandidate& c : wall_contacts_.candidates()) loads_.expect(layer_of(c.body), c.wall);
    for (const WallBallCandidate& c : wall_ball_contacts_.candidates())
        loads_.expect(layer_of(c.body), wall_balls_.balls()[c.ball].wall);
}

void Simulation::carry_history() {
    PhaseTimer timer(times_, Phase::carry);
    const ContactHistory& book = scratch_.book;
    const auto source = [&](Index i) { return scratch_.places[i - bodies_.owned.begin].old_place; };
    const auto noted = [&](Index body, const Partner& partner) { return book.find(source(body), partner); };
    wall_contacts_.carry(noted);
    wall_ball_contacts_.carry(wall_balls_.balls(), noted);

    // A pair of two real bodies is noted under the smaller id, any other under its real body.
    const bool two_images = cubes_.has_two_along_a_period();
    for (Index i = 0; i < pairs_.n_bodies && pairs_.xi.extent(0) > 0; ++i) {
        if (pairs_.begin(i) == pairs_.begin(i + 1)) continue;
        const bool i_real = is_real(i);
        const Id i_id = bodies_.id(i);
        for (Index slot = pairs_.begin(i); slot < pairs_.begin(i + 1); ++slot) {
            const Index j = pairs_.partner_of(slot);
            const Id j_id = bodies_.id(j);
            if (two_images && !cubes_.is_nearest(bodies_.x(i) - bodies_.x(j)))
                continue;  // the spring is at the other image
            const bool under_i = i_real && (i_id < j_id || !is_real(j));
            pairs_.for_each_history([&](HistoryKind kind, const Array<double* [3]>& numbers) {
                const double* xi = under_i ? book.find(source(i), Partner(j_id).with(kind))
                                           : book.find(source(j), Partner(i_id).with(kind));
                if (xi == nullptr) return;
                const double sign = under_i || row_of(kind).exchange == Exchange::keep ? 1.0 : -1.0;
                for (int axis = 0; axis < 3; ++axis) numbers(slot, axis) = sign * xi[axis];
                pairs_.partner(slot) |= PairList::touching;
            });
        }
    }
}

// Counted work of each layer, for the balance. Without springs contacts are taken as a share of the candidates.
void Simulation::count_work() {
    layer_cost_.assign(layer_begin_.size() - 1, 0.0);
    if (comm_.size() == 1) return;
    const int first = slabs_.first(comm_.rank());
    const bool has_springs = pairs_.xi.extent(0) > 0;
    for (Index i = bodies_.owned.begin; i < bodies_.owned.end; ++i) {
        double contacts = 0;
        for (Index slot = pairs_.begin(i); slot < pairs_.begin(i + 1); ++slot)
            contacts += !has_springs ? usual_contact_share : pairs_.touches(slot) ? 1 : 0;
        layer_cost_[digit(bodies_.cube(i), 2) - first] +=
            ball_cost + candidate_cost * static_cast<double>(pairs_.begin(i + 1) - pairs_.begin(i)) +
            contact_cost * contacts;
    }
    for (const auto& c : wall_contacts_.candidates())
        layer_cost_[digit(bodies_.cube(c.body), 2) - first] += wall_candidate_cost;
    for (const WallBallCandidate& c : wall_ball_contacts_.candidates())
        layer_cost_[digit(bodies_.cube(c.body), 2) - first] += wall_ball_candidate_cost;
}

}  // namespace granary
