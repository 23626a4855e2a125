// The resolved case: it holds every key, and reading it gives the same case.
#include <gtest/gtest.h>
#include <filesystem>
#include "io/case/case.hpp"
#include "io/case/case_schema.hpp"
#include "io/formats/toml_tree.hpp"
#include "support/source_folder.hpp"

namespace granary {
namespace {

// Paths in a case are absolute if the file is named so.
const std::string file = "/cases/case.toml";

void expect_round_trip(const Case& c, const std::string& what) {
    const std::string text = resolved_case(c);
    try {
        const Case again = read_case(text, "/elsewhere/resolved.toml");
        EXPECT_TRUE(again == c) << what << "\n" << text;
        EXPECT_EQ(resolved_case(again), text) << what;
    } catch (const CaseError& e) {
        ADD_FAILURE() << what << "\n" << e.what() << "\n" << text;
    }
}

const std::string plain_case = R"(
title = "with \"quotes\", a back\\slash,\ttab, \u0007 and ü"
run = {dt = 1e-5, time = 0.1}
domain = {lower = [-0.1, 0.30000000000000004, 0], upper = [1, 2, 3], periodic = ["z", "x"]}
[[materials]]
name = "grain"
density = 1000
young = 1e7
poisson = 0.25
restitution = 1
friction = 0
[[materials]]
name = "rigid"
young = inf
poisson = 0
[[pairs]]
materials = ["rigid", "grain"]
restitution = 0.5
friction = 0.1
[[bodies]]
source = "file"
file = "balls.txt"
material = "grain"
[[bodies]]
source = "lattice"
lower = [0.2, 0.5, 0.2]
upper = [0.8, 0.9, 0.8]
counts = [6, 4, 6]
radius = 0.01
material = "grain"
[[walls]]
name = "floor"
type = "plane"
point = [0, 0, 0]
normal = [1, 2, 3]
material = "rigid"
opens_at = 0.05
[[outlets]]
name = "hole"
point = [0, 1, 0.1]
normal = [0.1, 0.2, 0.3]
)";

// Distributions, mixtures, flows, walls of balls: each key arrives where it belongs, and the written case is the same
// case.
const std::string rich_case = R"(
run = {dt = 1e-5}
[silo]
d_c = 1.0
h_c = 1.0
d_h = 0.3
h_h = 0.4
material = "grain"
wall = "balls"
wall_spacing = 0.03
wall_radius_min = 0.02
wall_radius_max = 0.025
[[materials]]
name = "grain"
density = 1000
young = 1e7
poisson = 0.25
restitution = 1
friction = 0
[[materials]]
name = "stone"
density = 2000
young = 1e7
poisson = 0.25
restitution = 1
friction = 0
[[bodies]]
source = "file"
file = "balls.txt"
scale = 1e-3
material = "grain"
[[insert]]
name = "spout"
material = "grain"
mixed_with = ["stone"]
mixed_shares = [0.25]
inlet = "disc"
centre = [0.1, 0.0, 1.2]
inlet_radius = 0.2
inlet_axis = "x"
mass_rate = 3.0
mass = 7.0
stage = "flow"
sizes = "sieve"
sieve_sizes = [0.02, 0.03, 0.05]
passing = [0, 0.5, 1]
[[stages]]
type = "fill"
method = "dense"
solid_fraction = 0.55
material = "grain"
count = 100
sizes = "list"
radii = [0.02, 0.03]
shares = [1, 2]
[[stages]]
type = "fill"
name = "more"
material = "grain"
count = 100
rate = 10
sizes = "normal"
radius_mean = 0.02
radius_deviation = 0.001
radius_min = 0.015
radius_max = 0.03
[[stages]]
type = "discharge"
name = "flow"
)";

