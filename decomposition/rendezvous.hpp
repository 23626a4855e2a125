// Springs find their bodies. A state file gives every rank some bodies and some contacts, not necessarily those of its bodies. They meet at
// a rank that follows from the id alone: holders report there, contacts are sent there, and from there on to the holder.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <span>
#include <vector>
#include "core/contact_record.hpp"

namespace granary {

// ids: of the bodies this rank holds. contacts: any, each once over all ranks. Returns the springs of the bodies held here, seen from
// them (a pair of bodies of this rank comes twice, from either side), sorted by body and partner. Collective.
std::vector<ContactRecord> springs_of(const boost::mpi::communicator& comm, std::span<const Id> ids,
                                      std::span<const ContactRecord> contacts);

}  // namespace granary
