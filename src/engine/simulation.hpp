// One run on one communicator: the bodies of this rank and the step that moves them.
// The step itself is Simulation::step in simulation.cpp; what happens at a rebuild is in rebuild.cpp, what is reported about the
// state in measures.cpp, what stops a run in guards.cpp, how balls enter in insert.cpp, how a run is saved and taken up again in
// saved_run.cpp.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <memory>
#include <optional>
#include <utility>
#include <vector>
#include "engine/body_layers.hpp"
#include "engine/energy_book.hpp"
#include "engine/setup.hpp"
#include "engine/wall_model.hpp"
#include "core/axes.hpp"
#include "contact/contact_model.hpp"
#include "contact/pair_forces.hpp"
#include "core/contact_record.hpp"
#include "core/mass_sum.hpp"
#include "core/pair_list.hpp"
#include "core/saved_state.hpp"
#include "core/timers.hpp"
#include "decomposition/balance.hpp"
#include "decomposition/halo.hpp"
#include "decomposition/reductions.hpp"
#include "decomposition/slabs.hpp"
#include "core/digest.hpp"
#include "core/state_source.hpp"
#include "motion/gear_predictor_corrector.hpp"
#include "motion/integrate.hpp"
#include "walls/moving_walls.hpp"
#include "motion/outlets.hpp"
#include "motion/staleness.hpp"
#include "walls/wall_ball_contacts.hpp"
#include "walls/wall_contacts.hpp"
#include "walls/wall_loads.hpp"
#include "search/cubes.hpp"
#include "search/fixed_cubes_lazarevic2002.hpp"
#include "search/mmr_search_munjiza2006.hpp"
#include "search/periodic_images.hpp"
#include "search/wall_ball_search.hpp"

namespace granary {

// What went in, what is there, what went out: inserted = inside + sum of left + deleted, at any step.
struct Ledger {
    std::uint64_t inserted = 0, inside = 0;
    std::vector<std::uint64_t> left;  // by outlet
    std::vector<double> mass_left;    // kg, by outlet
    std::uint64_t deleted = 0;        // outside the domain
    double mass_deleted = 0;          // kg
    std::uint64_t all_left() const;   // by any outlet
    bool adds_up() const;
};

// The first ball that was deleted outside the domain; of several at one step that with the lowest id.
struct DeletedBall {
    Id id = 0;
    std::uint64_t step = 0;
    double time = 0, radius = 0, speed = 0;  // s, m, m/s
    Vec3d position;                          // m, in the user's axes
};

// Things that happened so far, over all ranks: tests and reports want to know.
struct Events {
    std::uint64_t rebuilds = 0, migrations = 0, wraps = 0, cut_moves = 0, late_checks = 0;
};

// A ball that has left through an outlet.
struct Departure {
    std::uint64_t step;  // at which it was counted out
    Id id;
    double time, radius, mass, entry_time;  // s, m, kg, s
    std::uint16_t material, outlet;         // numbers
};

struct Measures {
    double kinetic_energy = 0;       // J, translation and rotation, synchronised velocities
    double mass = 0;                 // kg, inside
    double mass_times_diameter = 0;  // kg m, sum over the balls inside
    Vec3d momentum;                  // kg m/s
    // Deepest overlap as a share of the smaller radius, 0 if nothing touches: over ball-ball contacts, and at each wall (its wall balls).
    double pair_overlap = 0;
    std::vector<double> wall_overlap;
    std::uint64_t contacts = 0, candidates = 0;           // pairs of balls that overlap; that are in the list
    std::uint64_t slab_contacts = 0, image_contacts = 0;  // with a spring, across a slab face or a periodic face x, y

    std::size_t deepest_wall() const;  // number of the wall with the deepest overlap; wants a wall
    double largest_overlap() const;
};

// The last time that cuts moved: the step, and the imbalance before and after, as far as it was known then.
struct LastCutMove {
    std::uint64_t step = 0;
    double before = 1, after = 1;
};

// What is wrong if a motion takes a wall farther than half a cube in one step; empty: it does not.
std::string too_fast_wall(const MovingWalls& walls, std::size_t motion, double dt, const Vec3d& cube_edge);

class Simulation {
  public:
    Simulation(boost::mpi::communicator comm, Setup setup);
    // Goes on with a run that was saved, as if it had never stopped: the setup as it was at the start (its bodies are not asked for),
    // with the insertions that were under way. Collective; any number of ranks.
    Simulation(boost::mpi::communicator comm, Setup setup, const StateSource& saved);

