#include "contact/materials.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <limits>
#include "core/errors.hpp"

namespace granary::materials_test {
namespace {

const double infinity = std::numeric_limits<double>::infinity();
using Type = LawSettings::Type;

Material glass() {
    return {.name = "glass",
            .density = 2500,
            .young = 6e10,
            .poisson = 0.25,
            .restitution = 0.9,
            .friction = 0.2,
            .stiffness = 1e5,
            .stiffness_ratio = {},
            .damping = 10.0,
            .cohesion = 2.0};
}
Material rubber() {
    return {.name = "rubber",
            .density = 1100,
            .young = 1e7,
            .poisson = 0.48,
            .restitution = 0.4,
            .friction = 0.8,
            .stiffness = 3e5,
            .stiffness_ratio = 0.5,
            .damping = 30.0,
            .cohesion = {}};
}
Material rigid_wall() {
    return {.name = "wall",
            .density = 0,
            .young = infinity,
            .poisson = 0.3,
            .restitution = 0.9,
            .friction = 0.2,
            .stiffness = infinity,
            .stiffness_ratio = {},
            .damping = infinity,
            .cohesion = {},
            .wall_only = true};
}

PairValues of_pair(const Material& a, const Material& b, const LawSettings& s, std::vector<PairOverride> o = {}) {
    const std::vector<Material> both{a, b};
    return resolve_pairs(both, o, s)[1];
}

// The text of the InputError; empty if there is none.
std::string complaint(const std::vector<Material>& m, const std::vector<PairOverride>& o, const LawSettings& s) {
    try {
        resolve_pairs(m, o, s);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}
bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Materials, MixingRules) {
    EXPECT_DOUBLE_EQ(mix(Mixing::series, 2.0, 2.0), 1.0);
    EXPECT_DOUBLE_EQ(mix(Mixing::series, 1.0, 3.0), 0.75);
    EXPECT_EQ(mix(Mixing::series, 0.0, 0.0), 0.0);
    EXPECT_EQ(mix(Mixing::series, 5.0, 0.0), 0.0);
    EXPECT_EQ(mix(Mixing::series, infinity, 7.0), 7.0);
    EXPECT_EQ(mix(Mixing::series, 7.0, infinity), 7.0);
    EXPECT_DOUBLE_EQ(mix(Mixing::mean, 1.0, 3.0), 2.0);
    EXPECT_DOUBLE_EQ(mix(Mixing::geometric, 2.0, 8.0), 4.0);
    EXPECT_EQ(mix(Mixing::min, 2.0, 8.0), 2.0);
    EXPECT_EQ(mix(Mixing::min, 8.0, 2.0), 2.0);
}

TEST(Materials, EffectiveModuli) {
    const Material g = glass();
    EXPECT_DOUBLE_EQ(effective_young(g, g), 6e10 / (2 * (1 - 0.0625)));
    EXPECT_DOUBLE_EQ(shear_modulus(g), 2.4e10);
    EXPECT_DOUBLE_EQ(effective_shear(g, g), 2.4e10 / (2 * 1.75));
    EXPECT_DOUBLE_EQ(effective_young(g, rigid_wall()), 6e10 / (1 - 0.0625));
    EXPECT_DOUBLE_EQ(effective_shear(rigid_wall(), g), 2.4e10 / 1.75);
    const Material r = rubber();
    EXPECT_NEAR(effective_young(g, r), 1 / (0.9375 / 6e10 + (1 - 0.48 * 0.48) / 1e7), 1e-3);
    EXPECT_EQ(effective_young(g, r), effective_young(r, g));
    EXPECT_EQ(effective_shear(g, r), effective_shear(r, g));
}

TEST(Materials, HertzPairs) {
    LawSettings s;
    EXPECT_DOUBLE_EQ(of_pair(glass(), rubber(), s).restitution, 0.6);  // sqrt(0.9 * 0.4)
    EXPECT_DOUBLE_EQ(of_pair(glass(), rubber(), s).friction, 0.4);     // sqrt(0.2 * 0.8)
    s.restitution_mixing = Mixing::min, s.friction_mixing = Mixing::mean;
    const PairValues v = of_pair(glass(), rubber(), s);
    EXPECT_DOUBLE_EQ(v.restitution, 0.4);
    EXPECT_DOUBLE_EQ(v.friction, 0.5);
    EXPECT_EQ(v.young, effective_young(glass(), rubber()));
    EXPECT_EQ(v.shear, effective_shear(glass(), rubber()));
}

TEST(Materials, LinearPairs) {
    LawSettings s{.type = Type::linear};
    PairValues v = of_pair(glass(), rubber(), s);
    EXPECT_DOUBLE_EQ(v.stiffness, 0.75e5);
    EXPECT_DOUBLE_EQ(v.stiffness_ratio, (2.0 / 7.0 + 0.5) / 2);
    EXPECT_DOUBLE_EQ(v.restitution, 0.6);
    const std::vector<Material> alone{glass()};
    EXPECT_DOUBLE_EQ(resolve_pairs(alone, {}, s)[0].stiffness, 0.5e5);  // two equal springs in a row
    s.stiffness_mixing = Mixing::geometric;
    EXPECT_DOUBLE_EQ(of_pair(glass(), rubber(), s).stiffness, std::sqrt(3e10));
}

TEST(Materials, KelvinVoigtPairs) {
    LawSettings s{.type = Type::kelvin_voigt};
    PairValues v = of_pair(glass(), rubber(), s);
    EXPECT_DOUBLE_EQ(v.stiffness, 0.75e5);
    EXPECT_DOUBLE_EQ(v.damping, 7.5);
    EXPECT_EQ(v.cohesion, 0.0);  // rubber has none, and the lesser counts
    s.stiffness_mixing = Mixing::mean, s.damping_mixing = Mixing::min, s.cohesion_mixing = Mixing::mean;
    v = of_pair(glass(), rubber(), s);
    EXPECT_DOUBLE_EQ(v.stiffness, 2e5);
    EXPECT_DOUBLE_EQ(v.damping, 10.0);
    EXPECT_DOUBLE_EQ(v.cohesion, 1.0);
    // In a row with something rigid stiffness and damping are those of the ball.
    v = of_pair(glass(), rigid_wall(), {.type = Type::kelvin_voigt});
    EXPECT_EQ(v.stiffness, 1e5);
    EXPECT_EQ(v.damping, 10.0);
}

TEST(Materials, OverridesAreOfThePairAndInAnyOrder) {
    const LawSettings s{.type = Type::kelvin_voigt};
    const PairOverride o{.first = "rubber",
                         .second = "glass",
                         .restitution = {},
                         .friction = {},
                         .stiffness = 4e4,
                         .stiffness_ratio = {},
                         .damping = {},
                         .cohesion = 9.0};
    const std::vector<Material> m{glass(), rubber()};
    const auto v = resolve_pairs(m, std::vector{o}, s);
    EXPECT_EQ(v[1].stiffness, 4e4);
    EXPECT_EQ(v[2].stiffness, 4e4);
    EXPECT_EQ(v[1].cohesion, 9.0);
    EXPECT_DOUBLE_EQ(v[1].damping, 7.5);    // not overridden
    EXPECT_DOUBLE_EQ(v[0].stiffness, 5e4);  // other pairs as before
}

TEST(Materials, TwoWallMaterialsNeedNothing) {
    Material steel = rigid_wall();
    steel.restitution.reset(), steel.friction.reset();
    const PairOverride o{.first = "glass",
                         .second = "wall",
                         .restitution = 0.5,
                         .friction = 0.1,
                         .stiffness = {},
                         .stiffness_ratio = {},
                         .damping = {},
                         .cohesion = {}};
    const std::vector<Material> m{glass(), steel};
    const auto v = resolve_pairs(m, std::vector{o}, {});
    EXPECT_EQ(v[1].restitution, 0.5);
    EXPECT_EQ(v[3].young, 0.0);
    EXPECT_EQ(v[3].restitution, 0.0);
}

TEST(Materials, ComplaintsNameTheCulprit) {
    const auto overriding = [](const char* a, const char* b) {
        return PairOverride{.first = a,
                            .second = b,
                            .restitution = {},
                            .friction = {},
                            .stiffness = {},
                            .stiffness_ratio = {},
                            .damping = {},
                            .cohesion = {}};
    };
    EXPECT_EQ(complaint({glass(), rubber()}, {}, {}), "");
    EXPECT_TRUE(says(complaint({glass()}, {overriding("glass", "gls")}, {}), "no material is named 'gls'"));
    EXPECT_TRUE(says(complaint({glass(), rubber()}, {overriding("glass", "rubber"), overriding("rubber", "glass")}, {}),
                     "given twice"));
    EXPECT_TRUE(says(complaint({glass(), glass()}, {}, {}), "material 'glass': given twice"));
    EXPECT_TRUE(says(complaint({glass()}, {}, {.restitution_mixing = Mixing::series}), "series"));

    Material m = glass();
    m.stiffness.reset();
    EXPECT_EQ(complaint({m}, {}, {}), "");  // Hertz does not ask for it
    EXPECT_TRUE(says(complaint({m}, {}, {.type = Type::linear}), "no stiffness"));
    EXPECT_TRUE(says(complaint({m}, {}, {.type = Type::kelvin_voigt}), "no stiffness"));
    m = glass();
    m.damping.reset();
    EXPECT_TRUE(says(complaint({m}, {}, {.type = Type::kelvin_voigt}), "no damping"));
    m = glass();
    m.friction.reset();
    EXPECT_TRUE(says(complaint({rubber(), m}, {}, {}), "pair 'rubber' - 'glass': no friction; give it to 'glass'"));
}

TEST(Materials, ValuesOutOfRange) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (double e : {0.0, -0.1, 1.0001, nan}) {
        Material m = glass();
        m.restitution = e;
        EXPECT_TRUE(says(complaint({m}, {}, {}), "material 'glass': restitution")) << e;
        PairOverride o;
        o.first = o.second = "glass", o.restitution = e;
        EXPECT_TRUE(says(complaint({glass()}, {o}, {}), "pair 'glass' - 'glass': restitution")) << e;
    }
    Material elastic = glass();
    elastic.restitution = 1.0;
    EXPECT_EQ(complaint({elastic}, {}, {}), "");

