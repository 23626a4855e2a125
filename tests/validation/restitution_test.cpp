// A ball comes back with the restitution of its material, at any speed, in any direction, from balls and from walls.
// The damper sees the velocity of half a step before, which changes e by a share of about zeta pi dt/tc: with a few
// thousand steps a contact less than 3e-4 for the smallest e here. The promise is 1e-3.
#include <gtest/gtest.h>
#include <fmt/format.h>
#include <cmath>
#include <numbers>
#include "support/hits.hpp"
#include "support/validation_data.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double tolerance = 1e-3;

double restitution_of(const HitResult& r, const Vec3d& normal) {
    return -dot(r.after.v, normal) / dot(r.before.v, normal);
}

}  // namespace

TEST(Restitution, HertzMindlin) {
    Compared data("restitution-hertz");
    const Vec3d normal = unit({0.3, -0.5, 0.8});
    for (const HitPartner partner : {HitPartner::ball, HitPartner::plane})
        for (const double e : {0.1, 0.3, 0.5, 0.7, 0.9, 1.0})
            for (const double speed : {0.01, 1.0}) {
                SCOPED_TRACE(testing::Message() << "e = " << e << ", " << speed << " m/s " << partner);
                HitSpec h;
                h.material = hertz_material("grain", 5e6, 0.3, 2500, e, 0.5);
                h.partner = partner, h.radius = 2.5e-3, h.normal = normal, h.velocity = -speed * normal;
                h.dt = hertz_hit(h.material, h.radius, speed).duration / 4000;
                const HitResult r = hit(h, 20000);
                EXPECT_NEAR(restitution_of(r, normal), e, tolerance);
                data.row("restitution; Hertz",
                         fmt::format("e = {}; {} m/s; {}", e, speed, partner == HitPartner::ball ? "ball" : "plane"),
                         restitution_of(r, normal), e);
                EXPECT_LT(norm(r.after.spin), 1e-9 * speed / h.radius);  // nothing turns a head-on hit
            }
}

TEST(Restitution, LinearAlsoInItsDuration) {
    Compared data("restitution-linear");
    const Vec3d normal = unit({-0.6, 0.2, 0.7});
    for (const HitPartner partner : {HitPartner::ball, HitPartner::plane})
        for (const double e : {0.1, 0.5, 0.9, 1.0}) {
            SCOPED_TRACE(testing::Message() << "e = " << e << ' ' << partner);
            HitSpec h;
            h.law.type = LawSettings::Type::linear;
            h.material = linear_material("grain", 2000, 2500, e, 0.5);
            h.partner = partner, h.radius = 2.5e-3, h.normal = normal, h.velocity = -0.7 * normal;
            const double l = std::log(e), zeta = -l / std::hypot(l, std::numbers::pi);
            const double mass = make_ball(0, {}, h.radius, 2500, 0, {}).mass;
            // Two equal springs in a row against half the mass: the same as one against the whole of it.
            const double duration = std::numbers::pi / std::sqrt(2000 / mass * (1 - zeta * zeta));
            h.dt = duration / 4000;
            const HitResult r = hit(h, 20000);
            EXPECT_NEAR(restitution_of(r, normal), e, tolerance);
            const std::string of = fmt::format("e = {}; {}", e, partner == HitPartner::ball ? "ball" : "plane");
            data.row("restitution; linear", of, restitution_of(r, normal), e);
            data.row("duration of a contact; linear (s)", of, r.duration, duration);
            EXPECT_NEAR(r.duration, duration, 2 * h.dt + 2 * zeta * h.dt);  // counted in steps; the lag of the damper
        }
}

TEST(Restitution, UnequalBallsPartWithTheirCommonCentreUnmoved) {
    for (const auto type : {LawSettings::Type::hertz_mindlin, LawSettings::Type::linear}) {
        const double e = 0.6, speed = 0.8;
        Material m = hertz_material("grain", 5e6, 0.3, 2500, e, 0.5);
        m.stiffness = 2000;
        const Vec3d n = unit({1, 2, -0.5});
        const std::vector<NewBody> balls{ball(0, 1e-3 * n, 1e-3, 2500, -speed * n), ball(1, -4e-3 * n, 4e-3, 2500)};
        auto s = few_balls(box(0.05), 1e-8, balls);
        s.materials = {m};
        s.law.type = type;
        Simulation sim(boost::mpi::communicator(), s);
        const auto relative = [&] { return dot(state_of(sim, 0).v - state_of(sim, 1).v, n); };
        bool touched = false;
        for (int k = 0; k < 40000; ++k) {
            sim.step();
            const bool touches = norm(state_of(sim, 0).force) > 0;
            if (touched && !touches) break;
            touched |= touches;
        }
        ASSERT_TRUE(touched);
        EXPECT_NEAR(relative() / speed, e, tolerance);
        const Vec3d p = measures_of(sim).momentum;
        EXPECT_LT(norm(p + balls[0].mass * speed * n), 1e-13 * balls[0].mass * speed);
    }
}

// h_n = e^(2n) h_0, as long as a contact is short beside a flight.
TEST(Restitution, ApexHeightsOfABouncingBall) {
    const double e = 0.8, r = 5e-3, h0 = 0.02, g = 9.81;
    const Material m = hertz_material("grain", 1e9, 0.3, 2500, e, 0.5);
    const double contact = hertz_hit(m, r, std::sqrt(2 * g * h0)).duration;
    auto s =
        few_balls({{-0.05, -0.05, -0.01}, {0.05, 0.05, 0.05}, {}}, contact / 500, {ball(0, {0, 0, r + h0}, r, 2500)});
    s.gravity = {0, 0, -g};
    s.materials = {m, rigid_wall(e, 0.5)};
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 1)};
    Simulation sim(boost::mpi::communicator(), s);
    double before = 0, touch_time = 0, last_touch = 0;
    int bounce = 0;
    Compared data("bounces");
    while (bounce < 3) {
        sim.step();
        const BallState b = state_of(sim, 0);
        if (b.force.z != 0 && sim.clock().time() - last_touch > 5 * contact)
            touch_time = sim.clock().time();  // the first of this bounce
        if (b.force.z != 0) last_touch = sim.clock().time();
        if (before > 0 && b.v.z <= 0 && b.x.z > r) {  // at the top
            ++bounce;
            const double expected = std::pow(e, 2 * bounce) * h0;
            data.row("height of bounces e^(2n) h (m)", fmt::format("n = {}", bounce), b.x.z - r, expected);
            // e to 1e-3 at each bounce, squared in the height. The rise is counted from the first touch, so a contact
            // is in it.
            EXPECT_NEAR((b.x.z - r) / expected, 1, 2e-3 * bounce) << "bounce " << bounce;
            const double rise = std::pow(e, bounce) * std::sqrt(2 * h0 / g);
            EXPECT_NEAR(sim.clock().time() - touch_time, rise, 1e-3 * bounce * rise + contact) << "bounce " << bounce;
        }
        before = b.v.z;
        ASSERT_LT(sim.clock().time(), 1.0);
    }
}
