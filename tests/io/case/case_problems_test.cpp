// Bad cases and the exact words they are answered with. Each one is the good case below with one piece of it replaced.
#include <gtest/gtest.h>
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
name = "grain"
density = 2500.0
young = 5e6
poisson = 0.45
restitution = 0.5
friction = 0.5
[[materials]]
name = "steel"
young = 2e11
poisson = 0.3
restitution = 0.6
friction = 0.3
[[bodies]]
source = "random"
count = 10
radius = 0.01
lower = [0.2, 0.2, 0.2]
upper = [0.8, 0.8, 0.8]
material = "grain"
[[walls]]
name = "floor"
type = "plane"
point = [0.0, 0.0, 0.0]
normal = [0.0, 0.0, 1.0]
material = "steel"
[[outlets]]
name = "hole"
point = [0.0, 0.0, 0.1]
normal = [0.0, 0.0, 1.0]
)";

// clang-format off
const BadCase bad_cases[] = {
    // ---- keys
    {"unknown key, near a known one", "dt = 1e-5", "dt = 1e-5\nstepz = 3",
     "case.toml:3:1: unknown key run.stepz (did you mean run.steps?)"},
    {"a misspelt required key is told once", "dt = 1e-5", "ddt = 1e-5",
     "case.toml:2:1: unknown key run.ddt (did you mean run.dt?)"},
    {"a misspelt material property is told once", "young = 5e6", "yuong = 5e6",
     "case.toml:10:1: unknown key materials[0].yuong (did you mean materials[0].young?)"},
    {"the long name of a key", "poisson = 0.45", "poisson_ratio = 0.45",
     "case.toml:11:1: unknown key materials[0].poisson_ratio (did you mean materials[0].poisson?)"},
    {"key of another section", "count = 10", "count = 10\nyoung = 1e6",
     "case.toml:23:1: unknown key bodies[0].young (young belongs in [[materials]])"},
    {"key above its section", "[run]\ndt = 1e-5", "dt = 1e-5\n[run]",
     "case.toml:1:1: unknown key dt (dt belongs in [run])"},
    {"unknown key, near none", "name = \"hole\"", "name = \"hole\"\nqwertz = 1",
     "case.toml:35:1: unknown key outlets[0].qwertz (expected name, point, normal)"},
    {"unknown section", "[[walls]]", "[[wals]]",
     "case.toml:27:3: unknown key wals (did you mean walls?)"},
    {"missing key", "name = \"floor\"\n", "",
     "case.toml:27:1: walls[0].name is missing (expected a string that is not empty)"},
    {"missing section", "[domain]\nlower = [0.0, 0.0, 0.0]\nupper = [1.0, 1.0, 1.0]\n", "",
     "case.toml: the section [domain] is missing (expected it, or a [silo] to derive it from)"},
    {"[walls] for [[walls]]", "[[walls]]", "[walls]",
     "case.toml:27:1: walls is not a list of tables (expected [[walls]], got [walls])"},
    {"[[run]] for [run]", "[run]", "[[run]]",
     "case.toml:1:1: run is not a table (expected [run], got [[run]])"},
    {"an empty section and a pair of no names", "[[outlets]]\nname = \"hole\"\npoint = [0.0, 0.0, 0.1]\nnormal = [0.0, 0.0, 1.0]\n", "[output]\n[[insert]]\n[[pairs]]\nmaterials = 3\n",
     "case.toml:34:1: insert[0].material is missing (expected a string that is not empty)\n"
     "case.toml:34:1: insert[0].lower is missing (expected three numbers [x, y, z] in m)\n"
     "case.toml:34:1: insert[0].upper is missing (expected three numbers [x, y, z] in m)\n"
     "case.toml:34:1: insert[0].radius is missing (expected a number in m, above 0, or radius_min and radius_max)\n"
     "case.toml:34:1: insert[0].total or mass is missing (expected one of them)\n"
     "case.toml:34:1: insert[0].per_event is missing (expected it with an interval, or a rate, or a mass_rate)\n"
     "case.toml:36:13: pairs[0].materials has the wrong type (expected a list of 2 strings, got 3)"},
    {"a table inside a section", "[domain]", "[run.none]\n[domain]",
     "case.toml:4:6: unknown key run.none (expected dt, dt_share, allow_large_dt, steps, time, integrator, seed, detector, alpha, skin, rebuild_every, rebalance_every, balance, slab_axis, memory)"},
    {"keys that exclude each other", "steps = 100", "steps = 100\ntime = 0.1",
     "case.toml:3:1: run.steps and run.time exclude each other (expected one of them)"},
    {"neither of two keys", "steps = 100\n", "",
     "case.toml:1:1: run.steps, run.time or [[stages]] is missing (expected one of them)"},
    {"key of another type of wall", "point = [0.0, 0.0, 0.0]", "point = [0.0, 0.0, 0.0]\nradius = 0.1",
     "case.toml:31:1: walls[0].radius cannot be used with type = \"plane\" (expected only with \"disc\" or \"cylinder\")"},
    {"key of another source of bodies", "count = 10", "count = 10\nspacing = 0.1",
     "case.toml:23:1: bodies[0].spacing cannot be used with source = \"random\" (expected only with \"lattice\")"},

    // ---- types
    {"string for a number", "dt = 1e-5", "dt = \"fast\"",
     "case.toml:2:6: run.dt has the wrong type (expected \"auto\" or a number in s, above 0, got \"fast\")"},
    {"number for an integer", "steps = 100", "steps = 10.5",
     "case.toml:3:9: run.steps has the wrong type (expected an integer, at least 0, got 10.5)"},
    {"integer written as a power of ten", "steps = 100", "steps = 1e6",
     "case.toml:3:9: run.steps has the wrong type (expected an integer, at least 0, got 1000000.0; write 1000000)"},
    {"number for a string", "name = \"floor\"", "name = 3",
     "case.toml:28:8: walls[0].name has the wrong type (expected a string that is not empty, got 3)"},
    {"number for a boolean", "[domain]", "[law]\nattraction = 1\n[domain]",
     "case.toml:5:14: law.attraction has the wrong type (expected true or false, got 1)"},
    {"two numbers for a vector", "upper = [1.0, 1.0, 1.0]", "upper = [1.0, 1.0]",
     "case.toml:6:9: domain.upper has the wrong type (expected three numbers [x, y, z] in m, got a list of 2 values)"},
    {"a word in a vector", "upper = [1.0, 1.0, 1.0]", "upper = [1.0, \"a\", 1.0]",
     "case.toml:6:15: domain.upper has the wrong type (expected three numbers [x, y, z] in m, got \"a\")"},
    {"a date", "count = 10", "count = 2024-01-01",
     "case.toml:22:9: bodies[0].count has the wrong type (expected an integer, from 1 to 4294967295, got a date or time)"},
    {"a table for a number", "dt = 1e-5", "dt.s = 1e-5",
     "case.toml:2:1: run.dt has the wrong type (expected \"auto\" or a number in s, above 0, got a table)"},

    // ---- ranges
    {"negative time step", "dt = 1e-5", "dt = -1e-5",
     "case.toml:2:6: run.dt is out of range (expected \"auto\" or a number in s, above 0, got -1e-05)"},
    {"not a number", "friction = 0.5", "friction = nan",
     "case.toml:13:12: materials[0].friction is out of range (expected a number, at least 0, got nan)"},
    {"infinite", "density = 2500.0", "density = inf",
     "case.toml:9:11: materials[0].density is out of range (expected a number in kg/m^3, above 0, got inf)"},
    {"infinite gravity", "[run]", "gravity = [0, 0, -inf]\n[run]",
     "case.toml:1:18: gravity is out of range (expected three numbers [x, y, z] in m/s^2, got -inf)"},
    {"impossible Poisson's ratio", "poisson = 0.45", "poisson = 0.7",
     "case.toml:11:11: materials[0].poisson is out of range (expected a number, above -1 and at most 0.5, got 0.7)"},
    {"no restitution at all", "restitution = 0.5", "restitution = 0",
     "case.toml:12:15: materials[0].restitution is out of range (expected a number, above 0 and at most 1, got 0)"},
    {"negative radius", "radius = 0.01", "radius = -0.01",
     "case.toml:23:10: bodies[0].radius is out of range (expected a number in m, above 0, got -0.01)"},
    {"zero balls", "count = 10", "count = 0",
     "case.toml:22:9: bodies[0].count is out of range (expected an integer, from 1 to 4294967295, got 0)"},
    {"negative count", "count = 10", "count = -1",
     "case.toml:22:9: bodies[0].count is out of range (expected an integer, from 1 to 4294967295, got -1)"},
    {"empty name", "name = \"floor\"", "name = \"\"",
     "case.toml:28:8: walls[0].name is empty (expected a string that is not empty, got \"\")"},
    {"unknown word", "type = \"plane\"", "type = \"plain\"",
     "case.toml:29:8: walls[0].type is not known (expected \"plane\", \"rectangle\", \"disc\", \"annulus\", \"cylinder\", "
     "\"cone\" or \"mesh\", got \"plain\"; did you mean \"plane\"?)"},
    {"unknown law", "[domain]", "[law]\ntype = \"jkr\"\n[domain]",
     "case.toml:5:8: law.type is not known (expected \"hertz-mindlin\", \"linear\" or \"kelvin-voigt\", got \"jkr\")"},
    {"unknown axis", "lower = [0.0", "periodic = [\"x\", \"w\"]\nlower = [0.0",
     "case.toml:5:18: domain.periodic is not known (expected a list with none, some or all of \"x\", \"y\", \"z\", got \"w\")"},
    {"an axis twice", "lower = [0.0", "periodic = [\"x\", \"x\"]\nlower = [0.0",
     "case.toml:5:18: domain.periodic contains a value twice (expected a list with none, some or all of \"x\", \"y\", \"z\", got \"x\")"},
    {"skin of zero", "steps = 100", "steps = 100\nskin = 0",
     "case.toml:4:8: run.skin is out of range (expected \"auto\" or a number in m, above 0, got 0)"},
    {"wrong word for the skin", "steps = 100", "steps = 100\nskin = \"automatic\"",
     "case.toml:4:8: run.skin has the wrong type (expected \"auto\" or a number in m, above 0, got \"automatic\")"},

    // ---- names
    {"two walls of one name", "[[outlets]]", "[[walls]]\nname = \"floor\"\ntype = \"plane\"\npoint = [0, 0, 0]\nnormal = [0, 1, 0]\nmaterial = \"steel\"\n[[outlets]]",
     "case.toml:34:8: walls[1].name is used twice (expected another name, got \"floor\", already used by walls[0] in line 28)"},
    {"two materials of one name", "name = \"steel\"", "name = \"grain\"",
     "case.toml:15:8: materials[1].name is used twice (expected another name, got \"grain\", already used by materials[0] in line 8)"},
    {"unknown material", "material = \"steel\"", "material = \"stel\"",
     "case.toml:32:12: walls[0].material names an unknown material (expected \"grain\" or \"steel\", got \"stel\"; did you mean \"steel\"?)"},
    {"unknown material in a pair", "[[bodies]]", "[[pairs]]\nmaterials = [\"grain\", \"glass\"]\n[[bodies]]",
     "case.toml:21:13: pairs[0].materials names an unknown material (expected \"grain\" or \"steel\", got \"glass\")"},
    {"a pair twice", "[[bodies]]", "[[pairs]]\nmaterials = [\"grain\", \"steel\"]\n[[pairs]]\nmaterials = [\"steel\", \"grain\"]\n[[bodies]]",
     "case.toml:23:13: pairs[1].materials is given twice (expected one [[pairs]] for \"steel\" and \"grain\", got another in line 21)"},

    // ---- what a law needs
    {"no Young's modulus", "young = 5e6\n", "",
     "case.toml:7:1: materials[0].young is missing (expected a number in Pa, above 0, or inf; needed by law.type = \"hertz-mindlin\")"},
    {"no density", "density = 2500.0\n", "",
     "case.toml:7:1: materials[0].density is missing (expected a number in kg/m^3, above 0; needed for balls)"},
    {"no friction of a wall", "friction = 0.3\n", "",
     "case.toml:14:1: materials[1].friction is missing (expected a number, at least 0; needed by law.type = \"hertz-mindlin\", "
     "here or in [[pairs]] for \"grain\" and \"steel\")"},
    {"no stiffness for the linear law", "[domain]", "[law]\ntype = \"linear\"\n[domain]",
     "case.toml:9:1: materials[0].stiffness is missing (expected a number in N/m, above 0, or inf; needed by law.type = \"linear\", "
     "here or in [[pairs]] for \"grain\" and \"grain\")\n"
     "case.toml:16:1: materials[1].stiffness is missing (expected a number in N/m, above 0, or inf; needed by law.type = \"linear\", "
     "here or in [[pairs]] for \"grain\" and \"steel\")"},
    {"no damping for the Kelvin-Voigt law", "[domain]\nlower = [0.0, 0.0, 0.0]\nupper = [1.0, 1.0, 1.0]\n[[materials]]",
     "[law]\ntype = \"kelvin-voigt\"\n[domain]\nlower = [0.0, 0.0, 0.0]\nupper = [1.0, 1.0, 1.0]\n[[pairs]]\nmaterials = [\"grain\", \"steel\"]\n"
     "stiffness = 1e4\ndamping = 1\n[[materials]]\nstiffness = 1e4",
     "case.toml:13:1: materials[0].damping is missing (expected a number in N s/m, at least 0; needed by law.type = \"kelvin-voigt\", "
     "here or in [[pairs]] for \"grain\" and \"grain\")"},
    {"balls that are rigid", "young = 5e6", "young = inf",
     "case.toml:10:9: materials[0].young is infinite (expected a finite number for a material of balls)"},
    {"a rigid wall and a mixing that cannot bear it", "[domain]\nlower = [0.0, 0.0, 0.0]\nupper = [1.0, 1.0, 1.0]\n[[materials]]\nname = \"grain\"\ndensity = 2500.0\nyoung = 5e6\npoisson = 0.45\nrestitution = 0.5\nfriction = 0.5\n[[materials]]",
     "[law]\ntype = \"linear\"\nstiffness_mixing = \"mean\"\n[domain]\nlower = [0.0, 0.0, 0.0]\nupper = [1.0, 1.0, 1.0]\n[[materials]]\nname = \"grain\"\ndensity = 2500.0\nrestitution = 0.5\nfriction = 0.5\nstiffness = 1e4\n[[materials]]\nstiffness = inf",
     "case.toml:6:20: law.stiffness_mixing makes an infinite stiffness (expected \"series\" or \"min\" for \"grain\" and \"steel\")"},

    // ---- places and sizes
    {"domain upside down", "upper = [1.0, 1.0, 1.0]", "upper = [1.0, 1.0, 0.0]",
     "case.toml:6:9: domain.upper is not above domain.lower along z (expected above 0, got 0)"},
    {"box outside of the domain", "upper = [0.8, 0.8, 0.8]", "upper = [0.8, 0.8, 1.8]",
     "case.toml:25:9: bodies[0].upper is outside the domain along z (expected at most 1, got 1.8)"},
    {"box below the domain", "lower = [0.2, 0.2, 0.2]", "lower = [-0.2, 0.2, 0.2]",
     "case.toml:24:9: bodies[0].lower is outside the domain along x (expected at least 0, got -0.2)"},
    {"box upside down", "lower = [0.2, 0.2, 0.2]", "lower = [0.2, 0.9, 0.2]",
     "case.toml:25:9: bodies[0].upper is not above lower along y (expected above 0.9, got 0.8)"},
    {"ball larger than the domain", "radius = 0.01", "radius = 0.6",
     "case.toml:23:10: bodies[0].radius is too large for the domain (expected at most 0.5, half of its length along x, got 0.6)"},
    {"box smaller than a ball", "upper = [0.8, 0.8, 0.8]", "upper = [0.8, 0.8, 0.21]",
     "case.toml:25:9: bodies[0].upper leaves no room for a ball along z (expected at least 0.22, lower and the largest diameter, got 0.21)"},
    {"more balls than fit", "count = 10", "count = 27001",
     "case.toml:22:9: bodies[0].count is more than the box can hold (expected at most 27000, one in each cube of the largest diameter, got 27001)"},
    {"no radius", "radius = 0.01\n", "",
     "case.toml:20:1: bodies[0].radius is missing (expected a number in m, above 0, or radius_min and radius_max)"},
    {"half a spread of radii", "radius = 0.01", "radius_min = 0.01",
     "case.toml:20:1: bodies[0].radius_max is missing (expected together with radius_min)"},
    {"spread the wrong way round", "radius = 0.01", "radius_min = 0.02\nradius_max = 0.01",
     "case.toml:24:14: bodies[0].radius_max is below radius_min (expected at least 0.02, got 0.01)"},
    {"lattice too narrow", "source = \"random\"\ncount = 10", "source = \"lattice\"\nspacing = 0.015",
     "case.toml:22:11: bodies[0].spacing makes cells too short for a ball along x (expected at least 0.02, the largest diameter, got 0.015)"},
    {"lattice of more cells than fit", "source = \"random\"\ncount = 10", "source = \"lattice\"\ncounts = [10, 10, 31]",
     "case.toml:22:10: bodies[0].counts makes cells too short for a ball along z (expected at least 0.02, the largest diameter, got 0.0193548)"},
    {"lattice wider than its box", "source = \"random\"\ncount = 10", "source = \"lattice\"\nspacing = 0.7",
     "case.toml:22:11: bodies[0].spacing is longer than the box along x (expected at most 0.6, got 0.7)"},
    {"lattice without a spacing", "source = \"random\"\ncount = 10", "source = \"lattice\"",
     "case.toml:20:1: bodies[0].spacing or counts is missing (expected one of them)"},
    {"no balls", "[[bodies]]\nsource = \"random\"\ncount = 10\nradius = 0.01\nlower = [0.2, 0.2, 0.2]\nupper = [0.8, 0.8, 0.8]\nmaterial = \"grain\"\n", "",
     "case.toml: the case has no balls (expected a [[bodies]], an [[insert]], a stage of type \"fill\" or a [start])"},
    {"normal of no length", "normal = [0.0, 0.0, 1.0]", "normal = [0, 0, 0]",
     "case.toml:31:10: walls[0].normal is zero (expected a direction)"},
    {"annulus inside out", "type = \"plane\"\npoint = [0.0, 0.0, 0.0]", "type = \"annulus\"\ncentre = [0, 0, 0]\ninner_radius = 0.2\nouter_radius = 0.1",
     "case.toml:32:16: walls[0].outer_radius is not above inner_radius (expected above 0.2, got 0.1)"},
    {"rectangle that is none", "type = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]", "type = \"rectangle\"\ncorner = [0, 0, 0]\nedge_a = [1, 0, 0]\nedge_b = [1, 1, 0]",
     "case.toml:32:10: walls[0].edge_b is not perpendicular to edge_a (expected a rectangle)"},
    {"cylinder of no height", "type = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]", "type = \"cylinder\"\nbottom = [0, 0, 0]\ntop = [0, 0, 0]\nradius = 1",
     "case.toml:31:7: walls[0].top is the same as bottom (expected the other end of the axis)"},
    {"cone without radii", "type = \"plane\"\npoint = [0.0, 0.0, 0.0]\nnormal = [0.0, 0.0, 1.0]", "type = \"cone\"\nbottom = [0, 0, 0]\ntop = [0, 0, 1]\nbottom_radius = 0\ntop_radius = 0",
     "case.toml:33:14: walls[0].top_radius and bottom_radius are both 0 (expected one above 0)"},
    {"outlet that is never reached", "point = [0.0, 0.0, 0.1]", "point = [0.0, 0.0, -0.1]",
     "case.toml:35:9: outlets[0].point is outside the domain (expected a plane that balls reach before they leave the domain)"},
    {"outlet the wrong way round", "point = [0.0, 0.0, 0.1]", "point = [0.0, 0.0, 1.1]",
     "case.toml:35:9: outlets[0].point has the whole domain behind it (expected a normal that points to the side that balls come from)"},
    {"balls behind an outlet", "point = [0.0, 0.0, 0.1]", "point = [0.0, 0.0, 0.9]",
     "case.toml:25:9: bodies[0].upper and the rest of the box are behind the outlet \"hole\" (expected in front of it)"},
    {"insertion more often than steps", "[[outlets]]", "[[insert]]\nlower = [0.2, 0.2, 0.2]\nupper = [0.8, 0.8, 0.8]\ntotal = 3\nper_event = 1\ninterval = 1e-6\nradius = 0.01\nmaterial = \"grain\"\n[[outlets]]",
     "case.toml:38:12: insert[0].interval is shorter than a time step (expected at least run.dt = 1e-05, got 1e-06)"},
    {"state in another folder", "[domain]", "[output]\nstate = \"../state.h5\"\n[domain]",
     "case.toml:5:9: output.state is not a file name (expected no \"/\", the folder is given by --out, got \"../state.h5\")"},
    {"a run without end", "steps = 100", "time = 1e300",
     "case.toml:3:8: run.time is too long (expected at most 1e+15 steps, got 1e+305)"},

    // ---- not TOML
    {"not TOML", "dt = 1e-5", "dt = = 1e-5",
     "case.toml:2:6: not valid TOML: Error while parsing value: could not determine value type"},
    {"a key twice", "dt = 1e-5", "dt = 1e-5\ndt = 1e-6",
     "case.toml:3:6: not valid TOML: Error while parsing key-value pair: cannot redefine existing floating-point 'dt'"},
};
// clang-format on

