// A run that stops and goes on as if nothing had been. A checkpoint holds every body where it is and where it was at the last sort, with the
// forces on it and its springs. To go on, the bodies are sorted and searched where they were at the last sort: so the order, the
// lists and the sums are those of the run that stopped. Then they are put where they are, and nothing is computed anew.
// How many ranks there were and who owned what does not matter, as in any rebuild.
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/vector.hpp>
#include <functional>
#include "engine/simulation.hpp"
#include "core/errors.hpp"
#include "decomposition/exchange.hpp"
#include "decomposition/reductions.hpp"
#include "decomposition/rendezvous.hpp"
#include "core/state_problems.hpp"

namespace granary {

namespace {

// Words and all the same, however many ranks there are.
MassSum sum_over_ranks(const boost::mpi::communicator& comm, const MassSum& mine) {
    const std::uint64_t words[2] = {mine.units, mine.parts};
    std::uint64_t all[2];
    boost::mpi::all_reduce(comm, words, 2, all, std::plus<std::uint64_t>());
    MassSum sum{all[0], all[1]};
    sum.tidy();
    return sum;
}

// A sum of masses over all ranks; after loading the first rank has it. Older checkpoints rounded to whole units.
template <class Io>
void mass_state(Io& io, const boost::mpi::communicator& comm, const std::string& name, MassSum& mine) {
    MassSum mass = mine;
    if constexpr (!Io::loads) mass = sum_over_ranks(comm, mass);
    io(name, mass.units);
    if constexpr (Io::loads) {
        if (io.has(name + "_parts")) io(name + "_parts", mass.parts);
        mine = comm.rank() == 0 ? mass : MassSum{};
    } else {
        io(name + "_parts", mass.parts);
    }
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
    // Only the sums over the layers matter.
    std::vector<Vec3d> loads;
    if constexpr (!Io::loads)
        for (const WallLoad& l : wall_loads()) loads.insert(loads.end(), {l.force, l.torque});
    io("walls.loads", loads);
    if (setup_.mean_loads) {
        if constexpr (Io::loads) loads_.start(0, setup_.walls.size());
        loads_.run_state(io);
    }
    if constexpr (Io::loads)
        for (std::size_t k = 0; k + 1 < loads.size(); k += 2) scratch_.loads.push_back({loads[k], loads[k + 1]});

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
        mass_state(io, comm_, numbered("ledger", o, "mass_left"), mass_left_[o]);
    }
    if (setup_.delete_outside) {
        io.sum("ledger.deleted", deleted_), mass_state(io, comm_, "ledger.mass_deleted", mass_deleted_);
        bool known = first_deleted_.has_value();
        DeletedBall first = first_deleted_.value_or(DeletedBall{});
        io("ledger.deleted_any", known), io("ledger.first_deleted_id", first.id);
        io("ledger.first_deleted_step", first.step), io("ledger.first_deleted_time", first.time);
        io("ledger.first_deleted_radius", first.radius), io("ledger.first_deleted_speed", first.speed);
        io("ledger.first_deleted_position", first.position);
        if (known) first_deleted_ = first;
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
    if (bodies_.has(When::gear)) io(gear_name, 1);
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

int Simulation::owner_at_last_sort(const BodyRecord& body) const {
    const double* x = body.reference;
    return slabs_.owner(digit(cubes_.of(setup_.axes.in(Vec3d{x[0], x[1], x[2]})), 2));
}

// Each body goes to the rank that owns the layer where it was at the last sort, and stands there as it did then, but for force and torque.
void Simulation::take_saved_bodies(const StateSource& saved) {
    std::vector<double> count(cubes_.layers(), 0.0), all(count.size());
    constexpr Column where[] = {Column::id, Column::reference};
    const auto expect_none = [&](const std::string& problem) {  // a slice is the same moment on all ranks
        const std::string of_all = first_text(comm_, problem);
        if (!of_all.empty()) throw InputError("the checkpoint does not fit its case: " + of_all);
    };
    saved.for_bodies(
        [&](std::span<BodyRecord> slice) {
            expect_none(problem_of_reference(slice));
            for (BodyRecord& b : slice) {
                setup_.axes.turn_in(b.reference);
                ++count[digit(cubes_.of({b.reference[0], b.reference[1], b.reference[2]}), 2)];
            }
        },
        where);
    boost::mpi::all_reduce(comm_, count.data(), static_cast<int>(count.size()), all.data(), std::plus<double>());
    slabs_ = Slabs(balanced_cuts(all, comm_.size()), setup_.domain.periodic[2]);

    bodies_.reserve(static_cast<Index>(given_here(all) * 1.1) + 1024);
    saved.for_bodies([&](std::span<BodyRecord> slice) {
        expect_none(problem_of(slice, setup_.materials.size()));
        for (BodyRecord& b :
             to_owners<BodyRecord>(comm_, slice, [&](const BodyRecord& s) { return owner_at_last_sort(s); })) {
            setup_.axes.turn_in(b);
            std::copy_n(b.reference, 3, b.position);
            const Index at = bodies_.size++;
            bodies_.put(at, b);
            scratch_.new_cube.push_back(cubes_.of(bodies_.x(at)));
        }
    });
    scratch_.newcomers = {0, bodies_.size};
}

// The file is read piece by piece and never held: bodies, contacts twice to make the book of springs, and at the end once more
// where bodies are and what pushes them. So a run is taken up in the memory that it takes.
void Simulation::restore(const StateSource& saved) {
    if (bodies_.has(When::gear) && !saved.has(Column::acceleration))
        throw InputError("the checkpoint has no accelerations: it was written by another version, or for another case");
    take_saved_bodies(saved);
    StateLoader io(saved.header.run, state_ranks());
    run_state(io);
    std::vector<Id> crossed;
    io(crossed_name, crossed);
    if (wall_open_.size() != setup_.walls.size() || inserted_by_.size() != setup_.insertions.size() ||
        mass_by_.size() != inserted_by_.size() || drawn_by_.size() != inserted_by_.size() ||
        done_by_.size() != inserted_by_.size())
        throw InputError("the checkpoint does not fit its case: it has other walls or insertions");

    take_springs([&](const auto& use) {
        saved.for_contacts([&](std::span<ContactRecord> slice) {
            for (ContactRecord& c : slice) setup_.axes.turn_in(c);
            use(slice);
        });
    });
    sort_and_settle();
    walls_.move_to_remembered();  // walls too
    search();
    const std::size_t n_layers = layer_begin_.size() - 1;
    const bool other_layers =
        (setup_.mean_loads && loads_.integrals().size() != n_layers * WallLoads::items * setup_.walls.size()) ||
        (setup_.energy && energy_.layers().size() != n_layers * EnergyBook::width);
    if (boost::mpi::all_reduce(comm_, other_layers, std::logical_or<bool>()))
        throw InputError("the checkpoint does not fit its case: it has sums of other layers");
    const bool has_lowest = slabs_.first(comm_.rank()) == 0 && !slabs_.empty(comm_.rank());
    for (std::size_t w = 0; has_lowest && w < setup_.walls.size() && w < scratch_.loads.size(); ++w)
        loads_.put(0, w, scratch_.loads[w]);
    carry_history();
    count_work();
    scratch_.book.clear();
    give_back(saved, crossed);
    move_walls(setup_.dt);
    scratch_ = {};
}

// The lists stand; now everything is put where it was when the run stopped. Bodies come in the order in which they came before.
void Simulation::give_back(const StateSource& saved, const std::vector<Id>& crossed) {
    std::vector<Index> place(scratch_.new_cube.size());  // by old place
    for (std::size_t p = 0; p < scratch_.places.size(); ++p)
        if (!cubes_.is_image(scratch_.places[p].cube))
            place[scratch_.places[p].old_place] = bodies_.owned.begin + static_cast<Index>(p);
    auto next = place.begin();
    // What the sort and the search have set anew, and where bodies are.
    std::vector<Column> changed{Column::position}, read{Column::position, Column::reference};
    for (const ColumnRow& row : columns)
        if (row.at_sort == AtSort::set_anew && row.column != Column::reference) changed.push_back(row.column);
    read.insert(read.end(), changed.begin(), changed.end());
    saved.for_bodies(
        [&](std::span<BodyRecord> slice) {
            for (BodyRecord& b :
                 to_owners<BodyRecord>(comm_, slice, [&](const BodyRecord& s) { return owner_at_last_sort(s); })) {
                setup_.axes.turn_in(b);
                bodies_.put(*next++, b, changed);
            }
        },
        read);
    images_.refresh(bodies_, bodies_.owned);
    halo_.start();
    halo_.finish(bodies_);
    pair_forces_.mark_touching(bodies_, pairs_, reach_, law_->facts().has_history);
    outlets_.recall([&](Index i) { return std::binary_search(crossed.begin(), crossed.end(), bodies_.id(i)); });
}

}  // namespace granary
