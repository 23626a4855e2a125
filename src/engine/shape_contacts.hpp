// Contacts of a run with shapes. The detectors see spheres around bodies only. After the search every candidate with a
// shape in it is masked in the pair list and goes to a list here, in the order (lower, upper). At a step the narrow
// phase turns the pairs of the list into touches, and these go through the law after all pairs of balls (contact/
// shape_touches.hpp). Shapes at walls: walls/shape_wall_contacts.hpp.
//
//   What stays from step to step?    Touches: spring, normal, whether the law acts. Of convex parts also across a gap,
//   as
//                                    long as the spheres and the boxes around the bodies overlap: the normal is where
//                                    the next search starts, or the direction of a plane between them.
//   How are touches told apart?      By feature: the balls of two clumps that touch. A new one takes over the spring of
//                                    the nearest that vanished in the same pair, so that friction lasts while a contact
//                                    slides from ball to ball.
//   A pair across a face?            Both sides hold its touches and find the same bits, as for balls.
//   A rebuild, a checkpoint?         Records contact_normal (half as long while the law does not act) and tangential,
//   by
//                                    ids and feature.
//   Long bodies?                     Spheres of needles propose far too many pairs: boxes along the axes of both bodies
//                                    are looked at first.
#pragma once
#include <cstdint>
#include <span>
#include <vector>
#include "contact/contact_model.hpp"
#include "contact/shape_touches.hpp"
#include "core/contact_history.hpp"
#include "core/pair_list.hpp"
#include "engine/neighbourhood.hpp"
#include "engine/setup.hpp"
#include "search/periodic_images.hpp"
#include "shapes/placed_shapes.hpp"
#include "walls/shape_wall_contacts.hpp"

namespace granary {

class ShapeContacts {
  public:
    PlacedShapes placed;
    ShapeWallContacts walls;

    bool possible() const { return possible_; }  // in this run
    // Throws InputError where something is not defined for shapes.
    void prepare(const Setup& setup, const ContactModel::Facts& law);

    // ---- At a rebuild

    // Takes its pairs out of the list: they are masked there.
    void find(const Bodies& bodies, PairList& pairs);
    void carry(const Bodies& bodies, const Neighbourhood& hood, const ContactHistory& history,
               std::span<const PeriodicImages::Place> places);
    // Calls f(lower, upper, kind, numbers of lower relative to upper, feature).
    template <class F> void for_each_record(F&& f) const {
        for (const ShapeTouch& t : touches_) {
            if (!t.acts && !t.remembers) continue;
            const double length = t.acts ? 1.0 : 0.5;
            const double normal[3] = {length * t.memory.x, length * t.memory.y, length * t.memory.z};
            f(t.lower, t.upper, HistoryKind::contact_normal, normal, t.feature);
            const double xi[3] = {t.xi.x, t.xi.y, t.xi.z};
            if (!is_zero(xi)) f(t.lower, t.upper, HistoryKind::tangential, xi, t.feature);
            const double theta[3] = {t.theta.x, t.theta.y, t.theta.z};
            if (!is_zero(theta)) f(t.lower, t.upper, HistoryKind::rolling, theta, t.feature);
        }
    }

    // ---- At a step

    void place_owned(const Bodies& bodies) { placed.place(bodies, bodies.owned); }
    // When ghosts are there, too: the narrow phase. reach: of the law.
    void find_touches(const Bodies& bodies, double reach);
    // Of a run that is taken up again: how deep the touches are, for whoever asks; what stays from step to step stays.
    void look(const Bodies& bodies, std::span<const Wall> at_walls, std::span<const WallBall> at_balls, double reach);
    std::span<ShapeTouch> touches() { return touches_; }
    std::span<const ShapeTouch> touches() const { return touches_; }

    // ---- To be asked

    // counts: candidates and contacts of real lower bodies, as measures_of has them. deepest: overlap as a share of the
    // smaller radius.
    void count_contacts(const Bodies& bodies, const Neighbourhood& hood, std::uint64_t* counts, double& deepest) const;
    // Calls f(lower, upper) for every pair that overlaps.
    template <class F> void for_each_contact(F&& f) const {
        const ShapeTouch* before = nullptr;
        for (const ShapeTouch& t : touches_) {
            if (!(t.overlap > 0) || (before != nullptr && before->pair == t.pair)) continue;
            before = &t;
            f(t.lower, t.upper);
        }
    }
    // Calls f(lower body, cost in ns) for every pair of the list.
    template <class F> void for_each_cost(F&& f) const {
        for (const Pair& p : pairs_) f(p.lower, pair_cost);
        for (const ShapeTouch& t : touches_) f(t.lower, touch_cost);
    }
    std::uint64_t bytes() const {
        return sizeof(Pair) * pairs_.capacity() + sizeof(ShapeTouch) * (touches_.capacity() + next_.capacity());
    }

  private:
    struct Pair {
        Index lower, upper;
    };
    static constexpr double pair_cost = 20, touch_cost = 250;

    void touch_pair(const Bodies& bodies, Index pair, std::span<ShapeTouch> before, double reach);
    void touch_clumps(const Bodies& bodies, Index pair, std::span<ShapeTouch> before, const Vec3d& apart, double reach);
    void hand_on_springs(const Bodies& bodies, std::span<ShapeTouch> before, std::size_t first, const Vec3d& apart,
                         double reach);
    void add(const Bodies& bodies, Index pair, std::uint32_t part_i, std::uint32_t part_j, const ShapeTouch* before,
             const Vec3d& apart, double reach);

    bool possible_ = false;
    std::vector<Pair> pairs_;
    std::vector<ShapeTouch> touches_, next_;      // by pair, then by feature
    std::vector<std::uint32_t> near_i_, near_j_;  // parts
};

}  // namespace granary
