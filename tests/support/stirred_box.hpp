// Balls among walls that move in every way, through slab faces.
#pragma once
#include "support/busy_box.hpp"

namespace granary::test {

inline void add_moving_wall(Setup& s, const char* name, const WallShape& shape, std::size_t motion) {
    s.walls.push_back(make_wall(name, shape, 0));
    s.walls.back().motion = motion;
}

// 230 balls fall onto a floor, between a paddle that turns, a grate that vibrates, a ring that rises and a plate that
// presses.
inline Setup stirred() {
    Setup s = busy_box();
    s.insertions.clear(), s.outlets.clear();
    s.gravity = {0, 0, -9.81};
    s.walls = {make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0),
               make_wall("lid", Plane{{0, 0, 0.15}, {0, 0, -1}}, 0)};
    s.motions.resize(4);
    s.motions[0].name = "paddle", s.motions[0].type = WallMotion::Type::rotate,
    s.motions[0].point = {0.03, 0.025, 0.05}, s.motions[0].axis = {0, 1, 0}, s.motions[0].angular = 40,
    s.motions[0].ramp = 0.002;
    s.motions[1].name = "grate", s.motions[1].type = WallMotion::Type::vibrate, s.motions[1].along = {0, 0, 0.004},
    s.motions[1].frequency = 60;
    s.motions[2].name = "ring", s.motions[2].along = {0, 0, 1.5}, s.motions[2].start = 0.003,
    s.motions[2].duration = 0.02;
    s.motions[3].name = "press", s.motions[3].type = WallMotion::Type::servo, s.motions[3].along = {0, 0, -1},
    s.motions[3].force = 0.05, s.motions[3].speed = 4, s.motions[3].gain = 80;
    add_moving_wall(s, "paddle", Rectangle{{0.03, -0.01, 0.03}, {0, 0.07, 0}, {0, 0, 0.04}}, 0);
    add_moving_wall(s, "grate", Annulus{{0.03, 0.025, 0.012}, {0, 0, 1}, 0.008, 0.022}, 1);
    add_moving_wall(s, "ring", Cylinder{{0.02, 0.02, 0.03}, {0.02, 0.02, 0.05}, 0.012}, 2);
    add_moving_wall(s, "press", Disc{{0.03, 0.025, 0.125}, {0, 0, 1}, 0.03}, 3);
    return s;
}

}  // namespace granary::test
