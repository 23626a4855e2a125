#include "contact/pair_table.hpp"

#include <gtest/gtest.h>
#include <cstdint>
#include <limits>
#include "core/errors.hpp"

namespace granary {
namespace {

using Type = LawSettings::Type;

std::vector<Material> three() {
    std::vector<Material> m(3);
    m[0] = {.name = "wheat",
            .density = 1300,
            .young = 1e8,
            .poisson = 0.3,
            .restitution = 0.5,
            .friction = 0.4,
            .stiffness = 1e4,
            .stiffness_ratio = {},
            .damping = 2.0,
            .cohesion = 0.3};
    m[1] = {.name = "maize",
            .density = 1200,
            .young = 2e8,
            .poisson = 0.25,
            .restitution = 1.0,
            .friction = 0.1,
            .stiffness = 3e4,
            .stiffness_ratio = {},
            .damping = 0.0,
            .cohesion = 0.6};
    m[2] = {.name = "wall",
            .density = 7800,
            .young = std::numeric_limits<double>::infinity(),
            .poisson = 0.3,
            .restitution = 0.5,
            .friction = 0.0,
            .stiffness = 1e4,
            .stiffness_ratio = {},
            .damping = 2.0,
            .cohesion = {},
            .wall_only = true};
    return m;
}

template <class Law> void expect_sound(const PairTable<Law>& table) {
    const double* first = table.row(0, 0);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            EXPECT_EQ(table.row(i, j), first + (i * 3 + j) * 8);  // contiguous
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(table.row(i, j)) % 64, 0u);
            for (std::size_t k = 0; k < 8; ++k) {
                EXPECT_EQ(table.row(i, j)[k], table.row(j, i)[k]);
                EXPECT_TRUE(std::isfinite(table.row(i, j)[k]));
                if (k >= n_parameters<Law>) {
                    EXPECT_EQ(table.row(i, j)[k], 0.0);
                }
            }
        }
    for (std::size_t k = 0; k < 8; ++k) EXPECT_EQ(table.row(2, 2)[k], 0.0);  // two walls never meet
}

TEST(PairTable, HertzMindlin) {
    const auto m = three();
    const auto table = make_table<HertzMindlin>(m, {}, {});
    expect_sound(table);
    EXPECT_EQ(n_parameters<HertzMindlin>, 5u);
    EXPECT_EQ(longest_reach(table), 0.0);
    const auto p = table.at(0, 1);
    EXPECT_DOUBLE_EQ(p.hertz, 4.0 / 3.0 * effective_young(m[0], m[1]));
    EXPECT_DOUBLE_EQ(p.mindlin, 8.0 * effective_shear(m[0], m[1]));
    EXPECT_DOUBLE_EQ(p.friction, 0.2);
    EXPECT_EQ(table.row(1, 0)[0], p.hertz);
    EXPECT_EQ(table.row(1, 0)[4], p.friction);
    EXPECT_DOUBLE_EQ(table.at(2, 0).hertz, 4.0 / 3.0 * 1e8 / (1 - 0.09));  // a rigid wall
    EXPECT_EQ(table.at(2, 0).friction, 0.0);
    EXPECT_EQ(table.at(1, 1).damping_n, 0.0);
}

TEST(PairTable, Linear) {
    const auto table = make_table<LinearSpringDashpot>(three(), {}, {.type = Type::linear});
    expect_sound(table);
    EXPECT_EQ(longest_reach(table), 0.0);
    const auto p = table.at(0, 0);
    EXPECT_DOUBLE_EQ(p.k_n, 5e3);
    EXPECT_DOUBLE_EQ(p.k_t, 5e3 * 2 / 7);
    EXPECT_DOUBLE_EQ(p.zeta_n, damping_ratio(0.5));
    EXPECT_DOUBLE_EQ(p.friction, 0.4);
}

TEST(PairTable, KelvinVoigtAndItsReach) {
    LawSettings s{.type = Type::kelvin_voigt};
    const auto table = make_table<KelvinVoigt>(three(), {}, s);
    expect_sound(table);
    EXPECT_DOUBLE_EQ(table.at(0, 1).k, 7.5e3);
    EXPECT_EQ(table.at(0, 1).c, 0.0);
    EXPECT_EQ(table.at(0, 1).n_max, 0.3);
    EXPECT_EQ(table.at(0, 2).n_max, 0.0);
    EXPECT_DOUBLE_EQ(longest_reach(table), 0.3 / 5e3);  // wheat on wheat; maize on maize 0.6/15e3

    PairOverride o;
    o.first = "maize", o.second = "wall", o.cohesion = 3.0;
    const auto sticky = make_table<KelvinVoigt>(three(), std::vector{o}, s);
    EXPECT_DOUBLE_EQ(longest_reach(sticky), 3.0 / 7.5e3);
}

TEST(PairTable, RowsBecomeLanes) {
    const auto m = three();
    const auto table = make_table<HertzMindlin>(m, {}, {});
    const std::size_t i[4] = {0, 1, 0, 2}, j[4] = {0, 1, 1, 0};
    Real4 lanes[8];
    for (int half = 0; half < 2; ++half) {  // as the pair loop gathers them
        Real4* q = lanes + 4 * half;
        for (int k = 0; k < 4; ++k) q[k] = load4(table.row(i[k], j[k]) + 4 * half);
        transpose(q[0], q[1], q[2], q[3]);
    }
    const auto p4 = from_lanes<HertzMindlin, Real4>(lanes);
    for (int k = 0; k < 4; ++k) {
        const auto p = table.at(i[k], j[k]);
        EXPECT_EQ(p4.hertz[k], p.hertz);
        EXPECT_EQ(p4.mindlin[k], p.mindlin);
        EXPECT_EQ(p4.damping_n[k], p.damping_n);
        EXPECT_EQ(p4.damping_t[k], p.damping_t);
        EXPECT_EQ(p4.friction[k], p.friction);
    }
}

TEST(PairTable, SwitchesReachTheLaw) {
    const LawSettings s{.attraction = false, .damper_may_pull = false};
    EXPECT_FALSE(HertzMindlin::from(s).attraction);
    EXPECT_FALSE(LinearSpringDashpot::from(s).attraction);
    EXPECT_FALSE(KelvinVoigt::from(s).damper_may_pull);
    EXPECT_TRUE(HertzMindlin::from({}).attraction);
    EXPECT_TRUE(KelvinVoigt::from({}).damper_may_pull);
}

TEST(PairTable, Refusals) {
    PairOverride o;
    o.first = "wheat", o.second = "weat";
    EXPECT_THROW(make_table<HertzMindlin>(three(), std::vector{o}, {}), InputError);
    EXPECT_THROW(make_table<KelvinVoigt>(three(), {}, {}), std::logic_error);  // settings of another law
}

}  // namespace
}  // namespace granary
