// Balls at walls that move, against closed forms.
#include <gtest/gtest.h>
#include <fmt/format.h>
#include <cmath>
#include <numbers>
#include "support/few_balls.hpp"
#include "support/triangles.hpp"
#include "support/validation_data.hpp"
#include "engine/measures.hpp"

using namespace granary;
using namespace granary::test;

namespace {

constexpr double g = 9.81, radius = 2.5e-3, density = 2500, pi = std::numbers::pi;

Setup ball_at(const std::vector<NewBody>& balls, double restitution, double friction, double dt = 1e-5) {
    Setup s = few_balls(box(0.2), dt, balls);
    s.materials = {hertz_material("grain", 5e6, 0.3, density, restitution, friction),
                   rigid_wall(restitution, friction)};
    return s;
}

void add_moving(Setup& s, const WallShape& shape, const WallMotion& motion) {
    s.walls.push_back(make_wall("moving", shape, 1));
    s.walls.back().motion = s.motions.size();
    s.motions.push_back(motion);
}

WallMotion with_velocity(const Vec3d& v) {
    WallMotion m;
    m.name = "push", m.along = v;
    return m;
}

WallMotion turning(const Vec3d& point, const Vec3d& axis, double rate) {
    WallMotion m;
    m.name = "turn", m.type = WallMotion::Type::rotate, m.point = point, m.axis = axis, m.angular = rate;
    return m;
}

}  // namespace

// A plate of speed u hits a ball at rest: afterwards it flies with (1 + e) u.
TEST(MovingWalls, APlateHitsABall) {
    const double u = 0.3;
    Compared data("walls-plate");
    for (const double e : {1.0, 0.6}) {
        auto s = ball_at({ball(0, {0, 0, 0}, radius, density)}, e, 0.5, 2e-6);
        add_moving(s, Disc{{0, 0, -1.2 * radius}, {0, 0, 1}, 0.02}, with_velocity({0, 0, u}));
        Simulation sim(boost::mpi::communicator(), s);
        run(sim, 5000);
        EXPECT_NEAR(state_of(sim, 0).v.z / ((1 + e) * u), 1, 1e-3);  // damping sees the velocity of dt/2 before
        data.row("moving plate: ball flies off with (1 + e) u (m/s)", fmt::format("e = {}", e), state_of(sim, 0).v.z,
                 (1 + e) * u);
        EXPECT_EQ(events_of(sim).late_checks, 0u);
    }
}

// A plate in free space that hits a ball, seen by an observer who moves with the plate, is a ball that flies against a
// plate at rest. Oblique, with spin and friction; places and velocities agree to rounding.
TEST(MovingWalls, GalileanInvariance) {
    const Vec3d u{0.15, -0.11, 0.25}, spin{30, -20, 10}, normal = unit({0.1, 0.2, 1});
    const auto run_with = [&](bool plate_moves) {
        auto s = ball_at({ball(0, {0, 0, 0}, radius, density, plate_moves ? Vec3d{} : -u, spin)}, 0.7, 0.4);
        add_moving(s,
                   Rectangle{-1.2 * radius * normal - 0.03 * perpendicular(normal) -
                                 0.03 * cross(normal, perpendicular(normal)),
                             0.06 * perpendicular(normal), 0.06 * cross(normal, perpendicular(normal))},
                   with_velocity(plate_moves ? u : Vec3d{}));
        Simulation sim(boost::mpi::communicator(), s);
        run(sim, 3000);
        BallState b = state_of(sim, 0);
        if (plate_moves) b.x -= sim.clock().time() * u, b.v -= u;
        return b;
    };
    const BallState moving = run_with(true), resting = run_with(false);
    EXPECT_GT(dot(resting.v, normal), 0.1);  // it has bounced
    EXPECT_GT(norm(resting.spin - spin), 1);
    EXPECT_LT(norm(moving.x - resting.x), 1e-10 * radius * 10);
    EXPECT_LT(norm(moving.v - resting.v), 1e-10 * norm(u));
    EXPECT_LT(norm(moving.spin - resting.spin), 1e-10 * norm(spin));
}

