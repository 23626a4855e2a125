#include "engine/forces.hpp"

#include <algorithm>
#include <utility>
#include "contact/spring_displacements.hpp"

namespace granary {

namespace {

// Counted work, in nanoseconds of a typical core: what a ball, a candidate and a contact cost in a step.
constexpr double ball_cost = 12, candidate_cost = 7, contact_cost = 24;
// What a candidate at a wall costs.
constexpr double wall_candidate_cost = 40;
// What a candidate at a wall ball costs: a distance, and a contact for some.
constexpr double wall_ball_candidate_cost = 12;
constexpr double usual_contact_share = 0.5;
constexpr double bond_cost = 30;
constexpr double shape_wall_cost = 150;  // a candidate of a shape at a wall

const std::string across_ranges = "contact::pairs_across_ranges", within_ranges = "contact::pairs_within_ranges",
                  at_walls = "walls::forces", shapes_at_walls = "walls::forces_on_shapes",
                  at_wall_balls = "walls::forces_at_balls", carry_name = "contact::carry_springs",
                  springs_follow = "contact::springs_follow_displacements";

// By body, whichever rank it is on.
void merge_samples(std::vector<WallSample>& samples, std::ptrdiff_t middle) {
    std::inplace_merge(samples.begin(), samples.begin() + middle, samples.end(),
                       [](const WallSample& a, const WallSample& b) { return a.body < b.body; });
}

}  // namespace

std::vector<char> Forces::walls_without_surface(const Setup& setup) const {
    std::vector<char> without = wall_open;
    for (std::size_t w = 0; w < without.size(); ++w) without[w] |= setup.walls_of_balls[w];
    return without;
}

void Forces::search(const boost::mpi::communicator& comm, const Setup& setup, const Bodies& bodies,
                    const Neighbourhood& hood, const MovingWalls& walls) {
    const double margin = list_reach(setup) + setup.skin;
    const bool with_history = law->facts().has_history;
    const SearchTask task{bodies, hood.cubes, margin, with_history && !shapes.possible(), hood.ranges};
    if (shapes.possible()) shapes.before_search(pairs);
    pair_search_.search(comm, hood.slabs, setup.detector, setup.alpha, task, pairs);
    if (shapes.possible()) shapes.find(bodies, pairs, with_history, setup.skin);
    const bool rolling = law->facts().keeps_rolling_spring;
    if (rolling) pairs.add_rolling_springs();
    prepare_pair_loops(hood);
    wall_contacts.find(bodies, walls.walls(), margin, walls_without_surface(setup), hood.ranges);
    wall_balls.find(bodies, margin, wall_open, wall_ball_contacts.candidates());
    drop_held_pairs(bodies);
    if (shapes.possible()) shapes.walls.take(wall_contacts.candidates(), wall_ball_contacts.candidates(), bodies);
    if (rolling) wall_contacts.add_rolling_springs();
    wall_ball_contacts.prepare(rolling);
    expect_loads(setup, bodies, hood);
}

void Forces::prepare_pair_loops(const Neighbourhood& hood) {
    pair_ranges_ = hood.ranges;
    pair_ranges_.back().bodies.end = pair_ranges_.back().last_layer =
        pairs.n_bodies;  // the last have no upper partners
    pair_loops_.resize(std::max(pair_loops_.size(), pair_ranges_.size()));
    pair_loops_.front().prepare(pairs);
    for (std::size_t k = 0; k < pair_ranges_.size() && pair_ranges_.size() > 1; ++k)
        pair_loops_[k].prepare(pairs, pair_ranges_[k]);
}

void Forces::expect_loads(const Setup& setup, const Bodies& bodies, const Neighbourhood& hood) {
    loads.start(hood.n_layers(), setup.walls.size());
    for (const WallCandidate& c : wall_contacts.candidates()) loads.expect(hood.layer_of(bodies, c.body), c.wall);
    for (const WallCandidate& c : shapes.walls.candidates()) loads.expect(hood.layer_of(bodies, c.body), c.wall);
    for (const WallBallCandidate& c : shapes.walls.at_balls())
        loads.expect(hood.layer_of(bodies, c.body), wall_balls.balls()[c.ball].wall);
    for (const WallBallCandidate& c : wall_ball_contacts.candidates())
        loads.expect(hood.layer_of(bodies, c.body), wall_balls.balls()[c.ball].wall);
}

// Held bodies do not push each other, and walls do not push them: neither would move.
void Forces::drop_held_pairs(const Bodies& bodies) {
    if (!bodies.has(When::held)) return;
    for (Index i = 0; i < pairs.n_bodies; ++i)
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1) && bodies.held(i) != 0; ++slot)
            if (bodies.held(pairs.partner_of(slot)) != 0) pairs.mask(slot);
    const auto is_held = [&](const auto& candidate) { return bodies.held(candidate.body) != 0; };
    std::erase_if(wall_contacts.candidates(), is_held);
    std::erase_if(wall_ball_contacts.candidates(), is_held);
}

