// Contact detection for bonded clusters in two levels, after
//   Huang, Ding, Miao, Sang & Jia (2020), Powder Technol. 374, 371-382, section 3, algorithm 2.
//
//   paper                            code
//   bounding spheres (12), (13)      ClusterUnits, made anew at each search
//   primary grid (14), (15)          LocalCubes of edge 2 R_max + margin, bodies in MR order: sorted keys, no cell
//   array single - single                  the candidate rule at once single - bounding sphere (16)    all singles near
//   a cluster together against its elements (17) bounding - bounding sphere, D'   elements of the one whose distance to
//   the other's centre is less than that one's
//                                    radius and their own: no less safe than D' and smaller
//   secondary grid (20), (21)        SecondLevel
//   -                                a cluster with itself: the paper leaves out pairs whose bond is gone
//
// What the paper calls contact of two clusters, yes or no, is here the list of all pairs of elements. The grids only
// propose; the candidate rule of candidates.hpp decides, so the list is that of every other detector.
//
// Which clusters count as single balls, by rule: those of which this rank holds more than most_elements; and, starting
// with the widest, those whose spheres make the primary cubes so large that a unit finds more than most_mates units in
// its own cube on average, itself among them (the limit of radii is halved until that holds).
//
// The search is that of MMR if bodies have no labels, if no cluster is left, or where two levels would be slower:
// units have fewer than fewest_a_unit bodies on average, or pairs of clusters whose spheres touch are more than
// most_pairs_a_body, as in heaps of broken grains whose pieces have not parted. Then the next searches, so many as
// flat_for says, are flat without a look at the clusters.
#pragma once
#include "search/mmr_search_munjiza2006.hpp"
#include "search/secondary_grid.hpp"

namespace granary {

struct TwoLevelSettings {
    Index most_elements = 4096;
    double most_mates = 32;
    double fewest_a_unit = 0, most_pairs_a_body = 1e300;
    int flat_for = 0;
    // Elements are sorted into a secondary grid if there are more targets than this; fewer are tested side by side. The
    // two are level at 300 to 700 targets, by the shape of the clusters (tests/benchmarks/CLUSTERS.md).
    Index grid_above = 400;
    bool local_frame = false;  // (18), (19); else the grid lies along the global axes
    MmrSettings flat;
};

// Of runs: flat where that is the faster one.
TwoLevelSettings two_level_of_runs(double alpha);

// Arrays that a search fills, kept for the next one; and what the last search did.
struct TwoLevelWorkspace {
    Extent all;
    ClusterUnits units;
    LocalCubes primary;
    LargeVector<LongKeyed> keys, spare, cubes;
    SievedBalls spheres;                               // in MR order; number: the unit
    std::vector<std::pair<Index, Index>> with_single;  // cluster, single
    std::vector<std::pair<Index, Index>> of_clusters;  // two clusters whose spheres touch
    std::vector<std::pair<Index, Index>> for_above;    // pairs that the rank above lists, by place
    ElementList first, second;
    FoundPairs found;
    MmrWorkspace flat;
    TwoLevelCounts counts;
    Index n_cubes = 0;
    bool is_flat = false;
    bool is_slow = false;  // a flat search would have been faster, but this one had to be in two levels
    int flat_left = 0;     // searches that are flat without a look

    std::uint64_t bytes() const {
        return units.bytes() + spheres.bytes() + found.bytes() + flat.bytes() + first.balls.bytes() +
               second.balls.bytes() + sizeof(LongKeyed) * (keys.capacity() + spare.capacity() + cubes.capacity()) +
               sizeof(with_single[0]) * (with_single.capacity() + of_clusters.capacity() + for_above.capacity());
    }
};

// The two columns of the paper's tables: grid subdivision (units, spheres, primary grid) and contact resolution.
//
// Of a rank that shares its search with its neighbours: share says what is left out. If it finds pairs for the rank
// above it searches in two levels even where a flat search were faster, and says so in is_slow. Between resolving and
// finishing pairs with ghosts of the rank below, from that rank, may be added to work.found if the search was not flat;
// the flat one finds all pairs, and has nothing for the rank above.
void two_level_subdivide(const SearchTask& task, const TwoLevelSettings& settings, TwoLevelWorkspace& work,
                         const SlabShare& share = {});
void two_level_resolve(const SearchTask& task, PairList& pairs, const TwoLevelSettings& settings,
                       TwoLevelWorkspace& work, const SlabShare& share = {});
void two_level_finish(const SearchTask& task, PairList& pairs, TwoLevelWorkspace& work);

inline void two_level_search(const SearchTask& task, PairList& pairs, const TwoLevelSettings& settings,
                             TwoLevelWorkspace& work) {
    two_level_subdivide(task, settings, work);
    two_level_resolve(task, pairs, settings, work);
    two_level_finish(task, pairs, work);
}

}  // namespace granary
