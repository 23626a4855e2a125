// The first bodies of a setup that a test writes by hand.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <span>
#include <utility>
#include <vector>
#include "engine/setup.hpp"

namespace granary::test {

// make(sink) calls the sink with all of them.
template <class Make> StartShares given(Make&& make) {
    std::vector<NewBody> all;
    make([&](const NewBody& b) { all.push_back(b); });
    return shares_of(std::move(all));
}

// As one rank alone would be given them.
inline std::vector<NewBody> all_bodies(const Setup& s) {
    std::vector<NewBody> all;
    s.start.for_bodies(boost::mpi::communicator(MPI_COMM_SELF, boost::mpi::comm_attach),
                       [&](std::span<const NewBody> slice) { all.insert(all.end(), slice.begin(), slice.end()); });
    return all;
}

// The same bodies, each as change(body) leaves it.
template <class Change> StartShares changed(const Setup& s, Change&& change) {
    std::vector<NewBody> all = all_bodies(s);
    for (NewBody& b : all) change(b);
    return shares_of(std::move(all));
}

}  // namespace granary::test
