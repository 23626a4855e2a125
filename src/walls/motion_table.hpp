// A motion read off a table: values at times, straight lines between them, or a smooth curve.
//
// Smooth is the monotone cubic of
//   Fritsch & Carlson (1980), SIAM J. Numer. Anal. 17(2), 238-246, with the slopes of Fritsch & Butland (1984), SIAM J.
//   Sci. Stat.
// Comput. 5(2), 300-304:
// between two rows the curve stays between their values, so a wall never goes beyond its table; it begins and ends at
// rest. Before the first row and after the last one the value stays.
#pragma once
#include <string>
#include <vector>
#include "core/vec.hpp"

namespace granary {

struct MotionTable {
    std::vector<double> times;  // s, ascending
    std::vector<Vec3d> values;  // m; of a turn only x counts, rad
    bool smooth = false;

    struct Row {
        Vec3d value, rate;
    };
    Row at(double time) const;

    // No rate is greater than this, along each axis.
    Vec3d greatest_rate() const;

  private:
    Vec3d slope(std::size_t segment) const;     // of the straight line
    Vec3d tangent(std::size_t row) const;       // of the smooth curve
    std::size_t segment_of(double time) const;  // wants first < time < last
};

// What is wrong with the times and the first value; empty: nothing.
std::string problem_of(const MotionTable& table);

}  // namespace granary