void Forces::carry(const Bodies& bodies, const Neighbourhood& hood, const Before& before) {
    const auto& [springs, stays, history, places] = before;
    const auto source = [&](Index i) { return before.places[i - bodies.owned.begin].old_index(); };
    const auto noted = [&](Index body, const Partner& partner) { return before.history.find(source(body), partner); };
    wall_contacts.carry(noted);
    wall_ball_contacts.carry(wall_balls.balls(), noted);

    if (bonds.possible()) bonds.carry(bodies, hood, history, places, pairs);
    if (shapes.possible()) {
        shapes.carry(bodies, hood, history, places, reach);
        shapes.walls.carry([&](Index body) { return before.history.of(source(body)); });
    }
    if (pairs.xi.extent(0) > 0) carry_springs(bodies, hood, before);
}

// The springs of two bodies that have stayed are found by their old indices. Of others, a pair of two real bodies is
// noted under the smaller id, any other under its real body.
void Forces::carry_springs(const Bodies& bodies, const Neighbourhood& hood, const Before& before) {
    const bool two_images = hood.cubes.has_two_along_a_period();
    const BodyLayers layers = hood.layers(bodies);
    struct Was {
        bool real, stays;
        Index at;  // old index
    };
    const auto was = [&](Index i) {
        if (!layers.is_real(i)) return Was{false, false, 0};
        const Index at = before.places[i - bodies.owned.begin].old_index();
        return Was{true, at < before.stays.size() && before.stays[at] != 0, at};
    };
    const auto carry_of = [&](Index i) {
        if (pairs.begin(i) == pairs.begin(i + 1)) return;
        const Was was_i = was(i);
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot) {
            const Index j = pairs.partner_of(slot);
            if (two_images && !hood.cubes.is_nearest(bodies.x(i) - bodies.x(j)))
                continue;  // the spring is at the other image
            const Was was_j = was(j);
            const auto give = [&](const Array<double* [3]>& numbers, const double* xi, double sign) {
                for (int axis = 0; axis < 3; ++axis) numbers(slot, axis) = sign * xi[axis];
                pairs.partner(slot) |= PairList::touching;
            };
            if (was_i.stays && was_j.stays) {
                before.springs.for_each(was_i.at, was_j.at, [&](HistoryKind kind, const double* xi) {
                    give(kind == HistoryKind::rolling ? pairs.theta : pairs.xi, xi, 1.0);
                });
                continue;
            }
            const Id i_id = bodies.id(i), j_id = bodies.id(j);
            const bool under_i = was_i.real && (i_id < j_id || !was_j.real);
            if (before.history.of(under_i ? was_i.at : was_j.at).empty()) continue;
            pairs.for_each_history([&](HistoryKind kind, const Array<double* [3]>& numbers) {
                const double* xi = under_i ? before.history.find(was_i.at, {PartnerClass::body, j_id, 0, kind})
                                           : before.history.find(was_j.at, {PartnerClass::body, i_id, 0, kind});
                if (xi != nullptr) give(numbers, xi, under_i ? 1.0 : exchange_sign(kind));
            });
        }
    };
    in_parallel(carry_name, pair_ranges_.size(), [&](std::size_t k) {
        for (Index i = pair_ranges_[k].bodies.begin; i < pair_ranges_[k].bodies.end; ++i) carry_of(i);
    });
}

std::vector<ContactRecord> Forces::wall_records() const {
    std::vector<ContactRecord> springs = wall_contacts.springs();
    const auto add = [&](const std::vector<ContactRecord>& more) {
        const auto middle = static_cast<std::ptrdiff_t>(springs.size());
        springs.insert(springs.end(), more.begin(), more.end());
        std::inplace_merge(springs.begin(), springs.begin() + middle, springs.end(),
                           [](const ContactRecord& a, const ContactRecord& b) { return a.body < b.body; });
    };
    add(wall_ball_contacts.springs(wall_balls.balls()));
    if (shapes.possible()) add(shapes.walls.records());
    return springs;
}

