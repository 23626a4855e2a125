// Grains that are not balls, beside closed forms: impacts, blocks on slopes, stacks, heaps that come to rest. With
// GRANARY_SHAPES_LONG=1 in the environment (`jobs/validation shapes`) blocks and stacks stand for ten seconds and a
// hundred heaps fall, else for half a second and four.
#include <gtest/gtest.h>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>
#include "shapes/polyhedra_at_random.hpp"
#include "support/mesh_floor.hpp"
#include "support/rigid_impact.hpp"
#include "support/validation_data.hpp"
#include "walls/triangle_mesh.hpp"

namespace granary::shapes_validation_test {

using namespace granary::test;

namespace {

constexpr double g = 9.81;

bool long_runs() {
    const char* wanted = std::getenv("GRANARY_SHAPES_LONG");
    return wanted != nullptr && std::string(wanted) == "1";
}

boost::mpi::communicator alone() { return {MPI_COMM_SELF, boost::mpi::comm_attach}; }

struct Pose {
    std::string shape, at;
    ShapeTemplate grain;
    Quaterniond q;
};

// Every kind, at the places of its surface that differ.
std::vector<Pose> poses() {
    const ShapeTemplate cube = block_of({3e-3, 3e-3, 3e-3}), brick = block_of({4e-3, 2e-3, 3e-3}),
                        tetrahedron = tetrahedron_of(6e-3), ellipsoid = ellipsoid_of({4e-3, 3e-3, 2e-3});
    const ShapeTemplate clump =
        make_clump("bent", std::vector<ClumpBall>{{{0, 0, 0}, 2e-3}, {{3e-3, 0, 0}, 1.5e-3}, {{4e-3, 2e-3, 0}, 1e-3}});
    const Quaterniond level{1, 0, 0, 0}, any = normalised(Quaterniond{0.8, 0.35, -0.25, 0.2});
    const double half_right = 0.25 * M_PI;
    const Quaterniond on_edge = rotation_about({1, 0, 0}, half_right),
                      on_corner = rotation_about({1, -1, 0}, std::atan(std::sqrt(2.0)));
    return {{"ellipsoid", "anywhere", ellipsoid, any},
            {"ellipsoid", "its end", ellipsoid, rotation_about({0, 1, 0}, 2 * half_right)},
            {"clump", "anywhere", clump, any},
            {"cube", "a face", cube, level},
            {"cube", "an edge", cube, on_edge},
            {"cube", "an edge off centre", cube, rotation_about({1, 0, 0}, 0.5 * half_right)},
            {"cube", "a corner", cube, on_corner},
            {"cube", "a corner off centre", cube, any},
            {"brick", "an edge off centre", brick, rotation_about({0, 1, 0}, half_right)},
            {"brick", "a corner off centre", brick, any},
            {"tetrahedron", "an edge", tetrahedron, level},
            {"tetrahedron", "a corner off centre", tetrahedron, any}};
}

Setup on_floor(const std::vector<ShapeTemplate>& shapes, const std::vector<NewBody>& bodies, double slope,
               double friction, double young, double dt) {
    auto s = few_balls(box(0.1), dt, bodies);
    s.shapes = shapes;
    s.materials = {hertz_material("stone", young, 0.3, 2500, 0.3, friction)};
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0)};
    const double c = 1 / std::sqrt(1 + slope * slope);
    s.gravity = {g * slope * c, 0, -g * c};
    return s;
}

double fastest_of(const Simulation& sim) {
    double v = 0;
    for (const Range& range : sim.bodies().real)
        for (Index i = range.begin; i < range.end; ++i) v = std::max(v, norm(sim.bodies().v(i)));
    return v;
}

}  // namespace

