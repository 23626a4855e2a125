#include "walls/wall_motion.hpp"
#include <gtest/gtest.h>
#include <numbers>

namespace granary::test::wall_motion_test {

namespace {

constexpr double pi = std::numbers::pi;

WallMotion motion_of(WallMotion::Type type) {
    WallMotion m;
    m.type = type;
    m.along = {0.1, -0.2, 0.3}, m.point = {0.5, 0, 0}, m.axis = {0, 0.6, 0.8}, m.angular = 2.5;
    m.frequency = 3, m.phase = 0.4;
    m.table.times = {0, 0.2, 0.5, 0.6, 1.1};
    m.table.values = {{0, 0, 0}, {0.1, 0.2, 0}, {0.1, -0.1, 0.3}, {0.4, -0.1, 0.5}, {0.2, -0.3, 0.9}};
    return m;
}

const std::vector<WallMotion::Type> prescribed{WallMotion::Type::translate, WallMotion::Type::rotate,
                                               WallMotion::Type::vibrate, WallMotion::Type::swing,
                                               WallMotion::Type::shift_table};

}  // namespace

TEST(WallMotion, RestsBeforeItsStartAndAfterItsEnd) {
    for (const auto type : prescribed)
        for (const double ramp : {0.0, 0.2}) {
            WallMotion m = motion_of(type);
            m.duration = 0.9, m.ramp = ramp;
            const MotionState state{.start = 2};
            const MotionAt before = motion_at(m, state, 2);
            EXPECT_EQ(before.shift, Vec3d{});
            EXPECT_EQ(before.angle, 0);
            EXPECT_EQ(before.velocity, Vec3d{});
            EXPECT_EQ(pose_of(m, before), Pose{});
            const MotionAt end = motion_at(m, state, 2.9 - 1e-12), after = motion_at(m, state, 5);
            EXPECT_NEAR(norm(end.shift - after.shift) + std::abs(end.angle - after.angle), 0, 1e-10);
            EXPECT_EQ(after.velocity, Vec3d{});
            EXPECT_EQ(after.rate, 0);
            if (ramp > 0 && type != WallMotion::Type::shift_table) {
                EXPECT_LT(norm(end.velocity) + std::abs(end.rate), 1e-8);  // came to rest
            }
        }
    EXPECT_EQ(motion_at(motion_of(WallMotion::Type::translate), {}, 1e9).shift, Vec3d{});  // waits for a stage
}

// The velocity is the derivative of the place, at every time and for every type, and never above the greatest speed.
TEST(WallMotion, VelocityIsTheChangeOfThePlace) {
    const double h = 1e-6;
    for (const auto type : prescribed)
        for (const double ramp : {0.0, 0.3})
            for (const bool smooth : {false, true}) {
                WallMotion m = motion_of(type);
                m.duration = 1.2, m.ramp = ramp, m.table.smooth = smooth;
                if (m.has_table()) m.type = ramp > 0 ? MotionType::angle_table : MotionType::shift_table;
                const MotionState state{.start = 0};
                const GreatestSpeed most = greatest_speed(m);
                double fastest = 0;
                for (int k = 0; k < 400; ++k) {
                    const double t = 0.00151 + 0.003 * k;
                    const MotionAt a = motion_at(m, state, t - h), b = motion_at(m, state, t + h),
                                   at = motion_at(m, state, t);
                    EXPECT_NEAR(norm((0.5 / h) * (b.shift - a.shift) - at.velocity), 0, 1e-6);
                    EXPECT_NEAR((0.5 / h) * (b.angle - a.angle), at.rate, 1e-6);
                    EXPECT_LE(norm(at.velocity), most.shift * (1 + 1e-12));
                    EXPECT_LE(std::abs(at.rate), most.turn * (1 + 1e-12));
                    fastest = std::max(fastest, norm(at.velocity) + std::abs(at.rate));
                }
                EXPECT_GT(fastest, 0.3 * (most.shift + most.turn));  // the bound is not far off
            }
}

TEST(WallMotion, ARampTakesHalfItsTimeAway) {
    WallMotion m;
    m.along = {0, 0, 0.05}, m.ramp = 0.2;
    const MotionState state{.start = 1};
    EXPECT_NEAR(motion_at(m, state, 1.1).shift.z, 0.5 * 0.25 * 0.01, 1e-16);  // a = 0.25 m/s^2
    EXPECT_NEAR(motion_at(m, state, 2).shift.z, 0.05 * 0.9, 1e-16);
    m.duration = 1;
    EXPECT_NEAR(motion_at(m, state, 9).shift.z, 0.05 * 0.8, 1e-16);
}

TEST(WallMotion, VibrationLeavesItsPlaceWithoutAJump) {
    WallMotion m;
    m.type = WallMotion::Type::vibrate, m.along = {0, 0, 0.001}, m.frequency = 50, m.phase = pi / 2;
    const MotionState state{.start = 0};
    EXPECT_NEAR(motion_at(m, state, 1e-9).shift.z, 0, 1e-12);
    EXPECT_NEAR(motion_at(m, state, 0.01).shift.z, -0.002, 1e-15);  // half a turn later, the other end
    EXPECT_NEAR(motion_at(m, state, 0.005).velocity.z, -0.001 * 2 * pi * 50, 1e-12);
}

TEST(MotionTable, StraightLinesAndTheirSlopes) {
    const MotionTable t = motion_of(WallMotion::Type::shift_table).table;
    EXPECT_EQ(t.at(0.5).value, (Vec3d{0.1, -0.1, 0.3}));
    EXPECT_NEAR(t.at(0.35).value.y, 0.05, 1e-15);
    EXPECT_NEAR(t.at(0.35).rate.y, -1, 1e-15);
    EXPECT_EQ(t.at(7).value, t.values.back());
    EXPECT_EQ(t.at(7).rate, Vec3d{});
}

// Between its rows a smooth curve stays between them, and where the rows turn round it rests.
TEST(MotionTable, SmoothStaysWithinItsRows) {
    MotionTable t = motion_of(WallMotion::Type::shift_table).table;
    t.smooth = true;
    for (std::size_t k = 0; k + 1 < t.times.size(); ++k) {
        EXPECT_NEAR(norm(t.at(t.times[k]).value - t.values[k]), 0, 1e-15);
        for (int n = 1; n < 50; ++n) {
            const Vec3d v = t.at(t.times[k] + (t.times[k + 1] - t.times[k]) * n / 50).value;
            for (int axis = 0; axis < 3; ++axis) {
                const auto [low, high] = std::minmax(at(t.values[k], axis), at(t.values[k + 1], axis));
                EXPECT_GE(at(v, axis), low - 1e-15);
                EXPECT_LE(at(v, axis), high + 1e-15);
            }
        }
    }
    EXPECT_NEAR(t.at(0.6 - 1e-9).rate.x, 0, 1e-6);  // x turns round there
    EXPECT_GT(t.at(0.6).rate.z, 0.5);               // z does not
    EXPECT_NEAR(norm(t.at(1e-9).rate), 0, 1e-6);    // begins at rest
}

TEST(MotionTable, TellsWhatIsWrong) {
    EXPECT_EQ(problem_of({{0, 1}, {{}, {1, 0, 0}}, false}), "");
    EXPECT_EQ(problem_of({{0}, {{}}, false}), "1 rows (expected two or more)");
    EXPECT_EQ(problem_of({{0, 1, 1}, {{}, {}, {}}, false}),
              "time 1 s does not come after 1 s (expected ascending times)");
    EXPECT_EQ(problem_of({{-1, 1}, {{}, {}}, false}), "begins at -1 s (expected 0 s or later)");
    EXPECT_NE(problem_of({{0, 1}, {{1, 0, 0}, {}}, false}), "");
    EXPECT_EQ(problem_of({{0, 1e300}, {{}, {1, 0, 0}}, false}), "ends at 1e+300 s (expected 1e+09 s or earlier)");
    EXPECT_EQ(problem_of({{0, 1}, {{}, {0, -1e300, 0}}, false}),
              "the value -1e+300 at 1 s is too large (expected at most 1e+09)");
    EXPECT_EQ(problem_of({{0, 1e-300}, {{}, {0, 0, 1}}, false}),
              "moves by 1 from 0 s to 1e-300 s (expected at most 1e+09 a second)");
}

TEST(Servo, MovesByTheForceThatIsMissing) {
    WallMotion m;
    m.type = WallMotion::Type::servo, m.along = {0, 0, -1}, m.force = 10, m.gain = 0.01, m.speed = 0.05,
    m.travel = 0.02;
    MotionState s{.start = 1, .since = 1};
    EXPECT_EQ(motion_at(m, s, 5).shift, Vec3d{});
    steer(m, s, 0.5, 0);  // not yet
    EXPECT_EQ(s.velocity, 0);
    steer(m, s, 1, 0);  // nothing presses against it: as fast as it may
    EXPECT_NEAR(s.velocity, 0.05, 1e-16);
    EXPECT_NEAR(motion_at(m, s, 1.1).shift.z, -0.005, 1e-16);
    EXPECT_NEAR(motion_at(m, s, 1.1).velocity.z, -0.05, 1e-16);
    steer(m, s, 1.1, 12);  // too much: back
    EXPECT_NEAR(s.velocity, -0.02, 1e-16);
    EXPECT_NEAR(motion_at(m, s, 1.2).shift.z, -0.003, 1e-16);
    steer(m, s, 1.2, 9);
    EXPECT_NEAR(motion_at(m, s, 1.3).shift.z, -0.004, 1e-16);
    EXPECT_EQ(motion_at(m, s, 100).shift.z, -0.02);  // the end of its way
    EXPECT_EQ(motion_at(m, s, 100).velocity.z, 0);
}

}  // namespace granary::test::wall_motion_test
