// The bodies that a run begins with. Each rank makes a share of them, a slice at a time, and sends them to their
// owners: nobody makes or holds them all.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>
#include "core/bodies.hpp"
#include "core/contact_record.hpp"

namespace granary {

// Bodies and contacts, each once over all ranks of comm, in any order. Both are collective: they call use as often on
// every rank (some slices are empty), and give the same whenever they are called. Without a function there are none.
struct StartShares {
    using UseBodies = std::function<void(std::span<const NewBody>)>;
    using UseContacts = std::function<void(std::span<const ContactRecord>)>;
    // A body of a saved state: as a new one, and with all its columns as they were saved, vectors in the axes inside.
    struct SavedBody {
        NewBody body;
        BodyRecord columns;
    };
    using UseSaved = std::function<void(std::span<const SavedBody>)>;
    std::function<void(const boost::mpi::communicator& comm, const UseBodies& use)> bodies;
    std::function<void(const boost::mpi::communicator& comm, const UseSaved& use)> saved;  // if it is there: these
    std::function<void(const boost::mpi::communicator& comm, const UseContacts& use)> contacts;

    void for_bodies(const boost::mpi::communicator& comm, const UseBodies& use) const;
    void for_contacts(const boost::mpi::communicator& comm, const UseContacts& use) const {
        if (contacts) contacts(comm, use);
    }
};

// The columns of a saved body that a new run takes over beyond what a new body has: all that a sort moves, except
// derivatives, which begin anew.
std::vector<Column> columns_taken_over();

// Calls piece(first, end) with the share of this rank in the numbers 0 .. n - 1, cut into pieces; as often on every
// rank, some are empty.
void for_share(const boost::mpi::communicator& comm, std::uint64_t n,
               const std::function<void(std::uint64_t first, std::uint64_t end)>& piece);

// Bodies of the sites 0 .. n - 1 of a packing: make(first, end, sink) calls the sink with those of some sites.
using BodySink = std::function<void(const NewBody&)>;
using SiteMaker = std::function<void(std::uint64_t first, std::uint64_t end, const BodySink& sink)>;
StartShares shares_of_sites(std::uint64_t n, SiteMaker make);

// Few bodies, which every rank knows.
StartShares shares_of(std::vector<NewBody> bodies, std::vector<ContactRecord> contacts = {});

}  // namespace granary