    void step();

    // Between steps: all that a run needs to go on, besides bodies() and contacts(). Changes nothing. Collective.
    SavedState save();

    // What this rank wishes, such as to stop: carried to all ranks by what they tell each other anyway, within a few steps. The
    // greatest wish of all is then known to all ranks after the same step, until it is forgotten.
    void wish(int what) { wish_ = std::max<double>(wish_, what); }
    int wished() const { return static_cast<int>(wished_); }
    void forget_wishes() { wish_ = wished_ = 0; }

    // Between steps; the next step begins with a rebuild. The same call on every rank.
    void change_dt(double dt);  // velocities are brought to the new half step
    void ask_for_rebuild() { rebuild_asked_ = true; }
    void open_wall(std::size_t wall);       // a gate: it is no longer there
    void begin_motion(std::size_t motion);  // of setup().motions; one that waits for its stage
    std::size_t add_insertions(
        std::span<const InsertionSpec> more);  // steps count from the start; gives the first one's number
    void drop_insertions(std::size_t from);    // that one and all after it

    std::uint64_t steps_done() const { return step_; }
    double time() const { return time_at(step_); }
    double time_at(std::uint64_t step) const {  // a step since the last change of dt
        return time_zero_ + static_cast<double>(step - step_zero_) * setup_.dt;
    }
    // Of the present insertions, the same on every rank.
    std::uint64_t inserted_by(std::size_t insertion) const { return inserted_by_[insertion]; }
    double mass_inserted_by(std::size_t insertion) const { return mass_by_[insertion]; }
    double mass_inserted() const { return mass_inserted_; }  // kg, by all insertions so far
    bool insertion_done(std::size_t insertion) const;        // nothing more will come of it
    bool wall_is_open(std::size_t wall) const { return wall_open_[wall] != 0; }
    std::vector<char> walls_without_surface() const;                // open, or made of balls
    std::span<const Wall> walls() const { return walls_.walls(); }  // where they are now
    const MovingWalls& moving_walls() const { return walls_; }
    const Setup& setup() const { return setup_; }
    const Cubes& cubes() const { return cubes_; }
    const Slabs& slabs() const { return slabs_; }
    const Bodies& bodies() const { return bodies_; }
    const PairList& pairs() const { return pairs_; }
    const Motion& motion() const { return motion_; }
    const boost::mpi::communicator& comm() const { return comm_; }
    PhaseTimes& phase_times() { return times_; }
    Id next_id() const { return next_id_; }
    const std::vector<std::uint64_t>& inserted_by() const { return inserted_by_; }  // each insertion so far

    // Collective; all ranks get the same.
    Ledger ledger() const;  // throws RunError if it does not add up
    const std::optional<DeletedBall>& first_deleted() const { return first_deleted_; }
    Events events() const;
    Measures measures() const;
    EnergyBalance energy() const;  // of a setup with energy
    Digest digest() const;
    double imbalance() const;  // counted work of the last list: largest of a rank over the mean
    const LastCutMove& last_cut_move() const { return last_move_; }
    std::span<const WallBall> wall_balls() const { return wall_balls_.balls(); }
    std::span<const WallBallCandidate> wall_ball_candidates() const { return wall_ball_contacts_.candidates(); }
    std::vector<WallLoad> wall_loads() const;  // of the present step; one a wall
    // Means over the steps since the last call of forget_loads, or those of the present step if there was none; wants Setup::mean_loads.
    std::vector<MeanLoad> mean_loads() const;
    void forget_loads() { loads_.begin_integrals(); }
    // This rank's contacts at the last step that was asked for by note_contacts(), until the next rebuild: those with walls, and, if they
    // were wanted, those between balls whose lower body is real: over all ranks each once. Both in the order of the bodies.
    void note_contacts(bool between_balls) { note_walls_ = true, note_pairs_ |= between_balls; }
    const std::vector<WallSample>& wall_contacts() const { return wall_samples_; }
    const std::vector<PairSample>& pair_contacts() const { return pair_samples_; }
    // Contacts of each real body with balls and walls, by place: overlaps, not pairs that only pull each other over a gap. Wants noted
    // contacts.
    std::vector<std::uint16_t> contact_numbers() const;
    // This rank's balls that have left since the last call, with Setup::outflow; a run is saved with none waiting.
    std::vector<Departure> take_departures() { return std::exchange(departures_, {}); }
    // Gives every real body the band f(its position); wants Setup::bands. The run does not feel it.
    template <class F> void set_bands(F&& f) {
        for (const Range& run : bodies_.real)
            for (Index i = run.begin; i < run.end; ++i) bodies_.band(i) = f(bodies_.x(i));
    }
    double friction(std::size_t material_a,
                    std::size_t material_b) const;  // Coulomb coefficient; 0 if the law has none

