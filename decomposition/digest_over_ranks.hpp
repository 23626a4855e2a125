// The digest of a state that is spread over ranks.
#pragma once
#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <functional>
#include "core/digest.hpp"

namespace granary {

// The sum over all ranks, on every rank. Collective.
inline DigestSum over_ranks(const boost::mpi::communicator& comm, const DigestSum& mine) {
    const auto words = mine.words();
    auto all = words;
    boost::mpi::all_reduce(comm, words.data(), static_cast<int>(words.size()), all.data(), std::plus<std::uint64_t>());
    return DigestSum::from_words(all);
}

// Of the real bodies of all ranks; collective.
inline Digest digest_of(const boost::mpi::communicator& comm, const Bodies& bodies,
                        std::span<const ContactRecord> contacts = {}, const Axes& axes = Axes()) {
    return over_ranks(comm, digest_sum(bodies, contacts, axes)).digest();
}

}  // namespace granary
