// Balls at walls: candidates found at a rebuild, forces at every step, loads on the walls when asked.
//
// A candidate is a real ball within its radius + margin of a wall, or of a triangle of a mesh. The list is sorted by
// ball, then by wall number, then by triangle, and forces are added in that order. Beside each stands the tangential
// spring of the ball relative to the wall, and the rolling spring where the law keeps one; zero while apart.
//
// Walls that join are one surface (drop_doubled_contacts): where a ball passes from one to the next, the springs go
// along, as they do from triangle to triangle within a mesh.
#pragma once
#include <algorithm>
#include <array>
#include <span>
#include <vector>
#include "contact/contact_geometry.hpp"
#include "contact/energy_watch.hpp"
#include "contact/law.hpp"
#include "contact/pair_table.hpp"
#include "core/bodies.hpp"
#include "core/contact_record.hpp"
#include "core/parallel.hpp"
#include "walls/mesh_contacts.hpp"
#include "walls/rigid_frame.hpp"
#include "walls/wall_candidate.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

// Force and torque (about the origin of coordinates) that the balls exert on a wall.
struct WallLoad {
    Vec3d force;   // N
    Vec3d torque;  // N m
};

// One ball at one wall, for whoever wants to know where and how hard (probes).
struct WallSample {
    Index body;
    std::uint32_t wall;
    Vec3d point;         // of the surface, nearest to the ball, m
    Vec3d normal;        // unit, from the wall to the ball
    Vec3d force;         // on the ball, N
    double overlap = 0;  // m; negative: a gap, within the reach of the law
};

class WallContacts {
  public:
    using Candidate = WallCandidate;

    // Candidates of the real bodies, ascending; springs zero. A wall that is open (a gate) is not there. ranges: that
    // will be worked on side by side; none: all bodies are one.
    void find(const Bodies& bodies, std::span<const Wall> walls, double margin, std::span<const char> open = {},
              std::span<const LayeredRange> ranges = {});

    void add_rolling_springs() { theta_.assign(candidates_.size(), {}); }  // after find

    // Springs from before: find(body, partner) gives three numbers or null.
    template <class Find> void carry(Find&& find) {
        static const std::string name = "walls::carry_springs";
        in_pieces(name, candidates_.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                Candidate& c = candidates_[k];
                if (const double* xi = find(c.body, wall_partner(c.wall, c.place))) std::copy_n(xi, 3, c.xi);
                if (theta_.empty()) continue;
                if (const double* xi = find(c.body, rolling_spring(wall_partner(c.wall, c.place))))
                    std::copy_n(xi, 3, theta_[k].data());
            }
        });
    }

    // Adds forces on the bodies of the range; springs advance by dt. If loads is not empty it gets each contact's
    // share, as loads[layer(body) * walls.size() + wall], in the order of the list. Walls are where they are now,
    // twists and displacements by Wall::motion (moving_walls.hpp). A watch is shown what each contact stores and loses,
    // as in pair_forces.hpp. number: of the range, of those that find was told. Ranges may be worked on side by side:
    // each is whole layers, so loads and sums by layer belong to one of them.
    template <class Law, class LayerOf, class Watch = NobodyWatches>
    void add_forces(Bodies& bodies, Range range, std::span<const Wall> walls, const Law& law,
                    const PairTable<Law>& table, double reach, double dt, std::span<WallLoad> loads, LayerOf&& layer_of,
                    std::span<const Twist> twists = {}, std::span<const Twist> displacements = {}, Watch watch = {},
                    std::size_t number = 0);

    // From now on every contact of add_forces is noted, nullptr: no longer. When all ranges are done, collect_samples
    // puts them there, in the order of the list.
    void note_in(std::vector<WallSample>* samples) { samples_ = samples; }
    void collect_samples() {
        for (Workspace& w : work_) {
            if (samples_ != nullptr) samples_->insert(samples_->end(), w.samples.begin(), w.samples.end());
            w.samples.clear();
        }
    }

    std::vector<Candidate>& candidates() { return candidates_; }
    const std::vector<Candidate>& candidates() const { return candidates_; }

    // Springs that are not zero; `body` is the place in the arrays.
    std::vector<ContactRecord> springs() const;

    // Raises share[wall] to the deepest overlap there now, as a share of the ball's radius. (A contact that is dropped
    // as doubled is never the deepest.)
    void deepest(const Bodies& bodies, std::span<const Wall> walls, std::span<double> share) const;

  private:
    // Of a range: the contacts of one ball, made large enough at a rebuild. No two in one line of the cache.
    struct alignas(128) Workspace {
        std::vector<Candidate> found;  // at a rebuild; the first range puts its own into the list
        std::vector<WallContact> touched;
        std::vector<Candidate*> holder;
        MeshContacts mesh;
        std::vector<WallSample> samples;
    };
    void find_in(const Bodies& bodies, std::span<const Wall> walls, std::span<const BoundingBox> boxes, double margin,
                 std::span<const char> open, Range bodies_of, std::vector<Candidate>& found, Workspace& work) const;
    // Among the first n that touch: a contact that was dropped gives its springs to the nearest of those that stay and
    // have none, if the ball sees that one in a similar direction. The law then lays them into its tangent plane.
    void hand_on_springs(Workspace& work, std::size_t n);

    std::vector<Candidate> candidates_;
    std::vector<std::array<double, 3>> theta_;  // rolling springs, one a candidate; empty for laws without
    std::vector<WallSample>* samples_ = nullptr;
    std::vector<Workspace> work_{1};  // by range
};

