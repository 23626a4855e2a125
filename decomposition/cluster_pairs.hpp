// Pairs of clusters that reach over slab faces, resolved by one owner rank each: the second level of the search in two
// levels (search/two_level_huang2020.hpp) across ranks.
//
//   1. A cluster that has an element in a layer next to another rank's slab is a border cluster. All ranks learn the
//      labels of all border clusters, then their centres (12) and radii (13): centres from exact integer sums on the
//      position lattice, radii as maxima, so they do not depend on how the cluster is cut.
//   2. The owner of a pair of border clusters is the lowest rank whose slab both spheres reach, each grown by the
//      margin and the largest radius. Cuts and spheres tell every rank, without asking.
//   3. Each rank sends the owner its elements of the one that are within the other's sphere (D'). If both have some,
//      the owner finds the pairs of elements, side by side or by a secondary grid, and the candidate rule decides.
//   4. A pair goes back as (id, id, shift by periods) to the ranks whose real bodies they are. Each makes its rows: the
//      real body, and the copy of the other that stands at that shift, be it real, an image or a ghost.
// All other pairs (of single balls, of a single ball and a cluster, within a cluster, of clusters that are no border
// clusters) are found by each rank in what it holds. If only one of two clusters is a border cluster, the elements of
// the other are more than a layer away from the next slab, so their partners are on the same rank.
//
// Left to each rank, too: border clusters with more than most_elements, and those as wide as half a period.
//
// A rank on which two levels would be slower (two_level_huang2020.hpp) finds all its pairs by a flat search, which it
// can, since ghosts have positions and labels; it still sends elements, and owns pairs, for the others. When that holds
// on all ranks nothing is sent. An error of one rank becomes one of all before the next exchange.
#pragma once
#include <boost/mpi/communicator.hpp>
#include <cstdint>
#include "core/position_lattice.hpp"
#include "decomposition/slabs.hpp"
#include "search/two_level_huang2020.hpp"

namespace granary {

// Of one search, on this rank.
struct OwnerCounts {
    std::uint64_t border_clusters = 0;  // on all ranks
    std::uint64_t pairs = 0;            // of clusters that this rank owns and that both have elements in D'
    std::uint64_t elements_sent = 0, pairs_sent = 0;
    std::uint64_t messages = 0, bytes = 0;  // sent to other ranks, as if each collective call were plain messages
    std::uint64_t element_tests = 0;        // as an owner

    OwnerCounts& operator+=(const OwnerCounts& other) {
        border_clusters += other.border_clusters, pairs += other.pairs;
        elements_sent += other.elements_sent, pairs_sent += other.pairs_sent;
        messages += other.messages, bytes += other.bytes;
        element_tests += other.element_tests;
        return *this;
    }
};

struct OwnerWorkspace {
    TwoLevelWorkspace local, owned;
    ResolvedElsewhere elsewhere;
    OwnerCounts counts;

    std::uint64_t room() const {
        return local.bytes() + owned.bytes() + elsewhere.copy.capacity() * sizeof(elsewhere.copy[0]) +
               elsewhere.rows.capacity() * sizeof(elsewhere.rows[0]);
    }
};

// The list that two_level_search gives. Collective.
void two_level_search_by_owners(const boost::mpi::communicator& comm, const Slabs& slabs, const SearchTask& task,
                                PairList& pairs, const TwoLevelSettings& settings, OwnerWorkspace& work);

}  // namespace granary
