// The bodies of [[bodies]]: packings, single balls and files, in shares.
#pragma once
#include <boost/mpi/communicator.hpp>
#include "engine/setup.hpp"
#include "io/case/case.hpp"

namespace granary {

// Adds them to the setup, and enlarges its largest radius if need be. Every rank makes or reads some of them. Ids
// follow the order of the case, of the sites of a packing and of the lines of a file. Collective; throws the same
// InputError on all ranks for bodies that do not fit and for files that cannot be read, with its place in the case.
void add_start_bodies(const boost::mpi::communicator& comm, const Case& c, const CasePlaces& places, Setup& setup);

}  // namespace granary
