// A ball that meets a plane obliquely, and one that meets a ball ten thousand times as large, spin alike afterwards:
// lever arms do not know how large the partner is (contact/law.hpp). Overlaps are some 3 % of the radius, so an arm of
// r on one side and of r - delta on the other would show.
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "support/few_balls.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double radius = 5e-3, density = 2500, speed = 0.8;
const Vec3d normal = unit({0.2, -0.3, 0.9}), along = unit(cross(normal, {1, 0, 0})), axis = cross(normal, along);
const Material grain = hertz_material("grain", 2e7, 0.3, density, 0.6, 0.3);

struct Rebound {
    double along, spin, deepest;  // m/s, rad/s, overlap over radius
};

// Touches at the origin at t = 0. huge: radius of the partner over that of the ball; 0: a plane of the same material.
Rebound rebound(double degrees, double huge, Integrator integrator) {
    const double angle = degrees * std::numbers::pi / 180;
    std::vector<NewBody> balls{ball(0, radius * normal, radius, density,
                                    speed * (std::sin(angle) * along - std::cos(angle) * normal), -40.0 * axis)};
    if (huge > 0) balls.push_back(ball(1, -huge * radius * normal, huge * radius, density));
    Setup s = few_balls(box(huge > 0 ? 2.2 * huge * radius : 10 * radius), 1e-6, balls);
    s.integrator = integrator;
    s.materials = {grain};
    if (huge == 0) s.walls = {make_wall("plane", Plane{{0, 0, 0}, normal}, 0)};
    Simulation sim(boost::mpi::communicator(), s);
    double deepest = 0;
    for (int k = 0; k < 20000; ++k) {
        sim.step();
        const BallState b = state_of(sim, 0);
        const double overlap = radius - dot(b.x, normal);
        deepest = std::max(deepest, overlap / radius);
        if (overlap < 0) return {dot(b.v, along), dot(b.spin, axis), deepest};
    }
    throw std::runtime_error("the ball has not parted from its partner");
}

}  // namespace

// The radii of curvature differ by 1e-4, and with them force, overlap and what follows.
TEST(LeverArm, AHugeBallIsLikeAPlane) {
    for (const Integrator integrator : {Integrator::verlet, Integrator::gear})
        for (const double angle : {15.0, 45.0, 75.0}) {
            SCOPED_TRACE(testing::Message() << angle << " degrees, integrator " << static_cast<int>(integrator));
            const Rebound plane = rebound(angle, 0, integrator), huge = rebound(angle, 1e4, integrator);
            EXPECT_GT(plane.deepest, angle < 50 ? 0.02 : 0.01);
            EXPECT_NEAR(huge.deepest / plane.deepest, 1, 3e-4);
            EXPECT_NEAR(huge.spin / plane.spin, 1, 1e-3);
            EXPECT_NEAR(huge.along / plane.along, 1, 1e-3);
        }
}

// Two balls of unlike size that meet obliquely in free space: the angular momentum about any point stays, because the
// arms meet in one point.
TEST(LeverArm, AngularMomentumIsKept) {
    const double small = 2e-3, large = 7e-3;
    const std::vector<NewBody> balls{
        ball(0, small * normal, small, density, speed * (0.6 * along - 0.8 * normal), {50, -20, 30}),
        ball(1, -large * normal, large, density, 0.1 * axis, {-10, 5, 20})};
    auto s = few_balls(box(0.1), 1e-6, balls);
    s.materials = {grain};
    Simulation sim(boost::mpi::communicator(), s);
    const auto momentum = [&] {
        Vec3d sum;
        for (const Id id : {0u, 1u}) {
            const BallState b = state_of(sim, id);
            sum += b.mass * cross(b.x, b.v) + 0.4 * b.mass * b.radius * b.radius * b.spin;
        }
        return sum;
    };
    const Vec3d before = momentum();
    const Vec3d spin = state_of(sim, 0).spin;
    run(sim, 3000);
    EXPECT_GT(norm(state_of(sim, 0).spin - spin), 10);
    EXPECT_LT(norm(momentum() - before), 1e-9 * norm(before));  // rounding; arms that do not meet cost some 1e-4
}
