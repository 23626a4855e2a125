// Rotation of rigid bodies: what torque-free motion keeps, its order, and the flips of the middle axis beside the
// solution of Euler's equations by elliptic functions.
#include <gtest/gtest.h>
#include <cmath>
#include "motion/rigid_rotation.hpp"

namespace granary::rigid_rotation_test {

constexpr Vec3d moments{1.0, 2.0, 3.0}, inverse{1.0, 0.5, 1.0 / 3.0};

double energy(const Quaterniond& q, const Vec3d& momentum) { return 0.5 * square_by_inertia(q, inverse, momentum); }

Quaterniond after(Quaterniond q, const Vec3d& momentum, double time, int steps) {
    for (int k = 0; k < steps; ++k) q = turn_freely(q, momentum, inverse, time / steps).orientation;
    return q;
}

double angle_between(const Quaterniond& a, const Quaterniond& b) {
    const Quaterniond d = conjugate(a) * b;
    return 2 * std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
}

TEST(RigidRotation, IsOfSecondOrder) {
    const Quaterniond start = normalised(Quaterniond{1, 0.2, -0.3, 0.4});
    const Vec3d momentum{0.7, 1.9, -0.4};
    const Quaterniond exact = after(start, momentum, 3.0, 200000);
    const double coarse = angle_between(after(start, momentum, 3.0, 100), exact),
                 fine = angle_between(after(start, momentum, 3.0, 200), exact);
    EXPECT_NEAR(coarse / fine, 4.0, 0.05);
}

// Momentum in space is an argument, so it is kept to the bit; energy may only suffer from rounding: about 1e-16 a step,
// in random directions.
TEST(RigidRotation, EnergyDoesNotDriftInAThousandTurns) {
    Quaterniond q = normalised(Quaterniond{1, 0.2, -0.3, 0.4});
    const Vec3d momentum{0.7, 1.9, -0.4};
    const double spin = norm(by_inertia(q, inverse, momentum)), dt = 0.01 / spin, e0 = energy(q, momentum);
    double worst = 0;
    for (int k = 0; k < 628319; ++k) {
        q = turn_freely(q, momentum, inverse, dt).orientation;
        worst = std::max(worst, std::abs(energy(q, momentum) / e0 - 1));
    }
    EXPECT_LT(worst, 1e-12);
    EXPECT_NEAR(dot(q, q), 1.0, 1e-15);
}

TEST(RigidRotation, GoesBackWhereItCameFrom) {
    const Quaterniond start = normalised(Quaterniond{1, 0.2, -0.3, 0.4});
    const Vec3d momentum{0.7, 1.9, -0.4};
    Quaterniond q = start;
    for (int k = 0; k < 1000; ++k) q = turn_freely(q, momentum, inverse, 0.05).orientation;
    for (int k = 0; k < 1000; ++k) q = turn_freely(q, momentum, inverse, -0.05).orientation;
    EXPECT_LT(angle_between(start, q), 1e-11);
}

// Complete elliptic integral of the first kind by the arithmetic-geometric mean, parameter m = k^2.
double elliptic_k(double m) {
    double a = 1, g = std::sqrt(1 - m);
    for (int k = 0; k < 60; ++k) {
        const double mean = 0.5 * (a + g);
        g = std::sqrt(a * g), a = mean;
    }
    return M_PI / (2 * a);
}

// Landau & Lifshitz, Mechanics, 37: I_1 < I_2 < I_3. With L^2 > 2 E I_2 the component along the middle axis is
// sn((t - t_0) p), zero every 2 K(m)/p; with L^2 < 2 E I_2 the same with 1 and 3 exchanged. Started with nearly all
// momentum along the middle axis, whose component changes its sign again and again.
TEST(RigidRotation, FlipsAboutTheMiddleAxisAtTheTimesOfEulersEquations) {
    for (const Vec3d& own : {Vec3d{0.001, 2, 0.02}, Vec3d{0.02, 2, 0.001}}) {
        const double l2 = dot(own, own), e2 = dot(times(inverse, own), own);
        Vec3d i = moments;
        if (l2 < e2 * i.y) std::swap(i.x, i.z);
        const double p = std::sqrt((i.z - i.y) * (l2 - e2 * i.x) / (i.x * i.y * i.z));
        const double m = (i.y - i.x) * (e2 * i.z - l2) / ((i.z - i.y) * (l2 - e2 * i.x));
        const double between = 2 * elliptic_k(m) / p;
        const auto worst_at = [&](double dt) {
            Quaterniond q{1, 0, 0, 0};
            double time = 0, before = own.y, first = -1, worst = 0;
            for (int flips = 0; flips < 6;) {
                q = turn_freely(q, own, inverse, dt).orientation;
                time += dt;
                const double now = rotate_back(q, own).y;
                if ((now > 0) != (before > 0)) {
                    const double at = time - dt * now / (now - before);
                    if (first < 0) first = at;
                    else worst = std::max(worst, std::abs(at - first - flips * between) / between);
                    ++flips;
                }
                before = now;
            }
            return worst;
        };
        const double coarse = worst_at(0.02), fine = worst_at(0.01);
        EXPECT_LT(fine, 2e-4);  // of the time between two flips, after five; the error of second order
        EXPECT_NEAR(coarse / fine, 4.0, 0.2);
    }
}

// The spin that laws see is the true one: a point of the body moves by dt w x (mean of its arms).
TEST(RigidRotation, SpinIsTheDisplacementOfTheStep) {
    const Quaterniond q = normalised(Quaterniond{1, 0.2, -0.3, 0.4});
    const FreeTurn next = turn_freely(q, {0.7, 1.9, -0.4}, inverse, 0.3);
    const Vec3d arm{0.3, -0.5, 0.9}, a = rotate(q, arm), b = rotate(next.orientation, arm);
    EXPECT_LT(norm((b - a) - 0.3 * cross(next.spin, 0.5 * (a + b))), 1e-15);
}

// Both paths: a ball in a run with shapes is moved by the loop of the balls.
TEST(RigidRotation, ShapesAndBallsSideBySide) {
    std::vector<ShapeTemplate> shapes(1);
    shapes[0].outer_radius = 1, shapes[0].inertia_per_mass = {0.1, 0.2, 0.25};
    Bodies b;
    b.add(When::orientations), b.add(When::shapes);
    b.reserve(2);
    NewBody ball{.id = 0, .position = {}, .radius = 0.5, .velocity = {}, .spin = {0, 3, 0}, .mass = 2, .inertia = 0.2};
    NewBody grain = ball;
    grain.id = 1, grain.rigid_shape = 1;
    b.put(0, ball), b.put(1, grain);
    b.size = 2, b.owned = {0, 2}, b.real = {{0, 2}};
    start_turning(b, 1, shapes);
    EXPECT_DOUBLE_EQ(b.angular_momentum(1, 1), 2 * 0.25 * 0.2 * 3);
    for (Index i : {0u, 1u})
        for (int axis = 0; axis < 3; ++axis) b.force(i, axis) = 0, b.torque(i, axis) = axis == 1 ? 0.4 : 0;
    const std::vector<Range> all{{0, 2}};
    const Motion motion{0.01, {}, PositionLattice(Domain{{-1, -1, -1}, {1, 1, 1}, {}}), Integrator::verlet, 0.01};
    turn_shapes(b, all, shapes, 0.01);
    kick_and_drift(b, all, motion);
    turn_balls(b, all, 0.01);
    EXPECT_DOUBLE_EQ(b.spin(0, 1), 3 + 0.01 * 0.4 / 0.2);
    EXPECT_DOUBLE_EQ(b.spin(1, 1), 3 + 0.01 * 0.4 / 0.1);
    EXPECT_EQ(b.torque(1, 1), 0);
    EXPECT_NEAR(b.orientation(0, 2), std::sin(0.005 * b.spin(0, 1)),
                2e-14);  // shapes/quaternion.hpp: a^7/2400 for a = 0.03
    EXPECT_NEAR(b.orientation(1, 2) / b.orientation(1, 0), 0.005 * b.spin(1, 1), 1e-16);  // Cayley
    EXPECT_DOUBLE_EQ(rotational_energy(b, 1, shapes, motion), 0.5 * 0.1 * b.spin(1, 1) * b.spin(1, 1));
}

}  // namespace granary::rigid_rotation_test