void Forces::count_work(const boost::mpi::communicator& comm, const Bodies& bodies, Neighbourhood& hood) const {
    hood.layer_cost.assign(hood.n_layers(), 0.0);
    if (comm.size() == 1) return;
    const bool has_springs = pairs.xi.extent(0) > 0;
    for (Index i = bodies.owned.begin; i < bodies.owned.end; ++i) {
        double contacts = 0;
        for (Index slot = pairs.begin(i); slot < pairs.begin(i + 1); ++slot)
            contacts += !has_springs ? usual_contact_share : pairs.touches(slot) ? 1 : 0;
        hood.layer_cost[hood.layer_of(bodies, i)] +=
            ball_cost + candidate_cost * static_cast<double>(pairs.begin(i + 1) - pairs.begin(i)) +
            contact_cost * contacts;
    }
    for (Index b = 0; b < bonds.list.size; ++b)
        if (bodies.owned.contains(bonds.list.lower(b)))
            hood.layer_cost[hood.layer_of(bodies, bonds.list.lower(b))] += bond_cost;
    for (const WallCandidate& c : wall_contacts.candidates())
        hood.layer_cost[hood.layer_of(bodies, c.body)] += wall_candidate_cost;
    shapes.for_each_cost([&](Index i, double cost) {
        if (bodies.owned.contains(i)) hood.layer_cost[hood.layer_of(bodies, i)] += cost;
    });
    for (const WallCandidate& c : shapes.walls.candidates())
        hood.layer_cost[hood.layer_of(bodies, c.body)] += shape_wall_cost;
    for (const WallBallCandidate& c : wall_ball_contacts.candidates())
        hood.layer_cost[hood.layer_of(bodies, c.body)] += wall_ball_candidate_cost;
}

void Forces::of_walls(const Setup& setup, Bodies& bodies, const Neighbourhood& hood, const MovingWalls& walls,
                      double dt, Requests& requests) {
    if (setup.energy) energy.forget_elastic();
    loads.clear();
    samples_are_new_ = std::exchange(requests.walls_, false);
    if (samples_are_new_) wall_samples.clear();
    wall_contacts.note_in(samples_are_new_ ? &wall_samples : nullptr);
    if (shapes.possible()) of_shapes_at_walls(setup, bodies, hood, walls, dt);
    if (wall_contacts.candidates().empty()) return;
    const auto noted = static_cast<std::ptrdiff_t>(wall_samples.size());
    EnergySumsWatch observer = watch(bodies, hood);
    const WallsNow now = walls_now(bodies, hood, walls);
    in_parallel(at_walls, hood.ranges.size(), [&](std::size_t k) {
        wall_law_->add_forces(wall_contacts, bodies, hood.ranges[k].bodies, k, now, dt,
                              setup.energy ? &observer : nullptr);
    });
    wall_contacts.collect_samples();
    if (samples_are_new_ && noted > 0) merge_samples(wall_samples, noted);
}

WallsNow Forces::walls_now(const Bodies& bodies, const Neighbourhood& hood, const MovingWalls& walls) {
    return {walls.walls(), walls.twists(), walls.displacements(), loads.now(), hood.layers(bodies)};
}

// f(range, where it notes its samples; null: nowhere) for all ranges side by side.
template <class F> void Forces::note_samples(const std::string& name, const Neighbourhood& hood, const F& f) {
    range_samples_.resize(hood.ranges.size());
    in_parallel(name, hood.ranges.size(),
                [&](std::size_t k) { f(hood.ranges[k].bodies, samples_are_new_ ? &range_samples_[k] : nullptr); });
    for (std::vector<WallSample>& mine : range_samples_) {
        wall_samples.insert(wall_samples.end(), mine.begin(), mine.end());
        mine.clear();
    }
}

void Forces::of_shapes_at_walls(const Setup& setup, Bodies& bodies, const Neighbourhood& hood, const MovingWalls& walls,
                                double dt) {
    shapes.place_owned(bodies);
    if (!shapes.walls.any()) return;
    shapes.walls.find_touches(shapes.placed, bodies, walls.walls(), wall_balls.balls(), reach, hood.ranges);
    EnergySumsWatch observer = watch(bodies, hood);
    const WallsNow now = walls_now(bodies, hood, walls);
    note_samples(shapes_at_walls, hood, [&](Range range, std::vector<WallSample>* note) {
        wall_law_->add_forces(shapes.walls, bodies, range, now, dt, setup.energy ? &observer : nullptr, note);
    });
}

// The loads count to the walls that the balls belong to.
void Forces::of_wall_balls(const Setup& setup, Bodies& bodies, const Neighbourhood& hood, const MovingWalls& walls,
                           double dt) {
    if (wall_ball_contacts.candidates().empty()) return;
    const auto noted = static_cast<std::ptrdiff_t>(wall_samples.size());
    EnergySumsWatch observer = watch(bodies, hood);
    const WallsNow now = walls_now(bodies, hood, walls);
    note_samples(at_wall_balls, hood, [&](Range range, std::vector<WallSample>* note) {
        wall_law_->add_forces(wall_ball_contacts, wall_balls.balls(), bodies, range, now, dt,
                              setup.energy ? &observer : nullptr, note);
    });
    if (samples_are_new_) merge_samples(wall_samples, noted);
}

