// A ball that meets a rigid plane, a triangle or a mesh in that plane, or its own image in a point: at the origin, with
// any direction of the normal. Of the net a corner lies at the origin, so that the ball touches it there and slides
// over edges. The image (position and velocity reversed, spin the same) makes the point of contact stand still, so that
// a ball and its image do what the ball would do at a rigid plane, with twice the overlap: the loop over pairs and the
// loop over walls must give the same.
#pragma once
#include <cmath>
#include <ostream>
#include "support/few_balls.hpp"
#include "support/triangles.hpp"

namespace granary::test {

enum class HitPartner { ball, plane, triangle, net };
inline std::ostream& operator<<(std::ostream& out, HitPartner p) {
    const char* const names[] = {"a ball", "a plane", "a triangle", "a mesh"};
    return out << "against " << names[static_cast<int>(p)];
}

struct HitSpec {
    Material material;
    LawSettings law;
    HitPartner partner = HitPartner::plane;
    double radius = 0;
    Vec3d normal{0, 0, 1};  // of the plane, unit
    Vec3d velocity;         // of the ball, towards the plane
    Vec3d spin;
    double dt = 0;
};

struct HitResult {
    double peak_force = 0;    // N, along the normal
    double peak_overlap = 0;  // m, of the ball with the plane or the plane of symmetry
    double duration = 0;      // s, from first touch to parting, to within a step
    double time_of_peak = 0;
    BallState before, after;
};

inline WallShape wall_of(const HitSpec& h) {
    const Vec3d a = 2 * h.radius * perpendicular(h.normal), b = cross(h.normal, a);
    if (h.partner == HitPartner::triangle) return mesh_wall({{-a - b, 2.0 * a, 2.0 * b - a}});
    if (h.partner == HitPartner::net) return mesh_wall(flat(-a - b, 2.0 * a, 2.0 * b, 10, 10));
    return Plane{{0, 0, 0}, h.normal};
}

// A contact that touches at t = 0, until it has parted. Fails by an exception if it has not parted after `most` steps.
inline HitResult hit(const HitSpec& h, std::uint64_t most) {
    std::vector<NewBody> balls{ball(0, h.radius * h.normal, h.radius, h.material.density, h.velocity, h.spin)};
    if (h.partner == HitPartner::ball)
        balls.push_back(ball(1, -h.radius * h.normal, h.radius, h.material.density, -h.velocity, h.spin));
    Setup s = few_balls(box(4 * h.radius), h.dt, balls);
    s.law = h.law;
    s.materials = {h.material, rigid_wall(*h.material.restitution, *h.material.friction)};
    if (h.partner != HitPartner::ball) s.walls = {make_wall("wall", wall_of(h), 1)};
    Simulation sim(boost::mpi::communicator(), s);

    HitResult result;
    result.before = {balls[0].position, h.velocity, h.spin, {}, {}, h.radius, balls[0].mass};
    std::uint64_t touching = 0;
    for (std::uint64_t step = 1; step <= most; ++step) {
        sim.step();
        const BallState b = state_of(sim, 0);
        const double overlap = h.partner != HitPartner::ball ? h.radius - dot(b.x, h.normal)
                                                             : h.radius - 0.5 * norm(b.x - state_of(sim, 1).x);
        if (overlap <= 0) {
            result.duration = static_cast<double>(touching) * h.dt;
            result.after = b;
            return result;
        }
        ++touching;
        const double push = dot(b.force, h.normal);
        if (push > result.peak_force) result.peak_force = push, result.time_of_peak = sim.clock().time();
        result.peak_overlap = std::max(result.peak_overlap, overlap);
    }
    throw std::runtime_error("the ball has not parted from its partner");
}

// Hertz without damping: a ball of mass m against a rigid plane at normal speed v (Johnson 1985, section 11.4).
struct HertzHit {
    double overlap, force, duration;
};
inline HertzHit hertz_hit(const Material& m, double radius, double v) {
    const double mass = make_ball(0, {}, radius, m.density, 0, {}).mass;
    const double k = 4.0 / 3.0 * m.young / (1 - m.poisson * m.poisson) * std::sqrt(radius);
    const double overlap = std::pow(1.25 * mass * v * v / k, 0.4);
    return {overlap, k * std::pow(overlap, 1.5), 2.9432750 * overlap / v};
}

}  // namespace granary::test
