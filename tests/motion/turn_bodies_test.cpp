#include "motion/turn_bodies.hpp"
#include <gtest/gtest.h>
#include "shapes/quaternion.hpp"
#include "support/dice.hpp"

namespace granary::test {
namespace {

// Every body of the ranges, whatever lanes they fall into; no other.
TEST(TurnBodies, ByTheirSpin) {
    Bodies s;
    s.add(When::orientations);
    s.reserve(23), s.size = 23;
    Dice dice(4);
    std::vector<Quaterniond> before;
    for (Index i = 0; i < 23; ++i) {
        NewBody b;
        b.id = i, b.spin = dice.vector(1000), b.mass = 1, b.inertia = 1;
        const Quaterniond q = turned(Quaterniond{1, 0, 0, 0}, dice.vector(1));
        b.orientation[0] = q.w, b.orientation[1] = q.x, b.orientation[2] = q.y, b.orientation[3] = q.z;
        before.push_back(q);
        s.put(i, b);
    }
    const double dt = 1e-4;
    const std::vector<Range> ranges = {{1, 10}, {12, 15}, {16, 16}, {18, 22}};
    turn(s, ranges, dt);
    for (Index i = 0; i < 23; ++i) {
        bool in = false;
        for (const Range& r : ranges) in |= r.contains(i);
        const Quaterniond expected = in ? turned(before[i], dt * s.omega(i)) : before[i];
        EXPECT_EQ((Quaterniond{s.orientation(i, 0), s.orientation(i, 1), s.orientation(i, 2), s.orientation(i, 3)}),
                  expected)
            << i;
    }
}

}  // namespace
}  // namespace granary::test