void Forces::of_bonds(const Setup& setup, Bodies& bodies, const Neighbourhood& hood, const Clock& clock, double dt,
                      Requests& requests) {
    bonds.add_forces(setup, bodies, pairs, hood, clock, dt, requests);
}

void Forces::of_pairs(const Setup& setup, Bodies& bodies, const Neighbourhood& hood, double dt, Requests& requests) {
    const Range all{0, pairs.n_bodies};
    if (shapes.possible()) shapes.find_touches(bodies, reach, pair_ranges_.size());
    if (bodies.has(When::gear))
        in_parallel(springs_follow, pair_ranges_.size(),
                    [&](std::size_t k) { springs_follow_displacements(bodies, pairs, pair_ranges_[k].bodies, dt); });
    if (std::exchange(requests.pairs_, false)) {
        pair_samples.clear();
        for (const Range& real : bodies.real)
            law->sample(bodies, pairs, {real.begin, std::min(real.end, all.end)}, dt, pair_samples);
        if (bonds.possible() || shapes.possible()) sample_others(bodies, hood, dt);
    }
    EnergySumsWatch observer = watch(bodies, hood);
    add_pair_forces(bodies, dt, setup.energy ? &observer : nullptr);
    bonds.add_offset_forces(*law, bodies, pairs, dt, setup.energy ? &observer : nullptr);
    if (shapes.possible()) shapes.add_forces(*law, bodies, pair_ranges_, dt, setup.energy ? &observer : nullptr);
}

void Forces::add_pair_forces(Bodies& bodies, double dt, EnergyWatch* watch) {
    const std::span<const LayeredRange> ranges = pair_ranges_;
    if (ranges.size() == 1) {
        law->add_forces(pair_loops_.front(), bodies, pairs, {0, pairs.n_bodies}, dt, watch);
        return;
    }
    in_parallel(across_ranges, ranges.size() - 1,
                [&](std::size_t k) { law->add_forces_across(pair_loops_[k], bodies, pairs, ranges[k], dt, watch); });
    in_parallel(within_ranges, ranges.size(),
                [&](std::size_t k) { law->add_forces_within(pair_loops_[k], bodies, pairs, ranges[k], dt, watch); });
}

// Bonds, pairs with an offset and shapes push and pull too. In the order of the lower bodies, as all samples are.
void Forces::sample_others(const Bodies& bodies, const Neighbourhood& hood, double dt) {
    std::vector<PairSample> more;
    sample_bonds(bodies, bonds.list, bonds.types(), dt, more);
    law->sample_offset(bodies, pairs, bonds.offsets, dt, more);
    if (shapes.possible()) law->sample_shapes(bodies, shapes.touches(), dt, more);
    for (const PairSample& s : more)
        if (hood.is_real(bodies, s.i)) pair_samples.push_back(s);
    std::stable_sort(pair_samples.begin(), pair_samples.end(),
                     [](const PairSample& a, const PairSample& b) { return a.i < b.i; });
}

void Forces::send_servo_forces(const Setup& setup, const Slabs& slabs) {
    const std::span<const WallLoad> now = loads.now();
    servo_layers_.resize(3 * now.size());
    for (std::size_t k = 0; k < now.size(); ++k)
        for (int axis = 0; axis < 3; ++axis)
            servo_layers_[3 * k + static_cast<std::size_t>(axis)] = at(now[k].force, axis);
    servo_forces.start(slabs, servo_layers_, static_cast<int>(3 * setup.walls.size()));
}

void Forces::move_layers(const boost::mpi::communicator& comm, const Setup& setup, const Slabs& from, const Slabs& to) {
    const auto moved = [&](std::span<const double> mine, std::size_t width) {
        const int n = static_cast<int>(width);
        return layers_of(to, comm.rank(), gather_layers(comm, from, mine, n), n);
    };
    if (setup.energy) energy.set_layers(moved(energy.layers(), EnergySums::width));
    if (setup.energy && bonds.possible()) bonds.set_energy(moved(bonds.energy(), BondedPairs::energy_width));
    if (setup.mean_loads) loads.set_integrals(moved(loads.integrals(), WallLoads::items * setup.walls.size()));
}

std::uint64_t Forces::bytes() const {
    return pairs.bytes() + bonds.bytes() + shapes.bytes() + pair_search_.bytes() + wall_balls.bytes();
}

}  // namespace granary
