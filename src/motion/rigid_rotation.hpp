// Rotation of bodies that are no balls, beside the leapfrog of their centres (integrate.hpp). Stored are the angular
// momentum L in space, of t - dt/2, and the orientation q of t:
//     L(t + dt/2) = L(t - dt/2) + T(t) dt,    q(t + dt) = q(t) turned freely by L(t + dt/2) for dt.
// The free turn is the implicit midpoint rule in the body's frame, with the turn as a Cayley map: an energy-momentum
// scheme in the manner of Simo & Wong (1991), Int. J. Numer. Meth. Engng 31, 19-52. With u = w dt/2,
//     P(t + dt) - P(t) = -u x (P(t) + P(t + dt)),   w = I^-1 (P(t) + P(t + dt))/2
// where P = q* L q is the angular momentum in the body's frame. So w is perpendicular to the change of P, and
//     E(t + dt) - E(t) = w . (P(t + dt) - P(t)) = 0
// exactly: a torque-free body keeps L to the bit and E but for rounding, at any dt. The rule is reversible in time and
// of second order. The gyroscopic term needs no mention: it is what the turning frame does to P.
//
//   symbol  code              meaning                                                       unit
//   L       angular_momentum  about the centre, in space                                    kg m^2/s
//   P       own               the same in the body's frame                                  kg m^2/s
//   w       w                 spin of the step, the same vector in the frames of t, t + dt  rad/s
//   I       inverse_moments   principal moments, m s^2 times those of the template          kg m^2
//
// The column spin gets w in space: a point of the body moves by dt w x (mean of its arms) in the step, so the slip that
// a contact adds up is the true one. P(t + dt/2) = (P - u x P + u (u . P))/(1 + u^2) with P of t, so the iteration for
// w needs no system of equations; it converges by the factor (w dt) times the spread of the moments, and ends when w
// stands still to 1e-16 or after `most_iterations`. Only + - * / and the root of a unit quaternion.
//   Balls keep their own path: their spin is moved by kick_and_drift; inverse_inertia is 0 in the rows of shapes, so
// that the same loop passes over them.
#pragma once
#include <span>
#include "core/bodies.hpp"
#include "motion/integrate.hpp"
#include "shapes/rigid_body.hpp"

namespace granary {

inline constexpr int most_rotation_iterations = 40;

struct FreeTurn {
    Quaterniond orientation;  // of t + dt
    Vec3d spin;               // w, in space
};
FreeTurn turn_freely(const Quaterniond& orientation, const Vec3d& angular_momentum, const Vec3d& inverse_moments,
                     double dt);

// Kick and turn of the shapes of these ranges by one step, before kick_and_drift, which spends the torques. Balls are
// turned after it: turn_balls. The table must have shapes.
void turn_shapes(Bodies& bodies, std::span<const Range> ranges, std::span<const ShapeTemplate> shapes, double dt);
void turn_balls(Bodies& bodies, std::span<const Range> ranges, double dt);

// Angular momentum by a part of a step of the present torque, as kick does with velocities; spin follows it.
void kick_shapes(Bodies& bodies, std::span<const Range> ranges, std::span<const ShapeTemplate> shapes, double time);

// Angular momentum of a body that came in with a spin.
void start_turning(Bodies& bodies, Index i, std::span<const ShapeTemplate> shapes);

// J, of a shape at the time of the positions.
double rotational_energy(const Bodies& bodies, Index i, std::span<const ShapeTemplate> shapes, const Motion& motion);

}  // namespace granary
