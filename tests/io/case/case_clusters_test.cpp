// Bonds, clusters and holds of a case: what is read, what is worked out, and the words for what is wrong.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>
#include "io/case/case_clusters.hpp"
#include "support/bad_case.hpp"

namespace granary {
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
[[materials]]
name = "steel"
density = 7800.0
young = 5e6
poisson = 0.3
restitution = 0.6
friction = 0.3
[[bonds]]
name = "glue"
young = 1e7
poisson = 0.25
tensile_strength = 1e6
shear_strength = 1e6
[[clusters]]
name = "cube"
shape = "block"
element_radius = 0.01
bond = "glue"
[[clusters]]
name = "egg"
shape = "sphere"
radius = 0.02
elements = 10
element_radius = 0.0075
bond = "glue"
material = "rock"
[[bodies]]
name = "beam"
source = "cluster"
copy_of = "cube"
material = "rock"
position = [0.5, 0.5, 0.5]
rotation = [0.0, 90.0, 0.0]
[[insert]]
material = "steel"
cluster = "egg"
total = 20
rate = 100.0
lower = [0.1, 0.1, 0.7]
upper = [0.9, 0.9, 0.9]
[[hold]]
name = "clamp"
bodies = "beam"
upper = [1.0, 1.0, 0.49]
lower = [0.0, 0.0, 0.0]
)";