// 0.5 %: the grain turns a little while it touches, and a step is 1/600 of the time for the depth.
TEST(ShapesValidation, ImpactsAreThoseOfRigidBodies) {
    ValidationData data("shapes-impacts", "shape,at,law,e,impulse_e,momentum_off");
    for (const Pose& pose : poses())
        for (const LawSettings::Type law : {LawSettings::Type::hertz_mindlin, LawSettings::Type::linear})
            for (const double e : {1.0, 0.7, 0.3}) {
                const RigidImpact found = rigid_impact(pose.grain, pose.q, e, law);
                const std::string name = law == LawSettings::Type::linear ? "linear" : "hertz-mindlin";
                data.row(pose.shape, pose.at, name, e, found.restitution, found.momentum);
                EXPECT_NEAR((1 + found.restitution) / (1 + e), 1, 5e-3)
                    << pose.shape << " at " << pose.at << ", " << name;
                EXPECT_NEAR(found.restitution, e, 1e-2) << pose.shape << " at " << pose.at << ", " << name;
                EXPECT_LT(found.momentum, 5e-3) << pose.shape << " at " << pose.at << ", " << name;
            }
}

// The scheme of motion/rigid_rotation.hpp through whole steps: omega dt = 0.01, 1000 turns.
TEST(ShapesValidation, SpinKeepsItsEnergyOverAThousandTurns) {
    ValidationData data("shapes-spin", "shape,turns,oscillation,drift");
    std::vector<std::string> names;
    std::vector<ShapeTemplate> shapes;
    for (const Pose& pose : poses())
        if (names.empty() || names.back() != pose.shape) names.push_back(pose.shape), shapes.push_back(pose.grain);
    Dice dice(3);
    names.push_back("needle"), shapes.push_back(ellipsoid_of({5e-4, 6e-4, 5e-3}));
    names.push_back("polyhedron of 20 corners");
    shapes.push_back(make_polyhedron("any", points_at_random(dice, 20, {4e-3, 3e-3, 2e-3})));
    names.push_back("rod of balls"), shapes.push_back(dumbbell(1e-3, 6e-3));
    const double dt = 1e-4, spin = 0.01 / dt;
    std::vector<NewBody> bodies;
    for (Id k = 0; k < shapes.size(); ++k) {
        const Vec3d w = direction_at_random(dice);
        bodies.push_back(grain_of(shapes, static_cast<std::uint16_t>(k + 1), k,
                                  {-0.05 + 0.012 * static_cast<double>(k), 0, 0}, shapes[k].outer_radius, 1000,
                                  turned_at_random(dice), {}, spin * w));
    }
    auto s = few_balls(box(0.1), dt, bodies);
    s.shapes = shapes;
    s.materials = {hertz_material("stone", 1e7, 0.3, 1000, 0.5, 0.5)};
    Simulation sim(alone(), std::move(s));
    const int turns = 1000, steps = static_cast<int>(std::lround(turns * 2 * M_PI / 0.01)), looks = steps / 10;
    struct Seen {
        double at_first = 0, least = 1e300, most = 0, early = 0, late = 0;
    };
    std::vector<Seen> seen(shapes.size());
    for (int look = 0; look < looks; ++look) {
        run(sim, 10);
        for (Index i = 0; i < shapes.size(); ++i) {
            Seen& here = seen[sim.bodies().id(i)];
            const double e = rotational_energy(sim.bodies(), i, shapes, sim.motion());
            if (look == 0) here.at_first = e;
            here.least = std::min(here.least, e), here.most = std::max(here.most, e);
            if (look < looks / 10) here.early += e / here.at_first - 1;
            if (look >= looks - looks / 10) here.late += e / here.at_first - 1;
        }
    }
    for (std::size_t k = 0; k < shapes.size(); ++k) {
        const double oscillation = (seen[k].most - seen[k].least) / seen[k].at_first;
        const double drift = (seen[k].late - seen[k].early) / (looks / 10);
        data.row(names[k], turns, oscillation, drift);
        EXPECT_LT(oscillation, 1e-11) << names[k];
        EXPECT_LT(std::abs(drift), 1e-11) << names[k];
    }
}