TEST(CaseWrite, SizesMixturesFlowsAndWallBalls) {
    const Case c = read_case(rich_case, file);
    expect_round_trip(c, "rich");
    EXPECT_EQ(c.silo->wall, SiloWallType::balls);
    EXPECT_EQ(c.silo->wall_spacing, 0.03);
    EXPECT_EQ(c.bodies[0].scale, 1e-3);
    const InsertSpec& i = c.insert[0];
    EXPECT_EQ(i.mix.mixed_with, std::vector<std::string>{"stone"});
    EXPECT_EQ(i.mix.mixed_shares, std::vector<double>{0.25});
    EXPECT_EQ(i.inlet_axis, 0);
    EXPECT_NEAR(i.upper.x - i.lower.x, 0.05, 1e-6);  // as thick as the largest ball
    EXPECT_NEAR(i.upper.z, 1.4, 1e-12);
    EXPECT_EQ(i.radii.smallest(), 0.01);
    EXPECT_EQ(i.radii.largest(), 0.025);
    EXPECT_EQ(i.stage, "flow");
    EXPECT_NEAR(c.mean_density("grain", i.mix), 1250, 1e-9);
    EXPECT_NEAR(n_balls(i, c), 7.0 / (1250 * i.radii.mean_volume()), 1e-9);
    EXPECT_EQ(c.stages[0].lower->z, 0);  // a dense packing begins at the gate
    EXPECT_EQ(c.stages[0].radii.distribution().type, SizeDistribution::Type::list);
    EXPECT_NEAR(c.stages[0].radii.distribution().moment(1), 0.08 / 3, 1e-15);
    EXPECT_EQ(c.stages[1].radii.distribution().mean, 0.02);
    EXPECT_EQ(c.smallest_radius(), 0.01);
    EXPECT_EQ(c.largest_radius(), 0.03);
    EXPECT_TRUE(c.materials[1].of_balls);
}

TEST(CaseWrite, PlainCase) {
    const Case c = read_case(plain_case, file);
    expect_round_trip(c, "plain");
    EXPECT_EQ(c.bodies[0].file, "/cases/balls.txt");
}

TEST(CaseWrite, Reference) { expect_round_trip(read_case(case_reference(), file), "reference"); }

TEST(CaseWrite, ExamplesInAllVariants) {
    const std::string box =
        "silo={bin=\"rectangle\", hopper=\"wedge\", outlet=\"slot\", width=0.3, depth=0.2, h_c=0.8, h_h=0.1, "
        "outlet_width=0.05, material=\"steel\"}";
    const std::string flat =
        "silo={hopper=\"flat\", outlet=\"slot\", d_c=0.3, h_c=0.8, outlet_width=0.05, outlet_length=0.1, "
        "outlet_offset=[0.01, -0.03], material=\"steel\", opens_at=2}";
    for (const auto& entry : std::filesystem::directory_iterator(source_path("jobs/cases"))) {
        if (entry.path().extension() != ".toml") continue;
        const std::string name = entry.path().string(), text = read_case_text(name);
        expect_round_trip(read_case(text, name), name);
        expect_round_trip(read_case(text, name, {"run.dt=auto", "run.skin=1e-4"}), name + " with auto");
        if (!entry.path().stem().string().starts_with("silo-") || text.find("[silo]") == std::string::npos) continue;
        if (text.find("method = \"dense\"") != std::string::npos) continue;  // a packing fits its own bin only
        expect_round_trip(read_case(text, name, {box, "stages.fill.mass=2", "stages.fill.mass_rate=5"}), name + " box");
        expect_round_trip(read_case(text, name, {flat, "stages.settle.dt=auto"}), name + " flat");
    }
}

// Keys that have a value are all there, those that do not go with the others are not.
TEST(CaseWrite, HoldsEveryKey) {
    const TomlNode root = parse_toml(resolved_case(read_case(case_reference(), file)));
    for (const KeyRow& key : case_keys()) {
        const std::string section = key.section;
        const TomlNode* table = section.empty() ? &root : root.find(section);
        ASSERT_TRUE(table) << section;
        // Shape of the silo, spread of sizes, method of filling, kind of inlet: only the default is in the reference.
        const bool shows_default = section == "silo" || section == "bodies" || section == "insert" ||
                                   section == "stages" || section == "clusters";
        const bool of_other_shape = shows_default && fit(key, default_selection(*find_section(section))).no();
        const bool has_rival = *key.extra.rivals && key.preset.kind != KeyDefault::Kind::required;
        if (of_other_shape || has_rival) continue;
        bool found = false;
        if (table->kind == TomlNode::Kind::array)
            for (const TomlNode& item : table->items) found = found || item.find(key.name);
        else found = table->find(key.name);
        EXPECT_TRUE(found) << section << "." << key.name;
    }
    EXPECT_FALSE(root.find("silo")->find("width"));
}

