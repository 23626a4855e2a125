#include "shapes/quaternion.hpp"
#include <gtest/gtest.h>
#include "support/dice.hpp"

namespace granary::test {
namespace {

Quaterniond about(const Vec3d& rotation) {
    const double angle = norm(rotation);
    const Vec3d u = (std::sin(angle / 2) / angle) * rotation;
    return {std::cos(angle / 2), u.x, u.y, u.z};
}
double apart(const Quaterniond& a, const Quaterniond& b) {
    const Quaterniond d{a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z};
    return std::sqrt(dot(d, d));
}

TEST(Quaternion, RotatesAsItSays) {
    const Quaterniond quarter = about({0, 0, std::acos(0.0)});
    const Vec3d y = rotate(quarter, Vec3d{1, 0, 0});
    EXPECT_NEAR(y.x, 0, 1e-15);
    EXPECT_NEAR(y.y, 1, 1e-15);
    Dice dice(1);
    for (int k = 0; k < 100; ++k) {
        const Quaterniond a = about(dice.vector(3)), b = about(dice.vector(3));
        const Vec3d v = dice.vector(1);
        EXPECT_LT(norm(rotate(a * b, v) - rotate(a, rotate(b, v))), 1e-14);  // first b, then a
        EXPECT_LT(norm(rotate_back(a, rotate(a, v)) - v), 1e-14);
        EXPECT_NEAR(norm(rotate(a, v)), norm(v), 1e-14);
        EXPECT_LT(apart(a * conjugate(a), {1, 0, 0, 0}), 1e-14);
        const Quaterniond minus{-a.w, -a.x, -a.y, -a.z};
        EXPECT_EQ(rotate(a, v), rotate(minus, v));
    }
}

// The angle of a turn is wrong by 17/20160 of its seventh power.
TEST(Quaternion, TurnsToTheSeventhOrder) {
    const Vec3d axis{2.0 / 7, -3.0 / 7, 6.0 / 7};
    for (const double angle : {0.4, 0.2}) {
        const Quaterniond q = turned(Quaterniond{1, 0, 0, 0}, angle * axis);
        const double error = angle - 2 * std::atan2(norm(q.vector()), q.w);
        EXPECT_NEAR(error / (17.0 / 20160 * std::pow(angle, 7)), 1, 0.1) << angle;
    }
    EXPECT_LT(apart(turned(about({0.3, 2, 1}), 0.01 * axis), about(0.01 * axis) * about({0.3, 2, 1})), 1e-15);
}

// A hundred turns in steps of a sixtieth of a turn: of unit length, and where it should be.
TEST(Quaternion, KeepsItsLengthAndDoesNotLag) {
    const Vec3d step = (std::acos(-1.0) / 30) * Vec3d{0.48, 0.6, -0.64};
    Quaterniond q{0.5, 0.5, -0.5, 0.5};
    for (int k = 0; k < 6000; ++k) q = turned(q, step);
    EXPECT_NEAR(dot(q, q), 1, 1e-15);
    EXPECT_LT(apart(q, {0.5, 0.5, -0.5, 0.5}), 6000 * 1e-9);
}

TEST(Quaternion, FourLanesGiveTheBitsOfOne) {
    Dice dice(2);
    Quaternion<Real4> q;
    Vec3<Real4> w;
    Quaterniond one[4];
    Vec3d by[4];
    for (int k = 0; k < 4; ++k) {
        one[k] = about(dice.vector(2)), by[k] = dice.vector(0.3);
        q.w[k] = one[k].w, q.x[k] = one[k].x, q.y[k] = one[k].y, q.z[k] = one[k].z;
        w.x[k] = by[k].x, w.y[k] = by[k].y, w.z[k] = by[k].z;
    }
    const Quaternion<Real4> next = turned(q, w);
    for (int k = 0; k < 4; ++k)
        EXPECT_EQ((Quaterniond{next.w[k], next.x[k], next.y[k], next.z[k]}), turned(one[k], by[k]));
}

}  // namespace
}  // namespace granary::test
