// An error of one rank becomes an error of all: nobody goes on to a collective call in which others are missing.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <exception>
#include <optional>
#include <string>
#include "core/errors.hpp"

namespace granary {

// What went wrong on one rank.
struct Failure {
    ErrorKind kind = ErrorKind::internal;
    std::string text;
};

// Throws on all ranks if something went wrong on any: the error of the lowest such rank, of the same kind and with the
// same text. Collective.
void throw_first(const boost::mpi::communicator& comm, const std::optional<Failure>& mine);

// The same for texts of one kind; an empty text means that nothing went wrong.
void throw_first(const boost::mpi::communicator& comm, ErrorKind kind, const std::string& mine);

// Calls work() on this rank; if it threw on any rank, the error of the lowest such rank is thrown on all, of the same
// kind. The text names the rank, unless it is 0. Collective; work() itself must not throw between its own collective
// calls.
template <class Work> void together(const boost::mpi::communicator& comm, Work&& work) {
    std::optional<Failure> mine;
    try {
        work();
    } catch (const std::exception& error) {
        mine = Failure{kind_of(error), error.what()};
        if (comm.rank() > 0) mine->text += " (on rank " + std::to_string(comm.rank()) + ")";
    }
    throw_first(comm, mine);
}

}  // namespace granary
