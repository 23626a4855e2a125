#include "core/axes.hpp"
#include <gtest/gtest.h>
#include "support/arranged.hpp"

namespace granary::test {

TEST(Axes, SlabAxisIsTheThirdInside) {
    for (int slab = 0; slab < 3; ++slab) {
        const Axes axes(slab);
        const Vec3d user{1, 2, 3};
        EXPECT_EQ(axes.in(user).z, at(user, slab));
        EXPECT_EQ(axes.in(std::array{1, 2, 3})[2], slab + 1);
        EXPECT_EQ(axes.turned(), slab != 2);
    }
}

TEST(Axes, InAndOutUndoEachOther) {
    for (int slab = 0; slab < 3; ++slab) {
        const Axes axes(slab);
        const Vec3d a{1, 2, 3};
        EXPECT_EQ(axes.out(axes.in(a)), a);
        EXPECT_EQ(axes.in(axes.out(a)), a);
        const Domain d{{1, 2, 3}, {4, 5, 6}, {true, false, false}};
        const Domain in = axes.in(d), back = axes.out(in);
        EXPECT_EQ(in.lower, axes.in(d.lower));
        EXPECT_EQ(in.upper, axes.in(d.upper));
        EXPECT_EQ(in.periodic, axes.in(d.periodic));
        EXPECT_EQ(in.periodic[2], slab == 0);  // periodic along x of the user
        EXPECT_EQ(back.lower, d.lower);
        EXPECT_EQ(back.upper, d.upper);
        EXPECT_EQ(back.periodic, d.periodic);
    }
}

TEST(Axes, RightHandsStayRight) {
    const Vec3d a{1, 2, 3}, b{-4, 0.5, 7};
    for (int slab = 0; slab < 3; ++slab) {
        const Axes axes(slab);
        EXPECT_EQ(cross(axes.in(a), axes.in(b)), axes.in(cross(a, b)));
    }
}

TEST(Axes, TurnEveryVectorOfTheRealBodies) {
    const auto numbered = [] {
        Bodies b;
        b.reserve(4);
        b.size = 4;
        b.owned = {1, 4};
        b.real = {{1, 2}, {3, 4}};
        double n = 0;
        for (Index i = 0; i < 4; ++i) {
            for (Quads* q : {&b.position, &b.velocity, &b.spin, &b.force, &b.torque})
                for (int c = 0; c < 4; ++c) (*q)(i, c) = ++n;
            for (int c = 0; c < 3; ++c) b.reference(i, c) = ++n;
        }
        return b;
    };
    const Bodies before = numbered();
    for (int slab = 0; slab < 3; ++slab) {
        const Axes axes(slab);
        Bodies b = numbered();
        axes.turn(b, true);
        for (Index i = 0; i < 4; ++i) {
            const bool real = i == 1 || i == 3;
            const auto turned = [&](const Vec3d& v) { return real ? axes.out(v) : v; };
            EXPECT_EQ(b.x(i), turned(before.x(i)));
            EXPECT_EQ(b.v(i), turned(before.v(i)));
            EXPECT_EQ(b.omega(i), turned(before.omega(i)));
            const auto vec = [&](const auto& view) { return Vec3d{view(i, 0), view(i, 1), view(i, 2)}; };
            EXPECT_EQ(vec(b.force), turned(vec(before.force)));
            EXPECT_EQ(vec(b.torque), turned(vec(before.torque)));
            EXPECT_EQ(vec(b.reference), turned(vec(before.reference)));
            EXPECT_EQ(b.radius(i), before.radius(i));
            EXPECT_EQ(b.velocity(i, 3), before.velocity(i, 3));
            EXPECT_EQ(b.spin(i, 3), before.spin(i, 3));
        }
        axes.turn(b, false);
        for (Index i = 0; i < 4; ++i) {
            EXPECT_TRUE(test::same_bits(b.position, i, before.position, i));
            EXPECT_TRUE(test::same_bits(b.reference, i, before.reference, i));
            EXPECT_TRUE(test::same_bits(b.torque, i, before.torque, i));
        }
    }
}

}  // namespace granary::test
