// A rigid frame that carries walls: where it is (Pose) and how fast it moves (Twist). Pure geometry, for analytic walls
// and meshes alike.
//
//   symbol   code        meaning                                                            unit
//   X        home        a point of the wall where the case puts it                         m
//   x        point       the same point of the wall now                                     m
//   R        row[3]      turn from home to now, by rows                                     -
//   d        shift       x = R X + d                                                        m
//   v(x)     at(x)       velocity of the wall at x: v + omega x (x - c)                     m/s
//
// A frame that has not turned multiplies by nothing: a wall at rest keeps its bits, and one that only shifts is shifted
// exactly once.
#pragma once
#include "contact/law.hpp"
#include "core/elementary.hpp"
#include "core/vec.hpp"
#include "walls/pose.hpp"
#include "walls/wall_shapes.hpp"

namespace granary {

// Turned by an angle about an axis (unit vector) through a point, by the right hand.
Pose turned_about(const Vec3d& point, const Vec3d& axis, double angle);

struct Twist {
    Vec3d velocity;  // of the centre, m/s
    Vec3d spin;      // omega, rad/s
    Vec3d centre;    // c, on the axis of the turn
    bool turns = false;

    Vec3d at(const Vec3d& x) const { return turns ? velocity + cross(spin, x - centre) : velocity; }
};

// The shape where the pose puts it.
WallShape moved(const WallShape& home, const Pose& pose);

// How far from the axis the surface reaches that a turn moves: the turn by an angle shifts no point of it by more than
// the angle times this. 0 for a surface that turns into itself. Not beyond what lies within the box.
double lever_of(const WallShape& home, const Vec3d& point, const Vec3d& axis, const BoundingBox& box);

// A spring, tangential or rolling, of a contact at a wall that turns. The law lays the spring into the tangent plane
// again at every step, which follows the tilt of the normal; the turn of the wall about the normal it cannot see. A
// ball that rides on the wall takes its springs along, so that part of the turn is added here. (Chosen: the wall's
// turn, not the mean of wall and ball.)
inline Vec3d turned_with(const Twist& wall, const Vec3d& spring, const Vec3d& normal, double dt) {
    const double angle = dot(wall.spin, normal) * dt;
    const auto [s, c] = elementary::sin_cos(angle);
    return c * spring + s * cross(normal, spring);
}

// The same under the predictor-corrector, where a spring is moved by the displacement (or turn) of the ball at the wall
// in this step before the law is asked: half of it in the frame of the begin of the step, half in that of its end.
// `wall` has shift and turn for velocity and spin.
inline Vec3d moved_and_turned_with(const Twist& wall, const Vec3d& spring, const Vec3d& displacement,
                                   const Vec3d& normal) {
    return (wall.turns ? turned_with(wall, spring + 0.5 * displacement, normal, 1) : spring + 0.5 * displacement) +
           0.5 * displacement;
}

// The displacement of a ball at a wall in this step (contact/spring_displacements.hpp) moves its tangential spring:
// `moved` and `turned` are the ball's. Lever (law.hpp) and place are those of the middle of the step, and so is the
// frame in which the displacement takes place; that the normal of a curved wall turns meanwhile is left out. point: of
// contact, at the end of the step.
inline Vec3d moved_by_displacement(const Vec3d& xi, const Vec3d& moved, const Vec3d& turned, double radius,
                                   const SurfacePoint& at, const Vec3d& point, const Twist& wall) {
    const Vec3d of_wall = wall.at(point - 0.5 * moved);
    const double distance = at.distance - 0.5 * dot(moved - of_wall, at.normal);
    const Vec3d displacement = moved - of_wall - lever_arm(radius, radius - distance) * cross(turned, at.normal);
    return moved_and_turned_with(wall, xi, displacement, at.normal);
}

}  // namespace granary
