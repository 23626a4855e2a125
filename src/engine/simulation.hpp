// One run on one communicator: the bodies of this rank and the step that moves them.
// The step itself is Simulation::step in simulation.cpp; what happens at a rebuild is in rebuild.cpp, what stops a run
// in guards.cpp, how a run is saved and taken up again in saved_run.cpp. Its parts are clock, neighbourhood, forces,
// insertion and ledger; what is reported about the state is in measures.hpp.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>
#include "core/contact_history.hpp"
#include "core/lent_room.hpp"
#include "core/saved_state.hpp"
#include "core/state_source.hpp"
#include "core/staying_springs.hpp"
#include "decomposition/reductions.hpp"
#include "decomposition/rendezvous.hpp"
#include "engine/clock.hpp"
#include "engine/forces.hpp"
#include "engine/inserter.hpp"
#include "engine/ledger.hpp"
#include "engine/neighbourhood.hpp"
#include "engine/requests.hpp"
#include "engine/setup.hpp"
#include "motion/integrate.hpp"
#include "walls/moving_walls.hpp"

namespace granary {

// What is wrong if a motion takes a wall farther than half a cube in one step; empty: it does not.
std::string too_fast_wall(const MovingWalls& walls, std::size_t motion, double dt, const Vec3d& cube_edge);

class Simulation {
  public:
    Simulation(boost::mpi::communicator comm, Setup setup);
    // Goes on with a run that was saved, as if it had never stopped: the setup as it was at the start (its bodies are
    // not asked for), with the insertions that were under way. Collective; any number of ranks.
    Simulation(boost::mpi::communicator comm, Setup setup, const StateSource& saved);
    Simulation(const Simulation&) = delete;
    Simulation& operator=(const Simulation&) = delete;

    void step();

    // Between steps; the next step begins with a rebuild. The same call on every rank.
    void change_dt(double dt);  // velocities are brought to the new half step
    void ask_for_rebuild() { rebuild_asked_ = true; }
    void open_wall(std::size_t wall);       // a gate: it is no longer there
    void begin_motion(std::size_t motion);  // of setup().motions; one that waits for its stage
    // Steps count from the start; gives the first one's number.
    std::size_t add_insertions(std::span<const InsertionSpec> more);
    void drop_insertions(std::size_t from);  // that one and all after it

    // Between steps: all that a run needs to go on, besides bodies() and contacts_of(). Changes nothing. Collective.
    SavedState save() const;

    const boost::mpi::communicator& comm() const { return comm_; }
    const Setup& setup() const { return setup_; }
    const Clock& clock() const { return clock_; }
    const Motion& motion() const { return motion_; }
    const Bodies& bodies() const { return bodies_; }
    const Neighbourhood& neighbourhood() const { return hood_; }
    const Forces& forces() const { return forces_; }
    const MovingWalls& walls() const { return walls_; }  // where they are now
    const Inserter& inserter() const { return inserter_; }
    const LedgerCounts& counts() const { return counts_; }
    Requests& requests() const { return requests_; }  // for observers: nothing that they ask changes the run

  private:
    // The step (simulation.cpp)
    void prepare();
    void advance(std::span<const Range> ranges);
    void kick_all(double time);
    void move_walls(double dt);
    void drive_held();
    void forces_at_walls(double dt);
    void forces_between_bodies(double dt);
    Extremes wall_extremes() const;
    bool rebuild_due(std::uint64_t step) const;

    // Rebuild (rebuild.cpp)
    void take_initial_bodies();
    void take_springs(const ContactSlices& contacts);  // start_springs.cpp
    void rebuild();
    // What all ranks agree on at the beginning of a rebuild, in one reduction.
    struct Agreed {
        bool some_go_far = false;  // a body goes to a rank that is no neighbour
        double speed = 0;          // m/s, the greatest of all bodies that stay in the run
        double request = 0;        // Requests
    };
    Agreed assign_cubes();
    struct NewCubes {  // what bodies of this rank, or of a part of it, have in store for the rebuild
        bool bad = false, far = false, finite = true, some_wait = false;
        double fastest = 0;  // m^2/s^2
        void join(const NewCubes& other);
    };
    void find_cube(Index i, NewCubes& found);
    void find_cubes_inside(Range range, NewCubes& found);
    void bring_inside(Index i, NewCubes& found, std::optional<DeletedBall>& first);
    double agree_on_speed();  // of newcomers too; collective
    void delete_body(Index i, std::optional<DeletedBall>& first);
    void note_history();
    void insert_due_bodies();
    void sort_and_settle();
    void search();
    void carry_history();
    void find_held();
    void add_newcomer(const NewBody& body, std::span<const ContactHistory::Entry> springs);

    // Energy (energy.cpp)
    void note_leaving_energy(Index i);
    void note_entering_energy(const NewBody& body);
    void note_work_of_holds();

    // Saving and going on (saved_run.cpp)
    template <class Io> void run_state(Io& io);
    StateRanks state_ranks() const;
    void restore(const StateSource& saved);
    void take_saved_bodies(const StateSource& saved);
    int owner_at_last_sort(const BodyRecord& body) const;
    void give_back(const StateSource& saved, const std::vector<Id>& crossed);

    // Guards (guards.cpp)
    void check_speed(double speed);  // collective when it fails
    void check_walls() const;        // the same on all ranks
    bool may_delete(Index i) const;
    [[noreturn]] void stop_for_bad_bodies();  // collective
    std::string deep_overlaps_text();         // collective
    std::string describe(Index i) const;

    boost::mpi::communicator comm_;
    Setup setup_;
    Clock clock_;
    Motion motion_;
    Bodies bodies_;
    Neighbourhood hood_;
    Forces forces_;
    MovingWalls walls_;
    Inserter inserter_;
    LedgerCounts counts_;
    TravellingMax travelling_;
    bool rebuild_asked_ = false;
    std::vector<Index> driven_;  // held bodies of this rank that something moves
    mutable Requests requests_;

    // Of use only within a rebuild; given back at its end. It stands in columns that mean nothing meanwhile.
    struct Scratch {
        explicit Scratch(LentRoom& room)
            : new_cube(&room),
              stays(&room),
              places(&room),
              springs(&room),
              history(&room) {}
        RoomVector<Cube> new_cube;  // by old index
        RoomVector<char> stays;  // by old index: a real body of this rank before and after, put over no periodic face
        RoomVector<PeriodicImages::Place> places;  // the new order
        StayingSprings springs;                    // of pairs of bodies that stay; all others:
        ContactHistory history;
        Range newcomers;
        Index n_first = 0;            // bodies that the run begins with, or goes on with
        std::vector<WallLoad> loads;  // of a run that is taken up again, one a wall
    };
    void begin_scratch() { scratch_.emplace(room_); }
    void end_scratch();

    LentRoom room_;
    std::optional<Scratch> scratch_{std::in_place, room_};
};

}  // namespace granary
