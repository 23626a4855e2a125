// Runs on several numbers of ranks within one test: f(communicator) is called on communicators of 1, 2, 3, ... of the test's ranks, in
// turn; the answer of each is known to all.
#pragma once
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <vector>

namespace granary::test {

inline std::vector<int> rank_counts() {
    std::vector<int> counts;
    for (const int n : {1, 2, 3, 4, 7})
        if (n <= boost::mpi::communicator().size()) counts.push_back(n);
    return counts;
}

template <class F> auto on_ranks(int n, F&& f) {
    const boost::mpi::communicator world;
    using Answer = decltype(f(world));
    Answer answer{};
    const boost::mpi::communicator part = world.split(world.rank() < n ? 0 : 1);
    if (world.rank() < n) answer = f(part);
    boost::mpi::broadcast(world, answer, 0);
    return answer;
}

}  // namespace granary::test
