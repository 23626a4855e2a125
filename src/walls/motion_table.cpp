#include "walls/motion_table.hpp"
#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace granary {
namespace {

constexpr double most_of_all = 1e9;  // s, m, rad, m/s, rad/s: beyond what any wall does

}  // namespace

Vec3d MotionTable::slope(std::size_t k) const {
    return (1.0 / (times[k + 1] - times[k])) * (values[k + 1] - values[k]);
}

// Zero at the ends and where the slope changes its sign, else the harmonic mean of the slopes beside it, weighted by
// the lengths.
Vec3d MotionTable::tangent(std::size_t k) const {
    if (k == 0 || k + 1 == times.size()) return {};
    const double h0 = times[k] - times[k - 1], h1 = times[k + 1] - times[k];
    const double w0 = 2 * h1 + h0, w1 = h1 + 2 * h0;
    const Vec3d s0 = slope(k - 1), s1 = slope(k);
    Vec3d m;
    for (int axis = 0; axis < 3; ++axis) {
        const double a = granary::at(s0, axis), b = granary::at(s1, axis);
        if (a * b > 0) granary::at(m, axis) = (w0 + w1) / (w0 / a + w1 / b);
    }
    return m;
}

std::size_t MotionTable::segment_of(double time) const {
    const auto after = std::upper_bound(times.begin(), times.end(), time);
    return static_cast<std::size_t>(after - times.begin()) - 1;
}

MotionTable::Row MotionTable::at(double time) const {
    if (time <= times.front()) return {values.front(), {}};
    if (time >= times.back()) return {values.back(), {}};
    const std::size_t k = segment_of(time);
    const double h = times[k + 1] - times[k], u = (time - times[k]) / h;
    const Vec3d s = slope(k);
    if (!smooth) return {values[k] + (time - times[k]) * s, s};
    // Cubic through both rows with the tangents m0, m1: value = y0 + h u (m0 + u (c + u b)), with the straight slope s.
    const Vec3d m0 = tangent(k), m1 = tangent(k + 1);
    const Vec3d c = 3.0 * s - 2.0 * m0 - m1, b = m0 + m1 - 2.0 * s;
    return {values[k] + (h * u) * (m0 + u * (c + u * b)), m0 + u * (2.0 * c + (3.0 * u) * b)};
}

Vec3d MotionTable::greatest_rate() const {
    Vec3d most;
    const auto see = [&](const Vec3d& rate) {
        for (int axis = 0; axis < 3; ++axis)
            granary::at(most, axis) = std::max(granary::at(most, axis), std::abs(granary::at(rate, axis)));
    };
    for (std::size_t k = 0; k + 1 < times.size(); ++k) {
        const Vec3d s = slope(k), m0 = tangent(k), m1 = tangent(k + 1);
        if (!smooth) {
            see(s);
            continue;
        }
        see(m0), see(m1);
        const Vec3d c = 3.0 * s - 2.0 * m0 - m1, b = m0 + m1 - 2.0 * s;
        for (int axis = 0; axis < 3; ++axis) {  // the top of the parabola m0 + 2 c u + 3 b u^2
            const double ca = granary::at(c, axis), ba = granary::at(b, axis), u = -ca / (3 * ba);
            if (!(u > 0 && u < 1)) continue;
            Vec3d top;
            granary::at(top, axis) = granary::at(m0, axis) + u * ca;
            see(top);
        }
    }
    return most;
}

std::string problem_of(const MotionTable& t) {
    if (t.times.size() < 2) return fmt::format("{} rows (expected two or more)", t.times.size());
    if (t.times.front() < 0) return fmt::format("begins at {} s (expected 0 s or later)", t.times.front());
    for (std::size_t k = 1; k < t.times.size(); ++k)
        if (!(t.times[k] > t.times[k - 1]))
            return fmt::format("time {} s does not come after {} s (expected ascending times)", t.times[k],
                               t.times[k - 1]);
    // Whatever a curve is made of then stays a number, too.
    if (!(t.times.back() <= most_of_all))
        return fmt::format("ends at {} s (expected {:g} s or earlier)", t.times.back(), most_of_all);
    for (std::size_t k = 0; k < t.times.size(); ++k)
        for (int axis = 0; axis < 3; ++axis)
            if (!(std::abs(granary::at(t.values[k], axis)) <= most_of_all))
                return fmt::format("the value {} at {} s is too large (expected at most {:g})",
                                   granary::at(t.values[k], axis), t.times[k], most_of_all);
    for (std::size_t k = 1; k < t.times.size(); ++k)
        for (int axis = 0; axis < 3; ++axis) {
            const double change = granary::at(t.values[k], axis) - granary::at(t.values[k - 1], axis);
            if (!(std::abs(change) <= most_of_all * (t.times[k] - t.times[k - 1])))
                return fmt::format("moves by {} from {} s to {} s (expected at most {:g} a second)", change,
                                   t.times[k - 1], t.times[k], most_of_all);
        }
    if (norm(t.values.front()) != 0) return "does not begin with 0 (expected the wall to begin where the case puts it)";
    return {};
}

}  // namespace granary