// A ball laid onto a conveyor slides until its surface has the belt's speed, then rolls without slip. Sliding, a = mu g
// and alpha = 5 mu g/(2 r) against it, so it rolls when a t = u - 2.5 a t: v = 2u/7.
TEST(MovingWalls, AConveyorSetsABallRolling) {
    const double u = 0.1;
    auto s = ball_at({ball(0, {-0.05, 0, radius * 0.99999}, radius, density)}, 0.3, 0.2);
    s.gravity = {0, 0, -g};
    add_moving(s, Plane{{0, 0, 0}, {0, 0, 1}}, with_velocity({u, 0, 0}));
    Simulation sim(boost::mpi::communicator(), s);
    run(sim, 30000);
    const BallState b = state_of(sim, 0);
    EXPECT_NEAR(b.v.x / (2.0 / 7.0 * u), 1, 2e-3);
    Compared("walls-conveyor").row("conveyor: ball rolls with 2/7 u (m/s)", "Hertz", b.v.x, 2.0 / 7.0 * u);
    EXPECT_NEAR((b.v.x - u - b.spin.y * b.radius) / u, 0, 2e-3);  // no slip
}

// A ball on a turntable that turns with Omega rolls in a circle with 2/7 Omega (it neither falls off nor comes to
// rest), whatever its speed: Burns (1981), Am. J. Phys. 49(1), 56-58.
TEST(MovingWalls, ABallOnATurntableRollsInCircles) {
    const double omega = 2 * pi, v = 0.05;
    // Rolling without slip at (x, 0): velocity at the contact is Omega z x position. Centre at v, spin so that v + w x
    // (-r z) = Omega z x X.
    const Vec3d x{0.04, 0, radius * 0.9999}, velocity{0, v, 0};
    const Vec3d table = cross(Vec3d{0, 0, omega}, Vec3d{x.x, x.y, 0});
    const Vec3d slip = table - velocity;  // must be w x (-r z) = r (-w_y, w_x, 0)
    const Vec3d spin{slip.y / radius, -slip.x / radius, 0};
    auto s = ball_at({ball(0, x, radius, density, velocity, spin)}, 0.3, 0.8);
    s.gravity = {0, 0, -g};
    add_moving(s, Disc{{0, 0, 0}, {0, 0, 1}, 0.15}, turning({0, 0, 0.1}, {0, 0, 1}, omega));
    Simulation sim(boost::mpi::communicator(), s);
    const double period = 7.0 / 2.0 * 2 * pi / omega;
    const auto steps = static_cast<std::uint64_t>(std::llround(period / 4 / 1e-5));
    run(sim, steps);
    // With v = (0, v) and dv/dt = 2/7 Omega z x v: a quarter later it flies to -x, on a circle of radius v/(2/7 Omega).
    const double r = v / (2.0 / 7.0 * omega);
    BallState b = state_of(sim, 0);
    EXPECT_NEAR(b.v.x / -v, 1, 0.01);
    EXPECT_NEAR(b.x.x - x.x, -r, 0.02 * r);
    EXPECT_NEAR(b.x.y, r, 0.02 * r);
    Compared data("walls-turntable");
    data.row("turntable: radius of the circle 7 v/(2 Omega) (m)", "after a quarter", b.x.y, r);
    data.row("turntable: radius of the circle 7 v/(2 Omega) (m)", "after a quarter; sideways", x.x - b.x.x, r);
    run(sim, 3 * steps);  // and is back
    b = state_of(sim, 0);
    EXPECT_NEAR(b.x.x - x.x, 0, 0.03 * r);
    EXPECT_NEAR(b.x.y, 0, 0.03 * r);
}

// A ball between three walls of a wheel that turns: it is carried as a rigid body, and presses with its weight and the
// centrifugal force.
TEST(MovingWalls, ABallIsCarriedInAWheel) {
    const double omega = 20, rho = 0.05;
    auto s = ball_at({ball(0, {rho, 0, 0}, radius, density, {0, omega * rho, 0}, {0, 0, omega})}, 0.3, 0.5);
    const WallMotion wheel = turning({}, {0, 0, 1}, omega);
    add_moving(s, Rectangle{{rho + radius, -0.01, -0.01}, {0, 0.02, 0}, {0, 0, 0.02}}, wheel);  // outside
    for (const double side : {-1.0, 1.0}) {
        s.walls.push_back(make_wall(side < 0 ? "behind" : "before",
                                    Rectangle{{rho - 0.01, side * radius, -0.01}, {0.02, 0, 0}, {0, 0, 0.02}}, 1));
        s.walls.back().motion = 0;
    }
    Simulation sim(boost::mpi::communicator(), s);
    run(sim, 100000);  // more than three turns
    const std::vector<WallLoad> loads = loads_after_a_step(sim);
    const double angle = omega * sim.clock().time();
    const BallState b = state_of(sim, 0);
    const Vec3d outwards{std::cos(angle), std::sin(angle), 0}, onwards{-std::sin(angle), std::cos(angle), 0};
    EXPECT_NEAR(dot(b.x, onwards), 0, 1e-3 * radius);  // still in its place
    EXPECT_NEAR(dot(loads[0].force, outwards) / (b.mass * omega * omega * norm(b.x)), 1, 1e-3);
    EXPECT_NEAR(norm(b.spin - Vec3d{0, 0, omega}) / omega, 0, 1e-3);
    Compared("walls-wheel")
        .row("wheel: force m Omega^2 rho (N)", "three turns", dot(loads[0].force, outwards),
             b.mass * omega * omega * norm(b.x));
    EXPECT_EQ(events_of(sim).late_checks, 0u);
}