TEST(CaseProblems, GoodCaseHasNone) { EXPECT_EQ(problems_of(good_case), "no problem"); }

TEST(CaseProblems, EachIsToldInItsExactWords) {
    for (const BadCase& bad : bad_cases) EXPECT_EQ(problems_of(spoilt(good_case, bad)), bad.message) << bad.what;
}

TEST(CaseProblems, AllAreToldInOneGoByLine) {
    std::string text = good_case;
    const auto replace = [&](const std::string& from, const std::string& to) {
        text.replace(text.find(from), from.size(), to);
    };
    replace("dt = 1e-5", "dt = 0");
    replace("density = 2500.0", "densty = 2500.0");
    replace("material = \"steel\"", "material = \"steal\"");
    replace("count = 10", "count = 2.5");
    EXPECT_EQ(
        problems_of(text, {"walls.floor.normal=[0,0,0]", "nonsense"}),
        "case.toml:2:6: run.dt is out of range (expected \"auto\" or a number in s, above 0, got 0)\n"
        "case.toml:9:1: unknown key materials[0].densty (did you mean materials[0].density?)\n"
        "case.toml:22:9: bodies[0].count has the wrong type (expected an integer, from 1 to 4294967295, got 2.5)\n"
        "case.toml:32:12: walls[0].material names an unknown material (expected \"grain\" or \"steel\", got \"steal\"; "
        "did you "
        "mean \"steel\"?)\n"
        "--set nonsense: not an assignment (expected key=value, such as run.dt=1e-5, walls[0].material=steel or "
        "walls.floor.material=steel)\n"
        "--set walls.floor.normal=[0,0,0]: walls[0].normal is zero (expected a direction)");
}

