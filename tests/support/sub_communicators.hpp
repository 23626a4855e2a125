// Runs on several numbers of ranks within one test: f(communicator) is called on a communicator of some of the test's
// ranks; its answer is known to all.
#pragma once
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <vector>

namespace granary::test {

// One, to compare with, and all. The numbers between are other runs of the same program, see tests/CMakeLists.txt.
inline std::vector<int> rank_counts() {
    const int all = boost::mpi::communicator().size();
    return all == 1 ? std::vector<int>{1} : std::vector<int>{1, all};
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
