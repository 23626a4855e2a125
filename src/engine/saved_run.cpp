// A run that stops and goes on as if nothing had been. A checkpoint holds every body where it is and where it was at
// the last sort, with the forces on it and its springs. To go on, the bodies are sorted and searched where they were at
// the last sort: so the order, the lists and the sums are those of the run that stopped. Then they are put where they
// are, and nothing is computed anew. How many ranks there were and who owned what does not matter, as in any rebuild.
#include <fmt/format.h>
#include <algorithm>
#include <boost/mpi/collectives.hpp>
#include <boost/serialization/vector.hpp>
#include <cmath>
#include <functional>
#include <utility>
#include "engine/held_here.hpp"
#include "engine/measures.hpp"
#include "core/contact_record.hpp"
#include "core/errors.hpp"
#include "decomposition/exchange.hpp"
#include "decomposition/reductions.hpp"
#include "decomposition/rendezvous.hpp"
#include "engine/simulation.hpp"
#include "core/state_problems.hpp"

namespace granary {

namespace {

InputError does_not_fit(const std::string& why) { return InputError("the checkpoint does not match its case: " + why); }

// What is wrong with the numbers of a checkpoint that are divided by, counted with or converted; empty: nothing. A file
// may hold any, be it damaged before it was sealed or made by somebody else.
constexpr std::uint64_t many_steps = std::uint64_t{1} << 47;  // beyond, keys of random numbers would not fit their bits

std::string problem_of_clock(const Clock& clock) {
    const std::uint64_t step = clock.step(), step_zero = clock.step_zero();
    const double time_zero = clock.time_zero(), dt = clock.dt();
    if (!(dt > 0) || !std::isfinite(dt) || !std::isfinite(time_zero))
        return fmt::format("dt is {} s, and time is counted from {} s", dt, time_zero);
    if (step >= many_steps || step_zero > step)
        return fmt::format("it is of step {}, and time is counted from step {}", step, step_zero);
    return {};
}

std::string problem_of_ids(const Bodies& bodies, Id next) {
    if (next > most_ids) return fmt::format("the number of the next ball is {}", next);
    for (Index i = 0; i < bodies.size; ++i)
        if (bodies.id(i) >= next)
            return fmt::format("the number of the next ball is {}, and there is a ball {}", next, bodies.id(i));
    return {};
}

std::string problem_of_insertion(std::size_t k, const InsertionSpec& s, std::uint64_t drawn, double mass,
                                 std::uint64_t step) {
    if (s.interval == 0 || s.interval >= many_steps || s.first_step >= many_steps || s.first_event > step + 1)
        return fmt::format("insertion {} begins at step {} with event {} and goes on every {} steps", k, s.first_step,
                           s.first_event, s.interval);
    if (!std::isfinite(mass)) return fmt::format("insertion {} has let in {} kg", k, mass);
    if (drawn >= many_steps) return fmt::format("insertion {} has drawn {} grains", k, drawn);
    return {};
}

}  // namespace

// Everything but bodies, contacts and what follows from them or from the setup. A component with state of its own is
// called here.
template <class Io> void Simulation::run_state(Io& io) {
    clock_.run_state(io);
    io("run.rebuild_asked", rebuild_asked_);
    if constexpr (Io::loads) {
        motion_.dt = setup_.dt = clock_.dt();
        if (setup_.energy) forces_.energy.start(0, setup_.walls.size());
        hood_.staleness = Staleness(setup_.skin, setup_.dt, setup_.longest_interval);
    }
    hood_.staleness.run_state(io);
    // A check that is under way is waited for; its answer is used at the next step, as always.
    std::vector<double> answer;
    if constexpr (!Io::loads)
        if (travelling_.under_way()) answer = {travelling_.wait()[0], travelling_.wait()[1]};
    io("run.check_answer", answer);
    if constexpr (Io::loads)
        if (answer.size() == 2) travelling_.put({answer[0], answer[1], 0});

    if (motion_.integrator == Integrator::gear) io("run.last_dt", motion_.last_dt);
    if (setup_.energy) io("energy.at_start", forces_.energy_at_start), forces_.energy.run_state(io);
    // So are the forces that the servos wait for.
    std::vector<double> forces;
    if constexpr (!Io::loads)
        if (forces_.servo_forces.under_way())
            forces.assign(forces_.servo_forces.wait().begin(), forces_.servo_forces.wait().end());
    io("walls.servo_forces", forces);
    if constexpr (Io::loads) {
        if (!forces.empty() && forces.size() != 3 * setup_.walls.size())
            throw does_not_fit("it has forces of other walls");
        if (!forces.empty()) forces_.servo_forces.put(forces);
    }
    walls_.run_state(io);

    io("walls.open", forces_.wall_open);
    // Only the sums over the layers matter.
    std::vector<Vec3d> loads;
    if constexpr (!Io::loads)
        for (const WallLoad& l : wall_loads_of(*this)) loads.insert(loads.end(), {l.force, l.torque});
    io("walls.loads", loads);
    if (setup_.mean_loads) {
        if (!Io::loads && std::exchange(requests_.restart_means_, false)) forces_.loads.begin_integrals();
        if constexpr (Io::loads) forces_.loads.start(0, setup_.walls.size());
        forces_.loads.run_state(io);
    }
    if constexpr (Io::loads)
        for (std::size_t k = 0; k + 1 < loads.size(); k += 2) scratch_->loads.push_back({loads[k], loads[k + 1]});

    inserter_.run_state(io);
    for (std::size_t k = 0; k < setup_.insertions.size(); ++k) {
        InsertionSpec& s = setup_.insertions[k];  // its steps follow from the times at which dt changed
        io(numbered("insertions", k, "first_step"), s.first_step);
        io(numbered("insertions", k, "interval"), s.interval);
        io(numbered("insertions", k, "first_event"), s.first_event);
    }
    counts_.run_state(io, comm_, setup_.delete_outside);
    if (forces_.bonds.possible()) forces_.bonds.run_state(io);
    io("events.rebuilds", hood_.rebuilds), io("events.cut_moves", hood_.cut_moves);
    io.sum("events.migrations", hood_.migrations), io.sum("events.wraps", hood_.wraps);
}

StateRanks Simulation::state_ranks() const {
    StateRanks ranks;
    ranks.first = comm_.rank() == 0;
    ranks.sum = [this](std::uint64_t n) { return boost::mpi::all_reduce(comm_, n, std::plus<std::uint64_t>()); };
    ranks.all_layers = [this](std::span<const double> mine, int width) {
        return gather_layers(comm_, hood_.slabs, mine, width);
    };
    ranks.my_layers = [this](std::span<const double> all, int width) {
        return layers_of(hood_.slabs, comm_.rank(), all, width);
    };
    return ranks;
}

SavedState Simulation::save() const {
    SavedState saved;
    StateSaver io(saved, state_ranks());
    const_cast<Simulation*>(this)->run_state(io);  // one function for both ways; a saver only reads
    io(crossed_name, counts_.crossed_ids(comm_, bodies_));
    if (bodies_.has(When::gear)) io(gear_name, 1);
    return saved;
}

int Simulation::owner_at_last_sort(const BodyRecord& body) const {
    const double* x = body.reference;
    return hood_.slabs.owner(digit(hood_.cubes.of(setup_.axes.in(Vec3d{x[0], x[1], x[2]})), 2));
}

// Each body goes to the rank that owns the layer where it was at the last sort, and stands there as it did then, but
// for force and torque.
void Simulation::take_saved_bodies(const StateSource& saved) {
    std::vector<double> count(hood_.cubes.layers(), 0.0), all(count.size());
    constexpr Column where[] = {Column::id, Column::reference};
    const auto expect_none = [&](const std::string& problem) {  // a slice is the same moment on all ranks
        const std::string of_all = first_text(comm_, problem);
        if (!of_all.empty()) throw does_not_fit(of_all);
    };
    saved.for_bodies(
        [&](std::span<BodyRecord> slice) {
            expect_none(problem_of_reference(slice));
            for (BodyRecord& b : slice) {
                setup_.axes.turn_in(b.reference);
                ++count[digit(hood_.cubes.of({b.reference[0], b.reference[1], b.reference[2]}), 2)];
            }
        },
        where);
    boost::mpi::all_reduce(comm_, count.data(), static_cast<int>(count.size()), all.data(), std::plus<double>());
    hood_.slabs = Slabs(balanced_cuts(all, comm_.size()), setup_.domain.periodic[2]);

    bodies_.reserve(static_cast<Index>(1.03 * held_here(hood_, comm_.rank(), all)) + 1024);
    saved.for_bodies([&](std::span<BodyRecord> slice) {
        expect_none(problem_of(slice, setup_.materials.size(), setup_.holds.size(), setup_.shapes.size()));
        for (BodyRecord& b :
             to_owners<BodyRecord>(comm_, slice, [&](const BodyRecord& s) { return owner_at_last_sort(s); })) {
            setup_.axes.turn_in(b);
            std::copy_n(b.reference, 3, b.position);
            const Index at = bodies_.size++;
            bodies_.put(at, b);
            scratch_->new_cube.push_back(hood_.cubes.of(bodies_.x(at)));
        }
    });
    scratch_->newcomers = {0, bodies_.size};
    scratch_->n_first = bodies_.size;
}

// The file is read piece by piece and never held: bodies, contacts twice to make the contact history, and at the end
// once more where bodies are and what pushes them. So a run is taken up in the memory that it takes.
void Simulation::restore(const StateSource& saved) {
    if (bodies_.has(When::gear) && !saved.has(Column::acceleration))
        throw InputError("the checkpoint has no accelerations: it was written by another version, or for another case");
    take_saved_bodies(saved);
    room_.lend(bodies_.reference, bodies_.size), room_.lend(bodies_.torque, bodies_.size);  // read anew at the end
    StateLoader io(saved.header.run, state_ranks());
    run_state(io);
    std::vector<Id> crossed;
    io(crossed_name, crossed);
    if (forces_.wall_open.size() != setup_.walls.size() || !inserter_.fits(setup_.insertions.size()))
        throw does_not_fit("it has other walls or insertions");
    std::string problem = problem_of_clock(clock_);
    if (problem.empty()) problem = problem_of_ids(bodies_, counts_.next_id);
    // The first rebuild of a run has no bodies that were sorted before.
    if (problem.empty() && (hood_.rebuilds == 0 || hood_.rebuilds >= many_steps))
        problem = fmt::format("it has {} rebuilds behind it", hood_.rebuilds);
    for (std::size_t k = 0; k < setup_.insertions.size() && problem.empty(); ++k)
        problem =
            problem_of_insertion(k, setup_.insertions[k], inserter_.drawn()[k], inserter_.mass()[k], clock_.step());
    problem = first_text(comm_, problem);
    if (!problem.empty()) throw does_not_fit(problem);

    sort_and_settle();
    walls_.move_to_remembered();  // walls too
    search();
    take_springs([&](const auto& use) {
        saved.for_contacts([&](std::span<ContactRecord> slice) {
            for (ContactRecord& c : slice) setup_.axes.turn_in(c);
            use(slice);
        });
    });
    const std::size_t n_layers = hood_.n_layers();
    const bool other_layers =
        (setup_.mean_loads && forces_.loads.integrals().size() != n_layers * WallLoads::items * setup_.walls.size()) ||
        (setup_.energy && forces_.bonds.possible() &&
         forces_.bonds.energy().size() != n_layers * BondedPairs::energy_width) ||
        (setup_.energy && (forces_.energy.layers().size() != n_layers * EnergySums::width ||
                           forces_.energy.at_walls().size() != n_layers * setup_.walls.size()));
    if (boost::mpi::all_reduce(comm_, other_layers, std::logical_or<bool>()))
        throw does_not_fit("it has sums of other layers");
    const bool has_lowest = hood_.slabs.first(comm_.rank()) == 0 && !hood_.slabs.empty(comm_.rank());
    for (std::size_t w = 0; has_lowest && w < setup_.walls.size() && w < scratch_->loads.size(); ++w)
        forces_.loads.put(0, w, scratch_->loads[w]);
    carry_history();
    if (forces_.bonds.possible()) forces_.bonds.check(comm_, bodies_, hood_, true);
    find_held();
    give_back(saved, crossed);
    move_walls(setup_.dt);
    if (forces_.shapes.possible())
        forces_.shapes.look(bodies_, walls_.walls(), forces_.wall_balls.balls(), forces_.reach);
}

// The lists stand; now everything is put where it was when the run stopped. Bodies come in the order in which they came
// before.
void Simulation::give_back(const StateSource& saved, const std::vector<Id>& crossed) {
    std::vector<Index> place(scratch_->n_first);  // by old place
    for (std::size_t p = 0; p < scratch_->places.size(); ++p)
        if (!scratch_->places[p].is_image())
            place[scratch_->places[p].old_index()] = bodies_.owned.begin + static_cast<Index>(p);
    end_scratch();
    hood_.begin_interval(bodies_);
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
    hood_.refresh(bodies_);
    forces_.mark_touching(bodies_);
    counts_.outlets.recall([&](Index i) { return std::binary_search(crossed.begin(), crossed.end(), bodies_.id(i)); });
}

}  // namespace granary
