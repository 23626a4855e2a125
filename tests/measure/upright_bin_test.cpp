#include "measure/upright_bin.hpp"
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "measure/silo_pressures.hpp"

using namespace granary;

namespace {

const Vec3d up{0, 0, 1};
const Domain domain{{-2, -2, -1}, {2, 2, 4}, {}};

// 0.6 along x, 0.4 along y around (1, 0), from z = 0.5 to 2.5; a floor, and a hopper below that is not upright.
std::vector<Wall> bin() {
    return {make_wall("left", Rectangle{{0.7, -0.2, 0.5}, {0, 0.4, 0}, {0, 0, 2}}, 0),
            make_wall("right", Rectangle{{1.3, -0.2, 0.5}, {0, 0, 2}, {0, 0.4, 0}}, 0),
            make_wall("front", Rectangle{{0.7, -0.2, 0.5}, {0.6, 0, 0}, {0, 0, 2}}, 0),
            make_wall("back", Rectangle{{0.7, 0.2, 2.5}, {0.6, 0, 0}, {0, 0, -2}}, 0),
            make_wall("floor", Rectangle{{0.7, -0.2, 0.5}, {0.6, 0, 0}, {0, 0.4, 0}}, 0),
            make_wall("wedge", Rectangle{{0.9, -0.2, 0}, {0, 0.4, 0}, {-0.2, 0, 0.5}}, 0),
            make_wall("below", Rectangle{{0.9, -0.2, 0}, {0.2, 0, 0}, {0, 0, 0.5}}, 0)};
}

}  // namespace

TEST(UprightBin, FourRectanglesAreABin) {
    for (std::size_t w = 0; w < 4; ++w) {
        const auto found = rectangular_bin(bin(), w, up, domain);
        ASSERT_TRUE(found) << w;
        EXPECT_NEAR(norm(found->bottom - Vec3d{1, 0, 0.5}), 0, 1e-12) << w;
        EXPECT_NEAR(norm(found->top - Vec3d{1, 0, 2.5}), 0, 1e-12) << w;
        EXPECT_NEAR(found->area(), 0.24, 1e-12);
        EXPECT_NEAR(found->hydraulic_diameter(), 4 * 0.24 / 2.0, 1e-12);
        EXPECT_NEAR(found->across(), 0.4, 1e-12);
        double z = 0;
        EXPECT_TRUE(found->holds({1.29, 0.19, 1.5}, z));
        EXPECT_NEAR(z, 1.0, 1e-12);
        EXPECT_FALSE(found->holds({1.31, 0, 1.5}, z));
        EXPECT_FALSE(found->holds({1, 0.21, 1.5}, z));
        EXPECT_FALSE(found->holds({1, 0, 0.4}, z));
    }
    for (std::size_t w = 4; w < 7; ++w) EXPECT_FALSE(rectangular_bin(bin(), w, up, domain)) << w;
    std::vector<Wall> three = bin();
    three.erase(three.begin() + 1);
    EXPECT_FALSE(rectangular_bin(three, 0, up, domain));
}

TEST(UprightBin, FourPlanesAreABin) {
    const std::vector<Wall> walls{
        make_wall("left", Plane{{0.7, 9, 9}, {1, 0, 0}}, 0), make_wall("right", Plane{{1.3, 0, 0}, {-1, 0, 0}}, 0),
        make_wall("front", Plane{{0, -0.2, 0}, {0, 1, 0}}, 0), make_wall("back", Plane{{0, 0.2, 0}, {0, -1, 0}}, 0),
        make_wall("floor", Plane{{0, 0, 0}, {0, 0, 1}}, 0)};
    for (std::size_t w = 0; w < 4; ++w) {
        const auto found = rectangular_bin(walls, w, up, domain);
        ASSERT_TRUE(found) << w;
        EXPECT_NEAR(norm(found->bottom - Vec3d{1, 0, -1}), 0, 1e-12) << w;
        EXPECT_NEAR(found->height(), 5, 1e-12);
        EXPECT_NEAR(found->hydraulic_diameter(), 0.48, 1e-12);
    }
    EXPECT_FALSE(rectangular_bin(walls, 4, up, domain));
}

TEST(UprightBin, ACylinder) {
    const UprightBin round = bin_of(Cylinder{{0, 0, 2}, {0, 0, 1}, 0.2}, up);
    EXPECT_EQ(round.bottom.z, 1);
    EXPECT_NEAR(round.area(), std::numbers::pi * 0.04, 1e-12);
    EXPECT_EQ(round.hydraulic_diameter(), 0.4);
    EXPECT_EQ(round.across(), 0.4);
}

// A square bin of side a has the pressures of a round one of diameter a: 4 A/U = a. A long one those of two walls: 2 a.
TEST(UprightBin, JanssenOfARectangle) {
    SiloGrain g;
    g.bulk_density = 800, g.gravity = 9.81, g.friction = 0.4, g.lateral_ratio = 0.5, g.friction_angle = 0.5;
    g.slenderness = 3;
    UprightBin square{{0, 0, 0}, {0, 0, 3}, 0, {0.5, 0, 0}, {0, 0.5, 0}}, wide = square;
    wide.half_b = {0, 5e5, 0};
    g.diameter = square.hydraulic_diameter(), g.across = square.across();
    const double deep = 100;
    EXPECT_NEAR(janssen_1895(g, deep).normal, 800 * 9.81 * 1.0 / (4 * 0.4), 1e-6);
    g.diameter = wide.hydraulic_diameter(), g.across = wide.across();
    EXPECT_NEAR(janssen_1895(g, deep).normal, 800 * 9.81 * 2.0 / (4 * 0.4), 0.02);
    EXPECT_NEAR(en_1991_4(g, deep).fill_normal, janssen_1895(g, deep).normal, 1e-9);
    EXPECT_EQ(g.characteristic(), 1.0);
    g.slenderness = 0.8;  // squat: nothing above h_o = d_c/4 tan phi
    EXPECT_EQ(en_1991_4(g, 0.99 * 0.25 * std::tan(0.5)).fill_normal, 0);
    EXPECT_GT(en_1991_4(g, 1.01 * 0.25 * std::tan(0.5)).fill_normal, 0);
}
