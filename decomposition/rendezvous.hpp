// Springs find their bodies. A state file gives every rank some bodies and some contacts, not necessarily those of its
// bodies. Contacts whose bodies are all here stay; the others meet their bodies at a rank that follows from the id
// alone: holders report there, contacts are sent there, and from there on to the holder. Contacts come a slice at a
// time, and twice: first they are counted, then written down. So nothing is held but the history that a rebuild wants
// and, for the time of this, 16 bytes a body for its holder if there are several ranks.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <functional>
#include <optional>
#include <span>
#include "core/contact_history.hpp"
#include "core/contact_record.hpp"

namespace granary {

// Gives contacts a slice at a time, each once over all ranks, to what it is called with: as often on every rank, some
// slices may be empty. Collective; called twice, and gives the same both times.
using ContactSlices = std::function<void(const std::function<void(std::span<const ContactRecord>)>&)>;

// The bodies that this rank holds.
struct BodiesHere {
    std::span<const Id> ids;                            // in any order, maybe more than once
    std::size_t n_places = 0;                           // under which their history is noted
    std::function<std::optional<Index>(Id)> place;      // of one that is here
    std::function<bool(Index)> at_border;               // some partners of such a body may be met as ghosts or images
    std::function<bool(const ContactRecord&)> is_kept;  // elsewhere than in the history; empty: none is
    // Of such a record, seen from either side, once on each rank that holds one of its bodies.
    std::function<void(const ContactRecord&)> keep;
};

// Returns the springs of these bodies by place, seen from them. A pair of two bodies of this rank is noted under the
// smaller id, as in any rebuild; also under the other one if that one is at the border. Springs of bodies that nobody
// holds are dropped. Collective.
ContactHistory springs_of(const boost::mpi::communicator& comm, const BodiesHere& here, const ContactSlices& contacts);

}  // namespace granary