    // The same bodies, but `real` leaves out those that have crossed an outlet and wait for the next rebuild to go:
    // what is inside, as the ledger counts it.
    Bodies inside() const;

    // This rank's contacts with springs, each pair once over all ranks, in canonical form.
    std::vector<ContactRecord> contacts() const;
    std::vector<ContactRecord> contacts_inside()
        const;                    // collective; without those of bodies that have crossed an outlet
    std::uint64_t bytes() const;  // of the lists that this rank holds

  private:
    // The step (simulation.cpp)
    void prepare();
    void move();
    void watch_outlets(std::uint64_t step);  // step: that the positions belong to
    void advance(std::span<const Range> runs);
    void move_walls(double dt);
    void wall_forces(double dt);
    void send_servo_forces();
    Extremes wall_extremes() const;
    void pair_forces(double dt);
    void wall_ball_forces(double dt);

    // Energy balance (energy.cpp)
    struct BodyEnergy {
        double going, turning, height;  // J
    };
    BodyEnergy energy_of_body(Index i) const;
    void note_leaving_energy();
    void note_leaving_energy(Index i);
    void note_entering_energy(const NewBody& body);
    std::size_t layer_of(Index i) const {  // among this rank's layers
        return static_cast<std::size_t>(digit(bodies_.cube(i), 2) - slabs_.first(comm_.rank()));
    }
    BodyLayers body_layers() const { return {bodies_, cubes_, slabs_.first(comm_.rank())}; }
    WallsNow walls_now() { return {walls_.walls(), walls_.twists(), walls_.ways(), loads_.now(), body_layers()}; }

    void start_leapfrog();
    bool rebuild_due(std::uint64_t step) const;

    // Rebuild (rebuild.cpp)
    void take_initial_bodies();
    void take_shares();
    void cut_by_count(std::vector<double> count);
    double given_here(const std::vector<double>& count) const;
    void take_springs(const ContactSlices& contacts);
    bool at_border(Cube cube) const;  // of the box or the slab: partners may be ghosts or images
    void rebuild_neighbourhood();
    void assign_cubes();
    bool may_delete(Index i) const;
    void delete_body(Index i, std::optional<DeletedBall>& first);
    void agree_on_first_deleted(const std::optional<DeletedBall>& mine);
    void choose_cuts();
    void move_layers(const Slabs& from, const Slabs& to);
    void note_history();
    void sort_and_settle();
    void split_runs(Range lowest, Range highest);
    void search();
    void expect_loads();
    void carry_history();
    void count_work();
    std::vector<ContactRecord> wall_springs() const;  // at walls and wall balls; `body` is the place, ascending
    void add_newcomer(const NewBody& body, std::span<const ContactHistory::Entry> springs);
    bool is_real(Index i) const { return bodies_.owned.contains(i) && !cubes_.is_image(bodies_.cube(i)); }

    // Saving and going on (saved_run.cpp)
    template <class Io> void run_state(Io& io);
    StateRanks state_ranks() const;
    std::vector<Id> crossed_ids() const;
    void restore(const StateSource& saved);
    void take_saved_bodies(const StateSource& saved);
    int owner_at_last_sort(const BodyRecord& body) const;
    void give_back(const StateSource& saved, const std::vector<Id>& crossed);

