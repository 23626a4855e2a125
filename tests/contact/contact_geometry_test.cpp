// The one geometry of contact: the same bits for one contact and for four, exact under exchange of the partners, and a
// plane is the limit of a huge ball.
#include "contact/contact_geometry.hpp"
#include <gtest/gtest.h>
#include <bit>
#include "contact/laws.hpp"
#include "support/arranged.hpp"
#include "support/dice.hpp"

namespace granary::test {
namespace {

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same_bits(const Vec3d& a, const Vec3d& b) {
    return same_bits(a.x, b.x) && same_bits(a.y, b.y) && same_bits(a.z, b.z);
}
Vec3d lane(const Vec3<Real4>& v, int k) { return {v.x[k], v.y[k], v.z[k]}; }

TEST(ContactGeometry, FourLanesHaveTheBitsOfOne) {
    Dice dice(7);
    for (int n = 0; n < 100; ++n) {
        Vec3<Real4> apart, v, w;
        Real4 r_i, r_j, per_mass;
        for (int k = 0; k < 4; ++k) {
            const Vec3d a = dice.vector(1e-2), b = dice.vector(1), c = dice.vector(10);
            apart.x[k] = a.x, apart.y[k] = a.y, apart.z[k] = a.z;
            v.x[k] = b.x, v.y[k] = b.y, v.z[k] = b.z, w.x[k] = c.x, w.y[k] = c.y, w.z[k] = c.z;
            r_i[k] = dice.uniform(1e-3, 1e-2), r_j[k] = dice.uniform(1e-3, 1e-2), per_mass[k] = dice.uniform(1, 1e3);
        }
        const Touch<Real4> four = touch_of(apart, r_i + r_j);
        const Vec3<Real4> velocity = velocity_at_contact(v, w, four.normal);
        const Effective<Real4> effective = effective_of_pair(r_i, r_j, r_i + r_j, per_mass);
        for (int k = 0; k < 4; ++k) {
            const Touch<double> one = touch_of(lane(apart, k), r_i[k] + r_j[k]);
            EXPECT_TRUE(same_bits(one.normal, lane(four.normal, k)));
            EXPECT_TRUE(same_bits(one.overlap, four.overlap[k]) && same_bits(one.distance, four.distance[k]));
            EXPECT_TRUE(same_bits(velocity_at_contact(lane(v, k), lane(w, k), one.normal), lane(velocity, k)));
            const Effective<double> e = effective_of_pair(r_i[k], r_j[k], r_i[k] + r_j[k], per_mass[k]);
            EXPECT_TRUE(same_bits(e.radius, effective.radius[k]) && same_bits(e.mass, effective.mass[k]));
            EXPECT_NEAR(e.radius / effective_radius(r_i[k], r_j[k]), 1, 1e-15);
            EXPECT_NEAR(e.mass * per_mass[k], 1, 1e-15);
        }
    }
}

Bodies two_balls(Dice& dice) {
    Bodies bodies;
    bodies.reserve(8);
    bodies.size = 2;
    for (Id id = 0; id < 2; ++id) {
        NewBody b = ball(id, dice.vector(2e-3), dice.uniform(1e-3, 3e-3));
        b.mass = dice.uniform(1e-5, 1e-4), b.inertia = 0.4 * b.mass * b.radius * b.radius;
        b.velocity = dice.vector(1), b.spin = dice.vector(100);
        bodies.put(static_cast<Index>(id), b);
    }
    return bodies;
}

TEST(ContactGeometry, ExchangeOfThePartnersIsExact) {
    Dice dice(11);
    for (int n = 0; n < 100; ++n) {
        const Bodies b = two_balls(dice);
        const Contact<double> ij = contact_between<HertzMindlin>(b, 0, 1), ji = contact_between<HertzMindlin>(b, 1, 0);
        EXPECT_TRUE(same_bits(ij.normal, -ji.normal) && same_bits(ij.velocity, -ji.velocity));
        EXPECT_TRUE(same_bits(ij.overlap, ji.overlap) && same_bits(ij.effective_radius, ji.effective_radius) &&
                    same_bits(ij.effective_mass, ji.effective_mass));
        EXPECT_EQ(balls_overlap(b, 0, 1), ij.overlap > 0);
        EXPECT_TRUE(same_bits(overlap_share(b, 0, 1), overlap_share(b, 1, 0)));
        const Vec3d moved = dice.vector(1e-4), t_i = dice.vector(0.1), t_j = dice.vector(0.1);
        const Vec3d apart = b.x(0) - b.x(1);
        EXPECT_TRUE(same_bits(tangential_displacement(moved, t_i, t_j, b.radius(0), b.radius(1), apart),
                              -tangential_displacement(-moved, t_j, t_i, b.radius(1), b.radius(0), -apart)));
    }
}

// A ball at a surface at rest sees what it sees at a resting ball of any size: arm and velocity do not know the
// partner.
TEST(ContactGeometry, ASurfaceIsAPartnerAtRest) {
    Dice dice(13);
    for (int n = 0; n < 100; ++n) {
        const Bodies b = two_balls(dice);
        for (int axis = 0; axis < 3; ++axis) b.velocity(1, axis) = b.spin(1, axis) = 0;
        const Contact<double> pair = contact_between<HertzMindlin>(b, 0, 1);
        const Vec3d arm = arm_to_surface(b.radius(0), pair.overlap, pair.normal);
        EXPECT_NEAR(norm(arm), std::abs(b.radius(0) - 0.5 * pair.overlap), 1e-15);
        EXPECT_NEAR(norm(velocity_at_surface<HertzMindlin>(b, 0, arm) - pair.velocity), 0, 1e-14);
        EXPECT_TRUE(same_bits(velocity_at_surface<KelvinVoigt>(b, 0, arm), b.v(0)));
        const Contact<double> at = contact_at_surface(b, 0, pair.normal, pair.overlap, pair.velocity, b.radius(0));
        EXPECT_NEAR(at.effective_mass * b.velocity(0, 3), 1, 1e-15);
        EXPECT_NEAR(rolling_inertia_at_surface(b, 0, at.effective_mass) *
                        per_rolling_inertia(b.radius(0), b.velocity(0, 3), b.spin(0, 3)),
                    1, 1e-14);
    }
}

// Where the displacement of a step is v dt with constant v and spins, both say the same, up to the turn of the normal.
TEST(ContactGeometry, DisplacementsFollowVelocities) {
    Dice dice(17);
    for (int n = 0; n < 100; ++n) {
        const Bodies b = two_balls(dice);
        const double dt = 1e-9;
        const Contact<double> c = contact_between<HertzMindlin>(b, 0, 1);
        const Vec3d v_t = c.velocity - dot(c.velocity, c.normal) * c.normal;
        const Vec3d s = tangential_displacement(dt * (b.v(0) - b.v(1)), dt * b.omega(0), dt * b.omega(1), b.radius(0),
                                                b.radius(1), b.x(0) - b.x(1));
        EXPECT_NEAR(norm(s - dt * v_t) / (dt * norm(v_t)), 0, 1e-5);
    }
}

}  // namespace
}  // namespace granary::test
