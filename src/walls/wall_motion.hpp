// How a wall moves: closed forms of time, so that every rank knows place and velocity at any step without a message and
// without summing up, and a plate that a force moves (servo), whose place is summed up.
//
// tau = t - start, from 0 to duration; before, the wall is where the case puts it, and afterwards it stays where it is.
//   type       shift, m                                   angle about the axis, rad
//   translate  velocity * run(tau)                        -
//   rotate     -                                          rate * run(tau)
//   vibrate    amplitude * swing(tau)                     -
//   swing      -                                          angle * swing(tau)
//   shift_table  that of the table                        -
//   angle_table  -                                        that of the table
//   servo      direction * position (see MotionState)     -
// with
//   run(tau)   = tau; with a ramp: integral of a trapezium that rises from 0 to 1 within the ramp and falls in the last
//   such time swing(tau) = (sin(2 pi f tau + phase) - sin(phase)) * e(tau); e = 1; with a ramp: grows from 0 to 1
//   within the ramp and falls again
// Less sin(phase): the wall leaves its place without a jump, whatever the phase.
//
// Servo, without mass: v = gain (force_wanted - F), within +- speed, F the force of the balls against the direction.
// Only every servo_interval steps F is summed up over all ranks, on its way for one step; in between the plate keeps
// its velocity. A gain that the balls allow (plan/servo_gain.hpp) would be slow to come near them, so the plate comes
// with its full speed until it is first touched. When it has lost touch it gets faster by approach_growth from look to
// look: it does not hit the bed again and again at full speed.
#pragma once
#include <cstdint>
#include <limits>
#include <string>
#include "walls/motion_table.hpp"
#include "walls/motion_type.hpp"
#include "walls/rigid_frame.hpp"
#include "walls/servo_watch.hpp"

namespace granary {

inline constexpr std::uint64_t servo_interval = 10;  // steps from one look at the force to the next
inline constexpr double approach_growth = 1.05;      // ten times as fast after 470 steps

struct WallMotion {
    using Type = MotionType;
    static constexpr double never = std::numeric_limits<double>::infinity();

    std::string name;
    Type type = Type::translate;
    Vec3d along;                       // translate: velocity, m/s; vibrate: amplitude, m; servo: unit direction
    Vec3d point, axis;                 // of a turn; unit axis
    double angular = 0;                // rotate: rate, rad/s; swing: angle, rad
    double frequency = 0, phase = 0;   // Hz, rad
    MotionTable table;                 // times from the start; displacements or angles
    double force = 0, gain = 0;        // servo: wanted, N; m/s per N
    double speed = 0, travel = never;  // servo: at most, m/s; m from its place, to and fro

    double start = 0;  // s of the run; never: when somebody says so (a stage)
    double duration = never;
    double ramp = 0;

    bool turns() const { return type == Type::rotate || type == Type::swing || type == Type::angle_table; }
    bool has_table() const { return type == Type::shift_table || type == Type::angle_table; }
};

// What a moving plate must remember; a checkpoint holds it.
struct MotionState {
    double start = WallMotion::never;              // s of the run
    double position = 0, velocity = 0, since = 0;  // servo: m and m/s at the time `since`, s
    double force = 0;                              // servo: N, when last looked at
    double touched = 0;                            // servo: not 0 once balls have pressed against it
    ServoWatch watch = {};                         // servo: does it hold its force
};

// Shift and turn at a time, and how they change.
struct MotionAt {
    Vec3d shift, velocity;
    double angle = 0, rate = 0;
};

MotionAt motion_at(const WallMotion& motion, const MotionState& state, double time);
Pose pose_of(const WallMotion& motion, const MotionAt& at);
Twist twist_of(const WallMotion& motion, const MotionAt& at);

// The greatest speeds that the motion can reach at any time.
struct GreatestSpeed {
    double shift = 0;  // m/s
    double turn = 0;   // rad/s
};
GreatestSpeed greatest_speed(const WallMotion& motion);

// A servo learns the force of the balls against its direction.
void steer(const WallMotion& motion, MotionState& state, double time, double force);

}  // namespace granary
