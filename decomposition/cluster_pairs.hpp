// Pairs of clusters that reach over slab faces, resolved by one owner rank each: the second level of the search in two
// levels (search/two_level_huang2020.hpp) across ranks.
//
//   1. What can touch across a face stands in the two layers next to it, and the rank below the face holds both: its
//      own highest layer and, as ghosts, the lowest one of the rank above. It owns the face: it alone finds the pairs
//      across it, of clusters with clusters, with single balls, and within a cluster that the face cuts. Units and
//      their spheres (12), (13) are made of what stands there, so nothing has to be known of the rest of a cluster.
//   2. The rank above leaves the ghosts below it out of its search, and gets the pairs in one message: two places a
//      pair, one in the highest layer of the rank below, one in its own lowest layer. Layers are sent as they stand, so
//      both ranks count alike. A pair is told if its upper body is real there; its lower body may be an image.
//   3. There is nothing else: a search has no collective call, and one message a face.
//
// Where clusters have broken a rank searches flat, by itself, and so finds the pairs at the face below it twice, as all
// flat detectors do. Whether a rank does it next time it says in its message; and if not, in which search it will look
// again. Until then it says nothing. A rank that has got a new neighbour, because cuts have moved, says only whether
// it will. At the first search every rank owns the face above it.
//
// Spheres of whole clusters, and an owner for each pair of clusters instead of each face, were tried before (labels,
// centres and radii gathered, elements sent to the owner and pairs back): the list is the same, and the calls cost more
// than the search (tests/benchmarks/CLUSTERS.md).
#pragma once
#include <boost/mpi/communicator.hpp>
#include <array>
#include <cstdint>
#include <vector>
#include "decomposition/slabs.hpp"
#include "search/two_level_huang2020.hpp"

namespace granary {

// Of one search, on this rank.
struct OwnerCounts {
    std::uint64_t pairs = 0;                        // of clusters across the face above, that both have elements in D'
    std::uint64_t pairs_sent = 0, pairs_taken = 0;  // of elements
    std::uint64_t messages = 0, bytes = 0;          // sent

    OwnerCounts& operator+=(const OwnerCounts& other) {
        pairs += other.pairs, pairs_sent += other.pairs_sent, pairs_taken += other.pairs_taken;
        messages += other.messages, bytes += other.bytes;
        return *this;
    }
};

// What the ranks on both sides of a face know of the search to come. They know the same.
struct FaceAgreement {
    static constexpr int none = -1, not_yet = -2;
    int rank = not_yet;       // the other side
    std::uint32_t quiet = 0;  // searches without a message
    bool owned = true;        // the next message has the pairs
    void meet(int other);     // who the other side is now
    bool has_message() const { return rank >= 0 && quiet == 0; }
    bool has_pairs() const { return has_message() && owned; }
};

struct OwnerWorkspace {
    TwoLevelWorkspace local;
    FaceAgreement below, above;
    std::vector<std::array<Index, 2>> sent, taken;  // a header, then pairs by place in the two layers
    OwnerCounts counts;

    std::uint64_t room() const { return local.bytes() + (sent.capacity() + taken.capacity()) * sizeof(sent[0]); }
};

// The list that two_level_search gives. To be called by all ranks.
void two_level_search_by_owners(const boost::mpi::communicator& comm, const Slabs& slabs, const SearchTask& task,
                                PairList& pairs, const TwoLevelSettings& settings, OwnerWorkspace& work);

}  // namespace granary