// A ball that rides on a turning disc off its axis is held by friction alone as long as Omega^2 rho < mu g, and does
// not creep: its spring goes round with the disc. It cannot roll: three balls that hold each other would; here the law
// without rotation is not used, so the ball is a wheel between two discs that press on it from above and below, which
// keeps it from rolling.
TEST(MovingWalls, FrictionCarriesABallRoundWithoutCreep) {
    const double omega = 20, rho = 0.03, squeeze = 2e-5;
    auto s = ball_at({ball(0, {rho, 0, 0}, radius, density, {0, omega * rho, 0}, {0, 0, omega})}, 0.3, 0.5);
    const WallMotion disc = turning({}, {0, 0, 1}, omega);
    add_moving(s, Disc{{0, 0, -radius + squeeze}, {0, 0, 1}, 0.1}, disc);
    s.walls.push_back(make_wall("above", Disc{{0, 0, radius - squeeze}, {0, 0, -1}, 0.1}, 1));
    s.walls.back().motion = 0;
    Simulation sim(boost::mpi::communicator(), s);
    run(sim, 20000);
    const auto place = [&] {
        const double angle = omega * sim.clock().time();
        const Vec3d x = state_of(sim, 0).x;
        return Vec3d{x.x * std::cos(angle) + x.y * std::sin(angle), x.y * std::cos(angle) - x.x * std::sin(angle), x.z};
    };
    const Vec3d before = place();
    run(sim, 63000);  // two turns
    const Vec3d after = place();
    const double stretch = before.x - rho;  // of the springs that give the centripetal force
    EXPECT_GT(stretch, 0);
    EXPECT_NEAR(norm(after - before) / stretch, 0, 0.05);  // springs at rest in space would creep by 4 pi of it
}

// The same on one disc, with a rolling spring that keeps the ball from rolling: it holds as long as Omega^2 rho < mu_r
// g, and goes round with the disc as the tangential spring does. Also where the disc is a mesh, and under both
// integrators.
TEST(MovingWalls, ARollingSpringGoesRoundWithATurntable) {
    const double omega = 5, rho = 0.03, mu_r = 0.2, dt = 2e-5;
    const WallShape shapes[] = {Disc{{0, 0, 0}, {0, 0, 1}, 0.1},
                                mesh_wall(flat({-0.1, -0.1, 0}, {0.2, 0, 0}, {0, 0.2, 0}, 3, 3))};
    for (const WallShape& shape : shapes)
        for (const Integrator integrator : {Integrator::verlet, Integrator::gear}) {
            SCOPED_TRACE(testing::Message() << (&shape == shapes ? "disc" : "mesh")
                                            << (integrator == Integrator::gear ? ", gear" : ", verlet"));
            const double under_its_weight = 1.4e-6;
            auto s = ball_at(
                {ball(0, {rho, 0, radius - under_its_weight}, radius, density, {0, omega * rho, 0}, {0, 0, omega})},
                0.3, 0.5, dt);
            s.gravity = {0, 0, -g};
            s.integrator = integrator;
            s.law.rolling = LawSettings::Rolling::spring;
            for (Material& m : s.materials) m.rolling_friction = mu_r;
            add_moving(s, shape, turning({}, {0, 0, 1}, omega));
            Simulation sim(boost::mpi::communicator(), s);
            const auto place = [&] {
                const double angle = omega * sim.clock().time();
                const Vec3d x = state_of(sim, 0).x;
                return Vec3d{x.x * std::cos(angle) + x.y * std::sin(angle),
                             x.y * std::cos(angle) - x.x * std::sin(angle), 0};
            };
            const auto a_turn = static_cast<std::uint64_t>(std::llround(2 * pi / omega / dt));
            run(sim, a_turn / 2);
            const Vec3d before = place();
            const double stretch = norm(before - Vec3d{rho, 0, 0});  // of the springs that hold it
            EXPECT_GT(stretch, 1e-7);
            run(sim, 2 * a_turn);
            EXPECT_LT(norm(place() - before),
                      0.05 * stretch);  // a rolling spring at rest in space creeps by 4 pi of it
        }
}

