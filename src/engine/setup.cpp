#include "engine/setup.hpp"

#include <algorithm>
#include <cmath>
#include "contact/contact_model.hpp"

namespace granary {

double default_skin(const Setup& s) {
    double height = 0;
    for (int axis = 0; axis < 3; ++axis)
        height += std::abs(at(s.gravity, axis)) * (at(s.domain.upper, axis) - at(s.domain.lower, axis));
    const Extremes walls = moving_walls(s, 2 * s.largest_radius).extremes(s.start_time, WallMotion::never);
    const double fastest = std::max(std::sqrt(2 * height), walls.speed);
    const double least = 0.04 * s.largest_radius;
    double skin = std::clamp(2 * 20 * fastest * s.dt, least, 0.4 * s.largest_radius);
    for (int axis = 0; axis < 3; ++axis) {
        if (!s.domain.periodic[axis]) continue;
        const double half =
            0.5 * (at(s.domain.upper, axis) - at(s.domain.lower, axis)) * (1 - 1e-6);  // rounded to the lattice
        const double room = half - (least_cube_edge(s, longest_reach_of(s)) - s.skin);
        if (room >= least) skin = std::min(skin, room);
    }
    return skin;
}

MovingWalls moving_walls(const Setup& s, double largest_reach) {
    const Vec3d room{largest_reach, largest_reach, largest_reach};
    return {s.walls, s.motions, s.start_time, {s.domain.lower - room, s.domain.upper + room}};
}

double least_cube_edge(const Setup& s, double reach) {
    double partner = s.largest_radius;
    for (const WallBall& w : s.wall_balls) partner = std::max(partner, w.radius);
    return s.largest_radius + partner + reach + s.skin;
}

double longest_reach_of(const Setup& s) { return make_contact_model(s.materials, s.pairs, s.law)->reach(); }

}  // namespace granary
