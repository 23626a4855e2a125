#include "search/cubes.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include <tuple>
#include "support/dice.hpp"

namespace granary::test {

namespace {

constexpr int most = static_cast<int>(digit_mask) - 2;  // cubes along an axis

std::array<int, 3> digits(Cube c) { return {digit(c, 0), digit(c, 1), digit(c, 2)}; }

}  // namespace

TEST(Cubes, PackedDigitsComeBack) {
    test::Dice dice(1);
    for (int n = 0; n < 1000; ++n) {
        const std::array k{dice.below(most + 2) - 1, dice.below(most + 2) - 1, dice.below(most + 2) - 1};
        EXPECT_EQ(digits(pack(k[0], k[1], k[2])), k);
    }
    EXPECT_EQ(digits(pack(-1, -1, -1)), (std::array{-1, -1, -1}));
    EXPECT_EQ(digits(pack(most, most, most)), (std::array{most, most, most}));
    EXPECT_LT(pack(most, most, most), no_cube);
}

TEST(Cubes, PackedNumbersOrderAsCriterionSeven) {
    test::Dice dice(2);
    for (int n = 0; n < 20000; ++n) {
        const auto k = [&] { return dice.one_in(4) ? most - dice.below(2) : dice.below(4) - 1; };
        const std::array a{k(), k(), k()}, b{k(), k(), k()};
        EXPECT_EQ(pack(a[0], a[1], a[2]) < pack(b[0], b[1], b[2]),
                  std::tuple(a[2], a[1], a[0]) < std::tuple(b[2], b[1], b[0]));
    }
}

TEST(Cubes, NeighboursDifferByConstants) {
    for (const int k : {0, 1, 7, most - 1})
        for (int axis = 0; axis < 3; ++axis) {
            std::array there{k, k, k}, here{k, k, k};
            ++there[axis];
            EXPECT_EQ(pack(there[0], there[1], there[2]) - pack(here[0], here[1], here[2]), cube_step[axis]);
            there[axis] -= 2;  // before the first one too
            EXPECT_EQ(pack(here[0], here[1], here[2]) - pack(there[0], there[1], there[2]), cube_step[axis]);
        }
}

TEST(Cubes, AreHalfOpenAndBeginAtTheLowerCorner) {
    const Cubes cubes({{-2, 0, 1}, {5, 8, 9}, {}}, 1.0);
    EXPECT_EQ(cubes.count, (std::array{7, 8, 8}));
    const Vec3d edge = cubes.edge;
    EXPECT_EQ(digits(cubes.of({-2, 0, 1})), (std::array{0, 0, 0}));
    for (int k = 1; k < 7; ++k) {
        const double face = k * edge.y;  // the lower corner is 0: the face is exact
        EXPECT_EQ(digit(cubes.of({0, face * (1 + 1e-15), 2}), 1), k);
        EXPECT_EQ(digit(cubes.of({0, face * (1 - 1e-15), 2}), 1), k - 1);
    }
    EXPECT_EQ(digits(cubes.of({-2 + 0.5 * edge.x, 3.5 * edge.y, 1 + 6.5 * edge.z})), (std::array{0, 3, 6}));
    EXPECT_EQ(digits(cubes.of({5, 8, 9})), (std::array{6, 7, 7}));  // the upper corner is inside
}

TEST(Cubes, ThatArePeriodicFillThePeriod) {
    const Cubes cubes({{0.1, 0, -1}, {1.1, 2, 2.7}, {true, true, true}}, 0.3);
    EXPECT_EQ(cubes.count, (std::array{3, 6, 12}));
    EXPECT_DOUBLE_EQ(cubes.edge.x, 1.0 / 3);
    EXPECT_DOUBLE_EQ(cubes.edge.y, 2.0 / 6);
    EXPECT_DOUBLE_EQ(cubes.edge.z, 3.7 / 12);
    EXPECT_EQ(cubes.layers(), 12);
    // Just below the upper face, where the quotient may round up to the number of cubes.
    EXPECT_EQ(digits(cubes.of({std::nextafter(1.1, 0), std::nextafter(2, 0), std::nextafter(2.7, 0)})),
              (std::array{2, 5, 11}));
}

// Two centres nearer than the smallest edge never have a cube between them. Tried where it is tight: at faces, with the
// distance a rounding below the edge.
TEST(Cubes, HoldApartOnlyWhatIsFarEnough) {
    test::Dice dice(3);
    for (const bool periodic : {false, true})
        for (const double edge : {0.1, 1.0 / 3, 1.7e-3}) {
            const Cubes cubes(
                {{0.3, -1, 7}, {0.3 + 20 * edge, -1 + 3.01 * edge, 7 + 1000 * edge}, {periodic, periodic, periodic}},
                edge);
            const Domain& d = cubes.domain();
            int n_apart = 0;
            for (int n = 0; n < 20000; ++n) {
                const int axis = dice.below(3);
                const double length = at(d.upper, axis) - at(d.lower, axis);
                Vec3d x = d.lower, y = d.lower;
                at(x, axis) += dice.below(cubes.count[axis]) * at(cubes.edge, axis) * (1 + (dice.below(5) - 2) * 1e-16);
                at(y, axis) = at(x, axis) + edge * (1 - 1e-15);
                if (at(y, axis) >= at(d.upper, axis)) {
                    if (!periodic) continue;
                    at(y, axis) -= length;
                }
                int apart = digit(cubes.of(y), axis) - digit(cubes.of(x), axis);
                if (periodic && apart < 0) apart += cubes.count[axis];
                EXPECT_LE(apart, 1);
                EXPECT_GE(apart, 0);
                n_apart += apart;
            }
            EXPECT_GT(n_apart, 100);
            for (int axis = 0; axis < 3; ++axis) EXPECT_GE(at(cubes.edge, axis), edge);
        }
}

TEST(Cubes, KnowImagesAcrossXAndY) {
    const Domain box{{0, 0, 0}, {4.5, 4.5, 4.5}, {true, true, true}};
    const Cubes cubes(box, 1.0);
    for (int kz = -1; kz <= 4; ++kz)
        for (int ky = -1; ky <= 4; ++ky)
            for (int kx = -1; kx <= 4; ++kx)
                EXPECT_EQ(cubes.is_image(pack(kx, ky, kz)), kx < 0 || kx > 3 || ky < 0 || ky > 3);
    const Cubes only_y({box.lower, box.upper, {false, true, false}}, 1.0);
    EXPECT_TRUE(only_y.is_image(pack(0, -1, 0)));
    EXPECT_TRUE(only_y.is_image(pack(4, 4, 0)));
    EXPECT_FALSE(only_y.is_image(pack(4, 3, 0)));  // the last, begun cube of an axis with an end
}

TEST(Cubes, RefuseDomainsThatAreTooShortOrTooLong) {
    EXPECT_THROW(Cubes({{0, 0, 0}, {1.9, 9, 9}, {true, false, false}}, 1.0), InputError);
    EXPECT_NO_THROW(Cubes({{0, 0, 0}, {2.1, 0.1, 0.1}, {true, false, false}}, 1.0));
    EXPECT_THROW(Cubes({{0, 0, 0}, {9, 3.0e6, 9}, {}}, 1.0), InputError);
    EXPECT_NO_THROW(Cubes({{0, 0, 0}, {9, 2.09e6, 9}, {}}, 1.0));
}

}  // namespace granary::test