// clang-format off
const BadCase bad_cases[] = {
    {"an unknown bond", "shape = \"sphere\"\nradius = 0.02\nelements = 10\nelement_radius = 0.0075\nbond = \"glue\"",
     "shape = \"sphere\"\nradius = 0.02\nelements = 10\nelement_radius = 0.0075\nbond = \"glu\"",
     "case.toml:38:8: clusters[1].bond names an unknown bond (expected \"glue\", got \"glu\"; did you mean \"glue\"?)"},
    {"an unknown cluster", "cluster = \"egg\"", "cluster = \"eggs\"",
     "case.toml:49:11: insert[0].cluster names an unknown cluster (expected \"cube\" or \"egg\", got \"eggs\"; did you mean \"egg\"?)"},
    {"an unknown specimen", "copy_of = \"cube\"", "copy_of = \"ball\"",
     "case.toml:43:11: bodies[0].copy_of names an unknown cluster (expected \"cube\" or \"egg\", got \"ball\")"},
    {"an unknown material of a cluster", "bond = \"glue\"\nmaterial = \"rock\"", "bond = \"glue\"\nmaterial = \"rack\"",
     "case.toml:39:12: clusters[1].material names an unknown material (expected \"rock\" or \"steel\", got \"rack\"; did you mean \"rock\"?)"},
    {"two bonds of one name", "[[clusters]]", "[[bonds]]\nname = \"glue\"\nyoung = 1\npoisson = 0\n[[clusters]]",
     "case.toml:28:8: bonds[1].name is used twice (expected another name, got \"glue\", already used by bonds[0] in line 22)"},
    {"two clusters of one name", "name = \"egg\"", "name = \"cube\"",
     "case.toml:33:8: clusters[1].name is used twice (expected another name, got \"cube\", already used by clusters[0] in line 28)"},
    {"a bond without moduli", "young = 1e7\npoisson = 0.25\n", "",
     "case.toml:21:1: bonds[0].young is missing (expected a number in Pa, above 0, with poisson or shear_modulus; or normal_stiffness and shear_stiffness)"},
    {"a key that has been renamed", "young = 1e7\npoisson = 0.25\n", "young_modulus = 1e7\npoisson_ratio = 0.25\n",
     "case.toml:23:1: unknown key bonds[0].young_modulus (did you mean bonds[0].young?)\n"
     "case.toml:24:1: unknown key bonds[0].poisson_ratio (did you mean bonds[0].poisson?)"},
    {"no strengths", "tensile_strength = 1e6\nshear_strength = 1e6\n", "",
     "case.toml:21:1: bonds[0].tensile_strength is missing (expected a number in Pa, above 0, or inf for bonds that tension and bending never break)\n"
     "case.toml:21:1: bonds[0].shear_strength is missing (expected a number in Pa, above 0, or inf for bonds that shear and twist never break)"},
    {"half of the strengths", "shear_strength = 1e6\n", "",
     "case.toml:21:1: bonds[0].shear_strength is missing (expected a number in Pa, above 0, or inf for bonds that shear and twist never break)"},
    {"half of the moduli", "poisson = 0.25\n", "",
     "case.toml:21:1: bonds[0].poisson or shear_modulus is missing (expected one of them, together with young)"},
    {"half of the stiffness", "young = 1e7\npoisson = 0.25\n", "normal_stiffness = 1e9\n",
     "case.toml:21:1: bonds[0].shear_stiffness is missing (expected a number in N/m^3, above 0, together with normal_stiffness)"},
    {"two kinds of stiffness", "poisson = 0.25\n", "normal_stiffness = 1e9\n",
     "case.toml:23:1: bonds[0].young and bonds[0].normal_stiffness exclude each other (expected one of them)"},
    {"a template that overlaps itself", "element_radius = 0.01\n", "element_radius = 0.01\nspacing = 0.015\n",
     "case.toml:29:9: clusters[0]: the cluster \"cube\" overlaps itself: its elements 0 and 1 overlap by 25 % of the smaller diameter (expected at most max_overlap = 10 %)"},
    {"a template in pieces", "element_radius = 0.01\n", "element_radius = 0.01\nspacing = 0.03\n",
     "case.toml:29:9: clusters[0]: the cluster \"cube\" is not in one piece: bonds between elements whose gap is at most 0.1 of the smaller radius join its 27 elements to 27 pieces (expected one; use a larger gap)"},
    {"an element as large as its cluster", "element_radius = 0.0075", "element_radius = 0.02",
     "case.toml:37:18: clusters[1].element_radius is not below the radius of the cluster (expected below 0.02, got 0.02)"},
    {"a single element", "element_radius = 0.01\n", "element_radius = 0.01\ncounts = [1, 1, 1]\n",
     "case.toml:31:10: clusters[0].counts makes a single ball (expected at least two elements)"},
    {"a key of another shape", "element_radius = 0.01\n", "element_radius = 0.01\nheight = 0.1\n",
     "case.toml:31:1: clusters[0].height cannot be used with shape = \"block\" (expected only with \"tablet\")"},
    {"a cluster larger than the domain", "total = 20\n", "total = 20\nradius = 0.6\n",
     "case.toml:49:11: insert[0].cluster makes clusters that are too large for the domain (expected at most 1 m across, its length along x, got 1.2)"},
    {"a box without room", "upper = [0.9, 0.9, 0.9]", "upper = [0.9, 0.9, 0.72]",
     "case.toml:53:9: insert[0].upper leaves no room for a ball along z (expected at least 0.742634, lower and the largest diameter, got 0.72)"},
    {"clusters and mixed materials", "cluster = \"egg\"", "cluster = \"egg\"\nmixed_with = [\"rock\"]\nmixed_shares = [0.5]",
     "case.toml:50:14: insert[0].mixed_with cannot be used with insert[0].cluster (expected one of them; [[clusters]] have a material of their own)"},
    {"a share of no cluster", "cluster = \"egg\"\n", "cluster_share = 0.5\nradius = 0.01\n",
     "case.toml:49:17: insert[0].cluster_share has no cluster (expected together with insert[0].cluster)"},
    {"balls without a radius", "cluster = \"egg\"\n", "cluster = \"egg\"\ncluster_share = 0.5\n",
     "case.toml:47:1: insert[0].radius is missing (expected a number in m, above 0, or radius_min and radius_max)"},
    {"a hold of nothing", "bodies = \"beam\"\nupper = [1.0, 1.0, 0.49]\nlower = [0.0, 0.0, 0.0]\n", "",
     "case.toml:54:1: hold[0] does not say what it holds (expected bodies, lower and upper, centre and radius, or ids)"},
    {"half a box", "upper = [1.0, 1.0, 0.49]\n", "",
     "case.toml:54:1: hold[0].upper is missing (expected together with lower)"},
    {"a hold of unknown bodies", "bodies = \"beam\"", "bodies = \"beem\"",
     "case.toml:56:10: hold[0].bodies names an unknown source (expected \"beam\", got \"beem\"; did you mean \"beam\"?)"},
    {"a hold with an unknown motion", "bodies = \"beam\"", "motion = \"press\"",
     "case.toml:56:10: hold[0].motion names an unknown motion (expected a case with [[motions]], got \"press\")"},
    {"an id that is none", "bodies = \"beam\"", "ids = [1, 2.5]",
     "case.toml:56:7: hold[0].ids contains 2.5, which is no id (expected whole numbers below 2^40)"},
    {"an id beyond all", "bodies = \"beam\"", "ids = [1, 1e300]",
     "case.toml:56:7: hold[0].ids contains 1e+300, which is no id (expected whole numbers below 2^40)"},
    {"a law without rotation", "[[bonds]]", "[law]\ntype = \"kelvin-voigt\"\n[[bonds]]",
     "case.toml:22:8: law.type = \"kelvin-voigt\" has no rotation, which bonds need (expected another law in a case with [[clusters]])"},
    {"another integrator", "steps = 100", "steps = 100\nintegrator = \"gear\"",
     "case.toml:4:14: run.integrator = \"gear\" cannot be used with [[clusters]] (expected \"verlet\": bonds follow orientations that it moves)"},
};
// clang-format on

