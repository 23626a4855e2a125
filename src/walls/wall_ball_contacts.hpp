// Moving balls at the balls that walls are made of: candidates come from search/wall_ball_search.hpp, forces are added
// at every step in the order of the list, after those of all partners. A wall ball does not move and does not give way:
// the mass of the contact is that of the moving ball, as at any wall; curvature and contact point are those of two
// balls. Loads and samples count to the wall that the wall ball belongs to; for probes the normal is that of the wall's
// surface, not of the rough contact.
#pragma once
#include <array>
#include <span>
#include <vector>
#include "contact/contact_geometry.hpp"
#include "core/wall_ball.hpp"
#include "walls/wall_contacts.hpp"

namespace granary {

class WallBallContacts {
  public:
    std::vector<WallBallCandidate>& candidates() { return candidates_; }  // to be filled by the search
    const std::vector<WallBallCandidate>& candidates() const { return candidates_; }

    // When the list is new: rolling springs, one a candidate, for laws that keep them.
    void prepare(bool rolling) { theta_.assign(rolling ? candidates_.size() : 0, {}); }

    // Springs from before: find(body, partner) gives three numbers or null.
    template <class Find> void carry(std::span<const WallBall> balls, Find&& find) {
        static const std::string name = "walls::carry_springs_at_balls";
        in_pieces(name, candidates_.size(), [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                const Partner partner = wall_ball_partner(balls[candidates_[k].ball].number);
                if (const double* xi = find(candidates_[k].body, partner)) std::copy_n(xi, 3, candidates_[k].xi);
                if (theta_.empty()) continue;
                if (const double* xi = find(candidates_[k].body, rolling_spring(partner)))
                    std::copy_n(xi, 3, theta_[k].data());
            }
        });
    }

    // As WallContacts::add_forces. note: every contact is added there; nullptr: none.
    template <class Law, class LayerOf, class Watch = NobodyWatches>
    void add_forces(Bodies& bodies, Range range, std::span<const WallBall> balls, std::span<const Wall> walls,
                    const Law& law, const PairTable<Law>& table, double reach, double dt, std::span<WallLoad> loads,
                    LayerOf&& layer_of, std::vector<WallSample>* note, Watch watch = {});

    // Springs that are not zero; `body` is the place in the arrays.
    std::vector<ContactRecord> springs(std::span<const WallBall> balls) const {
        std::vector<ContactRecord> found;
        for (std::size_t k = 0; k < candidates_.size(); ++k) {
            const Partner partner = wall_ball_partner(balls[candidates_[k].ball].number);
            const auto take = [&](const double* xi, const Partner& as) {
                if (!is_dead(as.kind(), true, xi)) found.push_back({candidates_[k].body, as, {xi[0], xi[1], xi[2]}});
            };
            take(candidates_[k].xi, partner);
            if (!theta_.empty()) take(theta_[k].data(), rolling_spring(partner));
        }
        return found;
    }

    // As WallContacts::deepest, with the smaller radius of the two balls.
    void deepest(const Bodies& bodies, std::span<const WallBall> balls, std::span<double> share) const {
        for (const WallBallCandidate& c : candidates_) {
            const WallBall& w = balls[c.ball];
            share[w.wall] =
                std::max(share[w.wall], overlap_share(bodies.x(c.body) - w.centre, bodies.radius(c.body), w.radius));
        }
    }

  private:
    std::vector<WallBallCandidate> candidates_;
    std::vector<std::array<double, 3>> theta_;
};

template <class Law, class LayerOf, class Watch>
void WallBallContacts::add_forces(Bodies& bodies, Range range, std::span<const WallBall> balls,
                                  std::span<const Wall> walls, const Law& law, const PairTable<Law>& table,
                                  double reach, double dt, std::span<WallLoad> loads, LayerOf&& layer_of,
                                  std::vector<WallSample>* note, [[maybe_unused]] Watch watch) {
    const CandidatesOf<WallBallCandidate> part(candidates_, range);
    for (std::size_t k = part.begin; k < part.end; ++k) {
        WallBallCandidate& c = candidates_[k];
        const Index i = c.body;
        const WallBall& w = balls[c.ball];
        const Vec3d x = bodies.x(i), apart = x - w.centre;
        const double r = bodies.radius(i), radii = r + w.radius;
        const bool touches = is_within(apart, radii + reach);
        if (!touches) {
            c.xi[0] = c.xi[1] = c.xi[2] = 0;
            if constexpr (keeps_rolling_spring<Law>) theta_[k] = {};
            if constexpr (!Watch::watches) continue;
        }
        const Touch<double> touch = touch_of(apart, radii);
        const Vec3d arm = arm_to_surface(r, touch.overlap, touch.normal);
        const Vec3d velocity = velocity_at_surface<Law>(bodies, i, arm);
        Contact<double> contact =
            contact_at_surface(bodies, i, touch.normal, touch.overlap, velocity, effective_radius(r, w.radius));
        const auto parameters = table.at(bodies.material(i), w.material);
        if constexpr (Watch::watches)
            if (!touches) {  // if it touched a step ago, its damper ends now
                watch.see_at_wall(law.energy(contact, parameters, Vec3d{}, Vec3d{}, dt), i, w.wall);
                continue;
            }
        Vec3d xi{c.xi[0], c.xi[1], c.xi[2]};
        const bool by_displacements = bodies.has(When::gear);
        if (Law::has_history && by_displacements)
            xi += tangential_displacement(bodies.displacement_of(i), bodies.rotation_of(i), {}, r, w.radius, apart) -
                  dt * velocity;
        [[maybe_unused]] const Vec3d xi_before = xi;
        const Vec3d f = law.force(contact, parameters, xi, dt);
        if constexpr (Law::has_history) c.xi[0] = xi.x, c.xi[1] = xi.y, c.xi[2] = xi.z;
        [[maybe_unused]] auto energy = [&] {
            if constexpr (Watch::watches) return law.energy(contact, parameters, xi_before, xi, dt);
            else return 0;
        }();
        Vec3d t = cross(arm, f);
        WallLoad* const load = loads.empty() ? nullptr : &loads[layer_of(i) * walls.size() + w.wall];
        if constexpr (gives_rolling_torque<Law>) {
            contact.spin = bodies.omega(i);
            contact.rolling_inertia = rolling_inertia_at_surface(bodies, i, contact.effective_mass);
            Vec3d theta{};
            double* const kept = keeps_rolling_spring<Law> ? theta_[k].data() : nullptr;
            if (kept) theta = {kept[0], kept[1], kept[2]};
            if (kept && by_displacements) theta += bodies.rotation_of(i) - dt * contact.spin;
            [[maybe_unused]] const Vec3d theta_before = theta;
            const Vec3d turning = law.rolling_torque(contact, parameters, theta, dt);
            if constexpr (Watch::watches)
                law.add_rolling_energy(contact, parameters, turning, theta_before, theta, dt, energy);
            t += turning;
            if (kept) kept[0] = theta.x, kept[1] = theta.y, kept[2] = theta.z;
            if (load) load->torque -= turning;
        }
        if constexpr (Watch::watches) watch.see_at_wall(energy, i, w.wall);
        for (int axis = 0; axis < 3; ++axis) {
            bodies.force(i, axis) += at(f, axis);
            if constexpr (Law::rotates) bodies.torque(i, axis) += at(t, axis);
        }
        const Vec3d point = x + arm;
        if (load) load->force -= f, load->torque -= cross(point, f);
        if (note) note->push_back({i, w.wall, point, closest(walls[w.wall].shape, x).normal, f, touch.overlap});
    }
}

}  // namespace granary
