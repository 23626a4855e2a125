// A ball that hits a fixed plane, moved in small leapfrog steps: forces see the velocity of t - dt/2, as in the
// solver. A pair of balls is the same thing with the effective mass and radius.
#pragma once
#include <cmath>
#include "contact/law.hpp"

namespace granary::testing {

struct Hit {
    double mass = 1, radius = 1;  // effective ones
    double speed = 1;             // normal, m/s
    double dt = 1;
};

struct HitResult {
    double restitution = 0, duration = 0;
    double peak_force = 0, peak_overlap = 0, time_of_peak = 0;
};

// Head-on, from first touch to parting.
template <class Law>
HitResult head_on(const Law& law, const typename Law::template Parameters<double>& p, const Hit& hit) {
    HitResult result;
    Contact<double> c{{0, 0, 1}, 0.0, {0, 0, -hit.speed}, hit.radius, hit.mass};
    Vec3d xi{};
    for (long step = 1; step < 10'000'000; ++step) {
        c.overlap -= c.velocity.z * hit.dt;
        if (c.overlap <= 0) {
            // Back to the moment of parting within the last step.
            result.duration = double(step) * hit.dt + c.overlap / c.velocity.z;
            result.restitution = c.velocity.z / hit.speed;
            return result;
        }
        const double f = law.force(c, p, xi, hit.dt).z;
        if (f > result.peak_force) result.peak_force = f, result.time_of_peak = double(step) * hit.dt;
        result.peak_overlap = std::fmax(result.peak_overlap, c.overlap);
        c.velocity.z += f / hit.mass * hit.dt;
    }
    return result;  // never parted: restitution 0
}

struct ObliqueResult {
    double restitution_t = 0;   // v_t'/v_t of the centre
    double spin = 0;            // about the axis normal x direction of motion, rad/s; backwards < 0
    double contact_angle = 0;   // of the rebound of the contact point from the normal, deg
    double normal_impulse = 0;  // integral of F_n, N s
    int n_driven = 0;           // steps at which friction pushed in the direction of sliding
    int n_steps = 0;
};

// A solid ball meets the plane z = 0 at an angle (from the normal, degrees) in the x-z plane.
template <class Law> ObliqueResult oblique(const Law& law, const typename Law::template Parameters<double>& p,
                                           double mass, double r, double speed, double angle, double dt) {
    const double theta = angle * M_PI / 180, v_x = speed * std::sin(theta), inertia = 0.4 * mass * r * r;
    Vec3d v{v_x, 0, -speed * std::cos(theta)}, omega{}, xi{};
    Contact<double> c{{0, 0, 1}, 0.0, {}, r, mass};
    const Vec3d arm = -r * c.normal;
    ObliqueResult result;
    for (; result.n_steps < 10'000'000; ++result.n_steps) {
        c.overlap -= v.z * dt;
        if (c.overlap <= 0) break;
        c.velocity = v + cross(omega, arm);
        const Vec3d f = law.force(c, p, xi, dt);
        result.normal_impulse += f.z * dt;
        result.n_driven += f.x * c.velocity.x > 0 && c.velocity.x > 0;
        v += f * (dt / mass);
        omega += cross(arm, f) * (dt / inertia);
    }
    result.restitution_t = v.x / v_x;
    result.spin = -omega.y;  // n x direction = y; a ball sliding in +x is spun towards +y
    result.contact_angle = std::atan2((v + cross(omega, arm)).x, v.z) * 180 / M_PI;
    return result;
}

}  // namespace granary::testing