// The part of a list, ascending by body, that belongs to a range.
template <class Candidate> struct CandidatesOf {
    std::size_t begin, end;
    CandidatesOf(const std::vector<Candidate>& all, Range range) {
        const auto before = [](const Candidate& c, Index body) { return c.body < body; };
        const auto first = std::lower_bound(all.begin(), all.end(), range.begin, before);
        begin = static_cast<std::size_t>(first - all.begin());
        end = static_cast<std::size_t>(std::lower_bound(first, all.end(), range.end, before) - all.begin());
    }
};

template <class Law, class LayerOf, class Watch>
void WallContacts::add_forces(Bodies& bodies, Range range, std::span<const Wall> walls, const Law& law,
                              const PairTable<Law>& table, double reach, double dt, std::span<WallLoad> loads,
                              LayerOf&& layer_of, std::span<const Twist> twists, std::span<const Twist> displacements,
                              [[maybe_unused]] Watch watch, std::size_t number) {
    const bool by_displacements = bodies.has(When::gear);  // springs; velocities are then those of now
    Workspace& work = work_[number];
    WallContact* const touched = work.touched.data();
    Candidate** const candidate = work.holder.data();
    const CandidatesOf<Candidate> part(candidates_, range);
    for (std::size_t c = part.begin; c < part.end;) {
        const Index i = candidates_[c].body;
        const Vec3d x = bodies.x(i);
        const double r = bodies.radius(i);
        std::size_t n = 0;
        // A point of the ball at the time of the velocities.
        const auto then = [&](const Vec3d& point) {
            return by_displacements ? point : point - (0.5 * dt) * bodies.v(i);
        };
        // Apart: if it touched a step ago, its damper ends now.
        [[maybe_unused]] const auto show_gap = [&]([[maybe_unused]] const SurfacePoint& at,
                                                   [[maybe_unused]] std::uint32_t w) {
            if constexpr (Watch::watches) {
                const Vec3d arm = arm_to_surface(r, r - at.distance, at.normal);
                Vec3d velocity = velocity_at_surface<Law>(bodies, i, arm);
                if (walls[w].moves()) velocity -= twists[walls[w].motion].at(then(x + arm));
                const Contact<double> gap = contact_at_surface(bodies, i, at.normal, r - at.distance, velocity, r);
                watch.see_at_wall(
                    law.energy(gap, table.at(bodies.material(i), walls[w].material), Vec3d{}, Vec3d{}, dt), i, w);
            }
        };
        for (; c < part.end && candidates_[c].body == i; ++c) {
            const Wall& wall = walls[candidates_[c].wall];
            if (const Mesh* mesh = std::get_if<Mesh>(&wall.shape)) {
                const std::size_t first = c, others = n;  // all its triangles at once
                const std::uint32_t w = candidates_[c].wall;
                while (c + 1 < part.end && candidates_[c + 1].body == i && candidates_[c + 1].wall == w) ++c;
                const auto take = [&](Candidate& holder, const SurfacePoint& at) {
                    candidate[n] = &holder;
                    touched[n++] = {w, in_place(*mesh, at), r - at.distance, false};
                };
                std::span<std::array<double, 3>> theta;
                if constexpr (keeps_rolling_spring<Law>) theta = {&theta_[first], c + 1 - first};
                work.mesh.find(*mesh->surface, {&candidates_[first], c + 1 - first}, mesh->pose.home_point(x), r, reach,
                               take, theta);
                if constexpr (Watch::watches)
                    if (n == others) show_gap(closest(*mesh, x), w);
                continue;
            }
            const SurfacePoint at = closest(wall.shape, x);
            if (at.distance < r + reach) {
                candidate[n] = &candidates_[c];
                touched[n++] = {candidates_[c].wall, at, r - at.distance, false};
            } else {
                if constexpr (Watch::watches) show_gap(at, candidates_[c].wall);
                for (double& s : candidates_[c].xi) s = 0;
                if constexpr (keeps_rolling_spring<Law>) theta_[c] = {};
            }
        }
        if (n > 1) {
            drop_doubled_contacts(walls, {touched, n}, r);
            if constexpr (Law::has_history || keeps_rolling_spring<Law>) hand_on_springs(work, n);
        }
        for (std::size_t k = 0; k < n; ++k) {
            double* const s = candidate[k]->xi;
            if (touched[k].dropped) {
                s[0] = s[1] = s[2] = 0;
                if constexpr (keeps_rolling_spring<Law>) theta_[candidate[k] - candidates_.data()] = {};
                continue;
            }
            const std::uint32_t w = touched[k].wall;
            const Vec3d arm = arm_to_surface(r, touched[k].overlap, touched[k].at.normal);
            Vec3d velocity = velocity_at_surface<Law>(bodies, i, arm);
            Vec3d xi{s[0], s[1], s[2]}, of_wall{}, spin_of_wall{};
            const Twist* turning_wall = nullptr;
            if (walls[w].moves()) {
                const Twist& wall = twists[walls[w].motion];
                of_wall = wall.at(then(x + arm));
                if (wall.turns) spin_of_wall = wall.spin, turning_wall = &wall;
                velocity -= of_wall;
                if (Law::has_history && turning_wall && !by_displacements)
                    xi = turned_with(wall, xi, touched[k].at.normal, dt);
            }
            [[maybe_unused]] Twist displacement_of_wall;
            if (Law::has_history && by_displacements) {
                if (walls[w].moves()) displacement_of_wall = displacements[walls[w].motion];
                xi = moved_by_displacement(xi, bodies.displacement_of(i), bodies.rotation_of(i), r, touched[k].at,
                                           x + arm, displacement_of_wall) -
                     dt * velocity;
            }
            Contact<double> contact =
                contact_at_surface(bodies, i, touched[k].at.normal, touched[k].overlap, velocity, r);
            const auto parameters = table.at(bodies.material(i), walls[w].material);
            [[maybe_unused]] const Vec3d xi_before = xi;
            Vec3d f = law.force(contact, parameters, xi, dt);
            if constexpr (Law::has_history) s[0] = xi.x, s[1] = xi.y, s[2] = xi.z;
            [[maybe_unused]] auto energy = [&] {
                if constexpr (Watch::watches) return law.energy(contact, parameters, xi_before, xi, dt);
                else return 0;
            }();
            [[maybe_unused]] double work_of_wall = dot(f, of_wall);  // W
            Vec3d t = cross(arm, f);
            // A ball on the axis of the wall: the same at every meridian, so the mean over all of them.
            const auto mean_all_round = [&](Vec3d& a) {
                if (!touched[k].at.all_round) return;
                const Vec3d axis = axis_of_symmetry(walls[w].shape);
                a = dot(a, axis) * axis;
            };
            mean_all_round(f), mean_all_round(t);
            const Vec3d of_force = t;  // before rolling friction
            if constexpr (gives_rolling_torque<Law>) {
                contact.spin = bodies.omega(i) - spin_of_wall;
                contact.rolling_inertia = rolling_inertia_at_surface(bodies, i, contact.effective_mass);
                Vec3d theta{};
                double* const kept =
                    keeps_rolling_spring<Law> ? theta_[candidate[k] - candidates_.data()].data() : nullptr;
                if (kept) theta = {kept[0], kept[1], kept[2]};
                if (kept && turning_wall && !by_displacements)
                    theta = turned_with(*turning_wall, theta, touched[k].at.normal, dt);
                if (kept && by_displacements) {
                    Vec3d turn = bodies.rotation_of(i);
                    if (displacement_of_wall.turns) turn -= displacement_of_wall.spin;
                    theta = moved_and_turned_with(displacement_of_wall, theta, turn, touched[k].at.normal) -
                            dt * contact.spin;
                }
                [[maybe_unused]] const Vec3d theta_before = theta;
                Vec3d turning = law.rolling_torque(contact, parameters, theta, dt);
                if constexpr (Watch::watches)
                    law.add_rolling_energy(contact, parameters, turning, theta_before, theta, dt, energy);
                mean_all_round(turning);
                t += turning;
                work_of_wall += dot(turning, spin_of_wall);
                if (kept) kept[0] = theta.x, kept[1] = theta.y, kept[2] = theta.z;
                if (!loads.empty()) loads[layer_of(i) * walls.size() + w].torque -= turning;
            }
            if constexpr (Watch::watches) {
                watch.see_at_wall(energy, i, w);
                if (walls[w].moves()) watch.wall_works(i, dt * work_of_wall);
            }
            for (int axis = 0; axis < 3; ++axis) {
                bodies.force(i, axis) += at(f, axis);
                if constexpr (Law::rotates) bodies.torque(i, axis) += at(t, axis);
            }
            if (samples_ != nullptr)
                work.samples.push_back({i, w, touched[k].at.point, touched[k].at.normal, f, touched[k].overlap});
            if (!loads.empty()) {
                WallLoad& load = loads[layer_of(i) * walls.size() + w];
                load.force -= f;
                load.torque -= cross(x, f) + of_force;
            }
        }
    }
}

}  // namespace granary