// tan of the slope is 0.95 mu, a little more than 0.95 of the angle of friction.
TEST(ShapesValidation, BlockDoesNotCreep) {
    ValidationData data("shapes-creep", "triangles,turned_deg,time_s,creep");
    const double mu = 0.4, edge = 8e-3, time = long_runs() ? 10.0 : 0.5, dt = 1e-5;
    const std::vector<ShapeTemplate> shapes{block_of({4e-3, 3e-3, 2e-3})};
    for (const int floor : {0, 1, 10})
        for (const double angle : {0.0, 10 * M_PI / 180}) {
            const NewBody grain =
                grain_of(shapes, 1, 0, {0, 0, 2e-3}, shapes[0].outer_radius, 2500, rotation_about({0, 0, 1}, angle));
            auto s = on_floor(shapes, {grain}, 0.95 * mu, mu, 1e7, dt);
            if (floor > 0) s.walls = {mesh_floor(0.03, floor)};
            Simulation sim(alone(), std::move(s));
            run(sim, 20000);  // comes to rest
            const Vec3d x = sim.bodies().x(0);
            double creep = 0;
            for (int k = 0; k < std::lround(time / dt); ++k) {
                sim.step();
                if (k % 100 == 0) creep = std::max(creep, norm(sim.bodies().x(0) - x));
            }
            creep = std::max(creep, norm(sim.bodies().x(0) - x));
            data.row(2 * floor * floor, angle * 180 / M_PI, time, creep / edge);
            EXPECT_LT(creep, 1e-6 * edge) << floor << " " << angle;
        }
}

// Slopes 2 % below and above the angle of friction.
TEST(ShapesValidation, BlockSlidesAtTheRightSlope) {
    ValidationData data("shapes-slopes", "slope_over_limit,turned_deg,measured,expected");
    const double mu = 0.4, time = 0.1, dt = 2e-6;
    const std::vector<ShapeTemplate> flat{block_of({4e-3, 3e-3, 2e-3})};
    for (const double share : {0.98, 1.02, 1.25})
        for (const double angle : {0.0, 10.0}) {
            const NewBody grain = grain_of(flat, 1, 0, {0, 0, 2e-3}, flat[0].outer_radius, 2500,
                                           rotation_about({0, 0, 1}, angle * M_PI / 180));
            const double slope = share * mu, c = 1 / std::sqrt(1 + slope * slope);
            Simulation sim(alone(), on_floor(flat, {grain}, slope, mu, 1e8, dt));
            run(sim, 50000);
            const double before = sim.bodies().velocity(0, 0);
            run(sim, 50000);
            const double measured = (sim.bodies().velocity(0, 0) - before) / time;
            const double expected = share > 1 ? g * c * (slope - mu) : 0;
            data.row(share, angle, measured, expected);
            EXPECT_NEAR(measured, expected, share > 1 ? 1e-3 * expected : 1e-6) << share << " " << angle;
        }
}

namespace {

const Vec3d tall{2e-3, 3e-3, 4e-3};

// A block of these half widths stands on the slope, turned about the normal: the greatest tilt in a time, rad.
double greatest_tilt(const Vec3d& half, double slope, double angle, int floor, double young, double dt, double time) {
    const std::vector<ShapeTemplate> block{block_of(half)};
    const NewBody grain =
        grain_of(block, 1, 0, {0, 0, half.z}, block[0].outer_radius, 2500, rotation_about({0, 0, 1}, angle));
    Setup s = on_floor(block, {grain}, slope, 1.5, young, dt);
    if (floor > 0) s.walls = {mesh_floor(0.03, floor)};
    Simulation sim(alone(), std::move(s));
    double tilt = 0;
    for (double t = 0; t < time && tilt < 0.3; t += 1000 * dt) {
        run(sim, 1000);
        const Vec3d up = rotate(orientation_of(sim.bodies(), 0), Vec3d{0, 0, 1});
        tilt = std::max(tilt, std::atan2(std::sqrt(up.x * up.x + up.y * up.y), up.z));
    }
    return tilt;
}

}  // namespace

