// The second level: which elements of one list may touch which of another.
//   Huang et al. (2020), Powder Technol. 374, 371-382, sections 3.2.2 and 3.2.3, eqs. (18)-(21).
//
//   symbol              code        meaning
//   P, O', (18), (19)   LocalFrame  z' along the line of the two centres, x' and y' across it
//   D''                 box         here the box of the centres that are in D', along the axes of the frame
//   l, (20)             edge_       at most sqrt(2) times the smallest radius; a cell holds a list
//   I_l, I_m, (21)      first, last the cells that a ball reaches, along x, y and z, within the grid
//
// The grid only proposes, with rounding to the safe side; FoundPairs decides in global coordinates. Lengths are those
// of the sieve (float_sieve.hpp). The paper gives (20) as an upper limit: where the box is so large that cells would be
// many more than elements, they are longer. The paper's (18) has no x' when the two centres lie on a line with the
// origin or coincide: any direction across serves.
//
// Few elements are tested side by side, sixteen at a time: below some 400 targets that is faster than a grid.
#pragma once
#include <array>
#include <cstdint>
#include <vector>
#include "search/cluster_units.hpp"
#include "search/found_pairs.hpp"

namespace granary {

struct TwoLevelCounts {  // of one search
    std::uint64_t units = 0, clusters = 0, dissolved = 0;
    std::uint64_t sphere_tests = 0;                                            // in the primary grid
    std::uint64_t single_single = 0, single_cluster = 0, cluster_cluster = 0;  // pairs of spheres that touch
    std::uint64_t resolved = 0;  // k: pairs of clusters that both have elements in D'
    std::uint64_t across = 0;    // of these with elements of the rank above
    std::uint64_t grids = 0;     // secondary grids made
    std::uint64_t element_tests = 0;
};

// (18), (19), in lengths of the sieve.
struct LocalFrame {
    std::array<std::array<float, 3>, 3> axis{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    static LocalFrame along(const Vec3d& line);  // z' is this direction
    std::array<float, 3> of(float x, float y, float z) const {
        std::array<float, 3> u;
        for (std::size_t k = 0; k < 3; ++k) u[k] = axis[k][0] * x + axis[k][1] * y + axis[k][2] * z;
        return u;
    }
};

// Elements that stand in D', copied side by side.
class ElementList {
  public:
    Index size = 0;
    SievedBalls balls;  // number: the body
    // Those from begin to end that a ball of this reach (radius and margin) reaches.
    void take(const SievedBalls& all, Index begin, Index end, const FloatSieve::Ball& ball, float reach);
    void take_all(const SievedBalls& all, Index begin, Index end);
    void clear() { size = 0; }
    void add(const SievedBalls& all, Index k) {
        balls.make_room(size + 1);
        balls.put(size++, {all.x[k], all.y[k], all.z[k], all.r[k]}, all.number[k]);
    }
};

class SecondLevel {
  public:
    // for_above: gets pairs that the rank above lists and this one does not.
    SecondLevel(const SearchTask& task, const ClusterUnits& units, FoundPairs& found, Index* count,
                TwoLevelCounts& counts, std::vector<std::pair<Index, Index>>& for_above)
        : task_(task),
          units_(units),
          found_(found),
          count_(count),
          counts_(counts),
          for_above_(for_above),
          margin_(units.sieve.margin(task.margin)) {}

    // The elements of a unit, each with those after it; few_enough of them.
    static constexpr Index few_enough = 1024;
    void within(const Unit& unit);
    // Every body of the one list looks at the bodies of the other; only_after: the lists are the same, and each looks
    // only at those after it.
    void side_by_side(const SievedBalls& lookers, Range looking, const SievedBalls& targets, Range run);
    void by_grid(const ElementList& lookers, const ElementList& targets, const LocalFrame& frame, bool only_after);

    // Of what a body has found, keeps what is to be listed.
    void close(Index body);

  private:
    bool is_listed(Index i, Index j) {
        const int kinds = units_.kind[i] | units_.kind[j];
        if (kinds == (ClusterUnits::image_below_face | ClusterUnits::real_above))
            for_above_.emplace_back(std::min(i, j), std::max(i, j));
        return (kinds & ClusterUnits::real) != 0;
    }
    static constexpr Index at_once = 4;  // pairs of a looker with 64 targets, written without a loop
    unsigned are_candidates(Index i, const Index* bodies, unsigned bits) const;
    void look(const SievedBalls& targets, Range run, const FloatSieve::Ball& me, Index body, bool only_after);
    void make_grid(const ElementList& lookers, const ElementList& targets, const LocalFrame& frame);

    const SearchTask& task_;
    const ClusterUnits& units_;
    FoundPairs& found_;
    Index* count_;
    TwoLevelCounts& counts_;
    std::vector<std::pair<Index, Index>>& for_above_;
    float margin_;

    std::vector<std::uint16_t> near_;  // a row for each looker, a word for sixteen targets

    // The grid.
    float edge_ = 0, inverse_ = 0, largest_ = 0;
    std::array<float, 3> lower_{};
    std::array<int, 3> cells_{};
    std::vector<Index> cell_of_, start_;
    std::vector<std::array<float, 3>> at_;
    SievedBalls sorted_;
};

}  // namespace granary
