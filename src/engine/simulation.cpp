#include "engine/simulation.hpp"

#include <algorithm>
#include "engine/measures.hpp"
#include "motion/gear_predictor_corrector.hpp"
#include "motion/plane_motion.hpp"
#include "motion/rigid_rotation.hpp"
#include "motion/turn_bodies.hpp"

namespace granary {

Simulation::Simulation(boost::mpi::communicator comm, Setup setup)
    : comm_(std::move(comm)),
      setup_(std::move(setup)),
      forces_(comm_, setup_),
      travelling_(comm_) {
    prepare();
    take_initial_bodies();
    setup_.start.bodies = {}, setup_.start.saved = {};  // whatever they held is no longer needed
    rebuild();
    setup_.forget_bodies();
    if (setup_.energy) forces_.energy.start(hood_.n_layers(), setup_.walls.size());
    if (setup_.energy && forces_.bonds.possible()) forces_.bonds.start_energy(hood_.n_layers());
    if (setup_.mean_loads) forces_.loads.begin_integrals();
    forces_at_walls(0);
    forces_between_bodies(0);
    if (bodies_.has(When::gear)) start_derivatives(bodies_, bodies_.real, motion_);
    else if (!setup_.started) kick_all(-0.5 * setup_.dt);
    if (setup_.energy) {
        const EnergyBalance e = energy_balance_of(*this);
        forces_.energy_at_start = e.kinetic + e.potential + e.elastic + e.bonds + e.out;
    }
}

Simulation::Simulation(boost::mpi::communicator comm, Setup setup, const StateSource& saved)
    : comm_(std::move(comm)),
      setup_(std::move(setup)),
      forces_(comm_, setup_),
      travelling_(comm_) {
    setup_.forget_bodies();
    prepare();
    restore(saved);
}

// What follows from the setup alone.
void Simulation::prepare() {
    if (setup_.skin <= 0) setup_.skin = default_skin(setup_);
    clock_ = Clock(setup_.start_time, setup_.dt);
    motion_ = {setup_.dt, setup_.gravity, PositionLattice(setup_.domain), setup_.integrator, setup_.dt, setup_.shapes};
    if (setup_.integrator == Integrator::gear) bodies_.add(When::gear);
    if (setup_.bands) bodies_.add(When::bands);
    if (setup_.entry_times) bodies_.add(When::entry_times);
    if (forces_.bonds.possible()) bodies_.add(When::clusters);
    for (const BondType& type : setup_.bonds)
        if (type.form == BondForm::beam) bodies_.add(When::orientations);
    if (!setup_.holds.empty()) bodies_.add(When::held);
    if (!setup_.shapes.empty()) bodies_.add(When::orientations), bodies_.add(When::shapes);
    setup_.domain = motion_.lattice.snap(setup_.domain), setup_.plane.at = motion_.lattice.snap(setup_.plane.at);
    hood_.prepare(comm_, setup_, forces_.list_reach(setup_));
    forces_.wall_balls.place(setup_.wall_balls, hood_.cubes);  // once: they never move
    forces_.wall_open.assign(setup_.walls.size(), 0);
    counts_.prepare(setup_);
    prepare_meshes(setup_.walls, setup_.largest_radius + forces_.reach + setup_.skin);
    setup_.walls_of_balls.resize(setup_.walls.size(), 0);
    const Vec3d& edge = hood_.cubes.edge;
    walls_ = moving_walls(setup_, std::max({edge.x, edge.y, edge.z}));
    check_walls();
    move_walls(0);
    inserter_.resize(setup_.insertions.size());
}

// The time loop's one step, in the order of the physics. The stored velocity of the leapfrog is half a step behind the
// positions, so the damping of a contact sees the velocity of t - dt/2; that of the predictor-corrector belongs to t.
void Simulation::step() {
    PhaseTimes& times = requests_.times;
    const std::uint64_t next = clock_.step() + 1;
    if (travelling_.under_way()) {  // the check begun at the last step
        const auto [displacement, speed, request] = travelling_.take();
        requests_.agreed_ = std::max(requests_.agreed_, request);
        check_speed(speed);
        hood_.staleness.learn(clock_.step(), displacement, speed);
    }
    if (forces_.servo_forces.under_way()) walls_.steer(clock_.time(), forces_.servo_forces.take());  // likewise
    if (!driven_.empty()) drive_held(), note_work_of_holds();
    if (rebuild_due(next)) {  // known before anything is sent, the same on every rank
        {
            PhaseTimer timer(times, Phase::integrate);
            advance(bodies_.real);
            counts_.watch_outlets(setup_, clock_, next, bodies_, requests_);  // before indices change
        }
        if (setup_.energy && forces_.bonds.possible()) hood_.refresh(bodies_);  // bonds that are cut are looked at
        clock_.advance();
        move_walls(setup_.dt);
        rebuild();  // migrate, MR sort, ghosts, MR search, carry history
        forces_at_walls(setup_.dt);
    } else {
        {
            PhaseTimer timer(times, Phase::integrate);
            advance(hood_.boundary);  // the layers that others wait for first
            hood_.images.refresh(bodies_, hood_.lowest);
            hood_.images.refresh(bodies_, hood_.highest);
        }
        hood_.halo.start();
        {
            PhaseTimer timer(times, Phase::integrate);
            advance(hood_.interior);  // meanwhile
            hood_.images.refresh(bodies_, {hood_.lowest.end, hood_.highest.begin});
        }
        clock_.advance();
        move_walls(setup_.dt);
        forces_at_walls(setup_.dt);
        PhaseTimer timer(times, Phase::halo_wait);
        hood_.halo.finish(bodies_);
    }
    motion_.last_dt = motion_.dt;
    forces_between_bodies(setup_.dt);  // pairs across slab faces: evaluated on both sides
    if (!driven_.empty()) note_work_of_holds();
    PhaseTimer timer(times, Phase::check);
    counts_.watch_outlets(setup_, clock_, clock_.step(), bodies_, requests_);
    if (setup_.fixed_interval == 0 && hood_.staleness.check_due(clock_.step())) {
        const Extremes mine = extremes(bodies_), walls = wall_extremes();
        travelling_.start(
            {std::max(mine.displacement, walls.displacement), std::max(mine.speed, walls.speed), requests_.mine_});
    }
    if (clock_.step() % servo_interval == 0 && walls_.any_servo(clock_.time()))
        forces_.send_servo_forces(setup_, hood_.slabs);
}

void Simulation::advance(std::span<const Range> ranges) {
    const bool shapes = bodies_.has(When::shapes);
    if (shapes) turn_shapes(bodies_, ranges, setup_.shapes, motion_.dt);
    if (motion_.integrator == Integrator::gear) correct_and_predict(bodies_, ranges, motion_);
    else kick_and_drift(bodies_, ranges, motion_);
    if (shapes) turn_balls(bodies_, ranges, motion_.dt);
    else if (bodies_.has(When::orientations)) turn(bodies_, ranges, motion_.dt);
}

void Simulation::kick_all(double time) {
    kick(bodies_, bodies_.real, setup_.gravity, time);
    if (bodies_.has(When::shapes)) kick_shapes(bodies_, bodies_.real, setup_.shapes, time);
}

// Held bodies that something moves go where it takes them: their velocity is that of the chord of the step.
void Simulation::drive_held() {
    const double begin = clock_.time(), end = clock_.time_at(clock_.step() + 1);
    for (const Index i : driven_) {
        const std::uint32_t m = setup_.holds[bodies_.held(i) - 1].motion;
        const MotionAt from = motion_at(walls_.motions()[m], walls_.state(m), begin),
                       to = motion_at(walls_.motions()[m], walls_.state(m), end);
        const WallMotion& motion = walls_.motions()[m];
        Vec3d moved = to.shift - from.shift, turned;
        if (motion.turns()) {
            const double angle = to.angle - from.angle;
            // About the nearest image of the axis: a body may have been put over a periodic face.
            const Vec3d arm = bodies_.x(i) - motion.point, x = bodies_.x(i) + (hood_.cubes.nearest(arm) - arm);
            moved = turned_about(motion.point, motion.axis, angle).point(x) - x;
            turned = angle * motion.axis;
        }
        for (int axis = 0; axis < 3; ++axis) {
            bodies_.velocity(i, axis) = at(moved, axis) / setup_.dt;
            bodies_.spin(i, axis) = at(turned, axis) / setup_.dt;
        }
    }
}

void Simulation::find_held() {
    driven_.clear();
    if (!bodies_.has(When::held)) return;
    for (const Range& range : bodies_.real)
        for (Index i = range.begin; i < range.end; ++i)
            if (bodies_.held(i) != 0 && setup_.holds[bodies_.held(i) - 1].motion != Setup::Hold::no_motion)
                driven_.push_back(i);
}

void Simulation::forces_at_walls(double dt) {
    PhaseTimer timer(requests_.times, Phase::walls);
    forces_.of_walls(setup_, bodies_, hood_, walls_, dt, requests_);
}

// Of bonds, between pairs, then at wall balls.
void Simulation::forces_between_bodies(double dt) {
    if (forces_.bonds.possible()) {
        PhaseTimer timer(requests_.times, Phase::bonds);
        forces_.of_bonds(setup_, bodies_, hood_, clock_, dt, requests_);
    }
    {
        PhaseTimer timer(requests_.times, Phase::pairs);
        forces_.of_pairs(setup_, bodies_, hood_, dt, requests_);
    }
    PhaseTimer timer(requests_.times, Phase::walls);
    forces_.of_wall_balls(setup_, bodies_, hood_, walls_, dt);
    if (setup_.plane.given()) keep_in_plane(bodies_, bodies_.real, setup_.plane.normal);
    if (!setup_.mean_loads || dt == 0) return;
    if (std::exchange(requests_.restart_means_, false)) forces_.loads.begin_integrals();
    forces_.loads.integrate(dt, walls_);
}

void Simulation::change_dt(double dt) {
    if (dt == setup_.dt) return;
    if (motion_.integrator == Integrator::verlet) kick_all(0.5 * (setup_.dt - dt));
    clock_.change_dt(dt);
    setup_.dt = motion_.dt = dt;
    for (InsertionSpec& s : setup_.insertions) set_steps(s, dt, clock_.step(), clock_.time() - setup_.start_time);
    hood_.staleness.change_dt(dt);
    check_walls();
    rebuild_asked_ = true;
}

void Simulation::open_wall(std::size_t wall) {
    if (setup_.energy && forces_.wall_open[wall] == 0) forces_.energy.open_wall(wall);
    forces_.wall_open[wall] = 1;
    rebuild_asked_ = true;
}

void Simulation::begin_motion(std::size_t motion) {
    walls_.begin(motion, clock_.time());
    rebuild_asked_ = true;  // which looks at the speeds anew
}

std::size_t Simulation::add_insertions(std::span<const InsertionSpec> more) {
    const std::size_t first = setup_.insertions.size();
    setup_.insertions.insert(setup_.insertions.end(), more.begin(), more.end());
    inserter_.resize(setup_.insertions.size());
    return first;
}

void Simulation::drop_insertions(std::size_t from) {
    setup_.insertions.resize(from);
    inserter_.resize(from);
}

bool Simulation::rebuild_due(std::uint64_t step) const {
    if (rebuild_asked_) return true;
    if (setup_.fixed_interval > 0) return step % setup_.fixed_interval == 0;
    return hood_.staleness.rebuild_due(step) || inserter_.due(setup_, step);
}

void Simulation::move_walls(double dt) {
    PhaseTimer timer(requests_.times, Phase::walls);
    walls_.move_to(clock_.time(), dt, setup_.integrator);
}

// Walls may begin to move until the next look at the list.
Extremes Simulation::wall_extremes() const {
    return walls_.extremes(clock_.time(), static_cast<double>(2 * Staleness::farthest_check) * setup_.dt);
}

}  // namespace granary