// The slope at which a rigid block tips is width over height; turned, its edge lies across the slope's line by that
// angle. Beside it a strip inside the edge carries all: the ground is hard enough that the block does not lean over by
// it (next test).
TEST(ShapesValidation, BlockTipsAtTheRightSlope) {
    ValidationData data("shapes-tipping", "slope_over_limit,triangles,turned_deg,time_s,tilt_deg");
    const double young = 2e9, dt = 4e-7;
    for (const double share : {0.75, 0.9, 0.95, 0.98, 1.02})
        for (const double angle : {0.0, 10.0})
            for (const int floor : {0, 1, 10}) {
                const bool stands = share < 1, whole = share == 0.95 || share == 0.98;
                if (!long_runs() && (!whole || floor == 10 || (floor == 1) != (angle > 0)) && (stands || floor > 0))
                    continue;
                const double time = !stands ? 0.5 : long_runs() && whole && floor == 0 ? 10.0 : long_runs() ? 1.0 : 0.2;
                const double turn = angle * M_PI / 180;
                const double tilt = greatest_tilt(tall, share * 0.5 / std::cos(turn), turn, floor, young, dt, time);
                data.row(share, 2 * floor * floor, angle, time, tilt * 180 / M_PI);
                if (stands) {
                    EXPECT_LT(tilt, 0.01) << share << " " << floor << " " << angle;
                } else {
                    EXPECT_GT(tilt, 0.3) << share << " " << floor << " " << angle;
                }
            }
}

// A cube flutters with friction at the centroid of the volume even if torsion has the polar moment of the strip.
TEST(ShapesValidation, CubeStandsNearItsTippingSlope) {
    for (const double share : {0.9, 0.96})
        EXPECT_LT(greatest_tilt({2e-3, 2e-3, 2e-3}, share, 0, 0, 2e9, 3e-7, 0.12), 0.01) << share;
}

// On soft ground a block tips earlier. With the weight at e from the edge (seen from the middle of an upright block,
// e = b/2 - h/2 tan of the slope) the strip has the width s, the depth at the edge is s psi, and the block leans over
// by psi = 2 V/(l s^2), V = m g cos/(E*/L), l its length along the edge: e = s/3 + h V/(l s^2), which has no solution
// below e = s/2, s^3 = 6 h V/l.
TEST(ShapesValidation, SoftGroundGivesWayAtTheRightSlope) {
    ValidationData data("shapes-soft-ground", "young_pa,slope_of_rigid,slope_over_limit,tilt_deg");
    const double b = 4e-3, l = 6e-3, h = 8e-3, nu = 0.3, dt = 2e-6, young = 1e8;
    const double length = std::cbrt(b * l * h * 3 / (4 * M_PI)), effective = 0.5 * young / (1 - nu * nu);
    double slope = 0.5;
    for (int k = 0; k < 20; ++k) {
        const double volume = 2500 * b * l * h * g / std::sqrt(1 + slope * slope) / (effective / length);
        slope = (0.5 * b - 0.5 * std::cbrt(6 * h * volume / l)) / (0.5 * h);
    }
    for (const double share : {0.975, 1.005}) {
        const double tilt = greatest_tilt(tall, share * slope, 0, 0, young, dt, 0.4);
        data.row(young, slope / 0.5, share, tilt * 180 / M_PI);
        if (share < 1) EXPECT_LT(tilt, 0.05) << slope;
        else EXPECT_GT(tilt, 0.3) << slope;
    }
}