    const auto bad = [](auto change, Type type) {
        Material m = glass();
        change(m);
        return complaint({m}, {}, {.type = type});
    };
    EXPECT_TRUE(says(bad([](Material& m) { m.friction = -0.1; }, Type::linear), "friction is -0.1"));
    EXPECT_TRUE(says(bad([](Material& m) { m.density = 0; }, Type::linear), "density"));
    EXPECT_TRUE(says(bad([](Material& m) { m.young = 0; }, Type::hertz_mindlin), "young"));
    EXPECT_TRUE(says(bad([](Material& m) { m.young = infinity; }, Type::hertz_mindlin), "young"));  // not a wall
    EXPECT_TRUE(says(bad([](Material& m) { m.poisson = 0.6; }, Type::hertz_mindlin), "poisson"));
    EXPECT_TRUE(says(bad([](Material& m) { m.poisson = -1; }, Type::hertz_mindlin), "poisson"));
    EXPECT_TRUE(says(bad([](Material& m) { m.stiffness = 0; }, Type::linear), "stiffness"));
    EXPECT_TRUE(says(bad([](Material& m) { m.stiffness = infinity; }, Type::linear), "stiffness"));
    EXPECT_TRUE(says(bad([](Material& m) { m.damping = -1; }, Type::kelvin_voigt), "damping"));
    EXPECT_TRUE(says(bad([](Material& m) { m.cohesion = -1; }, Type::kelvin_voigt), "cohesion"));
    EXPECT_EQ(bad([](Material& m) { m.young = 0; }, Type::linear), "");  // not used there

