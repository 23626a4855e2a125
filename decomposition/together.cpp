#include "decomposition/together.hpp"

#include <boost/mpi/collectives.hpp>
#include <boost/mpi/operations.hpp>
#include <boost/serialization/string.hpp>

namespace granary {

void throw_first(const boost::mpi::communicator& comm, const std::optional<Failure>& mine) {
    const int first = boost::mpi::all_reduce(comm, mine ? comm.rank() : comm.size(), boost::mpi::minimum<int>());
    if (first == comm.size()) return;
    Failure failure = mine.value_or(Failure());
    int kind = static_cast<int>(failure.kind);
    boost::mpi::broadcast(comm, kind, first);
    boost::mpi::broadcast(comm, failure.text, first);
    throw_error(static_cast<ErrorKind>(kind), failure.text);
}

void throw_first(const boost::mpi::communicator& comm, ErrorKind kind, const std::string& mine) {
    throw_first(comm, mine.empty() ? std::nullopt : std::optional(Failure{kind, mine}));
}

}  // namespace granary
