#include "engine/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include "contact/spring_displacements.hpp"
#include "engine/book_watch.hpp"

namespace granary {

double default_skin(const Setup& s) {
    double height = 0;
    for (int axis = 0; axis < 3; ++axis)
        height += std::abs(at(s.gravity, axis)) * (at(s.domain.upper, axis) - at(s.domain.lower, axis));
    const Extremes walls = moving_walls(s, 2 * s.largest_radius).extremes(s.start_time, WallMotion::never);
    const double fastest = std::max(std::sqrt(2 * height), walls.speed);
    const double least = 0.04 * s.largest_radius;
    double skin = std::clamp(2 * 20 * fastest * s.dt, least, 0.4 * s.largest_radius);
    for (int axis = 0; axis < 3; ++axis) {
        if (!s.domain.periodic[axis]) continue;
        const double half =
            0.5 * (at(s.domain.upper, axis) - at(s.domain.lower, axis)) * (1 - 1e-6);  // rounded to the lattice
        const double room = half - (least_cube_edge(s, longest_reach_of(s)) - s.skin);
        if (room >= least) skin = std::min(skin, room);
    }
    return skin;
}

MovingWalls moving_walls(const Setup& s, double largest_reach) {
    const Vec3d room{largest_reach, largest_reach, largest_reach};
    return {s.walls, s.motions, s.start_time, {s.domain.lower - room, s.domain.upper + room}};
}

double least_cube_edge(const Setup& s, double reach) {
    double partner = s.largest_radius;
    for (const WallBall& w : s.wall_balls) partner = std::max(partner, w.radius);
    return s.largest_radius + partner + reach + s.skin;
}

// A power of two, such that 2^32 of the heaviest balls can be counted; for the light ones it has parts (MassSum).
double unit_of_mass(const Setup& s) {
    double density = 0;
    for (const Material& m : s.materials)
        if (!m.wall_only) density = std::max(density, m.density);
    const double r = s.largest_radius, heaviest = 4.0 / 3.0 * std::numbers::pi * r * r * r * density;
    return heaviest > 0 ? std::ldexp(1.0, std::ilogb(heaviest) - 31) : std::ldexp(1.0, -31);
}

double longest_reach_of(const Setup& s) { return make_contact_model(s.materials, s.pairs, s.law)->reach(); }

Simulation::Simulation(boost::mpi::communicator comm, Setup setup)
    : comm_(std::move(comm)),
      setup_(std::move(setup)),
      law_(make_contact_model(setup_.materials, setup_.pairs, setup_.law)),
      wall_law_(make_wall_model(setup_)),
      travelling_(comm_),
      servo_forces_(comm_) {
    prepare();
    take_initial_bodies();
    setup_.forget_bodies();
    rebuild_neighbourhood();
    if (setup_.energy) energy_.start(layer_begin_.size() - 1, setup_.walls.size());
    if (setup_.mean_loads) loads_.begin_integrals();
    wall_forces(0);
    pair_forces(0);
    wall_ball_forces(0);
    if (bodies_.has(When::gear)) start_derivatives(bodies_, bodies_.real, motion_);
    else if (!setup_.started) kick(bodies_, bodies_.real, setup_.gravity, -0.5 * setup_.dt);
    if (setup_.energy) {
        const EnergyBalance e = energy();
        energy_at_start_ = e.kinetic + e.potential + e.elastic + e.out;
    }
}

Simulation::Simulation(boost::mpi::communicator comm, Setup setup, const StateSource& saved)
    : comm_(std::move(comm)),
      setup_(std::move(setup)),
      law_(make_contact_model(setup_.materials, setup_.pairs, setup_.law)),
      wall_law_(make_wall_model(setup_)),
      travelling_(comm_),
      servo_forces_(comm_) {
    setup_.forget_bodies();
    prepare();
    restore(saved);
}

// What follows from the setup alone.
void Simulation::prepare() {
    reach_ = law_->reach();
    if (setup_.skin <= 0) setup_.skin = default_skin(setup_);
    motion_ = {setup_.dt, setup_.gravity, PositionLattice(setup_.domain), setup_.integrator, setup_.dt};
    if (setup_.integrator == Integrator::gear) bodies_.add(When::gear);
    if (setup_.bands) bodies_.add(When::bands);
    if (setup_.entry_times) bodies_.add(When::entry_times);
    setup_.domain = motion_.lattice.snap(setup_.domain);
    cubes_ = Cubes(setup_.domain, least_cube_edge(setup_, reach_));
    wall_balls_.place(setup_.wall_balls, cubes_);  // once: they never move
    staleness_ = Staleness(setup_.skin, setup_.dt, setup_.longest_interval);
    balance_ = Balance(setup_.balance);
    left_.assign(setup_.outlets.size(), 0), mass_left_.assign(setup_.outlets.size(), {});
    mass_unit_ = unit_of_mass(setup_);
    wall_open_.assign(setup_.walls.size(), 0);
    prepare_meshes(setup_.walls, setup_.largest_radius + reach_ + setup_.skin);
    setup_.walls_of_balls.resize(setup_.walls.size(), 0);
    time_zero_ = setup_.start_time;
    walls_ = granary::moving_walls(setup_, std::max({cubes_.edge.x, cubes_.edge.y, cubes_.edge.z}));
    check_walls();
    move_walls(0);
    drop_insertions(setup_.insertions.size());  // none: counters begin at zero
}

// The time loop's one step, in the order of the physics. The stored velocity of the leapfrog is half a step behind the positions, so the
// damping of a contact sees the velocity of t - dt/2; that of the predictor-corrector belongs to t.
void Simulation::step() {
    const std::uint64_t next = step_ + 1;
    if (travelling_.under_way()) {  // the check begun at the last step
        const auto [displacement, speed, wish] = travelling_.take();
        wished_ = std::max(wished_, wish);
        check_speed(speed);
        staleness_.learn(step_, displacement, speed);
    }
    if (servo_forces_.under_way()) walls_.steer(time(), servo_forces_.take());  // likewise
    if (rebuild_due(next)) {  // known before anything is sent, the same on every rank
        move();
        step_ = next;
        move_walls(setup_.dt);
        rebuild_neighbourhood();  // migrate, MR sort, ghosts, MR search, carry history
        wall_forces(setup_.dt);
    } else {
        {
            PhaseTimer timer(times_, Phase::integrate);
            advance(boundary_);  // the layers that others wait for first
            images_.refresh(bodies_, lowest_);
            images_.refresh(bodies_, highest_);
        }
        halo_.start();
        {
            PhaseTimer timer(times_, Phase::integrate);
            advance(interior_);  // meanwhile
            images_.refresh(bodies_, {lowest_.end, highest_.begin});
        }
        step_ = next;
        move_walls(setup_.dt);
        wall_forces(setup_.dt);
        PhaseTimer timer(times_, Phase::halo_wait);
        halo_.finish(bodies_);
    }
    motion_.last_dt = motion_.dt;
    pair_forces(setup_.dt);  // pairs across slab faces: evaluated on both sides
    wall_ball_forces(setup_.dt);
    if (setup_.mean_loads) loads_.integrate(setup_.dt, walls_);
    PhaseTimer timer(times_, Phase::check);
    watch_outlets(step_);
    if (setup_.fixed_interval == 0 && staleness_.check_due(step_)) {
        const Extremes mine = extremes(bodies_), walls = wall_extremes();
        travelling_.start({std::max(mine.displacement, walls.displacement), std::max(mine.speed, walls.speed), wish_});
    }
    if (step_ % servo_interval == 0 && walls_.any_servo(time())) send_servo_forces();
}

void Simulation::advance(std::span<const Range> runs) {
    if (motion_.integrator == Integrator::gear) correct_and_predict(bodies_, runs, motion_);
    else kick_and_drift(bodies_, runs, motion_);
}

// All bodies at once, when a rebuild follows.
void Simulation::move() {
    PhaseTimer timer(times_, Phase::integrate);
    advance(bodies_.real);
    watch_outlets(step_ + 1);  // before places change
}

void Simulation::watch_outlets(std::uint64_t step) {
    outlets_.look(bodies_, setup_.outlets, [&](std::size_t o, Index i) {
        ++left_[o];
        mass_left_[o].add(1.0 / bodies_.velocity(i, 3), mass_unit_);
        if (setup_.outflow)
            departures_.push_back({step, bodies_.id(i), time_at(step), bodies_.radius(i), 1.0 / bodies_.velocity(i, 3),
                                   bodies_.entry_time(i), bodies_.material(i), static_cast<std::uint16_t>(o)});
    });
}

void Simulation::change_dt(double dt) {
    if (dt == setup_.dt) return;
    if (motion_.integrator == Integrator::verlet) kick(bodies_, bodies_.real, setup_.gravity, 0.5 * (setup_.dt - dt));
    time_zero_ = time(), step_zero_ = step_;
    setup_.dt = motion_.dt = dt;
    for (InsertionSpec& s : setup_.insertions) set_steps(s, dt, step_, time() - setup_.start_time);
    staleness_.change_dt(dt);
    check_walls();
    rebuild_asked_ = true;
}

void Simulation::open_wall(std::size_t wall) {
    if (setup_.energy && wall_open_[wall] == 0) energy_.open_wall(wall);
    wall_open_[wall] = 1;
    rebuild_asked_ = true;
}

std::vector<char> Simulation::walls_without_surface() const {
    std::vector<char> without = wall_open_;
    for (std::size_t w = 0; w < without.size(); ++w) without[w] |= setup_.walls_of_balls[w];
    return without;
}

void Simulation::begin_motion(std::size_t motion) {
    walls_.begin(motion, time());
    rebuild_asked_ = true;  // which looks at the speeds anew
}

std::size_t Simulation::add_insertions(std::span<const InsertionSpec> more) {
    const std::size_t first = setup_.insertions.size();
    setup_.insertions.insert(setup_.insertions.end(), more.begin(), more.end());
    drop_insertions(setup_.insertions.size());
    return first;
}

void Simulation::drop_insertions(std::size_t from) {
    setup_.insertions.resize(from);
    inserted_by_.resize(from), drawn_by_.resize(from), mass_by_.resize(from), done_by_.resize(from);
}

bool Simulation::rebuild_due(std::uint64_t step) const {
    if (rebuild_asked_) return true;
    if (setup_.fixed_interval > 0) return step % setup_.fixed_interval == 0;
    return staleness_.rebuild_due(step) || insertion_due(step);
}

void Simulation::move_walls(double dt) {
    PhaseTimer timer(times_, Phase::walls);
    walls_.move_to(time(), dt, setup_.integrator);
}

// Walls may begin to move until the next look at the list.
Extremes Simulation::wall_extremes() const {
    return walls_.extremes(time(), static_cast<double>(2 * Staleness::farthest_check) * setup_.dt);
}

// The forces of this step on all walls begin to travel; the next step reads them.
void Simulation::send_servo_forces() {
    const std::span<const WallLoad> loads = loads_.now();
    servo_layers_.resize(3 * loads.size());
    for (std::size_t k = 0; k < loads.size(); ++k)
        for (int axis = 0; axis < 3; ++axis)
            servo_layers_[3 * k + static_cast<std::size_t>(axis)] = at(loads[k].force, axis);
    servo_forces_.start(slabs_, servo_layers_, static_cast<int>(3 * setup_.walls.size()));
}

void Simulation::wall_forces(double dt) {
    PhaseTimer timer(times_, Phase::walls);
    if (setup_.energy) energy_.forget_elastic();
    loads_.clear();
    samples_are_new_ = note_walls_;
    if (note_walls_) wall_samples_.clear();
    wall_contacts_.note_in(note_walls_ ? &wall_samples_ : nullptr);
    note_walls_ = false;
    if (wall_contacts_.candidates().empty()) return;
    BookWatch watch(energy_, body_layers());
    wall_law_->add_forces(wall_contacts_, bodies_, {0, bodies_.size}, walls_now(), dt,
                          setup_.energy ? &watch : nullptr);
}

// After all partners; the loads count to the walls that the balls belong to.
void Simulation::wall_ball_forces(double dt) {
    if (wall_ball_contacts_.candidates().empty()) return;
    PhaseTimer timer(times_, Phase::walls);
    const auto noted = static_cast<std::ptrdiff_t>(wall_samples_.size());
    BookWatch watch(energy_, body_layers());
    wall_law_->add_forces(wall_ball_contacts_, wall_balls_.balls(), bodies_, {0, bodies_.size}, walls_now(), dt,
                          setup_.energy ? &watch : nullptr, samples_are_new_ ? &wall_samples_ : nullptr);
    if (samples_are_new_)  // by body, whichever rank it is on
        std::inplace_merge(wall_samples_.begin(), wall_samples_.begin() + noted, wall_samples_.end(),
                           [](const WallSample& a, const WallSample& b) { return a.body < b.body; });
}

void Simulation::pair_forces(double dt) {
    PhaseTimer timer(times_, Phase::pairs);
    const Range all{0, pairs_.n_bodies};
    if (bodies_.has(When::gear)) springs_follow_displacements(bodies_, pairs_, all, dt);
    if (note_pairs_) {
        pair_samples_.clear();
        for (const Range& real : bodies_.real)
            law_->sample(bodies_, pairs_, {real.begin, std::min(real.end, all.end)}, dt, pair_samples_);
        note_pairs_ = false;
    }
    BookWatch watch(energy_, body_layers());
    law_->add_forces(pair_forces_, bodies_, pairs_, all, dt, setup_.energy ? &watch : nullptr);
}

}  // namespace granary
