// An error of one rank becomes an error of all: nobody goes on to a collective call in which others are missing.
#pragma once
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/operations.hpp>
#include <exception>
#include <string>
#include "core/errors.hpp"

namespace granary {

// Calls work() on this rank, then agrees: if it threw on any rank, the text of the lowest such rank is thrown as an
// InputError on all. Collective; work() itself must not throw between its own collective calls.
template <class Work> void together(const boost::mpi::communicator& comm, Work&& work) {
    std::string problem;
    bool failed = false;
    try {
        work();
    } catch (const std::exception& error) {
        failed = true;
        problem = error.what();
        if (comm.rank() > 0) problem += " (on rank " + std::to_string(comm.rank()) + ")";
    }
    const int first = boost::mpi::all_reduce(comm, failed ? comm.rank() : comm.size(), boost::mpi::minimum<int>());
    if (first == comm.size()) return;
    boost::mpi::broadcast(comm, problem, first);
    throw InputError(problem);
}

}  // namespace granary
