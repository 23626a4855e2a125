// Bodies that are no balls at walls: candidates found at a rebuild (as those of balls: the sphere around a body within
// the margin), contacts by shape_wall_geometry.hpp at every step, forces through the law of the walls.
//
// Springs belong to contacts: (body, wall, feature), where a feature is the part of the body, below, and a number,
// above, that tells apart several contacts of a part with one wall. From step to step contacts are found again by the
// nearest contact point (seen from the centre of the body) of the same part and wall; what is left over goes to the
// nearest new contact of the same body, be it at another part, or at a wall that joins. A contact is recorded with its
// point (contact_point) and its spring (tangential).
//   m* is that of contact/shape_touches.hpp, with a wall of infinite mass.
#pragma once
#include <algorithm>
#include <span>
#include <vector>
#include "contact/contact_geometry.hpp"
#include "contact/energy_watch.hpp"
#include "contact/face_contact.hpp"
#include "contact/pair_table.hpp"
#include "core/contact_history.hpp"
#include "core/contact_record.hpp"
#include "walls/rigid_frame.hpp"
#include "walls/shape_wall_geometry.hpp"
#include "walls/wall_contacts.hpp"

namespace granary {

struct ShapeWallTouch {
    Index body = 0;
    std::uint32_t feature = 0;
    bool acts = false;  // the law did at the last evaluation
    Vec3d xi;           // tangential spring of the body relative to the wall, m
    Vec3d theta;        // spring of torsion, rad
    ShapeAtWall at;     // of this step; `arm` stays
    double effective_mass = 0;
};

class ShapeWallContacts {
  public:
    using Candidate = WallCandidate;

    // Takes the candidates of shapes out of the lists of all.
    void take(std::vector<Candidate>& all, std::vector<WallBallCandidate>& all_at_balls, const Bodies& bodies);
    bool any() const { return !candidates_.empty() || !at_balls_.empty(); }
    const std::vector<Candidate>& candidates() const { return candidates_; }
    const std::vector<WallBallCandidate>& at_balls() const { return at_balls_; }

    // entries_of(body): records of the body from before.
    template <class EntriesOf> void carry(EntriesOf&& entries_of) {
        touches_.clear();
        for_each_body(everybody, [&](Index i, auto, auto) { take_over(i, entries_of(i)); });
    }
    std::vector<ContactRecord> records() const;  // `body` is the index, ascending

    // The narrow phase of a step, for all bodies. ranges: that are worked on side by side; none: all bodies are one.
    void find_touches(const PlacedShapes& placed, const Bodies& bodies, std::span<const Wall> walls,
                      std::span<const WallBall> balls, double reach, std::span<const LayeredRange> ranges = {});
    // Only how deep they are; what stays from step to step stays.
    void look(const PlacedShapes& placed, const Bodies& bodies, std::span<const Wall> walls,
              std::span<const WallBall> balls, double reach);
    std::span<const ShapeWallTouch> touches() const { return touches_; }

    // As WallContacts::add_forces. samples: every contact is added there; null: none.
    template <class Law, class LayerOf, class Watch>
    void add_forces(Bodies& bodies, Range range, std::span<const Wall> walls, const Law& law,
                    const PairTable<Law>& table, double reach, double dt, std::span<WallLoad> loads, LayerOf&& layer_of,
                    std::span<const Twist> twists, std::vector<WallSample>* samples, Watch watch);

    // Raises share[wall] to the deepest overlap there now, as a share of the least half width of the body.
    void deepest(std::span<double> share) const {
        for (const ShapeWallTouch& t : touches_)
            share[t.at.wall] = std::max(share[t.at.wall], t.at.overlap / t.at.least_radius);
    }

  private:
    static constexpr Range everybody{0, ~Index{0}};
    void take_over(Index body, std::span<const ContactHistory::Entry> entries);
    // Of a range: what it finds, by body, wall, feature; and room for one body. No two in one line of the cache.
    struct alignas(128) Workspace {
        std::vector<ShapeWallTouch> next;
        std::vector<ShapeAtWall> found;
        std::vector<char> used;
        ShapeWallGeometry geometry;
    };
    void find_in(const PlacedShapes& placed, const Bodies& bodies, std::span<const Wall> walls,
                 std::span<const WallBall> balls, double reach, Range range, Workspace& work) const;
    static void match(std::span<const ShapeWallTouch> before, std::size_t first, double reach, Workspace& work);

