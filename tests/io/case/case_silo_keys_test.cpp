// A silo, its gates and its stages as they are read from a case.
#include "io/case/case.hpp"
#include <gtest/gtest.h>

namespace granary::case_silo_keys_test {
namespace {

const std::string silo_case = R"(
[run]
dt = "auto"
dt_share = 0.15
allow_large_dt = true
memory = 5e8
[[materials]]
name = "grain"
density = 1000
young = 1e7
poisson = 0.25
restitution = 1
friction = 0
[silo]
bin = "rectangle"
hopper = "flat"
outlet = "slot"
width = 0.5
depth = 0.4
h_c = 0.75
outlet_width = 0.125
outlet_length = 0.25
outlet_offset = [0.0625, -0.03125]
centre = [1, 2]
bottom = 3
material = "grain"
opens = "drain"
[[stages]]
type = "fill"
name = "first"
time = 1.5
dt = 2e-5
method = "rain"
material = "grain"
mass = 0.5
mass_rate = 0.375
radius_min = 0.01
radius_max = 0.02
velocity = [0, 0, -2]
lower = [0.9, 1.9, 3.5]
upper = [1.1, 2.1, 3.6]
max_overlap = 0.05
[[stages]]
type = "fill"
name = "second"
method = "pack"
material = "grain"
count = 7
radius = 0.015
[[stages]]
type = "fill"
name = "third"
material = "grain"
count = 8
rate = 9
radius = 0.015
[[stages]]
type = "settle"
energy = 1e-8
check_every = 0.5
[[stages]]
type = "discharge"
name = "drain"
open = ["gate"]
empty = false
stall_time = 0.25
check_every = 0.125
[[stages]]
type = "run"
time = 4
[start]
from = "filled.h5"
time_zero = false
[output]
frames_every = 0.0625
fields = ["id", "force"]
precision = "float64"
region_lower = [0, 1, 2]
region_upper = [3, 4, 5]
every_nth = 6
series_every = 0.03125
)";

TEST(Case, KeysOfTheSiloArriveWhereTheyBelong) {
    const Case c = read_case(silo_case, "case.toml");
    EXPECT_TRUE(c.run.dt_auto);
    EXPECT_EQ(c.run.dt_share, 0.15);
    EXPECT_TRUE(c.run.allow_large_dt);
    EXPECT_EQ(c.run.memory, 5e8);
    ASSERT_TRUE(c.silo);
    EXPECT_EQ(c.silo->bin, BinType::rectangle);
    EXPECT_EQ(c.silo->hopper, HopperType::flat);
    EXPECT_EQ(c.silo->outlet, OpeningType::slot);
    EXPECT_EQ(c.silo->width, 0.5);
    EXPECT_EQ(c.silo->depth, 0.4);
    EXPECT_EQ(c.silo->h_c, 0.75);
    EXPECT_EQ(c.silo->h_h, 0);
    EXPECT_EQ(c.silo->outlet_width, 0.125);
    EXPECT_EQ(c.silo->outlet_length, 0.25);
    EXPECT_EQ(c.silo->outlet_offset, (std::array{0.0625, -0.03125}));
    EXPECT_EQ(c.silo->centre, (std::array{1.0, 2.0}));
    EXPECT_EQ(c.silo->bottom, 3);
    EXPECT_EQ(c.silo->material, "grain");
    EXPECT_EQ(c.silo->opens, "drain");
    ASSERT_TRUE(c.start);
    EXPECT_EQ(c.start->from, "filled.h5");
    EXPECT_FALSE(c.start->time_zero);
    EXPECT_EQ(c.output.frames_every, 0.0625);
    EXPECT_EQ(c.output.fields, (std::vector<std::string>{"id", "force"}));
    EXPECT_EQ(c.output.precision, FramePrecision::float64);
    EXPECT_EQ(c.output.region_lower, (Vec3d{0, 1, 2}));
    EXPECT_EQ(c.output.region_upper, (Vec3d{3, 4, 5}));
    EXPECT_EQ(c.output.every_nth, 6);
    EXPECT_EQ(c.output.series_every, 0.03125);

    const std::string round =
        "silo={d_c = 0.5, d_h = 0.25, h_c = 0.75, h_h = 0.125, centre=[1, 2], bottom = 3, "
        "material = \"grain\", gate_material = \"grain\"}";
    const SiloSpec s = *read_case(silo_case, "case.toml", {round}).silo;
    EXPECT_EQ(s.bin, BinType::cylinder);
    EXPECT_EQ(s.hopper, HopperType::cone);
    EXPECT_EQ(s.outlet, OpeningType::circle);
    EXPECT_EQ(s.d_c, 0.5);
    EXPECT_EQ(s.d_h, 0.25);
    EXPECT_EQ(s.h_h, 0.125);
}

TEST(Case, Stages) {
    const Case c = read_case(silo_case, "case.toml");
    ASSERT_EQ(c.stages.size(), 6u);
    const StageType types[] = {StageType::fill,   StageType::fill,      StageType::fill,
                               StageType::settle, StageType::discharge, StageType::run};
    for (std::size_t i = 0; i < c.stages.size(); ++i) EXPECT_EQ(c.stages[i].type, types[i]);
    const StageSpec &rain = c.stages[0], &pack = c.stages[1], &third = c.stages[2];
    EXPECT_EQ(rain.name, "first");
    EXPECT_EQ(rain.time, 1.5);
    EXPECT_EQ(rain.dt, 2e-5);
    EXPECT_FALSE(rain.dt_auto);
    EXPECT_EQ(rain.method, InsertionMethod::rain);
    EXPECT_EQ(rain.material, "grain");
    EXPECT_FALSE(rain.count || rain.rate);
    EXPECT_EQ(rain.mass, 0.5);
    EXPECT_EQ(rain.mass_rate, 0.375);
    EXPECT_EQ(rain.radii.smallest(), 0.01);
    EXPECT_EQ(rain.radii.largest(), 0.02);
    EXPECT_EQ(rain.velocity, (Vec3d{0, 0, -2}));
    EXPECT_EQ(rain.lower, (Vec3d{0.9, 1.9, 3.5}));
    EXPECT_EQ(rain.upper, (Vec3d{1.1, 2.1, 3.6}));
    EXPECT_EQ(rain.max_overlap, 0.05);
    EXPECT_EQ(pack.method, InsertionMethod::pack);
    EXPECT_EQ(pack.count, 7);
    EXPECT_EQ(pack.max_overlap, 0);
    EXPECT_EQ(third.count, 8);
    EXPECT_EQ(third.rate, 9.0);
    EXPECT_EQ(c.stages[3].energy, 1e-8);
    EXPECT_EQ(c.stages[3].check_every, 0.5);
    const StageSpec& drain = c.stages[4];
    EXPECT_EQ(drain.open, (std::vector<std::string>{"gate"}));
    EXPECT_FALSE(drain.empty);
    EXPECT_EQ(drain.stall_time, 0.25);
    EXPECT_EQ(drain.check_every, 0.125);
    EXPECT_FALSE(drain.time);
    EXPECT_EQ(c.stages[5].time, 4.0);
    const Case defaults = read_case(silo_case, "case.toml", {"stages[4]={type=\"discharge\", name=\"drain\"}"});
    EXPECT_TRUE(defaults.stages[4].empty);
    EXPECT_EQ(defaults.stages[4].stall_time, 1.0);
    EXPECT_EQ(defaults.stages[4].check_every, 0.01);
    EXPECT_FALSE(read_case(silo_case, "case.toml", {"stages[3]={type=\"settle\"}"}).stages[3].energy);
}

}  // namespace
}  // namespace granary::case_silo_keys_test