TEST(CaseProblems, CarryLineColumnAndKey) {
    try {
        read_case(spoilt(good_case, {"", "radius = 0.01", "radius = -1", ""}), "case.toml");
        FAIL() << "a negative radius was accepted";
    } catch (const CaseError& e) {
        ASSERT_EQ(e.problems.size(), 1u);
        EXPECT_EQ(e.problems[0].line, 23);
        EXPECT_EQ(e.problems[0].column, 10);
        EXPECT_EQ(e.problems[0].key, "bodies[0].radius");
        EXPECT_EQ(e.problems[0].set, "");
    }
}

// The message names two cubes of 2 r_max + reach + skin; the skin is counted if it is given.
TEST(CaseProblems, PeriodicLengthHoldsTwoCubes) {
    const std::vector<std::string> common = {"domain.periodic=[\"x\"]", "bodies[0].radius=0.225", "bodies[0].count=1"};
    EXPECT_EQ(problems_of(good_case, common), "no problem");  // 1 m >= 2 * 0.45 m
    std::vector<std::string> sets = common;
    sets.push_back("run.skin=0.06");
    EXPECT_EQ(problems_of(good_case, sets),
              "--set domain.periodic=[\"x\"]: the domain is too short along x to be periodic (expected at least "
              "1.02, twice the largest diameter, reach of cohesion and skin together, got 1: a ball could touch "
              "another one on "
              "both sides)");
    // Cohesion reaches cohesion/stiffness; two equal springs in series are half as stiff: 0.6 N/(20/2 N/m) = 0.06 m.
    sets = common;
    for (const char* s : {"law.type=kelvin-voigt", "materials[0].stiffness=20", "materials[1].stiffness=20",
                          "materials[0].damping=1", "materials[1].damping=1", "materials[0].cohesion=0.6"})
        sets.push_back(s);
    EXPECT_NE(problems_of(good_case, sets).find("too short along x"), std::string::npos);
    sets.emplace_back("law.stiffness_mixing=mean");  // 0.03 m: 2 * 0.48 m fit
    EXPECT_EQ(problems_of(good_case, sets), "no problem");
}

TEST(CaseProblems, EmptyTextIsToldWhatItLacks) {
    EXPECT_EQ(problems_of(""),
              "case.toml: the section [domain] is missing (expected it, or a [silo] to derive it from)\n"
              "case.toml: the section [[materials]] is missing\n"
              "case.toml: run.steps, run.time or [[stages]] is missing (expected one of them)\n"
              "case.toml: the case has no balls (expected a [[bodies]], an [[insert]], a stage of type \"fill\" or a "
              "[start])");
}

TEST(CaseProblems, UnreadableFiles) {
    const auto message = [](const std::string& file) -> std::string {
        try {
            read_case_text(file);
        } catch (const CaseError& e) {
            return e.what();
        }
        return "no problem";
    };
    EXPECT_EQ(message("no/such/case.toml"), "no/such/case.toml: cannot be read: No such file or directory");
    EXPECT_EQ(message("/"), "/: cannot be read: it is a folder");
}

}  // namespace
}  // namespace granary