    // Calls f(body, its candidates at walls, its candidates at wall balls) for every body of the range that has any,
    // ascending.
    template <class F> void for_each_body(Range range, F&& f) const {
        const auto end_of = [](const auto& list, std::size_t from, Index i) {
            while (from < list.size() && list[from].body == i) ++from;
            return from;
        };
        const CandidatesOf<Candidate> at_walls(candidates_, range);
        const CandidatesOf<WallBallCandidate> at_balls(at_balls_, range);
        for (std::size_t c = at_walls.begin, d = at_balls.begin; c < at_walls.end || d < at_balls.end;) {
            const Index i = c == at_walls.end   ? at_balls_[d].body
                            : d == at_balls.end ? candidates_[c].body
                                                : std::min(candidates_[c].body, at_balls_[d].body);
            const std::size_t to_c = end_of(candidates_, c, i), to_d = end_of(at_balls_, d, i);
            f(i, std::span<const Candidate>(candidates_.data() + c, to_c - c),
              std::span<const WallBallCandidate>(at_balls_.data() + d, to_d - d));
            c = to_c, d = to_d;
        }
    }

    std::vector<Candidate> candidates_;
    std::vector<WallBallCandidate> at_balls_;
    std::vector<ShapeWallTouch> touches_;  // by body, wall, feature
    std::vector<Workspace> work_{1};       // by range
};

template <class Law, class LayerOf, class Watch>
void ShapeWallContacts::add_forces(Bodies& bodies, Range range, std::span<const Wall> walls, const Law& law,
                                   const PairTable<Law>& table, double reach, double dt, std::span<WallLoad> loads,
                                   LayerOf&& layer_of, std::span<const Twist> twists, std::vector<WallSample>* samples,
                                   [[maybe_unused]] Watch watch) {
    const CandidatesOf<ShapeWallTouch> part(touches_, range);
    for (std::size_t k = part.begin; k < part.end; ++k) {
        ShapeWallTouch& t = touches_[k];
        const Index i = t.body;
        const std::uint32_t w = t.at.wall;
        const Vec3d x = bodies.x(i), &arm = t.at.arm;
        Vec3d velocity = bodies.v(i) + cross(bodies.omega(i), arm), of_wall{}, spin_of_wall{};
        const auto parameters = table.at(bodies.material(i), walls[w].material);
        if (walls[w].moves()) {
            const Twist& wall = twists[walls[w].motion];
            of_wall = wall.at((x + arm) - (0.5 * dt) * bodies.v(i));
            velocity -= of_wall;
            if (wall.turns) spin_of_wall = wall.spin;
            if (Law::has_history && wall.turns) t.xi = turned_with(wall, t.xi, t.at.normal, dt);
        }
        const Vec3d spin = bodies.omega(i) - spin_of_wall;
        const Contact<double> contact{t.at.normal, overlap_of_law<Law>(t.at),
                                      velocity + grip_velocity(t.at.normal, t.at.patch, spin), t.at.effective_radius,
                                      mass_of_damper<Law>(t.effective_mass, t.at)};
        const bool acted = t.acts;
        t.acts = t.at.overlap > -reach;
        if (!t.acts) {
            if constexpr (Watch::watches)
                if (acted) watch.see_at_wall(law.energy(contact, parameters, Vec3d{}, Vec3d{}, dt), i, w);
            t.xi = t.theta = {};
            continue;
        }
        [[maybe_unused]] const Vec3d before = t.xi;
        const Vec3d f = law.force(contact, parameters, t.xi, dt);
        Vec3d torque = cross(arm, f), twist{};
        ContactEnergy<double> energy;
        if constexpr (Watch::watches) {
            energy = law.energy(contact, parameters, before, t.xi, dt);
            if (t.at.stored_depth > 0) energy.stored += more_stored(law, contact, parameters, t.at.stored_depth);
        }
        if constexpr (Law::has_history)
            if (t.at.area > 0) {
                auto* const to = Watch::watches ? &energy : nullptr;
                twist =
                    grip_torque(t.at.normal, t.at.patch, f) +
                    torsion(law, contact, parameters, spin, torsion_radius(t.at.area, t.at.patch), t.theta, dt, to) +
                    rocking_damper(law, contact, parameters, spin, t.at.patch, dt, to);
                torque += twist;
            }
        if constexpr (Watch::watches) {
            watch.see_at_wall(energy, i, w);
            if (walls[w].moves()) watch.wall_works(i, dt * (dot(f, of_wall) + dot(twist, spin_of_wall)));
        }
        for (int axis = 0; axis < 3; ++axis)
            bodies.force(i, axis) += at(f, axis), bodies.torque(i, axis) += at(torque, axis);
        if (samples != nullptr) samples->push_back({i, w, t.at.point, t.at.normal, f, t.at.overlap});
        if (!loads.empty()) {
            WallLoad& load = loads[layer_of(i) * walls.size() + w];
            load.force -= f;
            load.torque -= cross(x, f) + torque;
        }
    }
}

}  // namespace granary
