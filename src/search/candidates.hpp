// What every detector does: turn bodies in the one order into candidate pairs. A candidate is
//     |x_i - x_j| < r_i + r_j + margin,   margin = reach of the law + skin,
// (r_i + r_j first, so that the bits do not depend on who looks for whom)
// at the positions of the last sort, with at least one partner a real body of this rank: pairs of two ghosts, of two
// images, or of a ghost and an image belong to others. The list comes out sorted by (i, j), the same from all
// detectors.
#pragma once
#include <span>
#include "core/bodies.hpp"
#include "core/pair_list.hpp"
#include "core/parallel.hpp"
#include "core/simd.hpp"
#include "search/cubes.hpp"

namespace granary {

struct SearchTask {
    const Bodies& bodies;
    const Cubes& cubes;
    double margin;  // m
    bool with_history;
    // That are searched side by side, by detectors that can; none: all bodies are one. They end between cubes.
    std::span<const LayeredRange> ranges = {};
};

inline bool is_real(const SearchTask& task, Index i) {
    return task.bodies.owned.contains(i) && !task.cubes.is_image(task.bodies.cube(i));
}

// Appends those of the run of places that are candidates of i. Reads up to three quads past the run.
inline void add_candidates_in_run(const double* position, Index i, Range run, double margin, PairList& pairs) {
    if (run.begin >= run.end) return;
    pairs.make_room(run.size() + 4);
    Index* out = pairs.partner.data();
    Index n = pairs.size;
    const double* pi = position + std::size_t{4} * i;
    const Real4 from{pi[0], pi[1], pi[2], -pi[3]};  // the difference is (x_j - x_i, r_j + r_i)
    const Real4 more = broadcast4(margin);          // added last: the same bits whichever of the two looks
    for (Index j = run.begin; j < run.end; j += 4) {
        const double* pj = position + std::size_t{4} * j;
        Real4 dx = load4(pj) - from, dy = load4(pj + 4) - from, dz = load4(pj + 8) - from,
              reach = load4(pj + 12) - from;
        transpose(dx, dy, dz, reach);
        reach += more;
        int near = lane_bits(dx * dx + dy * dy + dz * dz < reach * reach);
        if (run.end - j < 4) near &= (1 << (run.end - j)) - 1;
        for (Index lane = 0; lane < 4; ++lane) {  // no branch: write, then keep or not
            out[n] = j + lane;
            n += static_cast<Index>((near >> lane) & 1);
        }
    }
    pairs.size = n;
}

// Which of four pairs are candidates: bit k is pair k.
inline unsigned candidate_pairs(const double* position, const Index* i, const Index* j, double margin) {
    const auto difference = [&](int k) {  // as above
        const double* pi = position + std::size_t{4} * i[k];
        return load4(position + std::size_t{4} * j[k]) - load4(pi) * Real4{1, 1, 1, -1};
    };
    Real4 dx = difference(0), dy = difference(1), dz = difference(2), reach = difference(3);
    transpose(dx, dy, dz, reach);
    reach += broadcast4(margin);
    return static_cast<unsigned>(lane_bits(dx * dx + dy * dy + dz * dz < reach * reach));
}

// Of the partners found from slot `from` on, for an i that is a ghost or an image, only real bodies count.
inline void keep_real_partners(const SearchTask& task, Index from, PairList& pairs) {
    Index kept = from;
    for (Index slot = from; slot < pairs.size; ++slot)
        if (is_real(task, pairs.partner(slot))) pairs.partner(kept++) = pairs.partner(slot);
    pairs.size = kept;
}

}  // namespace granary
