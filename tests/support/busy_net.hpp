// The busy box with a sloping wall made of balls across its slabs, two materials, sizes by a sieve curve, and a flow by
// mass through a disc.
#pragma once
#include <algorithm>
#include <memory>
#include <vector>
#include "walls/wall_ball_net.hpp"
#include "support/busy_box.hpp"
#include "support/given_bodies.hpp"

namespace granary::test {

// Lets balls in by mass while they fall through the net: 0.4 g every 30 steps. The disc is narrow: some events find too
// little room.
inline InsertionSpec mass_flow() {
    InsertionSpec flow;
    flow.name = "spout", flow.lower = {0.01, 0.005, 0.115}, flow.upper = {0.05, 0.045, 0.13};
    flow.inside = {{0.03, 0.025, 0}, {0, 0, 1}, 0.02};
    flow.balls = {1.6e-3, 2.6e-3, 2500, 0, {0.2, 0, -1.0}};
    flow.balls.sizes =
        std::make_shared<const SizeDistribution>(SizeDistribution::sieve({1.6e-3, 2.2e-3, 2.6e-3}, {0.0, 0.6, 1.0}));
    flow.balls.mixed = {{1, 4000, 0.3}};
    flow.mass = 8e-3, flow.mass_due = 4e-4;
    flow.total = static_cast<std::uint64_t>(flow.mass / mass_limits(flow.balls)[0]) + 1;
    flow.per_event = 12, flow.trials_per_event = 60;
    flow.first_step = 40, flow.interval = 30, flow.stream = 1;
    return flow;
}

// Like its floor, the net ends inside in x and sticks out in y. Balls that would stand in the net at the start are left
// out.
inline Setup busy_net() {
    Setup s = busy_box();
    Material stone = busy_grain();
    stone.name = "stone", stone.density = 4000, stone.friction = 0.3, stone.young = 8e6, stone.stiffness = 3000;
    s.materials.push_back(stone);
    s.insertions = {mass_flow()};
    s.walls.push_back(make_wall("net", Rectangle{{0.012, -0.01, 0.055}, {0.036, 0, 0}, {0, 0.07, 0.02}}, 1));
    s.walls_of_balls = {0, 1};
    add_wall_balls(s.walls[1], 1, {0.0025, 2e-3, 3e-3, {0.03, 0.025, 0.14}, 5}, s.wall_balls);
    std::vector<NewBody> balls = all_bodies(s);
    std::erase_if(balls, [&](const NewBody& b) {
        return std::any_of(s.wall_balls.begin(), s.wall_balls.end(),
                           [&](const WallBall& w) { return norm(b.position - w.centre) < b.radius + w.radius; });
    });
    s.start = shares_of(std::move(balls));
    return s;
}

}  // namespace granary::test
