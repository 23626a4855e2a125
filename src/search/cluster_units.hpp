// The units of the search in two levels: a cluster, or what this rank holds of one of its copies, and a single ball.
//   Huang, Ding, Miao, Sang & Jia (2020), Powder Technol. 374, 371-382, section 3.1, eqs. (12), (13).
//
//   symbol     code             meaning
//   O_b        Unit::centre     centroid of the elements by volume (12)
//   R_b        Unit::radius     distance to the farthest point of an element (13); of a single ball its radius
//   n_i        Unit::size()     elements
//
// Bodies that have the same cluster label are brought together by a radix sort of the labels. With periodic axes a rank
// may hold parts of several copies of one cluster: bodies across a face, images, ghosts. A body belongs to the copy
// whose first body is the nearest one modulo the period. Any partition into units gives the right pairs, since each
// sphere holds just what is in its unit; so a cluster as long as half a period, which is cut somewhere, costs time
// and no pair. Clusters are named anew at each search, after they have moved, deformed or broken.
//
// A cluster with very many elements, and one whose sphere is very wide (two_level_huang2020.hpp has the rule), is
// dissolved: its elements are single balls.
#pragma once
#include <utility>
#include <vector>
#include "search/candidates.hpp"
#include "search/extent.hpp"
#include "search/float_sieve.hpp"
#include "search/keyed_bodies.hpp"

namespace granary {

struct Unit {
    Vec3d centre;       // m
    double radius = 0;  // m
    Index begin = 0;    // its elements, in ClusterUnits::elements
    Index end = 0;
    bool any_wanted = false;  // some are real, or images that have partners on the rank above
    bool all_real = true;
    Index size() const { return end - begin; }
    bool is_cluster() const { return end - begin > 1; }
};

// What one of several ranks searches (decomposition/cluster_pairs.hpp). As it is, all that the rank holds, for itself.
struct SlabShare {
    static constexpr Index nobody = ~Index{0};
    Index begin = 0;  // bodies before it, ghosts of the rank below, are left out: that rank finds their pairs
    // Pairs of bodies from `highest` on, the layer below the rank above, with its ghosts from `above` on are found for
    // that rank, too.
    Index highest = nobody, above = nobody;
    bool for_above() const { return above != nobody; }
};

class ClusterUnits {
  public:
    void make(const SearchTask& task, const Extent& all, Index most_elements, const SlabShare& share);
    // Dissolves all clusters that are wider.
    void dissolve(const SearchTask& task, double largest_radius);

    LargeVector<Unit> units;
    SievedBalls elements;  // of all units, those of a unit in the one order
    FloatSieve sieve;
    Index clusters = 0;   // units of more than one body
    Index dissolved = 0;  // elements that are single balls by rule

    // By body, empty if all are real. A pair is listed if one of the two is real here; it is the rank above's if its
    // ghost is real there, of a real body here or of an image.
    enum Kind : char { nobodys = 0, real = 1, image_below_face = 2, real_above = 4 };
    std::vector<char> kind;

    bool is_real(Index body) const { return kind.empty() || kind[body] == real; }
    bool is_wanted(Index body) const { return kind.empty() || kind[body] == real || kind[body] == image_below_face; }
    double largest_radius() const;  // of all units, m
    std::uint64_t bytes() const {
        return elements.bytes() + sizeof(Unit) * units.capacity() + kind.capacity() +
               sizeof(ShortKeyed) * (short_items_.capacity() + short_spare_.capacity()) +
               sizeof(LongKeyed) * (long_items_.capacity() + long_spare_.capacity());
    }

  private:
    void find_kinds(const SearchTask& task, const SlabShare& share);
    template <class Items> void group(const SearchTask& task, Items& items, Items& spare, Id least, int bits);
    template <class Item> void add_copies(const SearchTask& task, const Item* items, Index n);
    template <class PlaceOf> void add(const SearchTask& task, Index n, PlaceOf&& place);
    void add_single(const SearchTask& task, Index element, Index body);

    LargeVector<ShortKeyed> short_items_, short_spare_;
    LargeVector<LongKeyed> long_items_, long_spare_;
    std::vector<std::pair<int, Index>> copies_;
    Index first_ = 0, n_elements_ = 0, most_elements_ = 0;
};

}  // namespace granary