    const LawSettings s{.type = Type::linear, .stiffness_mixing = Mixing::mean};
    const std::string text = complaint({glass(), rigid_wall()}, {}, s);
    EXPECT_TRUE(says(text, "stiffness is infinite"));
}

TEST(Materials, AllProblemsAtOnce) {
    Material m = glass();
    m.density = -1, m.friction = -1;
    const std::string text = complaint({m}, {}, {});
    EXPECT_TRUE(says(text, "density") && says(text, "friction") && says(text, "\n"));
}

TEST(Materials, TimeScales) {
    const Material g = glass();
    EXPECT_NEAR(rayleigh_time(g, 0.002), M_PI * 0.002 * std::sqrt(2500 / 2.4e10) / (0.1631 * 0.25 + 0.8766), 1e-18);
    // Exact: 2.9433 delta_max/v; Chung & Ooi test 1, limestone, 54.20 us.
    const double m = 2500 * 4.0 / 3.0 * M_PI * 1e-6 / 2, young = 2e10 / (2 * (1 - 0.0625));
    EXPECT_NEAR(hertz_time(m, 0.005, young, 20.0), 54.20e-6, 0.001 * 54.2e-6);
    EXPECT_DOUBLE_EQ(collision_time(1e7, 28.0, 0.0), M_PI * std::sqrt(28.0 / 1e7));
    EXPECT_DOUBLE_EQ(collision_time(1e7, 28.0, 0.6), M_PI * std::sqrt(28.0 / 1e7) / 0.8);
}

}  // namespace
}  // namespace granary::materials_test
