#include "measure/silo_pressures.hpp"
#include <gtest/gtest.h>
#include <numbers>

namespace granary {
namespace {

SiloGrain wheat(double slenderness) {
    SiloGrain s;
    s.diameter = 5, s.bulk_density = 850, s.gravity = 9.81, s.friction = 0.4, s.lateral_ratio = 0.5;
    s.friction_angle = std::numbers::pi / 6, s.slenderness = slenderness;
    return s;
}

}  // namespace

// Near the surface a liquid, deep down everything hangs on the wall; the differential equation of a slice in between.
TEST(SiloPressures, Janssen) {
    const SiloGrain s = wheat(4);
    const double gamma = s.bulk_density * s.gravity;
    EXPECT_NEAR(janssen_1895(s, 1e-6).vertical, gamma * 1e-6, 1e-9);
    EXPECT_NEAR(janssen_1895(s, 1e3).normal, gamma * s.diameter / (4 * s.friction), 1e-9);
    EXPECT_NEAR(janssen_1895(s, 1e3).shear, gamma * s.diameter / 4, 1e-9);
    EXPECT_EQ(janssen_1895(s, -1).vertical, 0);
    const double z = 7, h = 1e-4;
    const double slope = (janssen_1895(s, z + h).vertical - janssen_1895(s, z - h).vertical) / (2 * h);
    EXPECT_NEAR(slope, gamma - 4 * janssen_1895(s, z).shear / s.diameter, 1e-5 * gamma);
    EXPECT_NEAR(janssen_1895(s, s.janssen_length()).vertical, gamma * s.janssen_length() * (1 - std::exp(-1.0)), 1e-8);
}

TEST(SiloPressures, JanssenWithoutFrictionIsALiquid) {
    SiloGrain s = wheat(4);
    s.friction = 0;
    EXPECT_DOUBLE_EQ(janssen_1895(s, 3).vertical, s.bulk_density * s.gravity * 3);
    EXPECT_EQ(janssen_1895(s, 3).shear, 0);
}

TEST(SiloPressures, EnOfASlenderSiloIsJanssenAndMoreAtDischarge) {
    const SiloGrain s = wheat(2.5);
    for (const double z : {0.5, 3.0, 10.0}) {
        const EnPressure en = en_1991_4(s, z);
        EXPECT_DOUBLE_EQ(en.fill_normal, janssen_1895(s, z).normal);
        EXPECT_DOUBLE_EQ(en.fill_shear, janssen_1895(s, z).shear);
        EXPECT_DOUBLE_EQ(en.discharge_normal, 1.15 * en.fill_normal);
        EXPECT_DOUBLE_EQ(en.discharge_shear, 1.10 * en.fill_shear);
    }
}

// Without friction: what little friction tends to, never less. And a number where the formula of squat silos has none.
TEST(SiloPressures, EnAtItsLimits) {
    for (const double slenderness : {0.8, 1.5, 2.5}) {
        SiloGrain smooth = wheat(slenderness), nearly = smooth;
        smooth.friction = 0, nearly.friction = 1e-7;
        EXPECT_GT(en_1991_4(smooth, 3).fill_normal, en_1991_4(wheat(slenderness), 3).fill_normal);
        EXPECT_NEAR(en_1991_4(smooth, 3).fill_normal, en_1991_4(nearly, 3).fill_normal,
                    1e-6 * en_1991_4(smooth, 3).fill_normal);
        EXPECT_EQ(en_1991_4(smooth, 3).fill_shear, 0);
    }
    SiloGrain rough = wheat(0.8);
    rough.friction = 0.7, rough.lateral_ratio = 1.5, rough.friction_angle = std::numbers::pi / 3;
    ASSERT_LT(rough.janssen_length(), rough.diameter / 6 * std::tan(rough.friction_angle));
    EXPECT_GT(en_1991_4(rough, 3).fill_normal, 0);
    EXPECT_DOUBLE_EQ(en_1991_4(rough, 3).fill_normal, janssen_1895(rough, 3).normal);
}

// Squat: nothing above the depth h_o of the heap's rim, then rising from zero, towards p_ho.
TEST(SiloPressures, EnOfASquatSilo) {
    const SiloGrain s = wheat(0.8);
    const double h_o = s.diameter / 6 * std::tan(s.friction_angle), z_o = s.janssen_length();
    const double p_ho = s.bulk_density * s.gravity * s.lateral_ratio * z_o;
    EXPECT_EQ(en_1991_4(s, 0.99 * h_o).fill_normal, 0);
    EXPECT_NEAR(en_1991_4(s, h_o + 1e-9).fill_normal, 0, 1e-3);
    EXPECT_NEAR(en_1991_4(s, 1e6).fill_normal, p_ho, 1e-3 * p_ho);
    const double z = 3, n = -(1 + std::tan(s.friction_angle)) * (1 - h_o / z_o);
    EXPECT_NEAR(en_1991_4(s, z).fill_normal, p_ho * (1 - std::pow((z + z_o - 2 * h_o) / (z_o - h_o), n)), 1e-9);
    EXPECT_DOUBLE_EQ(en_1991_4(s, z).discharge_normal, en_1991_4(s, z).fill_normal);
    EXPECT_DOUBLE_EQ(en_1991_4(wheat(1.5), z).discharge_normal, 1.075 * en_1991_4(wheat(1.5), z).fill_normal);
}

}  // namespace granary