TEST(CaseWrite, WallsOfTheSiloAreNotWrittenOut) {
    const std::string name = source_path("jobs/cases/silo-tiny.toml");
    const std::string text = resolved_case(read_case(read_case_text(name), name));
    EXPECT_EQ(text.find("[[walls]]"), std::string::npos);
    EXPECT_NE(text.find("[silo]"), std::string::npos);
    EXPECT_NE(text.find("[domain]"), std::string::npos);
    EXPECT_NE(text.find("opens = \"discharge\""), std::string::npos);
}

TEST(CaseWrite, NotesOfARun) {
    const std::string name = source_path("jobs/cases/silo-tiny.toml");
    const Case c = read_case(read_case_text(name), name, {"run.dt=auto", "stages.settle.dt=auto"});
    ResolvedNotes notes;
    notes.head = {"granary 1.2", "compiled by hand"};
    notes.values = {{"run.dt", 3e-5},
                    {"stages[0].dt", 3e-5},
                    {"stages[1].dt", 2e-5},
                    {"stages[2].dt", 3e-5},
                    {"run.skin", 4e-4}};
    const std::string text = resolved_case(c, notes);
    EXPECT_TRUE(text.starts_with("# granary 1.2\n# compiled by hand\n"));
    const Case again = read_case(text, file);
    EXPECT_EQ(again.run.dt, 3e-5);
    EXPECT_FALSE(again.run.dt_auto);
    EXPECT_EQ(again.stages[1].dt, 2e-5);
    EXPECT_EQ(again.run.skin, 4e-4);
    Case expected = c;
    expected.run.dt = 3e-5, expected.run.dt_auto = false, expected.run.skin = 4e-4;
    for (StageSpec& s : expected.stages) s.dt = 3e-5, s.dt_auto = false;
    expected.stages[1].dt = 2e-5;
    EXPECT_TRUE(again == expected);
}

// Relative paths would be wrong in another folder.
TEST(CaseWrite, PathsAreAbsolute) {
    const Case c = read_case(plain_case, "case.toml");
    EXPECT_EQ(c.bodies[0].file, "balls.txt");
    const Case again = read_case(resolved_case(c), "/elsewhere/resolved.toml");
    EXPECT_EQ(again.bodies[0].file, (std::filesystem::current_path() / "balls.txt").string());
}

// Equality sees every part: a change anywhere makes cases differ.
TEST(CaseWrite, EqualityIsNotBlind) {
    const std::string name = source_path("jobs/cases/silo-tiny.toml"), text = read_case_text(name);
    const Case c = read_case(text, name);
    for (const char* set :
         {"title=x", "gravity[0]=1", "run.seed=9", "law.attraction=false", "materials[0].young=4e6", "silo.d_h=0.061",
          "stages.settle.time=0.3", "stages.discharge.empty=false", "output.every_nth=2", "start={from=\"a.h5\"}"})
        EXPECT_FALSE(read_case(text, name, {set}) == c) << set;
    EXPECT_TRUE(read_case(text, name) == c);
}

// as-run.toml may lie anywhere: whatever it names is found from there.
TEST(ResolvedCase, NamesFilesByTheirWholePaths) {
    const std::string text = resolved_case(read_case(
        plain_case +
            "[insitu]\nscripts = [\"mine.py\", \"half-silo\", \"../b/other.py\", \"/c/third.py\"]\nevery = 0.01\n",
        "some/folder/case.toml"));
    const std::string here = std::filesystem::current_path().string();
    EXPECT_NE(text.find("scripts = [\"" + here + "/some/folder/mine.py\", \"half-silo\", \"" + here +
                        "/some/b/other.py\", \"/c/third.py\"]"),
              std::string::npos)
        << text;
}

}  // namespace
}  // namespace granary
