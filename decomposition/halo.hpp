// Ghosts: copies of the one layer of bodies below and above a rank's slab. Layers are contiguous in the one order, so
// they are sent from where they stand and received where they will stand: no index lists, no packing. All columns that
// travel go in one message a side.
//
//   contract      before                                    after
//   count         layers of the new order are known         number of ghosts below and above is known
//   create        owned bodies stand in place               ghosts have every column that travels on creation
//   start         boundary layers hold their new values     messages are on their way; boundary layers must not be
//   written finish        -                                         ghosts hold what their owners held at `start`
//
// The plan is made once at `create` as persistent requests of plain MPI (Boost.MPI 1.74 has none, and its requests
// allocate).
#pragma once
#include <mpi.h>
#include <boost/mpi/communicator.hpp>
#include <vector>
#include "core/bodies.hpp"
#include "decomposition/slabs.hpp"
#include "search/cubes.hpp"

namespace granary {

class Halo {
  public:
    Halo() = default;
    ~Halo() { forget(); }
    Halo(const Halo&) = delete;
    Halo& operator=(const Halo&) = delete;

    struct Counts {
        Index below = 0, above = 0;
    };
    static Counts count(const boost::mpi::communicator& comm, const Slabs& slabs, Index lowest_layer,
                        Index highest_layer);

    // lowest, highest: the rank's first and last layer, images among them (the same range if it has but one layer).
    void create(const boost::mpi::communicator& comm, const Slabs& slabs, const Cubes& cubes, Bodies& bodies,
                Range lowest, Range highest);
    void start();
    void finish(Bodies& bodies);

  private:
    void forget();

    std::vector<MPI_Request> requests_;
    Range below_, above_;
    double shift_below_ = 0, shift_above_ = 0;  // m along the slab axis, over a periodic face
};

}  // namespace granary
