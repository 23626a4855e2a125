// Sums of many numbers over all bodies of all ranks, the same bits on any number of ranks: every number is added up in the one order. The
// sums go from rank to rank, and each adds its own bodies in their order to what it is given; a slab is an interval of the order, so
// the additions are those of one rank alone. For measurements now and then: ranks wait for each other in a row. (Numbers that every
// layer has only a few of are summed by sum_over_layers, without waiting.)
#pragma once
#include <mpi.h>
#include <boost/mpi/communicator.hpp>
#include <vector>

namespace granary {

// Collective. add(sums) adds what this rank has; afterwards all ranks hold the whole. Less than 2^31 numbers.
template <class Add> void fold_in_order(const boost::mpi::communicator& comm, std::vector<double>& sums, Add&& add) {
    constexpr int tag = 71;
    const int me = comm.rank(), last = comm.size() - 1, n = static_cast<int>(sums.size());
    if (me > 0) MPI_Recv(sums.data(), n, MPI_DOUBLE, me - 1, tag, comm, MPI_STATUS_IGNORE);
    add(sums);
    if (me < last) MPI_Send(sums.data(), n, MPI_DOUBLE, me + 1, tag, comm);
    if (last > 0) MPI_Bcast(sums.data(), n, MPI_DOUBLE, last, comm);
}

}  // namespace granary
