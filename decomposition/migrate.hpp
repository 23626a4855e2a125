// Bodies that change their owner. Every rank sends to whoever owns the layer of a body's new cube: a neighbour as a
// rule, any rank when cuts have moved or a body has come far. A body takes its columns and its contact history along.
// Between neighbours one message goes each way, and nobody waits for anybody else.
//
//   before: new_cube holds the new cube of every real body, by its place; the contact history is collected.
//   after:  emigrants have no_cube; immigrants stand behind the last place with columns, new_cube and history entries.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <span>
#include <vector>
#include "core/contact_history.hpp"
#include "core/bodies.hpp"
#include "core/lent_room.hpp"
#include "decomposition/slabs.hpp"
#include "search/cubes.hpp"

namespace granary {

enum class Reach { neighbours, all };  // whom bodies may go to; the same on all ranks

// runs: places of the real bodies. Returns the places of the immigrants.
Range migrate(const boost::mpi::communicator& comm, const Slabs& slabs, Bodies& bodies, std::span<const Range> runs,
              RoomVector<Cube>& new_cube, ContactHistory& history, Reach reach = Reach::all);

}  // namespace granary
