// How single balls and clusters come to where they are in the drum: by runs of the program, on one rank. Clusters are
// rigid (shapes/clump.hpp), so elements of two clusters interlock as they do in a real heap, and no bond is needed.
// The same bits on every machine, as in any run.
#pragma once
#include <boost/mpi/communicator.hpp>
#include "bench/clusters/drum.hpp"

namespace granary {

// What a run of a drum came to.
struct DrumRun {
    double time = 0;            // s, of the run
    double kinetic_energy = 0;  // J, at its end
    double weight_height =
        0;  // J: m g times the radius of a single ball, over all; what the former is to be compared with
    double largest_overlap = 0;  // share of the smaller radius
};

// Grains fall together and come to rest, or fly, all collisions included.
DrumRun settle(const boost::mpi::communicator& comm, Drum& drum);
DrumRun throw_up(const boost::mpi::communicator& comm, Drum& drum);

// Of a distribution of table 6, settled if it is tight, settled and then thrown if it is loose.
Drum drum_at_rest_or_in_flight(const boost::mpi::communicator& comm, int distribution, const FittedCluster& kind,
                               DrumRun& last);

}  // namespace granary
