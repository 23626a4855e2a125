// What acts on the bodies: lists of candidates, contact history beside them, the law, and the loads and energies that
// come of it.
#pragma once
#include <algorithm>
#include <boost/mpi/communicator.hpp>
#include <memory>
#include <span>
#include <vector>
#include "contact/contact_model.hpp"
#include "contact/pair_forces.hpp"
#include "core/contact_history.hpp"
#include "core/contact_record.hpp"
#include "core/pair_list.hpp"
#include "core/staying_springs.hpp"
#include "decomposition/reductions.hpp"
#include "decomposition/search_over_ranks.hpp"
#include "engine/bonded_pairs.hpp"
#include "engine/energy_sums_watch.hpp"
#include "engine/energy_sums.hpp"
#include "engine/neighbourhood.hpp"
#include "engine/requests.hpp"
#include "engine/setup.hpp"
#include "engine/shape_contacts.hpp"
#include "engine/wall_model.hpp"
#include "search/wall_ball_search.hpp"
#include "walls/moving_walls.hpp"
#include "walls/wall_ball_contacts.hpp"
#include "walls/wall_contacts.hpp"
#include "walls/wall_loads.hpp"

namespace granary {

class Forces {
  public:
    Forces(const boost::mpi::communicator& comm, const Setup& setup)
        : law(make_contact_model(setup.materials, setup.pairs, setup.law)),
          reach(law->reach()),
          servo_forces(comm),
          wall_law_(make_wall_model(setup)) {
        bonds.prepare(setup);
        shapes.prepare(setup, law->facts());
    }
    // Farther apart than this, no pair need be in the list, m beyond touching.
    double list_reach(const Setup& setup) const { return std::max(reach, setup.bond_reach); }

    std::unique_ptr<const ContactModel> law;
    double reach = 0;  // of the law beyond touching, m
    PairList pairs;
    BondedPairs bonds;
    ShapeContacts shapes;
    WallContacts wall_contacts;
    WallBallSearch wall_balls;
    WallBallContacts wall_ball_contacts;
    std::vector<char> wall_open;  // gates that are open, by wall
    WallLoads loads;              // by layer
    EnergySums energy;            // with Setup::energy
    double energy_at_start = 0;   // J, kinetic, potential and elastic
    TravellingLayers servo_forces;
    // This rank's contacts at the last step for which they were asked for (Requests), until the next rebuild: those
    // with walls, and those between balls whose lower body is real: over all ranks each once. Both in the order of the
    // bodies.
    std::vector<WallSample> wall_samples;
    std::vector<PairSample> pair_samples;

    std::vector<char> walls_without_surface(const Setup& setup) const;  // open, or made of balls

    // At a rebuild: the lists at the positions of the last sort, without history. Collective.
    void search(const boost::mpi::communicator& comm, const Setup& setup, const Bodies& bodies,
                const Neighbourhood& hood, const MovingWalls& walls);
    // History from before. places: the new order of the owned bodies, with their old indices. stays: by old index, of
    // bodies whose springs with each other are in `springs`; all other records are in `history`.
    struct Before {
        const StayingSprings& springs;
        std::span<const char> stays;
        const ContactHistory& history;
        std::span<const PeriodicImages::Place> places;
    };
    void carry(const Bodies& bodies, const Neighbourhood& hood, const Before& before);
    // Whether springs of this kind between bodies stand beside the candidates.
    bool keeps_beside_pairs(const Partner& partner) const {
        return partner.is_body() && !shapes.possible() &&
               (partner.kind() == HistoryKind::tangential || partner.kind() == HistoryKind::rolling);
    }
    // Records at walls and wall balls; `body` is the index, ascending.
    std::vector<ContactRecord> wall_records() const;
    // Counted work of each layer, for the balance. Without springs contacts are taken as a share of the candidates.
    void count_work(const boost::mpi::communicator& comm, const Bodies& bodies, Neighbourhood& hood) const;
    // Of all pairs within reach, as the last evaluation of forces had it.
    void mark_touching(const Bodies& bodies) {
        pair_loops_.front().mark_touching(bodies, pairs, reach, law->facts().has_history);
    }

    // Each of these adds to force and torque of the bodies; springs advance by dt. In this order: walls, bonds, pairs,
    // wall balls.
    void of_walls(const Setup& setup, Bodies& bodies, const Neighbourhood& hood, const MovingWalls& walls, double dt,
                  Requests& requests);
    void of_bonds(const Setup& setup, Bodies& bodies, const Neighbourhood& hood, const Clock& clock, double dt,
                  Requests& requests);
    void of_pairs(const Setup& setup, Bodies& bodies, const Neighbourhood& hood, double dt, Requests& requests);
    void of_wall_balls(const Setup& setup, Bodies& bodies, const Neighbourhood& hood, const MovingWalls& walls,
                       double dt);

    // The forces of this step on all walls begin to travel; the next step reads them.
    void send_servo_forces(const Setup& setup, const Slabs& slabs);
    // What is summed up over time goes with its layer. Collective.
    void move_layers(const boost::mpi::communicator& comm, const Setup& setup, const Slabs& from, const Slabs& to);
    const OwnerCounts& pairs_by_owners() const { return pair_search_.by_owners(); }
    std::uint64_t bytes() const;  // of the lists that this rank holds

  private:
    void drop_held_pairs(const Bodies& bodies);
    void prepare_pair_loops(const Neighbourhood& hood);
    void add_pair_forces(Bodies& bodies, double dt, EnergyWatch* watch);
    void of_shapes_at_walls(const Setup& setup, Bodies& bodies, const Neighbourhood& hood, const MovingWalls& walls,
                            double dt);
    WallsNow walls_now(const Bodies& bodies, const Neighbourhood& hood, const MovingWalls& walls);
    template <class F> void note_samples(const std::string& name, const Neighbourhood& hood, const F& f);
    void sample_others(const Bodies& bodies, const Neighbourhood& hood, double dt);
    void expect_loads(const Setup& setup, const Bodies& bodies, const Neighbourhood& hood);

    EnergySumsWatch watch(const Bodies& bodies, const Neighbourhood& hood) { return {energy, hood.layers(bodies)}; }

    void carry_springs(const Bodies& bodies, const Neighbourhood& hood, const Before& before);

    std::unique_ptr<const WallModel> wall_law_;
    std::vector<LayeredRange> pair_ranges_;  // side by side
    std::vector<PairForces> pair_loops_{1};  // one a range of bodies; the first for all bodies, too
    SearchOverRanks pair_search_;
    bool samples_are_new_ = false;  // of this step: wall balls add to them
    std::vector<std::vector<WallSample>> range_samples_;
    std::vector<double> servo_layers_;  // by layer and wall: force on the wall
};

}  // namespace granary