    // Insertion (insert.cpp)
    bool insertion_due(std::uint64_t step) const;
    void insert_due_bodies();
    void insert_event(std::size_t insertion);
    void insert_rain(std::size_t insertion);
    void insert_packing(std::size_t insertion);
    template <class F> void for_batches_of_balls(Index known, F&& f) const;
    std::vector<PlacedBall> balls_of_closed_walls() const;
    std::vector<double> room_at(const InsertionSpec& spec, std::span<const Vec3d> places, Index known,
                                std::span<const PlacedBall> placed) const;
    std::vector<char> blocked_trials(const InsertionSpec& spec, std::span<const NewBody> tested, Index known) const;
    bool take_in(std::size_t insertion, NewBody body);

    // Guards (guards.cpp)
    void check_speed(double speed);           // collective when it fails
    void check_walls() const;                 // the same on all ranks
    [[noreturn]] void stop_for_bad_bodies();  // collective
    std::string deep_overlaps_text();         // collective
    std::string describe(Index i) const;

    boost::mpi::communicator comm_;
    Setup setup_;
    std::unique_ptr<const ContactModel> law_;
    std::unique_ptr<const WallModel> wall_law_;
    double reach_ = 0;  // of the law beyond touching, m
    Motion motion_;
    Cubes cubes_;
    Slabs slabs_;
    Bodies bodies_;
    PairList pairs_;
    MmrWorkspace mmr_work_;  // empty unless the detector is in use
    FixedCubesWorkspace fixed_cubes_work_;
    PairForces pair_forces_;
    PeriodicImages images_;
    Halo halo_;
    MovingWalls walls_;
    WallContacts wall_contacts_;
    WallBallSearch wall_balls_;
    WallBallContacts wall_ball_contacts_;
    OutletWatch outlets_;
    Staleness staleness_;
    TravellingMax travelling_;
    TravellingLayers servo_forces_;

    std::uint64_t step_ = 0;
    std::uint64_t step_zero_ = 0;  // time is counted from here, by whole steps, never summed up
    double time_zero_ = 0;
    std::vector<char> wall_open_;
    bool rebuild_asked_ = false;
    Id next_id_ = 0;
    std::uint64_t inserted_ = 0;
    std::vector<std::uint64_t> left_;           // by outlet, counted on this rank
    std::vector<MassSum> mass_left_;            // likewise, in units of mass_unit_
    double mass_unit_ = 0;                      // kg
    std::uint64_t deleted_ = 0;                 // outside the domain, on this rank
    MassSum mass_deleted_;                      // likewise
    std::optional<DeletedBall> first_deleted_;  // the same on all ranks
    // Of each insertion, the same on all ranks: balls and mass so far, and whether it is at its end.
    std::vector<std::uint64_t> inserted_by_;
    std::vector<std::uint64_t> drawn_by_;  // of its queue (insertion.hpp), with those that did not help to meet a mass
    std::vector<double> mass_by_;
    double mass_inserted_ = 0;
    std::vector<char> done_by_;
    Events mine_;                   // this rank's share, or common to all
    double wish_ = 0, wished_ = 0;  // of this rank; of all, as far as known

    std::vector<Index> layer_begin_;  // first place of each of this rank's layers, and the end of the last
    Balance balance_;
    LastCutMove last_move_;
    std::vector<double> layer_cost_;          // of each of this rank's layers, counted work of the last list
    std::vector<Range> boundary_, interior_;  // runs of real bodies: of the layers that are sent, and the others
    Range lowest_, highest_;                  // places of the layers that are sent
    EnergyBook energy_;
    double energy_at_start_ = 0;  // J, kinetic, potential and elastic
    WallLoads loads_;
    bool samples_are_new_ = false;      // of this step: wall balls add to them
    std::vector<double> servo_layers_;  // by layer and wall: force on the wall
    bool note_walls_ = false, note_pairs_ = false;
    std::vector<WallSample> wall_samples_;
    std::vector<PairSample> pair_samples_;
    std::vector<Departure> departures_;
    PhaseTimes times_;

    // Of use only within a rebuild; given back at its end.
    struct Scratch {
        std::vector<Cube> new_cube;                 // by old place
        std::vector<char> moved;                    // by old place: crossed a periodic face or leaves
        std::vector<PeriodicImages::Place> places;  // the new order
        ContactHistory book;
        Range newcomers;
        std::vector<WallLoad> loads;  // of a run that is taken up again, one a wall
    };
    Scratch scratch_;
};

}  // namespace granary
