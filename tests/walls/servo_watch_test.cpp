#include "walls/servo_watch.hpp"
#include <gtest/gtest.h>
#include "walls/wall_motion.hpp"

namespace granary::test {

namespace {

void see(ServoWatch& w, double windows, double even, double odd) {
    for (int k = 0; k < static_cast<int>(windows * ServoWatch::window); ++k) w.see(k % 2 == 0 ? even : odd);
}

}  // namespace

TEST(ServoWatch, JudgesWindowsAfterTheApproach) {
    ServoWatch w;
    see(w, 50, 0, 0.89);  // does not press as hard as it is to
    EXPECT_EQ(w.reached, 0);
    EXPECT_EQ(w.windows, 0);
    see(w, ServoWatch::unjudged, 2, 0);  // comes to rest
    EXPECT_EQ(w.windows, ServoWatch::unjudged);
    EXPECT_NEAR(w.last, 1, 1e-14);
    EXPECT_EQ(w.failed, 0);
    see(w, 3, 1.09, 0.91);
    EXPECT_EQ(w.failed, 0);
    EXPECT_NEAR(w.worst, 0.09, 1e-14);
    see(w, 2, 1.3, 0.9);  // root mean square 0.224, also with a mean that is off
    EXPECT_EQ(w.failed, 2);
    EXPECT_NEAR(w.last, std::sqrt(0.05), 1e-14);
    see(w, 0.5, 1, 1);

    ServoWatch again = ServoWatch::of(w.numbers().data());
    EXPECT_EQ(again.numbers(), w.numbers());
    see(again, 0.5, 1, 1);
    EXPECT_EQ(again.last, 0);
    EXPECT_EQ(again.failed, 2);
}

// Until it is first touched a plate comes as fast as it may; when it has lost touch it begins slowly and gets faster.
TEST(Servo, ComesFastUntilItTouches) {
    WallMotion m;
    m.type = WallMotion::Type::servo, m.along = {0, 0, -1}, m.force = 10, m.gain = 1e-4, m.speed = 0.05;
    MotionState s{.start = 0};
    steer(m, s, 0, 0);
    EXPECT_NEAR(s.velocity, 0.05, 1e-16);
    steer(m, s, 0.031, 1);  // touched: by the force that is missing
    EXPECT_NEAR(s.velocity, 9e-4, 1e-16);
    steer(m, s, 0.032, 30);
    EXPECT_NEAR(s.velocity, -2e-3, 1e-16);
    steer(m, s, 0.033, 0);
    EXPECT_NEAR(s.velocity, 1e-3, 1e-16);
    steer(m, s, 0.034, 0);
    EXPECT_NEAR(s.velocity, 1.05e-3, 1e-16);
    for (int k = 0; k < 100; ++k) steer(m, s, 0.035 + 1e-4 * k, 0);
    EXPECT_NEAR(s.velocity, 0.05, 1e-16);
}

}  // namespace granary::test
