// Who is near: cubes, slabs, images across periodic faces and ghosts of neighbouring ranks; the order of the bodies;
// and when all this must be made anew. Cuts between slabs move here, so that ranks have equal work.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <span>
#include <vector>
#include "core/bodies.hpp"
#include "core/lent_room.hpp"
#include "core/parallel.hpp"
#include "core/timers.hpp"
#include "decomposition/balance.hpp"
#include "decomposition/halo.hpp"
#include "decomposition/slabs.hpp"
#include "engine/body_layers.hpp"
#include "engine/setup.hpp"
#include "motion/staleness.hpp"
#include "search/cubes.hpp"
#include "search/periodic_images.hpp"

namespace granary {

// The last time that cuts moved: the step, and the imbalance before and after, as far as it was known then.
struct LastCutMove {
    std::uint64_t step = 0;
    double before = 1, after = 1;
};

class Neighbourhood {
  public:
    Cubes cubes;
    Slabs slabs;
    PeriodicImages images;
    Halo halo;
    Staleness staleness;
    std::vector<Index> layer_begin;         // first index of each of this rank's layers, and the end of the last
    std::vector<double> layer_cost;         // of each of this rank's layers, counted work of the last list
    std::vector<Range> boundary, interior;  // ranges of real bodies: of the layers that are sent, and the others
    Range lowest, highest;                  // the layers that are sent
    // All bodies, ghosts too, in ranges of whole layers that are worked on side by side: one a thread, if there are
    // that many layers.
    std::vector<LayeredRange> ranges;
    LastCutMove last_move;
    // This rank's share, or common to all.
    std::uint64_t rebuilds = 0, migrations = 0, wraps = 0, cut_moves = 0;

    void prepare(const boost::mpi::communicator& comm, const Setup& setup, double reach);

    std::size_t n_layers() const { return layer_begin.size() - 1; }
    BodyLayers layers(const Bodies& bodies) const { return {bodies, cubes, slabs.first(rank_)}; }
    std::size_t layer_of(const Bodies& bodies, Index i) const { return layers(bodies)(i); }  // among this rank's layers
    bool is_real(const Bodies& bodies, Index i) const { return layers(bodies).is_real(i); }
    bool owns(int layer) const { return layer >= slabs.first(rank_) && layer < slabs.end(rank_); }
    bool is_near(int owner) const {  // this rank, or one that has the next layer
        return owner == rank_ || slabs.below(rank_) == owner || slabs.above(rank_) == owner;
    }
    bool at_border(Cube cube) const;  // of the box or the slab: partners may be ghosts or images
    double smallest_edge() const { return std::min({cubes.edge.x, cubes.edge.y, cubes.edge.z}); }

    // Cuts for the first time, from the balls in each layer of all ranks.
    void cut_by_count(const Setup& setup, const std::vector<double>& count);
    double given_here(const std::vector<double>& count) const;
    // Cuts for a balance of the counted work. Gives the new slabs if they differ. Collective.
    bool choose_cuts(const Setup& setup, std::uint64_t step, double seconds_worked);

    // The order of real bodies and newcomers, images woven in, by their new cubes (by old index).
    void sort(const Bodies& bodies, std::span<const Cube> new_cube, Range newcomers,
              RoomVector<PeriodicImages::Place>& places);
    // Everything moves to its place, images and ghosts are made. Force, torque and reference are lost. Collective.
    void settle(Bodies& bodies, std::span<const PeriodicImages::Place> places, std::span<const Cube> new_cube,
                PhaseTimes& times);
    // At the end of a rebuild: no forces, and positions become those of the last sort.
    static void begin_interval(Bodies& bodies);
    // Images and ghosts as their bodies are now.
    void refresh(Bodies& bodies) {
        images.refresh(bodies, bodies.owned);
        halo.start();
        halo.finish(bodies);
    }

  private:
    void split_ranges(const Bodies& bodies, Range low, Range high);
    void cut_ranges(const Bodies& bodies);

    boost::mpi::communicator comm_;
    int rank_ = 0;
    std::size_t ranges_wanted_ = 1;
    Balance balance_;
};

}  // namespace granary
