// Overrides by --set: the forms of a key, the values, and the words for what is wrong.
#include "io/case/case_set.hpp"
#include <gtest/gtest.h>
#include "io/case/case.hpp"

namespace granary::case_set_test {
namespace {

const std::string text = R"(
[run]
dt = 1e-5
time = 0.1
[domain]
lower = [0, 0, 0]
upper = [1, 1, 1]
[[materials]]
name = "grain"
density = 2500
young = 5e6
poisson = 0.45
restitution = 0.5
friction = 0.5
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
point = [0, 0, 0]
normal = [0, 0, 1]
material = "grain"
[[walls]]
name = "the lid"
type = "plane"
point = [0, 0, 1]
normal = [0, 0, -1]
material = "grain"
)";

Case with(const std::vector<std::string>& sets) { return read_case(text, "case.toml", sets); }

std::string problems_with(const std::vector<std::string>& sets) {
    try {
        with(sets);
    } catch (const CaseError& e) {
        return e.what();
    }
    return "no problem";
}

TEST(CaseSet, FormsOfAKey) {
    EXPECT_EQ(with({"run.dt=2e-6"}).run.dt, 2e-6);
    EXPECT_EQ(with({"title=hello world"}).title, "hello world");
    EXPECT_EQ(with({"bodies[0].count=5"}).bodies[0].count, 5);
    EXPECT_EQ(with({"walls[1].point=[0, 0, 0.5]"}).walls[1].point.z, 0.5);
    EXPECT_EQ(with({"walls.floor.normal=[0,1,0]"}).walls[0].normal, (Vec3d{0, 1, 0}));
    EXPECT_EQ(with({"walls.\"the lid\".point=[0,0,0.75]"}).walls[1].point.z, 0.75);
    EXPECT_EQ(with({"materials.grain.friction=0.25"}).materials[0].contact.friction, 0.25);
    EXPECT_EQ(with({"domain.upper[2]=2"}).domain.upper, (Vec3d{1, 1, 2}));
}

TEST(CaseSet, BeginsWhatTheFileLeftOut) {
    EXPECT_EQ(with({"law.attraction=false"}).law.attraction, false);
    EXPECT_EQ(with({"output.state=end.h5"}).output.state, "end.h5");
    EXPECT_EQ(with({"gravity[2]=-1.62"}).gravity, (Vec3d{0, 0, -1.62}));  // the default of the others stays
    EXPECT_EQ(with({"bodies[0].velocity[0]=3"}).bodies[0].velocity, (Vec3d{3, 0, 0}));
    EXPECT_EQ(with({"walls=[]"}).walls.size(), 0u);
}

TEST(CaseSet, ValuesAreTomlOrElseText) {
    EXPECT_EQ(with({"walls[0].name=\"ground\""}).walls[0].name, "ground");
    EXPECT_EQ(with({"walls[0].name=ground"}).walls[0].name, "ground");
    EXPECT_EQ(with({"walls[0].name=a = b"}).walls[0].name, "a = b");
    EXPECT_EQ(with({"title=x\nrun = 3"}).title, "x\nrun = 3");  // one value, never more keys
    EXPECT_EQ(with({"title=\"x\"\nrun = 3"}).title, "\"x\"\nrun = 3");
}

TEST(CaseSet, TheLastOneCounts) { EXPECT_EQ(with({"run.dt=1e-6", "run.dt=3e-6"}).run.dt, 3e-6); }

TEST(CaseSet, TakesOutWhatExcludesIt) {
    const Case c = with({"run.steps=10"});
    EXPECT_EQ(c.run.steps, 10);
    EXPECT_FALSE(c.run.time);
    const Case d = with({"bodies[0].radius_min=0.01", "bodies[0].radius_max=0.02"});
    EXPECT_FALSE(d.bodies[0].radii.radius);
    EXPECT_EQ(d.bodies[0].radii.largest(), 0.02);
}

// clang-format off
TEST(CaseSet, ProblemsSayWhichSet) {
    const struct { const char *set, *message; } rows[] = {
        {"run.dt=0", "run.dt is out of range (expected \"auto\" or a number in s, above 0, got 0)"},
        {"run.dt=1e-5s", "run.dt has the wrong type (expected \"auto\" or a number in s, above 0, got \"1e-5s\")"},
        {"run.dtt=1", "unknown key run.dtt (did you mean run.dt?)"},
        {"dt=1e-5", "unknown key dt (dt belongs in [run])"},
        {"walls[0].friction=0.5", "unknown key walls[0].friction (friction belongs in [[materials]])"},
        {"walls.floor.material=steel", "walls[0].material names an unknown material (expected \"grain\", got \"steel\")"},
        {"walls[2].name=a", "there is no walls[2] (expected walls[0] to [1])"},
        {"walls.flor.name=a", "there is no walls.flor (expected floor, the lid; did you mean floor?)"},
        {"bodies.bed.count=3", "there is no bodies.bed (they have no names, expected bodies[0] and so on)"},
        {"outlets.hole.name=a", "there is no [[outlets]] in the file"},
        {"wals.floor.name=a", "there is no wals (did you mean walls?)"},
        {"run.dt.s=1", "run.dt is not a table (expected no .s)"},
        {"run.dt[0]=1", "run.dt is not a list (expected no [0])"},
        {"run[0]=1", "run is not a list (expected no [0])"},
        {"domain.upper[3]=1", "there is no domain.upper[3] (expected domain.upper[0] to [2])"},
        {"run.dt=", "no value (expected key=value)"},
        {"run.dt", "not an assignment (expected key=value, such as run.dt=1e-5, walls[0].material=steel or walls.floor.material=steel)"},
        {"=3", "not an assignment (expected key=value, such as run.dt=1e-5, walls[0].material=steel or walls.floor.material=steel)"},
        {"run..dt=3", "not an assignment (expected key=value, such as run.dt=1e-5, walls[0].material=steel or walls.floor.material=steel)"},
    };
    for (const auto& [set, message] : rows) EXPECT_EQ(problems_with({set}), std::string("--set ") + set + ": " + message);
}
// clang-format on

// A problem between a value of the file and one of a --set is told where the value at fault stands.
TEST(CaseSet, ProblemMayBeInTheFile) {
    EXPECT_EQ(problems_with({"domain.upper=[1, 1, 0.5]"}),
              "case.toml:20:9: bodies[0].upper is outside the domain along z (expected at most 0.5, got 0.8)");
}

// Probes without a name have that of their wall, or of their type.
TEST(CaseSet, ProbesThatHaveNoName) {
    const std::string probed = text +
                               "[[probes]]\ntype = \"pressure\"\nwall = \"floor\"\nevery = 0.01\n"
                               "[[probes]]\ntype = \"loads\"\nevery = 0.01\n"
                               "[[probes]]\ntype = \"pressure\"\nname = \"top\"\nwall = \"the lid\"\nevery = 0.01\n";
    const Case c =
        read_case(probed, "case.toml", {"probes.floor.every=0.02", "probes.loads.every=0.03", "probes.top.wall=floor"});
    EXPECT_EQ(c.probes[0].every, 0.02);
    EXPECT_EQ(c.probes[1].every, 0.03);
    EXPECT_EQ(c.probes[2].wall, "floor");
    EXPECT_EQ(read_case(probed, "case.toml", {"probes.floor.wall=the lid"}).probes[0].wall, "the lid");
}

}  // namespace
}  // namespace granary::case_set_test
