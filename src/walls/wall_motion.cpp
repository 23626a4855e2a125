#include "walls/wall_motion.hpp"
#include <algorithm>
#include <cmath>
#include <numbers>
#include "core/elementary.hpp"

namespace granary {
namespace {

struct Value {
    double value = 0, rate = 0;
};

// Rises within the ramp, is 1, falls in the last ramp before the end.
Value trapezium(double tau, double duration, double ramp) {
    if (ramp <= 0) return {1, 0};
    if (tau < ramp) return {tau / ramp, 1 / ramp};
    const double left = duration - tau;
    if (left < ramp) return {left / ramp, -1 / ramp};
    return {1, 0};
}

// The integral of the trapezium, and its value.
Value run(double tau, double duration, double ramp) {
    if (ramp <= 0) return {tau, 1};
    const double height = trapezium(tau, duration, ramp).value;
    if (tau < ramp) return {0.5 * tau * height, height};
    const double left = duration - tau;
    if (left < ramp) return {duration - ramp - 0.5 * left * height, height};
    return {tau - 0.5 * ramp, height};
}

Value swing(const WallMotion& m, double tau) {
    const double omega = 2 * std::numbers::pi * m.frequency;
    // A ramp made smooth, 3 u^2 - 2 u^3: the swing begins and ends at rest.
    const Value u = trapezium(tau, m.duration, m.ramp);
    const Value e{u.value * u.value * (3 - 2 * u.value), 6 * u.value * (1 - u.value) * u.rate};
    const double s = elementary::sin(omega * tau + m.phase) - elementary::sin(m.phase);
    return {e.value * s, e.value * omega * elementary::cos(omega * tau + m.phase) + e.rate * s};
}

double servo_place(const WallMotion& m, const MotionState& s, double time) {
    return s.position + s.velocity * (std::min(time, s.start + m.duration) - s.since);
}

MotionAt servo(const WallMotion& m, const MotionState& s, double time) {
    const double place = servo_place(m, s, time);
    const bool stopped = std::abs(place) >= m.travel || time >= s.start + m.duration;
    MotionAt p;
    p.shift = std::clamp(place, -m.travel, m.travel) * m.along;
    if (!stopped) p.velocity = s.velocity * m.along;
    return p;
}

}  // namespace

MotionAt motion_at(const WallMotion& m, const MotionState& state, double time) {
    if (!(time > state.start)) return {};
    if (m.type == MotionType::servo) return servo(m, state, time);
    const double passed = time - state.start;
    const bool over = passed >= m.duration;
    const double tau = over ? m.duration : passed;
    MotionAt p;
    const auto shift_by = [&](const Value& v) { p.shift = v.value * m.along, p.velocity = v.rate * m.along; };
    const auto turn_by = [&](const Value& v) { p.angle = v.value * m.angular, p.rate = v.rate * m.angular; };
    switch (m.type) {
        case MotionType::translate: shift_by(run(tau, m.duration, m.ramp)); break;
        case MotionType::rotate: turn_by(run(tau, m.duration, m.ramp)); break;
        case MotionType::vibrate: shift_by(swing(m, tau)); break;
        case MotionType::swing: turn_by(swing(m, tau)); break;
        case MotionType::shift_table: {
            const MotionTable::Row row = m.table.at(tau);
            p.shift = row.value, p.velocity = row.rate;
            break;
        }
        case MotionType::angle_table: {
            const MotionTable::Row row = m.table.at(tau);
            p.angle = row.value.x, p.rate = row.rate.x;
            break;
        }
        case MotionType::servo: break;
    }
    if (over) p.velocity = {}, p.rate = 0;
    return p;
}

Pose pose_of(const WallMotion& m, const MotionAt& at) {
    if (m.turns()) return turned_about(m.point, m.axis, at.angle);
    Pose p;
    p.shift = at.shift;
    return p;
}

Twist twist_of(const WallMotion& m, const MotionAt& at) {
    if (!m.turns()) return {at.velocity, {}, {}, false};
    return {{}, at.rate * m.axis, m.point, at.rate != 0};
}

GreatestSpeed greatest_speed(const WallMotion& m) {
    const double omega = 2 * std::numbers::pi * m.frequency;
    const double swing = omega + (m.ramp > 0 ? 3 / m.ramp : 0);  // sin - sin(phase) is at most 2, the ramp's slope 1.5
    switch (m.type) {
        case MotionType::translate: return {norm(m.along), 0};
        case MotionType::rotate: return {0, std::abs(m.angular)};
        case MotionType::vibrate: return {swing * norm(m.along), 0};
        case MotionType::swing: return {0, swing * std::abs(m.angular)};
        case MotionType::servo: return {m.speed, 0};
        case MotionType::shift_table: return {norm(m.table.greatest_rate()), 0};
        case MotionType::angle_table: break;
    }
    return {0, m.table.greatest_rate().x};
}

void steer(const WallMotion& m, MotionState& s, double time, double force) {
    s.force = force;
    if (!(time >= s.start)) return;
    s.position = std::clamp(servo_place(m, s, time), -m.travel, m.travel);
    s.since = time;
    double velocity = m.gain * (m.force - force);
    if (force != 0) s.touched = 1;
    else velocity = s.touched == 0 ? m.speed : std::max(velocity, approach_growth * s.velocity);
    s.velocity = std::clamp(velocity, -m.speed, m.speed);
    if (time < s.start + m.duration) s.watch.see(force / m.force);
}

}  // namespace granary
