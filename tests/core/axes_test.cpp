#include "core/axes.hpp"
#include <gtest/gtest.h>
#include <cstring>
#include <vector>

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

TEST(Axes, TurnEveryVectorOfABody) {
    for (int slab = 0; slab < 3; ++slab) {
        const Axes axes(slab);
        std::vector<BodyRecord> body(1), before;
        double n = 0;
        for (const ColumnRow& row : columns) {  // columns without fields, too
            const FieldRow all{row.name, row.column, 0, row.width, "", 0, ""};
            if (row.number != Number::real) continue;
            for (int k = 0; k < row.width; ++k) {
                ++n;
                std::memcpy(strip_of(body, all)[0] + k * sizeof n, &n, sizeof n);
            }
        }
        before = body;
        const auto vectors_are_turned = [&](bool in) {
            for (const ColumnRow& row : columns) {
                if (row.number != Number::real) continue;
                const FieldRow all{row.name, row.column, 0, row.width, "", 0, ""};
                std::array<double, 4> now{}, then{};
                std::memcpy(now.data(), strip_of(body, all)[0], row.width * sizeof(double));
                std::memcpy(then.data(), strip_of(before, all)[0], row.width * sizeof(double));
                const std::size_t at = row.turns == Turns::quaternion ? 1 : 0;
                const Vec3d v{then[at], then[at + 1], then[at + 2]};
                const Vec3d expected = row.turns == Turns::no ? v : in ? axes.in(v) : axes.out(v);
                EXPECT_EQ((Vec3d{now[at], now[at + 1], now[at + 2]}), expected) << row.name;
                EXPECT_EQ(now[3 - 3 * at], then[3 - 3 * at]) << row.name;
            }
        };
        axes.turn_in(body[0]);
        vectors_are_turned(true);
        axes.turn_out(body[0]), axes.turn_out(body[0]);
        vectors_are_turned(false);
        ContactRecord contact{1, 2, {1, 2, 3}};
        axes.turn_in(contact);
        EXPECT_EQ((Vec3d{contact.xi[0], contact.xi[1], contact.xi[2]}), axes.in(Vec3d{1, 2, 3}));
        axes.turn_out(contact);
        EXPECT_EQ(contact.xi[0], 1);
    }
}

}  // namespace granary::test
