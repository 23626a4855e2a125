// What is filled in from the rest of a case: names, steps and times of stages, gates, regions, outlet, domain, uses.
#include "io/case/case_complete.hpp"
#include <gtest/gtest.h>
#include <algorithm>
#include "io/case/case_silo.hpp"

namespace granary {
namespace {

const std::string silo_case = R"(
[run]
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
radius_min = 0.004
radius_max = 0.005
[[stages]]
type = "settle"
dt = "auto"
[[stages]]
type = "discharge"
dt = 2e-5
)";

Case with(const std::vector<std::string>& sets, const std::string& more = "") {
    return read_case(silo_case + more, "case.toml", sets);
}

const WallSpec& wall(const Case& c, const std::string& name) {
    return *std::find_if(c.walls.begin(), c.walls.end(), [&](const WallSpec& w) { return w.name == name; });
}

TEST(CaseComplete, StagesAreNamedAfterTheirType) {
    const Case c = with({});
    ASSERT_EQ(c.stages.size(), 3u);
    EXPECT_EQ(c.stages[0].name, "fill");
    EXPECT_EQ(c.stages[1].name, "settle");
    EXPECT_EQ(c.stages[2].name, "discharge");
    EXPECT_EQ(with({"stages.settle.name=rest"}).stages[1].name, "rest");
}

// In free fall through its region a rain fills a tenth of it: 0.1 (pi/4 0.2^2 0.04 m^3)/(3.864e-7 m^3 sqrt(2 0.04/9.81)
// s) = 3601 balls a second.
TEST(CaseComplete, ARainChoosesItsRate) {
    std::string text = silo_case;
    text.erase(text.find("rate = 1000"), 12);
    const auto rate = [&](const std::vector<std::string>& sets) {
        return read_case(text, "case.toml", sets).stages[0].rate.value_or(0);
    };
    EXPECT_NEAR(rate({}), 3600, 1e-6);
    // It falls faster: (sqrt(4 + 2 9.81 0.04) - 2)/9.81 = 0.01910 s.
    EXPECT_NEAR(rate({"stages.fill.velocity=[0,0,-2]"}), 17000, 1e-6);
    EXPECT_EQ(*read_case(text, "case.toml", {}).stages[0].time, 2 * 500 / 3600.0 + 1);
    EXPECT_EQ(rate({"stages.fill.mass_rate=2.0"}), 0);
    EXPECT_EQ(with({}).stages[0].rate, 1000);
}

TEST(CaseComplete, AStepMayBeLeftOut) {
    std::string text = silo_case;
    text.erase(text.find("dt = 1e-5"), 10);
    EXPECT_TRUE(read_case(text, "case.toml", {}).run.dt_auto);
}

TEST(CaseComplete, StagesHaveTheStepOfTheRunUnlessTheySayOtherwise) {
    const Case c = with({});
    EXPECT_EQ(c.stages[0].dt, 1e-5);
    EXPECT_FALSE(c.stages[0].dt_auto);
    EXPECT_TRUE(c.stages[1].dt_auto);
    EXPECT_EQ(c.stages[1].dt, 0);
    EXPECT_EQ(c.stages[2].dt, 2e-5);
    const Case automatic = with({"run.dt=auto"});
    EXPECT_TRUE(automatic.run.dt_auto && automatic.stages[0].dt_auto && !automatic.stages[2].dt_auto);
    EXPECT_EQ(automatic.run.dt, 0);
    EXPECT_EQ(automatic.run.dt_share, 0.2);
}

TEST(CaseComplete, LongestTimes) {
    const Case c = with({});
    EXPECT_EQ(c.stages[0].time, 2.0);  // 500 balls at 1000 a second, twice, and a second more
    EXPECT_EQ(c.stages[1].time, 10.0);
    EXPECT_FALSE(c.stages[2].time);
    EXPECT_FALSE(
        with({"stages[0]={type=\"fill\", method=\"pack\", count=5, radius=0.005, material=\"grain\"}"}).stages[0].time);
    EXPECT_EQ(with({"stages.fill.time=0.25"}).stages[0].time, 0.25);
    // By mass: 1 kg at 0.5 kg/s. A mean ball has the mean of r^3 over the spread, 9.225e-8 m^3.
    EXPECT_EQ(with({"stages.fill.mass=1", "stages.fill.mass_rate=0.5"}).stages[0].time, 5.0);
    const double ball = 4.0 / 3.0 * 3.14159265358979 * 9.225e-8 * 2500;
    EXPECT_NEAR(*with({"stages.fill.mass_rate=0.5"}).stages[0].time, 2 * 500 * ball / 0.5 + 1, 1e-12);
    EXPECT_NEAR(*with({"stages.fill.mass=1"}).stages[0].time, 2 * (1 / ball) / 1000 + 1, 1e-12);
    EXPECT_NEAR(with({"stages.fill.mass=1"}).n_balls(), 1 / ball, 1e-9 / ball);
}

TEST(CaseComplete, WallsOfTheSiloFollowThoseOfTheFile) {
    const Case c = with({},
                        "[[walls]]\nname = \"plate\"\ntype = \"plane\"\npoint = [0, 0, -1]\nnormal = [0, 0, 1]\n"
                        "material = \"grain\"\n");
    ASSERT_EQ(c.walls.size(), 4u);
    EXPECT_EQ(c.walls[0].name, "plate");
    EXPECT_FALSE(c.walls[0].of_silo);
    const std::vector<WallSpec> made = silo_walls(*c.silo);
    EXPECT_TRUE(std::equal(made.begin(), made.end(), c.walls.begin() + 1, c.walls.end()));
    EXPECT_EQ(wall(c, "gate").material, "steel");
    EXPECT_EQ(wall(with({"silo.gate_material=grain"}), "gate").material, "grain");
}

TEST(CaseComplete, GateOpensAtTheFirstDischarge) {
    const Case c = with({}, "[[stages]]\ntype = \"discharge\"\nname = \"again\"\n");
    EXPECT_EQ(c.silo->opens, "discharge");
    EXPECT_EQ(wall(c, "gate").opens, "discharge");
    EXPECT_EQ(c.stages[2].open, (std::vector<std::string>{"gate"}));
    EXPECT_TRUE(c.stages[3].open.empty());
}

TEST(CaseComplete, GateOpensWhereItSaysSo) {
    const Case at_settle = with({"silo.opens=settle"});
    EXPECT_EQ(wall(at_settle, "gate").opens, "settle");
    EXPECT_EQ(at_settle.stages[1].open, (std::vector<std::string>{"gate"}));
    EXPECT_TRUE(at_settle.stages[2].open.empty());

    const Case by_clock = with({"silo.opens_at=0.5"});
    EXPECT_EQ(wall(by_clock, "gate").opens, "");
    EXPECT_EQ(wall(by_clock, "gate").opens_at, 0.5);
    EXPECT_TRUE(by_clock.stages[2].open.empty());
}

TEST(CaseComplete, GateOpensWhereAStageSaysSo) {
    const Case c = with({"stages.discharge.open=[\"lid\"]"},
                        "[[stages]]\ntype = \"discharge\"\nname = \"drain\"\nopen = [\"gate\"]\n"
                        "[[walls]]\nname = \"lid\"\ntype = \"disc\"\ncentre = [0, 0, 0.3]\nnormal = [0, 0, 1]\n"
                        "radius = 0.1\nmaterial = \"steel\"\n");
    EXPECT_EQ(c.silo->opens, "drain");
    EXPECT_EQ(wall(c, "gate").opens, "drain");
    EXPECT_EQ(wall(c, "lid").opens, "discharge");
    EXPECT_EQ(c.stages[2].open, (std::vector<std::string>{"lid"}));
    EXPECT_EQ(c.stages[3].open, (std::vector<std::string>{"gate"}));
}

TEST(CaseComplete, RegionsOfFillings) {
    const StageSpec rain = with({}).stages[0];
    EXPECT_EQ(*rain.upper, (Vec3d{0.1, 0.1, 0.5}));
    EXPECT_NEAR(norm(*rain.lower - Vec3d{-0.1, -0.1, 0.46}), 0, 1e-15);  // a tenth of h_c, and four diameters
    EXPECT_NEAR(with({"stages.fill.radius=0.01"}).stages[0].lower->z, 0.42, 1e-15);  // four diameters
    EXPECT_EQ(with({"silo.h_c=0.03"}).stages[0].lower->z, 0.1);                      // not below the bin
    const StageSpec pack =
        with({"stages[0]={type=\"fill\", method=\"pack\", count=5, radius=0.005, material=\"grain\"}"}).stages[0];
    EXPECT_EQ(*pack.lower, (Vec3d{-0.1, -0.1, 0.1}));
    EXPECT_EQ(*pack.upper, (Vec3d{0.1, 0.1, 0.5}));
    const StageSpec said = with({"stages.fill.lower=[0, 0, 0.3]", "stages.fill.upper=[0.05, 0.05, 0.4]"}).stages[0];
    EXPECT_EQ(*said.lower, (Vec3d{0, 0, 0.3}));
    EXPECT_EQ(*said.upper, (Vec3d{0.05, 0.05, 0.4}));
}

TEST(CaseComplete, OutletBelowTheGate) {
    const Case c = with({"silo.centre=[1, 2]"});
    ASSERT_EQ(c.outlets.size(), 1u);
    EXPECT_EQ(c.outlets[0].name, "outlet");
    EXPECT_EQ(c.outlets[0].point, (Vec3d{1, 2, -0.04}));  // four diameters
    EXPECT_EQ(c.outlets[0].normal, (Vec3d{0, 0, 1}));
    const Case own = with({}, "[[outlets]]\nname = \"drop\"\npoint = [0, 0, -0.3]\nnormal = [0, 0, 2]\n");
    ASSERT_EQ(own.outlets.size(), 1u);
    EXPECT_EQ(own.outlets[0].name, "drop");
    EXPECT_NEAR(own.domain.lower.z, -0.32, 1e-15);  // two diameters below
}

TEST(CaseComplete, DomainAroundTheSilo) {
    const Case c = with({});
    EXPECT_NEAR(norm(c.domain.lower - Vec3d{-0.12, -0.12, -0.06}), 0, 1e-15);
    EXPECT_NEAR(norm(c.domain.upper - Vec3d{0.12, 0.12, 0.54}), 0, 1e-15);
    EXPECT_EQ(c.domain.periodic, (std::array{false, false, false}));
    // It holds what else is in the case.
    const Case higher = with({"stages.fill.lower=[-0.1, -0.1, 0.6]", "stages.fill.upper=[0.1, 0.15, 0.9]"});
    EXPECT_NEAR(norm(higher.domain.upper - Vec3d{0.12, 0.15, 0.9}), 0, 1e-15);
    // Said is said.
    const Case said = with({}, "[domain]\nlower = [-1, -1, -1]\nupper = [1, 1, 1]\nperiodic = [\"x\"]\n");
    EXPECT_EQ(said.domain.lower, (Vec3d{-1, -1, -1}));
    EXPECT_TRUE(said.domain.periodic[0]);
}

// Balls of another run are not known, so room is measured by the silo, and a density marks what may be of balls.
TEST(CaseComplete, StartFromAState) {
    const std::string text = silo_case.substr(0, silo_case.find("[[stages]]")) +
                             "[[stages]]\ntype = \"discharge\"\n[start]\nfrom = \"../filled.h5\"\n";
    const Case c = read_case(text, "jobs/cases/case.toml");
    EXPECT_EQ(c.start->from, "jobs/filled.h5");
    EXPECT_TRUE(c.start->time_zero);
    EXPECT_NEAR(c.outlets[0].point.z, -4 * 0.05 * 0.2, 1e-15);
    EXPECT_TRUE(c.materials[0].of_balls && !c.materials[0].of_walls);
    EXPECT_TRUE(!c.materials[1].of_balls && c.materials[1].of_walls);
    EXPECT_FALSE(read_case(text, "case.toml", {"start.time_zero=false"}).start->time_zero);
    // What the law needs of a pair is asked of them.
    EXPECT_THROW(read_case(text, "case.toml", {"law.type=linear"}), CaseError);
}

TEST(CaseComplete, MaterialsOfFillingsAndSilos) {
    const Case c = with({"silo.gate_material=grain"});
    EXPECT_TRUE(c.materials[0].of_balls && c.materials[0].of_walls);
    EXPECT_TRUE(!c.materials[1].of_balls && c.materials[1].of_walls);
    EXPECT_EQ(c.largest_radius(), 0.005);
    EXPECT_EQ(c.n_balls(), 500);
}

TEST(CaseComplete, SlotOfARectangleIsAsLongAsItsDepth) {
    const std::string box =
        "silo={bin=\"rectangle\", hopper=\"wedge\", outlet=\"slot\", width=0.2, depth=0.1, h_c=0.4, h_h=0.1, "
        "outlet_width=0.03, material=\"steel\"}";
    EXPECT_EQ(with({box}).silo->outlet_length, 0.1);
    EXPECT_EQ(with({box, "silo.h_c=0.3"}).silo->outlet_length, 0.1);
}

}  // namespace
}  // namespace granary
