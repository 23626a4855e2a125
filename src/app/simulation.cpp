#include "app/simulation.hpp"

#include <algorithm>
#include <cmath>
#include "contact/visit_contacts.hpp"

namespace granary {

namespace {

AnyLaw make_any_law(const Setup& s) {
    const auto make = [&]<class Law>() -> AnyLaw {
        return LawSet<Law>{make_law<Law>(s.law), make_table<Law>(s.materials, s.pairs, s.law)};
    };
    switch (s.law.type) {
        case LawSettings::Type::linear: return make.operator()<LinearSpringDashpot>();
        case LawSettings::Type::kelvin_voigt: return make.operator()<KelvinVoigt>();
        case LawSettings::Type::hertz_mindlin: break;
    }
    return make.operator()<HertzMindlin>();
}

}  // namespace

double default_skin(const Setup& s) {
    double height = 0;
    for (int axis = 0; axis < 3; ++axis)
        height += std::abs(at(s.gravity, axis)) * (at(s.domain.upper, axis) - at(s.domain.lower, axis));
    const double fastest = std::sqrt(2 * height);
    return std::clamp(2 * 20 * fastest * s.dt, 0.04 * s.largest_radius, 0.4 * s.largest_radius);
}

double longest_reach_of(const Setup& s) {
    return std::visit([](const auto& set) { return longest_reach(set.table); }, make_any_law(s));
}

Simulation::Simulation(boost::mpi::communicator comm, Setup setup)
    : comm_(std::move(comm)),
      setup_(std::move(setup)),
      law_(make_any_law(setup_)),
      travelling_(comm_) {
    prepare();
    take_initial_bodies();
    setup_.bodies = [](const BodySink&) {};  // whatever it held is no longer needed
    rebuild_neighbourhood();
    wall_forces(0);
    pair_forces(0);
    if (!setup_.started) kick(bodies_, bodies_.real, setup_.gravity, -0.5 * setup_.dt);
}

Simulation::Simulation(boost::mpi::communicator comm, Setup setup, StateData saved)
    : comm_(std::move(comm)),
      setup_(std::move(setup)),
      law_(make_any_law(setup_)),
      travelling_(comm_) {
    setup_.bodies = [](const BodySink&) {};
    prepare();
    restore(std::move(saved));
}

// What follows from the setup alone.
void Simulation::prepare() {
    reach_ = std::visit([](const auto& set) { return longest_reach(set.table); }, law_);
    if (setup_.skin <= 0) setup_.skin = default_skin(setup_);
    motion_ = {setup_.dt, setup_.gravity, PositionLattice(setup_.domain)};
    setup_.domain = motion_.lattice.snap(setup_.domain);
    cubes_ = Cubes(setup_.domain, 2 * setup_.largest_radius + reach_ + setup_.skin);
    staleness_ = Staleness(setup_.skin, setup_.dt, setup_.longest_interval);
    left_.assign(setup_.outlets.size(), 0);
    wall_open_.assign(setup_.walls.size(), 0);
    time_zero_ = setup_.start_time;
    drop_insertions(setup_.insertions.size());  // none: counters begin at zero
}

// The time loop's one step, in the order of the physics. The stored velocity is half a step behind the positions, so the damping
// of a contact sees the velocity of t - dt/2.
void Simulation::step() {
    const std::uint64_t next = step_ + 1;
    if (travelling_.under_way()) {  // the check begun at the last step
        const auto [displacement, speed, wish] = travelling_.take();
        wished_ = std::max(wished_, wish);
        check_speed(speed);
        staleness_.learn(step_, displacement, speed);
    }
    if (rebuild_due(next)) {  // known before anything is sent, the same on every rank
        move();
        step_ = next;
        rebuild_neighbourhood();  // migrate, MR sort, ghosts, MR search, carry history
        wall_forces(setup_.dt);
    } else {
        {
            PhaseTimer timer(times_, Phase::integrate);
            kick_and_drift(bodies_, boundary_, motion_);  // the layers that others wait for first
            images_.refresh(bodies_, lowest_);
            images_.refresh(bodies_, highest_);
        }
        halo_.start();
        {
            PhaseTimer timer(times_, Phase::integrate);
            kick_and_drift(bodies_, interior_, motion_);  // meanwhile
            images_.refresh(bodies_, {lowest_.end, highest_.begin});
        }
        step_ = next;
        wall_forces(setup_.dt);
        PhaseTimer timer(times_, Phase::halo_wait);
        halo_.finish(bodies_);
    }
    pair_forces(setup_.dt);  // pairs across slab faces: evaluated on both sides
    PhaseTimer timer(times_, Phase::check);
    outlets_.look(bodies_, setup_.outlets, left_);
    if (setup_.fixed_interval == 0 && staleness_.check_due(step_)) {
        const Extremes mine = extremes(bodies_);
        travelling_.start({mine.displacement, mine.speed, wish_});
    }
}

// All bodies at once, when a rebuild follows.
void Simulation::move() {
    PhaseTimer timer(times_, Phase::integrate);
    kick_and_drift(bodies_, bodies_.real, motion_);
    outlets_.look(bodies_, setup_.outlets, left_);  // before places change
}

void Simulation::change_dt(double dt) {
    if (dt == setup_.dt) return;
    kick(bodies_, bodies_.real, setup_.gravity, 0.5 * (setup_.dt - dt));
    time_zero_ = time(), step_zero_ = step_;
    setup_.dt = motion_.dt = dt;
    for (InsertionSpec& s : setup_.insertions) set_steps(s, dt, step_, time() - setup_.start_time);
    staleness_ = Staleness(setup_.skin, dt, setup_.longest_interval);
    rebuild_asked_ = true;
}

void Simulation::open_wall(std::size_t wall) {
    wall_open_[wall] = 1;
    rebuild_asked_ = true;
}

std::size_t Simulation::add_insertions(std::span<const InsertionSpec> more) {
    const std::size_t first = setup_.insertions.size();
    setup_.insertions.insert(setup_.insertions.end(), more.begin(), more.end());
    drop_insertions(setup_.insertions.size());
    return first;
}

void Simulation::drop_insertions(std::size_t from) {
    setup_.insertions.resize(from);
    inserted_by_.resize(from), mass_by_.resize(from), done_by_.resize(from);
}

bool Simulation::rebuild_due(std::uint64_t step) const {
    if (rebuild_asked_) return true;
    if (setup_.fixed_interval > 0) return step % setup_.fixed_interval == 0;
    return staleness_.rebuild_due(step) || insertion_due(step);
}

void Simulation::wall_forces(double dt) {
    PhaseTimer timer(times_, Phase::walls);
    if (note_walls_) wall_samples_.clear();
    if (wall_contacts_.candidates().empty() && !measure_walls_) {
        note_walls_ = false;
        return;
    }
    wall_contacts_.note_in(note_walls_ ? &wall_samples_ : nullptr);
    if (measure_walls_) loads_.assign((layer_begin_.size() - 1) * setup_.walls.size(), WallLoad{});
    const auto layer_of = [&](Index i) {
        return static_cast<std::size_t>(digit(bodies_.cube(i), 2) - slabs_.first(comm_.rank()));
    };
    std::visit(
        [&](const auto& set) {
            wall_contacts_.add_forces(bodies_, setup_.walls, set.law, set.table, reach_, dt,
                                      measure_walls_ ? std::span<WallLoad>(loads_) : std::span<WallLoad>(), layer_of);
        },
        law_);
    measure_walls_ = note_walls_ = false;
}

void Simulation::pair_forces(double dt) {
    PhaseTimer timer(times_, Phase::pairs);
    if (note_pairs_) {
        pair_samples_.clear();
        std::visit(
            [&](const auto& set) {
                visit_contacts(bodies_, pairs_, set.law, set.table, reach_, dt, [&](Index i, Index j, const Vec3d& f) {
                    if (is_real(i)) pair_samples_.push_back({i, j, f});
                });
            },
            law_);
        note_pairs_ = false;
    }
    std::visit([&](const auto& set) { pair_forces_.add(bodies_, pairs_, set.law, set.table, reach_, dt); }, law_);
}

}  // namespace granary