// On a plate that vibrates a ball rides as long as A omega^2 < g, and leaves it above. The plate begins at rest at its
// lowest place, z = A (1 - cos(omega t)); the ball leaves when the plate would have to pull it: A omega^2 cos(omega t)
// = -g.
TEST(MovingWalls, AVibratingPlateThrowsABall) {
    const double f = 20, omega = 2 * pi * f, dt = 4e-6;
    for (const double gamma : {0.9, 1.5}) {
        auto s = ball_at({ball(0, {0, 0, radius - 2e-7}, radius, density)}, 0.2, 0.5, dt);
        s.materials[0].young = 5e7;  // softly it would swing on its contact
        s.gravity = {0, 0, -g};
        WallMotion m;
        m.name = "shake", m.type = WallMotion::Type::vibrate, m.along = {0, 0, gamma * g / (omega * omega)};
        m.frequency = f, m.phase = -pi / 2, m.start = 0.05;
        add_moving(s, Disc{{0, 0, 0}, {0, 0, 1}, 0.02}, m);
        Simulation sim(boost::mpi::communicator(), s);
        run(sim, static_cast<std::uint64_t>(0.05 / dt));  // settled
        double widest = 0, left_at = -1;
        while (sim.clock().time() < 0.05 + 1 / f) {
            sim.step();
            const double tau = sim.clock().time() - 0.05;
            const double gap = state_of(sim, 0).x.z - radius - norm(m.along) * (1 - std::cos(omega * tau));
            if (gap > 0 && left_at < 0) left_at = tau;
            widest = std::max(widest, gap);
        }
        if (gamma < 1) {
            EXPECT_EQ(widest, 0);
        } else {
            EXPECT_GT(widest, 1e-4);
            Compared("walls-vibrating")
                .row("vibrating plate: time at which the ball leaves (s)", fmt::format("A omega^2 = {} g", gamma),
                     left_at, (pi - std::acos(1 / gamma)) / omega);
            // First it lets go of its overlap of 6e-7 m, with a jerk of 1400 m/s^3: that takes up to (6 *
            // 6e-7/1400)^(1/3) s.
            EXPECT_GE(left_at, (pi - std::acos(1 / gamma)) / omega);
            EXPECT_LE(left_at, (pi - std::acos(1 / gamma)) / omega + 1.4e-3);
        }
    }
}

// A plate that is to press with a force onto a packed bed does so, and the floor carries that and the weight.
TEST(MovingWalls, AServoHoldsItsForce) {
    std::vector<NewBody> balls;
    const double d = 2 * radius;
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 4; ++j)
            for (int i = 0; i < 4; ++i)
                balls.push_back(ball(static_cast<Id>(balls.size()),
                                     {(i + 0.5) * d * 1.02, (j + 0.5) * d * 1.02, (k + 0.5) * d * 1.01}, radius,
                                     density));
    const double wide = 4 * d * 1.02, top = 4 * d * 1.01 + 0.002, target = 0.5;
    auto s = ball_at(balls, 0.3, 0.3);
    s.gravity = {0, 0, -g};
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 1), make_wall("left", Plane{{0, 0, 0}, {1, 0, 0}}, 1),
               make_wall("right", Plane{{wide, 0, 0}, {-1, 0, 0}}, 1),
               make_wall("front", Plane{{0, 0, 0}, {0, 1, 0}}, 1),
               make_wall("back", Plane{{0, wide, 0}, {0, -1, 0}}, 1)};
    WallMotion press;
    press.name = "press", press.type = WallMotion::Type::servo, press.along = {0, 0, -1}, press.force = target,
    press.speed = 0.05, press.gain = 0.05 / target;
    add_moving(s, Rectangle{{0, 0, top}, {wide, 0, 0}, {0, wide, 0}}, press);
    Simulation sim(boost::mpi::communicator(), s);
    run(sim, 60000);
    const std::vector<WallLoad> loads = loads_after_a_step(sim);
    EXPECT_NEAR(loads[5].force.z / target, 1, 1e-3);
    EXPECT_GT(sim.walls().position_of(0, sim.clock().time()), 0.002);  // it has come down
    double vertical = 0, weight = 0;
    for (const WallLoad& l : loads) vertical += l.force.z;
    for (const NewBody& b : balls) weight += b.mass * g;
    EXPECT_NEAR(vertical / -weight, 1, 1e-3);
    EXPECT_NEAR(sim.walls().state(0).force / target, 1, 1e-3);
    Compared data("walls-servo");
    data.row("servo: target force (N)", "64 balls", loads[5].force.z, target);
    data.row("servo: weight on all walls (N)", "64 balls", -vertical, weight);
}
