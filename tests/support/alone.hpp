// Tests of one rank in a program that also runs on many: they are run by the program on one rank, and under CI's
// sanitizers, which start the program once, by the first rank.
#pragma once
#include <gtest/gtest.h>
#include <boost/mpi/communicator.hpp>
#include "support/quick.hpp"

namespace granary::test {

inline boost::mpi::communicator alone() { return {MPI_COMM_SELF, boost::mpi::comm_attach}; }

inline bool other_ranks_do_it() {
    const boost::mpi::communicator world;
    return world.size() > 1 && (world.rank() > 0 || !quick());
}

}  // namespace granary::test

// The first line of such a test.
#define GRANARY_TEST_OF_ONE_RANK() \
    if (granary::test::other_ranks_do_it()) GTEST_SKIP() << "of one rank"
