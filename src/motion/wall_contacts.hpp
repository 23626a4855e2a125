// Balls at analytic walls: candidates found at a rebuild, forces at every step, loads on the walls when asked.
//
// A candidate is a real ball within its radius + margin of a wall. The list is sorted by ball, then by wall number, and forces are
// added in that order. Beside each stands the tangential spring of the ball relative to the wall, zero while apart.
#pragma once
#include <array>
#include <span>
#include <vector>
#include "contact/law.hpp"
#include "contact/pair_table.hpp"
#include "core/bodies.hpp"
#include "core/contact_record.hpp"
#include "motion/wall_shapes.hpp"

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
    Vec3d point;   // of contact, m
    Vec3d normal;  // unit, from the wall to the ball
    Vec3d force;   // on the ball, N
};

class WallContacts {
  public:
    struct Candidate {
        Index body;
        std::uint32_t wall;
        double xi[3];
    };

    // Candidates of the real bodies, ascending; springs zero. A wall that is open (a gate) is not there.
    void find(const Bodies& bodies, std::span<const Wall> walls, double margin, std::span<const char> open = {});

    // Adds forces; springs advance by dt. If loads is not empty it gets each contact's share, as
    // loads[layer(body) * walls.size() + wall], in the order of the list.
    template <class Law, class LayerOf> void add_forces(Bodies& bodies, std::span<const Wall> walls, const Law& law,
                                                        const PairTable<Law>& table, double reach, double dt,
                                                        std::span<WallLoad> loads, LayerOf&& layer_of);

    // From now on every contact of add_forces is noted there, in the order of the list; nullptr: no longer.
    void note_in(std::vector<WallSample>* samples) { samples_ = samples; }

    std::vector<Candidate>& candidates() { return candidates_; }
    const std::vector<Candidate>& candidates() const { return candidates_; }

    // Springs that are not zero; `body` is the place in the arrays.
    std::vector<ContactRecord> springs() const;

  private:
    static constexpr std::size_t most = 16;  // walls that one ball may be near to
    std::vector<Candidate> candidates_;
    std::vector<WallSample>* samples_ = nullptr;
};

template <class Law, class LayerOf>
void WallContacts::add_forces(Bodies& bodies, std::span<const Wall> walls, const Law& law, const PairTable<Law>& table,
                              double reach, double dt, std::span<WallLoad> loads, LayerOf&& layer_of) {
    std::array<WallContact, most> touched;
    std::array<Candidate*, most> candidate;
    for (std::size_t c = 0; c < candidates_.size();) {
        const Index i = candidates_[c].body;
        const Vec3d x = bodies.x(i);
        const double r = bodies.radius(i);
        std::size_t n = 0;
        for (; c < candidates_.size() && candidates_[c].body == i; ++c) {
            const SurfacePoint at = closest(walls[candidates_[c].wall].shape, x);
            if (at.distance < r + reach) {
                candidate[n] = &candidates_[c];
                touched[n++] = {candidates_[c].wall, at, r - at.distance, false};
            } else {
                for (double& s : candidates_[c].xi) s = 0;
            }
        }
        if (n > 1) drop_doubled_contacts(walls, {touched.data(), n}, r);
        for (std::size_t k = 0; k < n; ++k) {
            double* const s = candidate[k]->xi;
            if (touched[k].dropped) {
                s[0] = s[1] = s[2] = 0;
                continue;
            }
            const std::uint32_t w = touched[k].wall;
            const Vec3d arm = -touched[k].at.distance * touched[k].at.normal;  // from the centre to the contact
            Vec3d velocity = bodies.v(i);
            if constexpr (Law::rotates) velocity += cross(bodies.omega(i), arm);
            const Contact<double> contact{touched[k].at.normal, touched[k].overlap, velocity, r,
                                          1.0 / bodies.velocity(i, 3)};
            Vec3d xi{s[0], s[1], s[2]};
            const Vec3d f = law.force(contact, table.at(bodies.material(i), walls[w].material), xi, dt);
            if constexpr (Law::has_history) s[0] = xi.x, s[1] = xi.y, s[2] = xi.z;
            const Vec3d t = cross(arm, f);
            for (int axis = 0; axis < 3; ++axis) {
                bodies.force(i, axis) += at(f, axis);
                if constexpr (Law::rotates) bodies.torque(i, axis) += at(t, axis);
            }
            if (samples_ != nullptr) samples_->push_back({i, w, touched[k].at.point, touched[k].at.normal, f});
            if (!loads.empty()) {
                WallLoad& load = loads[layer_of(i) * walls.size() + w];
                load.force -= f;
                load.torque -= cross(touched[k].at.point, f);
            }
        }
    }
}

}  // namespace granary
