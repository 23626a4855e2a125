#include "walls/moving_walls.hpp"
#include <gtest/gtest.h>
#include <numbers>
#include "core/saved_state.hpp"

namespace granary::test {

namespace {

const BoundingBox box{{-1, -1, -1}, {1, 1, 1}};

Wall carried(Wall wall, std::size_t motion) {
    wall.motion = motion;
    return wall;
}

std::vector<Wall> three_walls() {
    return {make_wall("rest", Disc{{0.1, 0.2, 0.3}, {1, 2, 3}, 0.5}, 0),
            carried(make_wall("lifted", Disc{{0, 0, 0.25}, {0, 0, 1}, 0.5}, 0), 0),
            carried(make_wall("drum", Cylinder{{0, -1, 0}, {0, 1, 0}, 0.4}, 0), 1)};
}

std::vector<WallMotion> two_motions() {
    std::vector<WallMotion> m(2);
    m[0].along = {0, 0, 0.5}, m[0].start = 2, m[0].duration = 1;
    m[1].type = WallMotion::Type::rotate, m[1].axis = {0, 1, 0}, m[1].angular = 3;
    return m;
}

}  // namespace

TEST(MovingWalls, OnlyWhatMovesIsMoved) {
    MovingWalls walls(three_walls(), two_motions(), 10, box);  // times count from 10 s
    walls.move_to(12.5, 0.2);
    EXPECT_EQ(std::get<Disc>(walls.walls()[0].shape).centre, std::get<Disc>(three_walls()[0].shape).centre);
    EXPECT_EQ(std::get<Disc>(walls.walls()[0].shape).normal, std::get<Disc>(three_walls()[0].shape).normal);
    EXPECT_EQ(std::get<Disc>(walls.walls()[1].shape).centre.z, 0.5);
    EXPECT_EQ(walls.twists()[0].at({7, 7, 7}), (Vec3d{0, 0, 0.5}));
    EXPECT_NEAR(norm(walls.twists()[1].at({0, 0, 0.4}) - Vec3d{1.2, 0, 0}), 0, 1e-15);
    walls.move_to(12.05, 0.2);  // velocities are those of half a step before
    EXPECT_EQ(walls.twists()[0].at({}), Vec3d{});
    EXPECT_GT(std::get<Disc>(walls.walls()[1].shape).centre.z, 0.25);
    walls.move_to(11, 0.2);
    EXPECT_EQ(std::get<Disc>(walls.walls()[1].shape).centre.z, 0.25);  // whenever it is asked
}

// Dampers see the velocity at the end of the step, springs the way of the whole of it.
TEST(MovingWalls, UnderThePredictorCorrectorVelocitiesAreThoseOfNow) {
    MovingWalls walls(three_walls(), two_motions(), 10, box);
    walls.move_to(12.05, 0.2, Integrator::gear);  // the plate has set out 0.05 s ago
    EXPECT_EQ(walls.twists()[0].at({}), (Vec3d{0, 0, 0.5}));
    EXPECT_NEAR(norm(walls.displacements()[0].at({7, 7, 7}) - Vec3d{0, 0, 0.025}), 0, 1e-15);
    EXPECT_NEAR(norm(walls.displacements()[1].at({0, 0, 0.4}) - 0.2 * walls.twists()[1].at({0, 0, 0.4})), 0, 1e-15);
    walls.move_to(13.1, 0.2, Integrator::gear);  // and has stopped 0.1 s ago
    EXPECT_EQ(walls.twists()[0].at({}), Vec3d{});
    EXPECT_NEAR(walls.displacements()[0].at({}).z, 0.05, 1e-15);
    walls.move_to(13.1, 0, Integrator::gear);  // no step, no way
    EXPECT_EQ(walls.displacements()[1].at({1, 2, 3}), Vec3d{});
}

TEST(MovingWalls, SurfacesCountForTheListAsBallsDo) {
    MovingWalls walls(three_walls(), two_motions(), 0, box);
    walls.remember(0);
    EXPECT_EQ(walls.extremes(1, 0.5).speed, 0);  // the drum turns into itself; the plate waits
    EXPECT_EQ(walls.extremes(1.6, 0.5).speed, 0.5);
    EXPECT_EQ(walls.extremes(1.6, 0.5).displacement, 0);
    EXPECT_NEAR(walls.extremes(2.2, 0.1).displacement, 0.1, 1e-15);
    walls.remember(2.2);
    EXPECT_EQ(walls.extremes(2.2, 0.1).displacement, 0);
    EXPECT_NEAR(walls.extremes(5, 0.1).displacement, 0.4, 1e-15);
    EXPECT_EQ(walls.extremes(5, 0.1).speed, 0);  // it is over

    std::vector<WallMotion> late = two_motions();
    late[0].start = WallMotion::never;
    MovingWalls waiting(three_walls(), late, 0, box);
    EXPECT_EQ(waiting.extremes(100, 1).speed, 0);
    waiting.begin(0, 100);
    EXPECT_EQ(waiting.extremes(100, 1).speed, 0.5);
    EXPECT_EQ(waiting.greatest(0), 0.5);
}

// A plate off the axis: its farthest point counts.
TEST(MovingWalls, ATurningPlateMovesAsItsFarthestPoint) {
    std::vector<WallMotion> turn(1);
    turn[0].type = WallMotion::Type::rotate, turn[0].axis = {0, 1, 0}, turn[0].angular = 2;
    MovingWalls walls({carried(make_wall("bar", Rectangle{{0.3, -1, 0}, {0.1, 0, 0}, {0, 2, 0}}, 0), 0)}, turn, 0, box);
    EXPECT_NEAR(walls.greatest(0), 0.8, 1e-14);
    walls.remember(0);
    EXPECT_NEAR(walls.extremes(0.01, 0).displacement, 0.4 * 0.02, 1e-14);
}

TEST(MovingWalls, AServoFeelsTheSumOfItsWalls) {
    std::vector<WallMotion> press(1);
    press[0].type = WallMotion::Type::servo, press[0].along = {0, 0, -1}, press[0].force = 10, press[0].gain = 0.01,
    press[0].speed = 1;
    MovingWalls walls({make_wall("rest", Plane{{}, {0, 0, 1}}, 0),
                       carried(make_wall("left", Disc{{0, 0, 0.5}, {0, 0, 1}, 0.1}, 0), 0),
                       carried(make_wall("right", Disc{{0.5, 0, 0.5}, {0, 0, 1}, 0.1}, 0), 0)},
                      press, 0, box);
    EXPECT_TRUE(walls.any_servo(0));
    walls.steer(1, std::vector<double>{0, 0, -99, 1, 0, 3, 0, 0, 4});  // balls press upwards, against the plates
    EXPECT_NEAR(walls.state(0).force, 7, 1e-15);
    EXPECT_NEAR(walls.state(0).velocity, 0.03, 1e-15);
    EXPECT_NEAR(walls.position_of(0, 2), 0.03, 1e-15);

    // What a checkpoint holds.
    walls.remember(1.5);
    SavedState saved;
    StateSaver save(saved);
    walls.run_state(save);
    walls.steer(2, std::vector<double>(9, 0.0)), walls.remember(3);
    StateLoader load(saved);
    walls.run_state(load);
    EXPECT_EQ(walls.position_of(0, 2), 0.03);
    EXPECT_EQ(walls.state(0).force, 7);
    walls.move_to_remembered();
    EXPECT_NEAR(std::get<Disc>(walls.walls()[1].shape).centre.z, 0.5 - 0.015, 1e-15);
}

}  // namespace granary::test
