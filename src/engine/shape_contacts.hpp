// Contacts of a run with shapes. The detectors see spheres around bodies only. After the search every candidate with a
// shape in it moves to lists of its own (engine/shape_pairs.hpp). At a step the narrow phase turns the near pairs, in
// the order (lower, upper), into touches, and these go through the law after all pairs of balls
// (contact/shape_touches.hpp). Shapes at walls: walls/shape_wall_contacts.hpp.
//
//   What stays from step to step?    Touches: spring, normal, whether the law acts. Of convex parts also across a gap,
//                                    as long as the spheres and the boxes around the bodies overlap: the normal is
//                                    where the next search starts, or the direction of a plane between them.
//   How are touches told apart?      By feature: the balls of two clumps that touch. A new one takes over the spring of
//                                    the nearest that vanished in the same pair. A contact that rolls from ball to ball
//                                    touches both for a while; there is then nothing to hand on: Coulomb's limit has
//                                    shortened the old spring with its overlap, and the new one stretches within a
//                                    slip of some tenths of the overlap.
//   A pair across a face?            Both sides hold its touches and find the same bits, as for balls.
//   A rebuild, a checkpoint?         Records contact_normal (half as long while the law does not act) and tangential,
//                                    by ids and feature.
//   Ellipsoids?                      Pairs that remember a normal are solved four at a time, with the bits of one.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>
#include "contact/contact_model.hpp"
#include "contact/shape_touches.hpp"
#include "core/contact_history.hpp"
#include "core/pair_list.hpp"
#include "engine/neighbourhood.hpp"
#include "engine/setup.hpp"
#include "engine/shape_pairs.hpp"
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

    void before_search(PairList& pairs) { pairs_.lend_room(pairs); }
    // Takes its pairs out of the list, which gets springs for the others.
    void find(const Bodies& bodies, PairList& pairs, bool with_history, double skin);
    // reach: of the law.
    void carry(const Bodies& bodies, const Neighbourhood& hood, const ContactHistory& history,
               std::span<const PeriodicImages::Place> places, double reach);
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

    void place_owned(const Bodies& bodies) { place(bodies, bodies.owned); }
    // When ghosts are there, too: the narrow phase. reach: of the law. pieces: of the list of near pairs that are
    // worked on side by side.
    void find_touches(const Bodies& bodies, double reach, std::size_t pieces);
    // Forces and torques of the touches, by ranges of bodies that are worked on side by side.
    void add_forces(const ContactModel& law, Bodies& bodies, std::span<const LayeredRange> ranges, double dt,
                    EnergyWatch* watch);
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
    // Calls f(lower body, cost in ns) for all that makes work.
    template <class F> void for_each_cost(F&& f) const {
        pairs_.for_each([&](Index lower, Index, Index) { f(lower, candidate_cost); });
        for (const ShapePairs::Pair& p : pairs_.near()) f(p.lower, pair_cost);
        for (const ShapeTouch& t : touches_) f(t.lower, touch_cost);
    }
    std::uint64_t bytes() const {
        std::uint64_t sum = pairs_.bytes() + sizeof(ShapeTouch) * touches_.capacity();
        for (const Workspace& w : work_) sum += sizeof(ShapeTouch) * w.next.capacity();
        return sum;
    }

    const ShapePairs& pairs() const { return pairs_; }

  private:
    using Pair = ShapePairs::Pair;
    static constexpr double candidate_cost = 1, pair_cost = 20, touch_cost = 250;

    // Touches of ellipsoids, in `next`, that wait until there are four.
    struct Waiting {
        std::size_t touch;
        double far;
    };
    // Of a piece of the list of near pairs: its touches of this step, by pair, then by feature; and room for one pair.
    // No two in one line of the cache.
    struct alignas(128) Workspace {
        std::vector<ShapeTouch> next;
        std::vector<std::uint32_t> near_i, near_j;  // parts
        std::array<Waiting, 4> waiting;
        std::size_t n_waiting = 0;
    };
    void place(const Bodies& bodies, Range range);
    void touch_piece(const Bodies& bodies, std::span<const Pair> near, double reach, Workspace& work);
    void touch_pair(const Bodies& bodies, const Pair& pair, std::span<const ShapeTouch> before, double reach,
                    Workspace& work) const;
    void touch_clumps(const Bodies& bodies, const Pair& pair, std::span<const ShapeTouch> before, const Vec3d& apart,
                      double reach, Workspace& work) const;
    void hand_on_springs(const Bodies& bodies, std::span<const ShapeTouch> before, std::size_t first,
                         const Vec3d& apart, double reach, Workspace& work) const;
    void add(const Bodies& bodies, const Pair& pair, std::uint32_t part_i, std::uint32_t part_j,
             const ShapeTouch* before, const Vec3d& apart, double reach, Workspace& work) const;
    // What the narrow phase has found for a touch; false: nothing that is worth remembering.
    bool take(const Bodies& bodies, ShapeTouch& t, bool is_near, const ConvexTouch& touch, const Vec3d& apart,
              double far) const;
    void solve_waiting(const Bodies& bodies, Workspace& work) const;

    bool possible_ = false;
    ShapePairs pairs_;
    std::vector<ShapeTouch> touches_;  // by pair, then by feature
    std::vector<Workspace> work_{1};   // by piece
    std::vector<ShapeTouchRange> ranges_;
};

}  // namespace granary
