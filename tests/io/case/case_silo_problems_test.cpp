// Bad silos, gates and stages, and the exact words they are answered with. Each one is the good case below with one
// piece of it replaced.
#include <gtest/gtest.h>
#include "support/bad_case.hpp"

namespace granary::case_silo_problems_test {
namespace {

using namespace test;

const std::string good_case = R"([run]
dt = 1e-5
[silo]
d_c = 0.2
h_c = 0.4
d_h = 0.05
h_h = 0.1
material = "steel"
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
[[stages]]
type = "fill"
material = "grain"
count = 500
rate = 1000
radius = 0.005
[[stages]]
type = "settle"
[[stages]]
type = "discharge"
[[walls]]
name = "plate"
type = "plane"
point = [0, 0, -1]
normal = [0, 0, 1]
material = "steel"
)";

const char* const flat = "h_h = 0.1\nmaterial";  // the piece of the silo where a hopper is told

// clang-format off
const BadCase bad_cases[] = {
    // ---- silo
    {"silo smaller than a ball", "radius = 0.005", "radius = 0.11",
     "case.toml:4:7: silo.d_c is smaller than a ball (expected at least 0.22, the largest diameter, got 0.2)\n"
     "case.toml:6:7: silo.d_h is too narrow for a ball (expected at least 0.22, the largest diameter, got 0.05)"},
    {"bin lower than a ball", "h_c = 0.4", "h_c = 0.009",
     "case.toml:5:7: silo.h_c is smaller than a ball (expected at least 0.01, the largest diameter, got 0.009)"},
    {"outlet smaller than a ball", "d_h = 0.05", "d_h = 0.005",
     "case.toml:6:7: silo.d_h is too narrow for a ball (expected at least 0.01, the largest diameter, got 0.005)"},
    {"outlet wider than the bin", "d_h = 0.05", "d_h = 0.2",
     "case.toml:6:7: silo.d_h is wider than the bin (expected below 0.2, got 0.2)"},
    {"outlet out of the bin", flat, "hopper = \"flat\"\noutlet_offset = [0.06, 0.06]\nmaterial",
     "case.toml:8:17: silo.outlet_offset places the outlet outside the bin (expected closer to the centre, got [0.06, 0.06])"},
    {"offset of two and a half numbers", flat, "hopper = \"flat\"\noutlet_offset = [0.06]\nmaterial",
     "case.toml:8:17: silo.outlet_offset has the wrong type (expected two numbers [x, y] in m, got a list of 1 value)"},
    {"slot too long for a round bin", flat, "hopper = \"flat\"\noutlet = \"slot\"\noutlet_width = 0.1\noutlet_length = 0.2\nmaterial",
     "case.toml:6:1: silo.d_h cannot be used with outlet = \"slot\" (expected only with \"circle\")\n"
     "case.toml:10:17: silo.outlet_length makes a slot that is longer than the bin is wide (expected a diagonal of at most 0.2, got 0.223607)"},
    {"slot of no length in a round bin", "d_h = 0.05\nh_h = 0.1", "hopper = \"flat\"\noutlet = \"slot\"\noutlet_width = 0.1",
     "case.toml:3:1: silo.outlet_length is missing (expected a number in m, above 0; the bin is a cylinder)"},
    {"slot longer than a rectangular bin", "d_c = 0.2\nh_c = 0.4\nd_h = 0.05\nh_h = 0.1",
     "bin = \"rectangle\"\nwidth = 0.2\ndepth = 0.1\nh_c = 0.4\nhopper = \"flat\"\noutlet = \"slot\"\noutlet_width = 0.05\noutlet_length = 0.15",
     "case.toml:11:17: silo.outlet_length is longer than the bin (expected at most 0.1, got 0.15)"},
    {"wedge as wide as the bin", "d_c = 0.2\nh_c = 0.4\nd_h = 0.05\nh_h = 0.1",
     "bin = \"rectangle\"\nwidth = 0.2\ndepth = 0.1\nh_c = 0.4\nhopper = \"wedge\"\nh_h = 0.1\noutlet = \"slot\"\noutlet_width = 0.2",
     "case.toml:11:16: silo.outlet_width is wider than the bin (expected below 0.2, got 0.2)"},
    {"wedge with a short slot", "d_c = 0.2\nh_c = 0.4\nd_h = 0.05\nh_h = 0.1",
     "bin = \"rectangle\"\nwidth = 0.2\ndepth = 0.1\nh_c = 0.4\nhopper = \"wedge\"\nh_h = 0.1\noutlet = \"slot\"\noutlet_width = 0.02\noutlet_length = 0.05",
     "case.toml:12:17: silo.outlet_length differs from depth (expected none, or 0.1: the slot of a wedge is as long as the bin, got 0.05)"},
    {"wedge under a cylinder", "h_h = 0.1", "h_h = 0.1\nhopper = \"wedge\"",
     "case.toml:8:10: silo.hopper = \"wedge\" cannot be used with bin = \"cylinder\" (expected bin = \"rectangle\", or a flat bottom)"},
    {"wedge with a round outlet", "d_c = 0.2", "bin = \"rectangle\"\nwidth = 0.2\ndepth = 0.2\nhopper = \"wedge\"",
     "case.toml:7:10: silo.hopper = \"wedge\" cannot be used with outlet = \"circle\" (expected outlet = \"slot\")"},
    {"cone under a rectangle", "d_c = 0.2", "bin = \"rectangle\"\nwidth = 0.2\ndepth = 0.2",
     "case.toml:3:1: silo.hopper = \"cone\" cannot be used with bin = \"rectangle\" (expected bin = \"cylinder\", or a flat bottom)"},
    {"rectangle with a diameter", "h_h = 0.1", "hopper = \"flat\"\nbin = \"rectangle\"",
     "case.toml:3:1: silo.width is missing (expected a number in m, above 0)\n"
     "case.toml:3:1: silo.depth is missing (expected a number in m, above 0)\n"
     "case.toml:4:1: silo.d_c cannot be used with bin = \"rectangle\" (expected only with \"cylinder\")"},
    {"flat bottom with a height", "h_h = 0.1", "h_h = 0.1\nhopper = \"flat\"",
     "case.toml:7:1: silo.h_h cannot be used with hopper = \"flat\" (expected only with \"cone\" or \"wedge\")"},
    {"eccentric cone", "h_h = 0.1", "h_h = 0.1\noutlet_offset = [0.01, 0]",
     "case.toml:8:1: silo.outlet_offset cannot be used with hopper = \"cone\" (expected only with \"flat\")"},
    {"unknown hopper: keys that may belong to it are not doubted", "h_h = 0.1", "hopper = \"conical\"\noutlet_offset = [0, 0]",
     "case.toml:7:10: silo.hopper is not known (expected \"cone\", \"flat\" or \"wedge\", got \"conical\")"},
    {"silo outside of the domain", "[silo]", "[domain]\nlower = [-0.2, -0.2, -1.2]\nupper = [0.2, 0.2, 0.45]\n[silo]",
     "case.toml:6:1: the silo extends outside the domain along z (expected from -1.2 to 0.45, got from 0 to 0.5)"},
    {"silo without a height, and nothing else to say", "h_c = 0.4\n", "",
     "case.toml:3:1: silo.h_c is missing (expected a number in m, above 0)"},
    {"misspelt silo", "[silo]", "[sillo]",
     "case.toml:3:2: unknown key sillo (did you mean silo?)"},
    {"two silos", "[silo]", "[[silo]]",
     "case.toml:3:1: silo is not a table (expected [silo], got [[silo]])"},
    {"unknown material of the silo", "h_h = 0.1\nmaterial = \"steel\"", "h_h = 0.1\nmaterial = \"stele\"",
     "case.toml:8:12: silo.material names an unknown material (expected \"grain\" or \"steel\", got \"stele\"; did you mean \"steel\"?)"},
    {"unknown material of the gate", "h_h = 0.1", "h_h = 0.1\ngate_material = \"wood\"",
     "case.toml:8:17: silo.gate_material names an unknown material (expected \"grain\" or \"steel\", got \"wood\")"},
    {"wall with the name of a silo's", "name = \"plate\"", "name = \"gate\"",
     "case.toml:33:8: walls[0].name is used twice (expected another name, got \"gate\", already used by a wall of the silo)"},
    {"outlet through the silo", "[[walls]]", "[[outlets]]\nname = \"hole\"\npoint = [0, 0, 0.05]\nnormal = [0, 0, 1]\n[[walls]]",
     "case.toml:34:9: outlets[0].point has a part of the silo behind it (expected a plane below the gate, at z = 0)"},

    // ---- gates
    {"gate that names an unknown stage", "h_h = 0.1", "h_h = 0.1\nopens = \"dischrge\"",
     "case.toml:8:9: silo.opens names an unknown stage (expected \"fill\", \"settle\" or \"discharge\", got \"dischrge\"; did you mean \"discharge\"?)"},
    {"wall that names an unknown stage", "point = [0, 0, -1]", "point = [0, 0, -1]\nopens = \"never\"",
     "case.toml:36:9: walls[0].opens names an unknown stage (expected \"fill\", \"settle\" or \"discharge\", got \"never\")"},
    {"a gate that names an unknown wall", "type = \"discharge\"", "type = \"discharge\"\nopen = [\"gat\"]",
     "case.toml:32:8: stages[2].open names an unknown wall (expected \"plate\", \"cylinder\", \"cone\" or \"gate\", got \"gat\"; did you mean \"gate\"?)"},
    {"gate with two times", "h_h = 0.1", "h_h = 0.1\nopens = \"settle\"\nopens_at = 0.5",
     "case.toml:8:1: silo.opens and silo.opens_at exclude each other (expected one of them)"},
    {"gate that a stage opens, but not this one", "h_h = 0.1\nmaterial = \"steel\"\n[[materials]]", "h_h = 0.1\nopens = \"settle\"\nmaterial = \"steel\"\n[[stages]]\ntype = \"discharge\"\nname = \"drain\"\nopen = [\"gate\"]\n[[materials]]",
     "case.toml:11:8: stages[0].type = \"discharge\" comes before there are balls (expected an earlier stage of type \"fill\", [[bodies]], an [[insert]] or a [start])\n"
     "case.toml:13:8: stages[0].open names \"gate\", which opens at the stage \"settle\" (expected a wall that opens at this stage)"},
    {"gate that a stage opens, and a clock", "type = \"discharge\"\n[[walls]]", "type = \"discharge\"\nopen = [\"plate\"]\n[[walls]]\nopens_at = 0.25",
     "case.toml:32:8: stages[2].open names \"plate\", which opens at 0.25 s (expected a wall that opens at this stage)"},
    {"nothing to open", "type = \"discharge\"", "type = \"discharge\"\nopen = []",
     "case.toml:32:8: stages[2].open has the wrong type (expected a list of strings that is not empty, got an empty list)"},

    // ---- stages
    {"stages and a length of the run", "dt = 1e-5", "dt = 1e-5\nsteps = 100",
     "case.toml:3:1: run.steps cannot be used with [[stages]] (expected one of them)"},
    {"stages and a time of the run", "dt = 1e-5", "dt = 1e-5\ntime = 0.1",
     "case.toml:3:1: run.time cannot be used with [[stages]] (expected one of them)"},
    {"unknown type", "type = \"settle\"", "type = \"setle\"",
     "case.toml:29:8: stages[1].type is not known (expected \"fill\", \"settle\", \"discharge\" or \"run\", got \"setle\"; did you mean \"settle\"?)"},
    {"two stages of one name", "type = \"settle\"", "type = \"settle\"\nname = \"fill\"",
     "case.toml:30:8: stages[1].name is used twice (expected another name, got \"fill\", already used by stages[0] in line 22)"},
    {"two nameless stages of one type", "type = \"settle\"", "type = \"discharge\"",
     "case.toml:30:1: stages[2].name is used twice (expected another name, got \"discharge\", already used by stages[1] in line 28)"},
    {"key of another stage", "type = \"settle\"", "type = \"settle\"\nrate = 10",
     "case.toml:30:1: stages[1].rate cannot be used with type = \"settle\" (expected only with \"fill\")"},
    {"packing at a rate", "rate = 1000", "rate = 1000\nmethod = \"pack\"",
     "case.toml:26:1: stages[0].rate cannot be used with method = \"pack\" (expected only with \"rain\")"},
    {"neither number nor mass", "count = 500\n", "",
     "case.toml:22:1: stages[0].count or mass is missing (expected one of them)"},
    {"number and mass", "count = 500", "count = 500\nmass = 1",
     "case.toml:25:1: stages[0].count and stages[0].mass exclude each other (expected one of them)"},
    {"zero balls", "count = 500", "count = 0",
     "case.toml:25:9: stages[0].count is out of range (expected an integer, from 1 to 4294967295, got 0)"},
    {"less than a ball", "count = 500", "mass = 1e-4",
     "case.toml:25:8: stages[0].mass is less than one ball (expected at least 0.001309, got 0.0001)"},
    {"filling of no radius", "radius = 0.005", "radius_min = 0.005",
     "case.toml:22:1: stages[0].radius_max is missing (expected together with radius_min)"},
    {"filling of an unknown material", "material = \"grain\"", "material = \"gravel\"",
     "case.toml:24:12: stages[0].material names an unknown material (expected \"grain\" or \"steel\", got \"gravel\")"},
    {"filling of a material without density", "material = \"grain\"", "material = \"steel\"",
     "case.toml:16:1: materials[1].density is missing (expected a number in kg/m^3, above 0; needed for balls)"},
    {"half a region", "radius = 0.005", "radius = 0.005\nlower = [0, 0, 0.3]",
     "case.toml:22:1: stages[0].upper is missing (expected together with lower)"},
    {"region without room", "radius = 0.005", "radius = 0.005\nlower = [0, 0, 0.3]\nupper = [0.05, 0.05, 0.305]",
     "case.toml:29:9: stages[0].upper leaves no room for a ball along z (expected at least 0.31, lower and the largest diameter, got 0.305)"},
    {"packing of more than the region holds", "rate = 1000", "method = \"pack\"\nlower = [0, 0, 0.3]\nupper = [0.05, 0.05, 0.4]",
     "case.toml:25:9: stages[0].count is more than the box can hold (expected at most 250, one in each cube of the largest diameter, got 500)"},
    {"more than the silo holds", "count = 500", "count = 30000",
     "case.toml:25:9: stages[0].count is more than the silo can hold (expected at most 19715 balls, 74 % of its 0.01394 m^3, got 30000)"},
    {"more mass than the silo holds", "count = 500", "mass = 26",
     "case.toml:25:8: stages[0].mass is more than the silo can hold (expected at most 19715 balls, 74 % of its 0.01394 m^3, got 19863)"},
    {"a run without end", "type = \"settle\"", "type = \"run\"",
     "case.toml:28:1: stages[1].time is missing (expected a number in s, above 0; a stage of type \"run\" has no other end)"},
    {"a discharge that an arch could hold for ever", "type = \"discharge\"", "type = \"discharge\"\nstall_time = 0",
     "case.toml:32:14: stages[2].stall_time is 0 and time is missing (expected one of them, or the run would never end under an arch)"},
    {"a stage shorter than a step", "type = \"settle\"", "type = \"settle\"\ntime = 1e-6",
     "case.toml:30:8: stages[1].time is shorter than a time step (expected at least dt = 1e-05, got 1e-06)"},
    {"a stage that looks more often than it steps", "type = \"settle\"", "type = \"settle\"\ndt = 0.1",
     "case.toml:28:1: stages[1].check_every is shorter than a time step (expected at least dt = 0.1, got 0.01)"},
    {"a stage of too many steps", "type = \"settle\"", "type = \"settle\"\ntime = 1e20",
     "case.toml:30:8: stages[1].time is too long (expected at most 1e+15 steps, got 1e+25)"},
    {"a step that is no number", "type = \"settle\"", "type = \"settle\"\ndt = \"automatic\"",
     "case.toml:30:6: stages[1].dt has the wrong type (expected \"auto\" or a number in s, above 0, got \"automatic\")"},
    {"frames more often than steps", "[silo]", "[output]\nframes_every = 5e-6\n[silo]",
     "case.toml:4:16: output.frames_every is shorter than a time step (expected at least run.dt = 1e-05, got 5e-06)"},
    {"frames more often than the steps of a stage", "type = \"settle\"", "type = \"settle\"\ndt = 1e-3\n[output]\nseries_every = 5e-4",
     "case.toml:32:16: output.series_every is shorter than a time step (expected at least stages[1].dt = 0.001, got 0.0005)"},
    {"settling before filling", "[[materials]]\nname = \"grain\"", "[[stages]]\ntype = \"settle\"\nname = \"wait\"\n[[materials]]\nname = \"grain\"",
     "case.toml:10:8: stages[0].type = \"settle\" comes before there are balls (expected an earlier stage of type \"fill\", [[bodies]], an [[insert]] or a [start])"},
    {"only a discharge", "[[stages]]\ntype = \"fill\"\nmaterial = \"grain\"\ncount = 500\nrate = 1000\nradius = 0.005\n[[stages]]\ntype = \"settle\"\n", "",
     "case.toml: the case has no balls (expected a [[bodies]], an [[insert]], a stage of type \"fill\" or a [start])"},
    {"one stage in single brackets", "[[stages]]\ntype = \"fill\"\nmaterial = \"grain\"\ncount = 500\nrate = 1000\nradius = 0.005\n[[stages]]\ntype = \"settle\"\n[[stages]]\ntype = \"discharge\"\n", "[stages]\ntype = \"fill\"\n",
     "case.toml:22:1: stages is not a list of tables (expected [[stages]], got [stages])"},

    // ---- sizes
    {"more balls than numbers", "[[walls]]", "[[bodies]]\nsource = \"lattice\"\nlower = [-0.1, -0.1, 0.1]\nupper = [0.1, 0.1, 0.2]\nspacing = 1e-5\nradius = 1e-6\nmaterial = \"grain\"\n[[walls]]",
     "case.toml:36:11: bodies[0].spacing makes too many balls (expected at most 4294967295 in the whole case, got 4e+12)"},
    {"a section twice", "rate = 1000", "rate = 1000\n[run]\ndt = 1",
     "case.toml:27:1: not valid TOML: Error while parsing table header: cannot redefine existing table 'run'"},
    {"more balls than memory", "dt = 1e-5", "dt = 1e-5\nmemory = 1e5",
     "case.toml:26:9: stages[0].count makes more balls than fit in memory (expected at most 219.8, for run.memory = 1e+05 B and 455 B per ball, got 500)"},

    // ---- start, output
    {"a start from nowhere", "[silo]", "[start]\n[silo]",
     "case.toml:3:1: start.from is missing (expected a string that is not empty)"},
    {"an unknown field", "[silo]", "[output]\nfields = [\"id\", \"velocty\"]\n[silo]",
     "case.toml:4:17: output.fields is not known (expected a list with none, some or all of \"id\", \"radius\", \"velocity\", \"spin\", "
     "\"material\", \"force\", \"speed\", \"mass\", \"band\", \"entry_time\", got \"velocty\"; did you mean \"velocity\"?)"},
    {"half of a region of frames", "[silo]", "[output]\nregion_lower = [0, 0, 0]\n[silo]",
     "case.toml:3:1: output.region_upper is missing (expected together with output.region_lower)"},
    {"region of frames upside down", "[silo]", "[output]\nregion_lower = [0, 0, 0]\nregion_upper = [1, 1, 0]\n[silo]",
     "case.toml:5:16: output.region_upper is not above region_lower along z (expected above 0, got 0)"},
    {"every zeroth ball", "[silo]", "[output]\nevery_nth = 0\n[silo]",
     "case.toml:4:13: output.every_nth is out of range (expected an integer, at least 1, got 0)"},
};
// clang-format on

TEST(CaseSiloProblems, GoodCaseHasNone) { EXPECT_EQ(problems_of(good_case), "no problem"); }

// All keys of [run] have defaults, and stages give the duration.
TEST(CaseSiloProblems, RunMayBeLeftOut) {
    const std::string run = "[run]\ndt = 1e-5\n";
    ASSERT_EQ(good_case.find(run), 0u);
    EXPECT_EQ(problems_of(good_case.substr(run.size())), "no problem");
}

TEST(CaseSiloProblems, EachIsToldInItsExactWords) {
    for (const BadCase& bad : bad_cases) EXPECT_EQ(problems_of(spoilt(good_case, bad)), bad.message) << bad.what;
}

TEST(CaseSiloProblems, WithoutASilo) {
    std::string text = good_case;
    const std::string silo = "[silo]\nd_c = 0.2\nh_c = 0.4\nd_h = 0.05\nh_h = 0.1\nmaterial = \"steel\"\n";
    text.replace(text.find(silo), silo.size(), "[domain]\nlower = [-1, -1, -2]\nupper = [1, 1, 2]\n");
    EXPECT_EQ(problems_of(text),
              "case.toml:19:1: stages[0].lower and upper are missing (expected a region, or a [silo])\n"
              "case.toml:27:1: stages[2] has no outlet (expected an [[outlets]] that counts the balls)");
}

// A case without stages cannot open a gate at one.
TEST(CaseSiloProblems, WithoutStages) {
    const std::string text = good_case.substr(0, good_case.find("[[stages]]")) + "[start]\nfrom = \"filled.h5\"\n";
    EXPECT_EQ(problems_of(text, {"run.time=1"}), "no problem");
    EXPECT_EQ(problems_of(text, {"run.time=1", "silo.opens=discharge"}),
              "--set silo.opens=discharge: silo.opens names an unknown stage (expected a case with [[stages]], got "
              "\"discharge\")");
}

TEST(CaseSiloProblems, NumberOfBallsMayComeFromSeveralSections) {
    const std::string more =
        "[[insert]]\nmaterial = \"grain\"\nlower = [0, 0, 0.3]\nupper = [0.05, 0.05, 0.4]\ntotal = 400\nper_event = "
        "1\ninterval = 0.1\nradius = 0.005\n";
    EXPECT_EQ(problems_of(good_case + more, {"run.memory=4.2e5"}), "no problem");  // 923 balls
    EXPECT_NE(problems_of(good_case + more, {"run.memory=4.2e5", "stages.fill.count=530"})
                  .find("stages[0].count makes more balls than fit in memory"),
              std::string::npos);
}

}  // namespace
}  // namespace granary::case_silo_problems_test
