// MMR, the multi-step MR algorithm for bodies of any sizes, after
//   Munjiza, Rougier & John (2006), Int. J. Numer. Meth. Engng 66, 46-71, section 7, eqs. 30-35.
//
//   paper                      code
//   alpha                      MmrSettings::alpha
//   group j, d_j = d/alpha^j   the bodies with d_(j+1) < 2 r <= d_j; d = the largest diameter here. Membership is not printed.
//   step j                     groups before j are gone; cubes of edge d_j + margin; group j looks for partners in
//                              group j (half the mask, as in MR) and in all smaller groups (the whole mask: 9 rows)
//
// The steps are printed as 0, 1, 3, 4: read 0, 1, 2, 3. Here an empty group has no step; and when the cubes of a step hold
// hardly more than one body each, all the groups that are left are taken at once in an MR search of that step, because
// finer cubes would save nothing. So bodies of one size are searched by MR itself.
// Of a row with many bodies only those cubes are looked at that the ball reaches, enlarged by the largest radius that a partner
// can have: the partners of a smaller group are not as wide as the cubes.
//
// Order: step 0 uses the one order and its cubes. A finer step makes its order anew at each search by a radix sort, it
// does not keep it: time, not bytes. The order on fine cubes is no refinement of that on coarse ones (z comes first), so
// keeping it would take one list a step, n lists for the smallest bodies, and (35) would no longer hold. So (35) holds up to a constant, but not together with a
// re-sort by coherence. Memory, whatever the ratio of sizes: three times 8 bytes a body (16 if keys need more than 31 bits),
// 16 for a copy in single precision (float_sieve.hpp), and the notes of found_pairs.hpp.
#pragma once
#include "search/candidates.hpp"
#include "search/float_sieve.hpp"
#include "search/found_pairs.hpp"
#include "search/keyed_bodies.hpp"

namespace granary {

struct MmrSettings {
    double alpha = 2;  // > 1
    double merge_below =
        2.5;  // mean number of bodies that a body finds in its own cube, itself among them; 0: never merge
};

// Arrays that a search fills, kept for the next one; and what the last search did.
struct MmrWorkspace {
    LargeVector<ShortKeyed> short_items, short_spare, short_cubes;
    LargeVector<LongKeyed> long_items, long_spare, long_cubes;
    FloatSieve sieve;
    FoundPairs found;
    int steps = 0;             // of the last search
    std::uint64_t sorted = 0;  // bodies sorted, over all its steps

    std::uint64_t bytes() const {
        return sizeof(ShortKeyed) * (short_items.capacity() + short_spare.capacity() + short_cubes.capacity()) +
               sizeof(LongKeyed) * (long_items.capacity() + long_spare.capacity() + long_cubes.capacity()) +
               sieve.bytes() + found.bytes();
    }
};

void mmr_search(const SearchTask& task, PairList& pairs, const MmrSettings& settings, MmrWorkspace& work);

}  // namespace granary
