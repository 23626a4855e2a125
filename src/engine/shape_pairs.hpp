// Which pairs with a shape in them does the narrow phase look at? Spheres around long bodies propose far too many (some
// 240 a body for needles of 10:1), so there are two lists:
//   all   the candidates of the detector, by spheres, in the order (lower, upper): 4 bytes each. They are taken out of
//         the pair list, which keeps those of two balls and springs for these.
//   near  those of them whose boxes, along the axes of both bodies, come within a margin of touching. These are looked
//         at in every step. Made at a rebuild, and again between rebuilds by each rank for itself when a body has used
//         up its part of the margin. Springs and normals stand beside touches only (engine/shape_contacts.hpp).
//
// The second list changes no bit: a pair that it leaves out would be left out in every step, by the test of boxes that
// every pair of the list undergoes (PlacedShapes::boxes_apart, gap `reach`). So it may be made at any time.
//   Proof. Body i may move by a_i and turn by phi_i = a_i/b_i, b_i half the diagonal of its box, from where it was when
// the list was made (0) to now (t). Seen in the frame of i a corner of the box of j is at y = R_i^T w, w = x_j + R_j u
// - x_i, |u| <= b_j. With ||R_t - R_0|| = 2 sin(turned/2) <= phi,
//   |y_t - y_0| <= |w_t - w_0| + ||R_i,t - R_i,0|| |w_0| <= (a_i + a_j + phi_j b_j) + phi_i (|x_i - x_j|_0 + b_j).
// A gap along an axis of i that was wider than reach + this is still wider than reach. A ball has its centre for a
// corner, and its radius stays. Spheres: a gap that was wider than reach + a_i + a_j is wider than reach. The margin is
// taken 1e-4 wider, for rounding. Whether a body has used up its part is measured at every step before the list is
// used: |x_t - x_0| <= a_i, and 2 |q_t - q_0| = 4 sin(turned/4) <= phi_i. Pairs that have touches, or a normal that
// they remember, are in the list in any case.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "contact/shape_touches.hpp"
#include "core/pair_list.hpp"
#include "shapes/placed_shapes.hpp"

namespace granary {

class ShapePairs {
  public:
    struct Pair {
        Index lower, upper;
        Index place;  // in the list of all
    };

    // a_i is a share of the least half width of the box of body i, and at most half the skin, which bodies keep to
    // until the next rebuild. margin: over the usual share. Negative: all candidates are near.
    void prepare(double margin) { margin_ = margin; }
    // Before a search: whoever has more room for candidates gives it to the list that the detector fills.
    void lend_room(PairList& pairs);
    // After it: pairs with a shape in them move here; the pair list gets springs for the others, if it is to have them.
    void take(const Bodies& bodies, PairList& pairs, bool with_history, double skin);
    // Makes the list of near pairs. touches: by place; their pairs stay. reach: of the law, m.
    void look_for_near(const PlacedShapes& placed, const Bodies& bodies, std::span<const ShapeTouch> touches,
                       double reach);
    // May a pair that is not in the list of near pairs come to touch by now?
    bool is_stale(const Bodies& bodies) const;

    std::span<const Pair> near() const { return near_; }
    std::size_t n_all() const { return n_all_; }
    // Calls f(lower, upper, place) for every candidate, in order.
    template <class F> void for_each(F&& f) const {
        if (!begin_.empty()) for_each_of({0, static_cast<Index>(begin_.size() - 1)}, f);
    }
    std::uint64_t times_made() const { return times_made_; }  // the list of near pairs
    std::uint64_t bytes() const {
        return sizeof(Index) * (begin_.capacity() + partner_.size()) + sizeof(Pair) * near_.capacity() +
               sizeof(Watched) * watched_.capacity() + sizeof(char) * is_partner_.capacity();
    }

  private:
    template <class F> void for_each_of(Range lower, F&& f) const {
        for (Index i = lower.begin; i < lower.end; ++i)
            for (Index place = begin_[i]; place < begin_[i + 1]; ++place) f(i, partner_(place), place);
    }
    struct alignas(128) Found {  // of a thread; no two in one line of the cache
        std::vector<Pair> near;
    };
    struct Watched {
        Index body;
        Vec3d x;  // when the list was made
        Quaterniond q;
        double way_squared, turn_squared;  // a^2, (phi/2)^2
    };
    double part_of(const PlacedShapes& placed, const Bodies& bodies, Index i) const;  // a_i
    void watch(const PlacedShapes& placed, const Bodies& bodies);

    double margin_ = 0, half_skin_ = 0;
    std::vector<Index> begin_;  // by lower body
    Array<Index*> partner_;
    std::size_t n_all_ = 0;
    std::vector<Pair> near_;
    std::vector<Found> found_;
    std::vector<char> is_partner_;  // by body: of any candidate
    std::vector<Watched> watched_;
    std::uint64_t times_made_ = 0;
};

}  // namespace granary
