// Rigid shapes of a case: what is read, what is worked out, and the words for what is wrong.
#include <gtest/gtest.h>
#include <cmath>
#include <numbers>
#include "io/case/case_shapes.hpp"
#include "shapes/contact_scale.hpp"
#include "support/bad_case.hpp"

namespace granary::case_shapes_test {
namespace {

using namespace test;

const std::string good_case = R"([run]
dt = 1e-5
steps = 100
[domain]
lower = [0.0, 0.0, 0.0]
upper = [1.0, 1.0, 1.0]
[[materials]]
name = "rock"
density = 2500.0
young = 5e6
poisson = 0.45
restitution = 0.5
friction = 0.5
[[shapes]]
name = "egg"
type = "ellipsoid"
semi_axes = [0.02, 0.01, 0.005]
[[shapes]]
name = "stone"
type = "polyhedron"
vertices = [[0.0, 0.0, 0.0], [0.02, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]]
[[shapes]]
name = "peanut"
type = "clump"
balls = [[-0.01, 0.0, 0.0, 0.01], [0.02, 0.0, 0.0, 0.01]]
[[shapes]]
name = "die"
type = "cube"
equivalent_diameter = 0.02
[[insert]]
material = "rock"
shape = "egg"
total = 20
rate = 100.0
lower = [0.1, 0.1, 0.7]
upper = [0.9, 0.9, 0.9]
[[bodies]]
source = "ball"
material = "rock"
shape = "stone"
position = [0.5, 0.5, 0.5]
rotation = [0.0, 90.0, 0.0]
[[bodies]]
source = "random"
material = "rock"
shape = "die"
count = 5
lower = [0.1, 0.1, 0.1]
upper = [0.9, 0.9, 0.3]
[[bodies]]
source = "random"
material = "rock"
shape = "peanut"
count = 5
lower = [0.1, 0.1, 0.3]
upper = [0.9, 0.9, 0.45]
)";

// clang-format off
const BadCase bad_cases[] = {
    {"an unknown shape", "shape = \"egg\"", "shape = \"eggs\"",
     "case.toml:32:9: insert[0].shape names an unknown shape (expected \"egg\", \"stone\", \"peanut\" or \"die\", got \"eggs\"; did you mean \"egg\"?)"},
    {"an axis that is not above 0", "semi_axes = [0.02, 0.01, 0.005]", "semi_axes = [0.02, 0.0, 0.005]",
     "case.toml:17:20: shapes[0].semi_axes is out of range (expected three numbers [x, y, z] in m, each above 0, got 0.0)"},
    {"an ellipsoid without axes", "semi_axes = [0.02, 0.01, 0.005]\n", "",
     "case.toml:14:1: shapes[0].semi_axes is missing (expected three numbers in m, above 0, or diameters)"},
    {"a polyhedron that is not convex", "[0.0, 0.0, 0.02]]", "[0.0, 0.0, 0.02], [0.004, 0.004, 0.004]]",
     "case.toml:21:12: shapes[1].vertices: is not convex: vertex 5 lies inside the hull of the others (expected the corners of a convex solid; a clump can have dents)"},
    {"a clump with an empty ball", "[0.02, 0.0, 0.0, 0.01]]", "[0.02, 0.0, 0.0, 0.0]]",
     "case.toml:25:9: shapes[2].balls: ball 2 of the clump \"peanut\" has the radius 0 m (expected above 0)"},
    {"a cube without size", "equivalent_diameter = 0.02\n", "",
     "case.toml:26:1: shapes[3].edge is missing (expected a number in m, above 0, or equivalent_diameter)"},
    {"two sizes", "equivalent_diameter = 0.02\n", "equivalent_diameter = 0.02\nedge = 0.01\n",
     "case.toml:30:1: shapes[3].edge and shapes[3].equivalent_diameter exclude each other (expected one of them)"},
    {"a key of another type", "equivalent_diameter = 0.02\n", "equivalent_diameter = 0.02\nsides = 6\n",
     "case.toml:30:1: shapes[3].sides cannot be used with type = \"cube\" (expected only with \"prism\")"},
    {"a file of an unknown kind", "vertices = [[0.0, 0.0, 0.0], [0.02, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]]", "file = \"stone.obj\"",
     "case.toml:21:8: shapes[1].file is of an unknown kind (expected a name that ends in .stl or .shp, got \"stone.obj\")"},
    {"a share of no shape", "shape = \"egg\"\n", "shape_share = 0.5\nradius = 0.01\n",
     "case.toml:32:15: insert[0].shape_share has no shape (expected together with insert[0].shape)"},
    {"a rolling law", "[[shapes]]", "[law]\nrolling = \"constant\"\n[[shapes]]",
     "case.toml:15:11: law.rolling = \"constant\" is not defined for [[shapes]] (expected \"none\": shapes resist rolling by themselves)"},
    {"another integrator", "steps = 100", "steps = 100\nintegrator = \"gear\"",
     "case.toml:4:14: run.integrator = \"gear\" cannot be used with [[shapes]] (expected \"verlet\": it moves no orientations)"},
    {"two shapes of one name", "name = \"die\"", "name = \"egg\"",
     "case.toml:27:8: shapes[3].name is used twice (expected another name, got \"egg\", already used by shapes[0] in line 15)"},
};
// clang-format on

TEST(CaseShapes, BadOnesAreAnsweredInWords) {
    ASSERT_EQ(test::problems_of(good_case), "no problem");
    for (const BadCase& bad : bad_cases) {
        std::string problems = test::problems_of(spoilt(good_case, bad));
        // Other lines may follow, as where a material of a rolling law lacks a number.
        EXPECT_NE(problems.find(bad.message), std::string::npos) << bad.what << ":\n" << problems;
    }
}

TEST(CaseShapes, NeedlesAreRefused) {
    const std::string problems = test::problems_of(
        spoilt(good_case, {"", "semi_axes = [0.02, 0.01, 0.005]", "semi_axes = [0.2, 0.001, 0.001]", ""}));
    EXPECT_NE(problems.find("case.toml:17:13: shapes[0].semi_axes: "), std::string::npos) << problems;
    EXPECT_NE(problems.find("egg"), std::string::npos) << problems;
    EXPECT_NE(problems.find("100"), std::string::npos) << problems;
}

TEST(CaseShapes, SizesAreThoseOfBallsOfEqualVolume) {
    const Case c = read_case(good_case, "case.toml");
    ASSERT_EQ(c.shapes.size(), 4u);
    const ShapeSpec& egg = c.shapes[0];
    EXPECT_DOUBLE_EQ(egg.outer_radius, 0.02);
    // a b c = r^3: 0.02 0.01 0.005 = 0.01^3
    EXPECT_NEAR(egg.outer_radius / egg.radius_factor, 0.01, 1e-15);
    EXPECT_NEAR(egg.solid_volume, 4.0 / 3.0 * std::numbers::pi * 1e-6, 1e-18);
    ASSERT_TRUE(c.insert[0].radii.radius.has_value());
    EXPECT_NEAR(*c.insert[0].radii.radius, 0.01, 1e-15);
    EXPECT_NEAR(c.grain_sizes(c.insert[0].radii, c.insert[0].grains).largest, 0.02, 1e-15);
    EXPECT_NEAR(c.mean_mass(c.insert[0].radii, c.insert[0].grains, "rock", {}), 2500 * egg.solid_volume, 1e-12);
    EXPECT_NEAR(c.shapes[1].solid_volume, 0.02 * 0.02 * 0.02 / 6, 1e-15);
    // Two balls apart: no lens to take off.
    EXPECT_NEAR(c.shapes[2].solid_volume, 2 * 4.0 / 3.0 * std::numbers::pi * 1e-6, 1e-12);
    EXPECT_NEAR(c.shapes[2].outer_radius, 0.025, 1e-12);
    const double edge = std::cbrt(c.shapes[3].solid_volume);
    EXPECT_NEAR(c.shapes[3].solid_volume, 4.0 / 3.0 * std::numbers::pi * 1e-6, 1e-12);
    EXPECT_NEAR(c.shapes[3].outer_radius, 0.5 * std::sqrt(3.0) * edge, 1e-12);
}

TEST(CaseShapes, ASieveCurveIsOfEquivalentDiameters) {
    const Case c = read_case(
        spoilt(good_case,
               {"", "shape = \"egg\"\n",
                "shape = \"egg\"\nsizes = \"sieve\"\nsieve_sizes = [0.01, 0.02]\npassing = [0.0, 1.0]\n", ""}),
        "case.toml");
    const Case::GrainSizes sizes = c.grain_sizes(c.insert[0].radii, c.insert[0].grains);
    EXPECT_NEAR(sizes.smallest, 0.01, 1e-15);  // radius 0.005, twice as far to the tip
    EXPECT_NEAR(sizes.largest, 0.02, 1e-15);
    // Mean mass: solid volume of the balls of those diameters times the density.
    EXPECT_NEAR(c.mean_mass(c.insert[0].radii, c.insert[0].grains, "rock", {}), 2500 * c.insert[0].radii.mean_volume(),
                1e-12);
}

TEST(CaseShapes, TheResolvedCaseIsTheSameCase) {
    const Case c = read_case(good_case, "case.toml");
    EXPECT_EQ(read_case(resolved_case(c), "case.toml"), c);
}

TEST(CaseShapes, AShareOfShapesKeepsItsSize) {
    const Case c = read_case(
        spoilt(good_case, {"", "shape = \"egg\"\n", "shape = \"egg\"\nshape_share = 0.25\nradius = 0.004\n", ""}),
        "case.toml");
    const Case::GrainSizes sizes = c.grain_sizes(c.insert[0].radii, c.insert[0].grains);
    EXPECT_EQ(sizes.smallest, 0.004);
    EXPECT_EQ(sizes.largest, 0.02);
    const double ball = 4.0 / 3.0 * std::numbers::pi * 0.004 * 0.004 * 0.004;
    EXPECT_NEAR(c.mean_mass(c.insert[0].radii, c.insert[0].grains, "rock", {}),
                2500 * (0.75 * ball + 0.25 * c.shapes[0].solid_volume), 1e-10);
}

}  // namespace
}  // namespace granary::case_shapes_test