// Each turned by seven degrees against the one below. In the long run also each a little beside the one below, this and
// that side in turn: such a column sways at 8 Hz, which the dampers of stiff contacts take some seconds to end.
TEST(ShapesValidation, TenCubesStand) {
    ValidationData data("shapes-stack", "beside,waited_s,time_s,drift,tilt,fastest_m_per_s");
    const double half = 2e-3, dt = 5e-6, time = long_runs() ? 10.0 : 0.5;
    const std::vector<ShapeTemplate> shapes{block_of({half, half, half})};
    for (const double beside : {0.0, 0.01}) {
        if (beside > 0 && !long_runs()) continue;
        std::vector<NewBody> cubes;
        for (Id k = 0; k < 10; ++k) {
            const double off = (k % 2 == 0 ? 2 : -2) * beside * half, number = static_cast<double>(k);
            cubes.push_back(grain_of(shapes, 1, k, {off, 0.5 * off, half + 2 * half * number}, shapes[0].outer_radius,
                                     2500, rotation_about({0, 0, 1}, number * 7 * M_PI / 180)));
        }
        Simulation sim(alone(), on_floor(shapes, cubes, 0, 0.4, 5e7, dt));
        const double wait = beside > 0 ? 10 : 0.5;
        run(sim, static_cast<std::uint64_t>(std::lround(wait / dt)));
        std::vector<Vec3d> before(10);
        for (Index i = 0; i < 10; ++i) before[sim.bodies().id(i)] = sim.bodies().x(i);
        run(sim, static_cast<std::uint64_t>(std::lround(time / dt)));
        double drift = 0, tilt = 0;
        for (Index i = 0; i < 10; ++i) {
            drift = std::max(drift, norm(sim.bodies().x(i) - before[sim.bodies().id(i)]));
            const Vec3d up = rotate(orientation_of(sim.bodies(), i), Vec3d{0, 0, 1});
            tilt = std::max(tilt, std::sqrt(up.x * up.x + up.y * up.y));
        }
        data.row(beside, wait, time, drift / (2 * half), tilt, fastest_of(sim));
        EXPECT_LT(drift, 1e-6 * 2 * half) << beside;
        EXPECT_LT(tilt, 1e-3) << beside;
        EXPECT_LT(fastest_of(sim), 1e-6) << beside;
    }
}

// Into a square box, one above the other, each with 6 to 30 corners, flat and long ones among them. A grain that leans
// on an edge rocks along it until the damper of the strip, which is as long as the edge, ends it. Rest is what ends a
// stage "settle", a kinetic energy below 1e-4 m g d; looked for is a hundredth of that, for four seconds.
TEST(ShapesValidation, RandomPolyhedraComeToRest) {
    ValidationData data("shapes-heaps", "seed,time_s,kinetic_share,contacts");
    const int seeds = long_runs() ? 100 : 4;
    const double dt = 1e-5;
    for (int seed = 1; seed <= seeds; ++seed) {
        Dice dice(static_cast<std::uint64_t>(seed));
        std::vector<ShapeTemplate> shapes;
        std::vector<NewBody> bodies;
        for (Id k = 0; k < 10; ++k) {
            const int corners = 6 + dice.below(25);
            const Vec3d stretch = dice.vector(1),
                        axes{4e-3 * (1 + 0.5 * stretch.x), 4e-3 * (1 + 0.5 * stretch.y), 4e-3 * (1 + 0.5 * stretch.z)};
            shapes.push_back(make_polyhedron("any", points_at_random(dice, corners, axes)));
            const Vec3d place = dice.vector(4e-3), v = dice.vector(0.2), w = dice.vector(50);
            const double height = 8e-3 + 9e-3 * static_cast<double>(k);
            bodies.push_back(grain_of(shapes, static_cast<std::uint16_t>(k + 1), k, {place.x, place.y, height},
                                      shapes.back().outer_radius, 2500, turned_at_random(dice), v, w));
        }
        auto s = on_floor(shapes, bodies, 0, 0.5, 1e7, dt);
        for (const double side : {-1.0, 1.0}) {
            s.walls.push_back(make_wall("x", Plane{{side * 12e-3, 0, 0}, {-side, 0, 0}}, 0));
            s.walls.push_back(make_wall("y", Plane{{0, side * 12e-3, 0}, {0, -side, 0}}, 0));
        }
        Simulation sim(alone(), std::move(s));
        double time = 0, share = 1;
        for (; time < 3.95 && !(share < 1e-6); time += 0.1) {
            run(sim, 10000);
            const Measures m = measures_of(sim);
            share = m.kinetic_energy / (m.mass * g * 8e-3);
        }
        bool finite = true;
        for (Index i = 0; i < 10; ++i) {
            const Vec3d x = sim.bodies().x(i);
            finite = finite && std::isfinite(dot(x, x)) && std::abs(x.x) < 12e-3 && std::abs(x.y) < 12e-3 && x.z > 0;
        }
        data.row(seed, time, share, measures_of(sim).contacts);
        EXPECT_TRUE(finite) << seed;
        EXPECT_LT(share, 1e-6) << seed;
    }
}

}  // namespace granary::shapes_validation_test