TEST(CaseClusters, IsAGoodCase) { EXPECT_EQ(problems_of(good_case), "no problem"); }

TEST(CaseClusters, WhatIsWrongIsSaid) {
    for (const BadCase& bad : bad_cases) {
        const std::string wanted = bad.message;
        const std::string said = problems_of(spoilt(good_case, bad));
        EXPECT_NE(said.find(wanted), std::string::npos) << bad.what << ": " << said;  // some say more
    }
}

TEST(CaseClusters, SizesAreWorkedOut) {
    const Case c = read_case(good_case, "case.toml");
    ASSERT_EQ(c.clusters.size(), 2u);
    EXPECT_EQ(c.clusters[0].n_elements, 27);
    EXPECT_NEAR(c.clusters[0].outer_radius, std::sqrt(3.0) * 0.02 + 0.01, 1e-12);
    EXPECT_EQ(c.clusters[1].n_elements, 10);
    EXPECT_EQ(c.clusters[1].smallest, 0.0075);
    EXPECT_EQ(*c.insert[0].radii.radius, c.clusters[1].outer_radius);
    EXPECT_EQ(c.bodies[0].grains.cluster, "cube");
    EXPECT_EQ(c.largest_body(), 0.01);
    EXPECT_EQ(c.smallest_radius(), 0.0075);
    EXPECT_EQ(c.n_balls(), 27 + 20 * 10);
    EXPECT_TRUE(c.materials[0].of_balls);
    EXPECT_NEAR(c.mean_mass(c.insert[0].radii, c.insert[0].grains, "steel", {}),
                10 * 4.0 / 3 * M_PI * std::pow(0.0075, 3) * 2500, 1e-9);
    // Scaled copies.
    const Case half = read_case(good_case, "case.toml",
                                {"insert=[{material=\"steel\", cluster=\"egg\", mass=1, rate=10, "
                                 "sizes=\"sieve\", sieve_sizes=[0.02, 0.04], passing=[0, 1], "
                                 "lower=[0.1, 0.1, 0.7], upper=[0.9, 0.9, 0.9]}]"});
    EXPECT_EQ(half.insert[0].radii.largest(), 0.02);
    EXPECT_NEAR(half.smallest_radius(), 0.0075 * 0.01 / half.clusters[1].outer_radius, 1e-12);
    EXPECT_GT(n_balls(half.insert[0], half), 10);
}

TEST(CaseClusters, MassMayBeGiven) {
    const auto mass = [](const std::string& set) {
        return read_case(good_case, "case.toml", {set}).clusters[1].own_mass;
    };
    EXPECT_EQ(mass("clusters.egg.gap=0.1"), 0);
    EXPECT_EQ(mass("clusters.egg.mass=0.5"), 0.5);
    EXPECT_NEAR(mass("clusters.egg.density=1000"), 1000 * 4.0 / 3 * M_PI * std::pow(0.02, 3), 1e-12);
    EXPECT_NEAR(read_case(good_case, "case.toml", {"clusters.cube.density=1000"}).clusters[0].own_mass,
                1000 * std::pow(0.06, 3), 1e-12);
}

TEST(CaseClusters, RoundTrip) {
    const Case c = read_case(good_case, "/cases/case.toml");
    const std::string text = resolved_case(c);
    const Case again = read_case(text, "/elsewhere/resolved.toml");
    EXPECT_TRUE(again == c) << text;
    EXPECT_EQ(resolved_case(again), text);
}

TEST(CaseClusters, Remarks) {
    const auto remarks = [](const std::vector<std::string>& sets) {
        std::string all;
        for (const std::string& r : remarks_on_clusters(read_case(good_case, "case.toml", sets))) all += r + "\n";
        return all;
    };
    EXPECT_EQ(remarks({}), "");
    EXPECT_EQ(remarks({"insert[0].cluster=cube"}), "the cluster \"egg\" is made by no source\n");
    Case c = read_case(good_case, "case.toml");
    c.bonds.push_back(c.bonds[0]), c.bonds.back().name = "spare";
    ASSERT_EQ(remarks_on_clusters(c).size(), 1u);
    EXPECT_EQ(remarks_on_clusters(c)[0],
              "the bond \"spare\" joins nothing: bonds are between the elements of [[clusters]] that name it");
}

// Bonds that do not break are asked for.
TEST(CaseClusters, StrengthsMayBeInfinite) {
    const Case c = read_case(good_case, "case.toml", {"bonds.glue.tensile_strength=inf"});
    EXPECT_TRUE(std::isinf(*c.bonds[0].tensile_strength));
    EXPECT_EQ(*c.bonds[0].shear_strength, 1e6);
    const Case again = read_case(resolved_case(c), "resolved.toml");
    EXPECT_TRUE(again == c);
}

}  // namespace
}  // namespace granary
