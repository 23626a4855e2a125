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
    bool any_real = false, all_real = true;
    Index size() const { return end - begin; }
    bool is_cluster() const { return end - begin > 1; }
};

class ClusterUnits {
  public:
    void make(const SearchTask& task, const Extent& all, Index most_elements);
    void start(const SearchTask& task, const Extent& all);  // no units yet, room for the elements
    // Dissolves all clusters that are wider.
    void dissolve(const SearchTask& task, double largest_radius);

    LargeVector<Unit> units;
    SievedBalls elements;  // of all units, those of a unit in the one order
    FloatSieve sieve;
    Index clusters = 0;      // units of more than one body
    Index dissolved = 0;     // elements that are single balls by rule
    std::vector<char> real;  // by body: 1 if it is real; empty: all are

    bool is_real(Index body) const { return real.empty() || real[body] != 0; }
    double largest_radius() const;  // of all units, m
    std::uint64_t bytes() const {
        return elements.bytes() + sizeof(Unit) * units.capacity() + real.capacity() +
               sizeof(ShortKeyed) * (short_items_.capacity() + short_spare_.capacity()) +
               sizeof(LongKeyed) * (long_items_.capacity() + long_spare_.capacity());
    }

  private:
    template <class Items> void group(const SearchTask& task, Items& items, Items& spare, Id least, int bits);
    template <class Item> void add_copies(const SearchTask& task, const Item* items, Index n);
    template <class PlaceOf> void add(const SearchTask& task, Index n, PlaceOf&& place);
    void add_single(const SearchTask& task, Index element, Index body);

    LargeVector<ShortKeyed> short_items_, short_spare_;
    LargeVector<LongKeyed> long_items_, long_spare_;
    std::vector<std::pair<int, Index>> copies_;
    Index n_elements_ = 0, most_elements_ = 0;
};

}  // namespace granary
