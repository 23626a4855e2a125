// Bodies that enter while the run goes on. Every rank makes the same trials and says which its own bodies block (a
// packing) or how much room they leave (a rain). What stands still, such as walls, is tested by the rank that owns the
// place of the trial. After that is joined all ranks accept the same trials, and the owner of the place takes the body
// in.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <functional>
#include <span>
#include <vector>
#include "core/bodies.hpp"
#include "core/contact_history.hpp"
#include "core/position_lattice.hpp"
#include "engine/clock.hpp"
#include "engine/ledger.hpp"
#include "engine/neighbourhood.hpp"
#include "engine/setup.hpp"
#include "filling/insertion.hpp"

namespace granary {

class Inserter {
  public:
    // What there is when an event is due: the bodies of this rank with their new cubes, and the walls.
    struct Scene {
        const boost::mpi::communicator& comm;
        const Setup& setup;  // its insertions are those of the inserter
        const Clock& clock;
        const Bodies& bodies;
        std::span<const Range> real;       // this rank's bodies
        Range newcomers;                   // and those that have just arrived
        const RoomVector<Cube>& new_cube;  // by index; no_cube: it leaves
        const Neighbourhood& hood;
        const PositionLattice& lattice;
        std::span<const Wall> walls;  // where they are now
        std::span<const char> wall_open;
        std::span<const WallBall> wall_balls;
    };

    void resize(std::size_t n);  // so many insertions in all; new ones begin at zero

    bool due(const Setup& setup, std::uint64_t step) const;
    bool done(const Setup& setup, std::size_t insertion) const;  // nothing more will come of it
    // Called on all ranks for each body that enters, with its id and time of entry, and what it remembers of its bonds:
    // of a cluster for each element.
    using Take = std::function<void(const NewBody&, std::span<const ContactHistory::Entry>)>;
    void insert(const Scene& scene, LedgerCounts& counts, const Take& take);  // collective

    // The same on every rank.
    const std::vector<std::uint64_t>& bodies() const { return bodies_; }  // grains by insertion, so far
    const std::vector<std::uint64_t>& drawn() const { return drawn_; }    // drawn for them, taken or not
    const std::vector<double>& mass() const { return mass_; }             // likewise, kg
    double mass_of_all() const { return mass_of_all_; }                   // kg, by all insertions so far
    std::uint64_t clusters() const { return clusters_; }                  // likewise; grains that are clusters

    bool fits(std::size_t n) const {  // what was loaded
        return bodies_.size() == n && drawn_.size() == n && mass_.size() == n && done_.size() == n;
    }
    template <class Io> void run_state(Io& io) {
        io("insertions.balls", bodies_), io("insertions.drawn", drawn_), io("insertions.mass", mass_),
            io("insertions.done", done_), io("ledger.mass_inserted", mass_of_all_);
        if constexpr (Io::loads) {
            if (!io.has("insertions.clusters")) return;  // of an earlier version
        }
        io("insertions.clusters", clusters_);
    }

  private:
    struct Event;
    void rain(const Event& event, std::size_t k);
    void packing(const Event& event, std::size_t k);
    bool take_in(const Event& event, std::size_t k, NewBody body);
    void take_cluster(const Event& event, const NewBody& grain);

    std::vector<std::uint64_t> bodies_;  // a cluster counts as one
    std::vector<std::uint64_t> drawn_;   // of its queue (insertion.hpp), with those that did not help to meet a mass
    std::vector<double> mass_;
    std::vector<char> done_;
    double mass_of_all_ = 0;
    std::uint64_t clusters_ = 0;
};

}  // namespace granary
