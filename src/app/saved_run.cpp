// A run that stops and goes on as if nothing had been. A checkpoint holds every body where it is and where it was at the last sort, with the
// forces on it and its springs. To go on, the bodies are sorted and searched where they were at the last sort: so the order, the
// lists and the sums are those of the run that stopped. Then they are put where they are, and nothing is computed anew.
// How many ranks there were and who owned what does not matter, as in any rebuild.
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/vector.hpp>
#include <functional>
#include <unordered_map>
#include "app/simulation.hpp"
#include "core/errors.hpp"
#include "decomposition/exchange.hpp"
#include "decomposition/reductions.hpp"
#include "decomposition/rendezvous.hpp"
#include "io/state_problems.hpp"

namespace granary {

namespace {

template <class T> void turn_in(const Axes& axes, T* v) {
    const Vec3d a = axes.in(Vec3d{v[0], v[1], v[2]});
    v[0] = a.x, v[1] = a.y, v[2] = a.z;
}

std::string numbered(const char* what, std::size_t k, const char* member) {
    return std::string(what) + "." + std::to_string(k) + "." + member;
}

}  // namespace

// Everything but bodies, contacts and what follows from them or from the setup. A component with state of its own is called here.
template <class Io> void Simulation::run_state(Io& io) {
    io("run.step", step_), io("run.step_zero", step_zero_), io("run.time_zero", time_zero_), io("run.dt", setup_.dt);
    io("run.rebuild_asked", rebuild_asked_);
    if constexpr (Io::loads) {
        motion_.dt = setup_.dt;
        if (setup_.energy) energy_.start(0, setup_.walls.size());
        staleness_ = Staleness(setup_.skin, setup_.dt, setup_.longest_interval);
    }
    staleness_.run_state(io);
    // A check that is under way is waited for; its answer is used at the next step, as always.
    std::vector<double> answer;
    if constexpr (!Io::loads)
        if (travelling_.under_way()) answer = {travelling_.wait()[0], travelling_.wait()[1]};
    io("run.check_answer", answer);
    if constexpr (Io::loads)
        if (answer.size() == 2) travelling_.put({answer[0], answer[1], 0});

    if (motion_.integrator == Integrator::gear) io("run.last_dt", motion_.last_dt);
    if (setup_.energy) io("energy.at_start", energy_at_start_), energy_.run_state(io);
    // So are the forces that the servos wait for.
    std::vector<double> forces;
    if constexpr (!Io::loads)
        if (servo_forces_.under_way()) forces.assign(servo_forces_.wait().begin(), servo_forces_.wait().end());
    io("walls.servo_forces", forces);
    if constexpr (Io::loads)
        if (!forces.empty()) servo_forces_.put(forces);
    walls_.run_state(io);

    io("walls.open", wall_open_);
    // Loads of the last step that was asked for them; only their sums over the layers matter.
    std::vector<Vec3d> loads;
    if constexpr (!Io::loads)
        for (const WallLoad& l : wall_loads()) loads.insert(loads.end(), {l.force, l.torque});
    io("walls.loads", loads);
    if constexpr (Io::loads) {
        loads_.assign(
            static_cast<std::size_t>(slabs_.end(comm_.rank()) - slabs_.first(comm_.rank())) * setup_.walls.size(), {});
        for (std::size_t w = 0; w < setup_.walls.size() && 2 * w + 1 < loads.size(); ++w)
            if (slabs_.first(comm_.rank()) == 0 && !slabs_.empty(comm_.rank()))
                loads_[w] = {loads[2 * w], loads[2 * w + 1]};
    }

    io("insertions.balls", inserted_by_), io("insertions.drawn", drawn_by_), io("insertions.mass", mass_by_),
        io("insertions.done", done_by_);
    for (std::size_t k = 0; k < setup_.insertions.size(); ++k) {
        InsertionSpec& s = setup_.insertions[k];  // its steps follow from the times at which dt changed
        io(numbered("insertions", k, "first_step"), s.first_step);
        io(numbered("insertions", k, "interval"), s.interval);
        io(numbered("insertions", k, "first_event"), s.first_event);
    }
    io("ledger.next_id", next_id_), io("ledger.inserted", inserted_), io("ledger.mass_inserted", mass_inserted_);
    for (std::size_t o = 0; o < left_.size(); ++o) {
        io.sum(numbered("ledger", o, "left"), left_[o]);
        io.sum(numbered("ledger", o, "mass_left"), mass_left_[o]);
    }
    io("events.rebuilds", mine_.rebuilds), io("events.cut_moves", mine_.cut_moves);
    io.sum("events.migrations", mine_.migrations), io.sum("events.wraps", mine_.wraps);
}

StateRanks Simulation::state_ranks() const {
    StateRanks ranks;
    ranks.first = comm_.rank() == 0;
    ranks.sum = [this](std::uint64_t n) { return boost::mpi::all_reduce(comm_, n, std::plus<std::uint64_t>()); };
    ranks.all_layers = [this](std::span<const double> mine, int width) {
        return gather_layers(comm_, slabs_, mine, width);
    };
    ranks.my_layers = [this](std::span<const double> all, int width) {
        return layers_of(slabs_, comm_.rank(), all, width);
    };
    return ranks;
}

SavedState Simulation::save() {
    SavedState saved;
    StateSaver io(saved, state_ranks());
    run_state(io);
    io(crossed_name, crossed_ids());
    if (bodies_.with_derivatives) {
        const auto [ids, rates] = all_derivatives();
        io(gear_name, 1), io("gear.ids", ids), io("gear.rates", rates);
    }
    return saved;
}

// Of all ranks: those that are counted out and still in the arrays.
std::vector<Id> Simulation::crossed_ids() const {
    std::vector<Id> mine;
    outlets_.for_each_crossed([&](Index i) { mine.push_back(bodies_.id(i)); });
    std::vector<std::vector<Id>> all;
    boost::mpi::all_gather(comm_, mine, all);
    std::vector<Id> ids;
    for (const std::vector<Id>& of_rank : all) ids.insert(ids.end(), of_rank.begin(), of_rank.end());
    std::sort(ids.begin(), ids.end());
    return ids;
}

// Of all bodies of all ranks, in the one order. They are no fields of the file, since few runs have them; so every rank holds all of them for a
// moment, 104 bytes a ball.
Simulation::Derivatives Simulation::all_derivatives() {
    Derivatives mine, all;
    for (const Range& run : bodies_.real)
        for (Index i = run.begin; i < run.end; ++i) {
            mine.ids.push_back(bodies_.id(i));
            bodies_.for_each_derivative(
                [&](const char*, Quads& view) { mine.rates.insert(mine.rates.end(), &view(i, 0), &view(i, 0) + 3); });
        }
    std::vector<std::vector<Id>> ids;
    std::vector<std::vector<double>> rates;
    boost::mpi::all_gather(comm_, mine.ids, ids);
    boost::mpi::all_gather(comm_, mine.rates, rates);
    for (const auto& list : ids) all.ids.insert(all.ids.end(), list.begin(), list.end());
    for (const auto& list : rates) all.rates.insert(all.rates.end(), list.begin(), list.end());
    return all;
}

void Simulation::take_derivatives(const Derivatives& all) {
    constexpr std::size_t width = 12;
    if (all.rates.size() != width * all.ids.size())
        throw InputError("the checkpoint does not fit its case: gear.rates");
    std::unordered_map<Id, std::size_t> place;
    for (std::size_t k = 0; k < all.ids.size(); ++k) place[all.ids[k]] = k;
    for (const Range& run : bodies_.real)
        for (Index i = run.begin; i < run.end; ++i) {
            const double* from = all.rates.data() + width * place.at(bodies_.id(i));
            bodies_.for_each_derivative([&](const char*, Quads& view) {
                view(i, 3) = 0;
                for (int axis = 0; axis < 3; ++axis) view(i, axis) = *from++;
            });
        }
}

// Each body goes to the rank that owns the layer where it was at the last sort, each spring to its bodies.
void Simulation::take_shares(StateData& saved) {
    std::vector<double> count(cubes_.layers(), 0.0), all(count.size());
    const auto layer_of = [&](const StateBody& b) {
        return digit(cubes_.of({b.reference[0], b.reference[1], b.reference[2]}), 2);
    };
    for (StateBody& b : saved.bodies) {
        for (double* v : {b.position, b.velocity, b.spin, b.force, b.torque, b.reference}) turn_in(setup_.axes, v);
        ++count[layer_of(b)];
    }
    boost::mpi::all_reduce(comm_, count.data(), static_cast<int>(count.size()), all.data(), std::plus<double>());
    slabs_ = Slabs(balanced_cuts(all, comm_.size()), setup_.domain.periodic[2]);

    std::vector<std::vector<StateBody>> out(comm_.size());
    for (const StateBody& b : saved.bodies) out[slabs_.owner(layer_of(b))].push_back(b);
    std::vector<StateBody>().swap(saved.bodies);
    saved.bodies = exchange_all(comm_, out).items;
    std::vector<Id> ids;
    for (const StateBody& b : saved.bodies) ids.push_back(b.id);
    for (ContactRecord& c : saved.contacts) turn_in(setup_.axes, c.xi);
    saved.contacts = springs_of(comm_, ids, saved.contacts);
}

void Simulation::restore(StateData saved) {
    const std::string problem = first_text(comm_, problem_of(saved.bodies, setup_.materials.size()));
    if (!problem.empty()) throw InputError("the checkpoint does not fit its case: " + problem);
    take_shares(saved);
    StateLoader io(saved.header.run, state_ranks());
    run_state(io);
    std::vector<Id> crossed;
    io(crossed_name, crossed);
    if (wall_open_.size() != setup_.walls.size() || inserted_by_.size() != setup_.insertions.size() ||
        mass_by_.size() != inserted_by_.size() || drawn_by_.size() != inserted_by_.size() ||
        done_by_.size() != inserted_by_.size())
        throw InputError("the checkpoint does not fit its case: it has other walls or insertions");

    // As they were at the last sort.
    bodies_.reserve(static_cast<Index>(saved.bodies.size() + saved.bodies.size() / 10) + 1024);
    if (setup_.bands) bodies_.add_bands();
    scratch_.book.start(0);
    std::vector<ContactBook::Entry> entries;
    for (const StateBody& b : saved.bodies) {
        const Index at = bodies_.size++;
        put(bodies_, at, b);
        for (int axis = 0; axis < 3; ++axis) bodies_.position(at, axis) = b.reference[axis];
        scratch_.new_cube.push_back(cubes_.of(bodies_.x(at)));
        entries.clear();
        for (auto c = std::lower_bound(saved.contacts.begin(), saved.contacts.end(), b.id,
                                       [](const ContactRecord&r, Id id) { return r.body < id; });
             c != saved.contacts.end() && c->body == b.id; ++c)
            entries.push_back({c->partner, {c->xi[0], c->xi[1], c->xi[2]}});
        scratch_.book.append(entries);
    }
    scratch_.newcomers = {0, bodies_.size};
    sort_and_settle();
    walls_.move_to_remembered();  // walls too
    search();
    carry_history();
    count_work();
    give_back(saved.bodies, crossed);
    if (bodies_.with_derivatives) {
        Derivatives all;
        io("gear.ids", all.ids), io("gear.rates", all.rates);
        take_derivatives(all);
    }
    move_walls(setup_.dt);
    scratch_ = {};
}

// The lists stand; now everything is put where it was when the run stopped.
void Simulation::give_back(const std::vector<StateBody>& saved, const std::vector<Id>& crossed) {
    for (std::size_t p = 0; p < scratch_.places.size(); ++p) {
        if (cubes_.is_image(scratch_.places[p].cube)) continue;
        const Index i = bodies_.owned.begin + static_cast<Index>(p);
        const StateBody& b = saved[scratch_.places[p].old_place];
        for (int axis = 0; axis < 3; ++axis) {
            bodies_.position(i, axis) = b.position[axis];
            bodies_.force(i, axis) = b.force[axis];
            bodies_.torque(i, axis) = b.torque[axis];
        }
    }
    images_.refresh(bodies_, bodies_.owned);
    halo_.start();
    halo_.finish(bodies_);
    const bool with_history = std::visit([]<class Law>(const LawSet<Law>&) { return Law::has_history; }, law_);
    pair_forces_.mark_touching(bodies_, pairs_, reach_, with_history);
    outlets_.recall([&](Index i) { return std::binary_search(crossed.begin(), crossed.end(), bodies_.id(i)); });
}

}  // namespace granary
