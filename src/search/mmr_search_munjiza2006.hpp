// MMR, the multi-step MR algorithm for bodies of any sizes, after
//   Munjiza, Rougier & John (2006), Int. J. Numer. Meth. Engng 66, 46-71, section 7, eqs. 30-35.
//
//   paper                      code
//   alpha                      MmrSettings::alpha
//   group j, d_j = d/alpha^j   the bodies with d_(j+1) < 2 r <= d_j; d = the largest diameter here. Membership is not
//   printed. step j                     groups before j are gone; cubes of edge d_j + margin; group j looks for
//   partners in
//                              group j (half the mask, as in MR) and in all smaller groups (the whole mask: 9 rows)
//
// The steps are printed as 0, 1, 3, 4: read 0, 1, 2, 3. Here an empty group has no step; and when the smaller ones are
// not too many in the cubes of a step, all the groups that are left are taken in that step too, because finer cubes
// would save nothing. That is so in step 0 already for up to dozens of bodies in a cube: then no order is made, and the
// list is written as it is found. Bodies of one group, or hardly more than one in a cube, are searched by MR itself.
//
// How a step looks (mmr_step.hpp) is not in the paper. What MMR saves in tests it would lose by wrong guesses of
// branches and by jumps in memory: by all the steps as printed, distribution (36) by number takes longer than by MR.
//
// Order: step 0 uses the one order and its cubes. A finer step makes its order anew at each search by a radix sort, it
// does not keep it: time, not bytes. The order on fine cubes is no refinement of that on coarse ones (z comes first),
// so keeping it would take one list a step, n lists for the smallest bodies, and (35) would no longer hold. So (35)
// holds up to a constant, but not together with a re-sort by coherence. Memory, whatever the ratio of sizes: some 40
// bytes a body (balls in single precision, lists of cubes); with finer steps two lists of 8 bytes a body (16 if keys
// need more than 31 bits), and the notes of found_pairs.hpp.
#pragma once
#include "search/candidates.hpp"
#include "search/found_pairs.hpp"
#include "search/mmr_step.hpp"

namespace granary {

struct MmrSettings {
    double alpha = 2;  // > 1
    // The groups that are left are taken at once when a body of theirs finds so few in its own cube on average, itself
    // among them; 0: never.
    double merge_below = 64;
};

// Arrays that a search fills, kept for the next one; and what the last search did.
struct MmrWorkspace {
    SievedBalls large, small;
    LargeVector<LongKeyed> large_cubes, small_cubes;
    LargeVector<ShortKeyed> short_items, short_spare;
    LargeVector<LongKeyed> long_items, long_spare;
    SortAlongX along_x;
    mmr::StepRoom room;
    FoundPairs found;
    int steps = 0;             // of the last search
    std::uint64_t sorted = 0;  // bodies sorted, over all its steps

    std::uint64_t bytes() const {
        return large.bytes() + small.bytes() + room.bytes() + along_x.bytes() + found.bytes() +
               sizeof(ShortKeyed) * (short_items.capacity() + short_spare.capacity()) +
               sizeof(LongKeyed) *
                   (long_items.capacity() + long_spare.capacity() + large_cubes.capacity() + small_cubes.capacity());
    }
};

void mmr_search(const SearchTask& task, PairList& pairs, const MmrSettings& settings, MmrWorkspace& work);

}  // namespace granary
